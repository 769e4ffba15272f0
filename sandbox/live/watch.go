package live

import (
	"io/fs"
	"os"
	"path"
	"time"

	"gatewright/internal/file/fingerprint"
	"gatewright/project"
)

// How often the files are checked: every usualPause, sooner after a change, and less
// often if a check takes long: at most a 50th of the time is spent on checks.
const (
	usualPause = 250 * time.Millisecond
	shortPause = 40 * time.Millisecond
	lookShare  = 50
)

// definitionFiles are the files of a definition, by layout, as patterns for fs.Glob;
// statePatterns are the files of this machine that are watched with them.
var (
	definitionFiles = map[project.Layout][]string{
		project.Native: {
			"backend/*.json", "backend/environments/*.json", "backend/outputs/*.json", "backend/api/*/*.json",
			"backend/function/*/function.json", "backend/table/*/table.json",
		},
		project.Amplify: {
			"package.json", "amplify/*.json", "amplify/.config/*.json", "amplify/backend/*.json", "amplify/backend/api/*/*.json",
			"amplify/backend/api/*/override.ts", "amplify/backend/api/*/build/*.json",
			"amplify/backend/function/*/*.json", "amplify/backend/storage/*/*.json", "amplify/backend/auth/*/*.json",
			"gatewright/contract/*.json",
		},
	}
	statePatterns = []string{
		path.Join(project.StateFolder, "secrets", "*.json"), path.Join(project.StateFolder, "deployed", "*", "record.json"),
	}
)

// watch notices changes of a project's definition, its secrets and its deployments, by
// the sizes, modes and times of files.
type watch struct {
	root     fs.FS
	patterns []string
	// seen is the fingerprint of the last look, applied the one last reported as a change.
	seen, applied string
	// pause is how long to wait for the next look.
	pause time.Duration
}

func newWatch(root string, layout project.Layout) *watch {
	w := &watch{
		root:     os.DirFS(root),
		patterns: append(statePatterns[:len(statePatterns):len(statePatterns)], definitionFiles[layout]...),
		pause:    usualPause,
	}
	w.seen = w.look()
	w.applied = w.seen
	return w
}

// changed reports a change once the files are the same in two looks: several files are
// often written one after another.
func (w *watch) changed() bool {
	began := time.Now()
	now := w.look()
	took := time.Since(began)
	settled := now == w.seen
	w.seen = now
	w.pause = max(usualPause, took*lookShare)
	if now == w.applied {
		return false
	}
	if !settled {
		w.pause = max(shortPause, took)
		return false
	}
	w.applied = now
	return true
}

// differs reports a change at once.
func (w *watch) differs() bool {
	w.seen = w.look()
	differs := w.seen != w.applied
	w.applied = w.seen
	return differs
}

// again makes the next look report a change.
func (w *watch) again() { w.applied = "" }

func (w *watch) look() string {
	sum := fingerprint.New()
	for _, pattern := range w.patterns {
		// The only possible error is a malformed pattern.
		names, _ := fs.Glob(w.root, pattern)
		for _, name := range names {
			if info, err := fs.Stat(w.root, name); err == nil {
				sum.Attributes(name, info)
			} else {
				sum.Text(name)
			}
		}
	}
	return sum.String()
}

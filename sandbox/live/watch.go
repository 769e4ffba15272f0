package live

import (
	"path"
	"strings"
	"time"

	filewatch "gatewright/internal/file/watch"
	"gatewright/project"
)

// A change is reported when there was no other for shortPause, because several files are often
// written one after another. What another process was still writing is read again after
// longPause.
const (
	shortPause = 40 * time.Millisecond
	longPause  = 250 * time.Millisecond
)

// definitionFiles are the files of a definition, by layout, as patterns for path.Match;
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

// watch notices changes of a project's definition, its secrets and its deployments.
type watch struct {
	tree *filewatch.Tree
	// changed receives a value after a change; quiet is the pause before it.
	changed chan struct{}
	quiet   *time.Timer
	// applied is the stamp that was last reported as a change.
	applied uint64
}

func newWatch(root string, layout project.Layout) *watch {
	w := &watch{changed: make(chan struct{}, 1)}
	w.quiet = time.AfterFunc(longPause, func() {
		select {
		case w.changed <- struct{}{}:
		default:
		}
	})
	w.quiet.Stop()
	var patterns [][]string
	for _, pattern := range append(statePatterns[:len(statePatterns):len(statePatterns)], definitionFiles[layout]...) {
		patterns = append(patterns, strings.Split(pattern, "/"))
	}
	w.tree = filewatch.Shared.Watch(filewatch.Of{
		Roots: []string{root}, Fixed: true, Changed: func() { w.quiet.Reset(shortPause) },
		Wants: func(name string, isFolder bool) bool {
			names := strings.Split(name, "/")
			for _, pattern := range patterns {
				if leads(names, pattern) && isFolder == (len(names) < len(pattern)) {
					return true
				}
			}
			return false
		},
	})
	w.applied = w.tree.Stamp()
	return w
}

// leads reports whether names are the first of a pattern.
func leads(names, pattern []string) bool {
	for i, name := range names {
		if i == len(pattern) {
			return false
		}
		if is, _ := path.Match(pattern[i], name); !is {
			return false
		}
	}
	return true
}

// differs reports once whether files have changed.
func (w *watch) differs() bool {
	w.tree.Settle(0)
	now := w.tree.Stamp()
	differs := now != w.applied
	w.applied = now
	return differs
}

// again reports a change once more.
func (w *watch) again() {
	w.applied = 0
	w.quiet.Reset(longPause)
}

func (w *watch) close() {
	w.tree.Close()
	w.quiet.Stop()
}

package live

import (
	"path"
	"slices"
	"strings"
	"time"

	filewatch "gatewright/internal/file/watch"
	"gatewright/project"
)

// A change is reported when there was no other for shortPause, because several files are often written one
// after another. What another process was still writing is read again after longPause.
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
	patterns := slices.Concat(statePatterns, definitionFiles[layout])
	w.tree = filewatch.Shared.Watch(filewatch.Of{
		Roots: []string{root}, Fixed: true, Changed: func() { w.quiet.Reset(shortPause) },
		Wants: func(name string, isFolder bool) bool {
			return slices.ContainsFunc(patterns, func(pattern string) bool {
				parts, depth := strings.Split(pattern, "/"), 1+strings.Count(name, "/")
				if depth > len(parts) || isFolder != (depth < len(parts)) {
					return false
				}
				is, _ := path.Match(path.Join(parts[:depth]...), name)
				return is
			})
		},
	})
	w.applied = w.tree.Stamp()
	return w
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

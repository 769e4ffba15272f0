package typescript

import (
	"path/filepath"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"

	"gatewright/internal/text/lazyregexp"
)

// attempts matches what is before an import whose failure a program expects.
var attempts = lazyregexp.New(`\btry\s*\{[^}]*$`)

// Asserts is the text about an import with assert.
const Asserts = "imports with assert, which Node.js removed in 22"

// Imports finds the modules that a handler of Node.js and the files of its folder which it imports name,
// where judge finds something wrong: it gets the file, by its absolute path, and the name, and returns the
// text of an error or "". An import that a program tries is not judged. An import with assert, which Node.js
// removed in 22 (https://nodejs.org/en/blog/announcements/v22-release-announce), has the text [Asserts].
func Imports(s Source, judge func(file, module string) string) []*Error {
	b := &build{Source: s}
	var found []*Error
	// Files are read side by side.
	var judging sync.Mutex
	result := api.Build(api.BuildOptions{
		EntryPoints:   []string{filepath.Join(s.Folder, filepath.FromSlash(s.Handler.File))},
		AbsWorkingDir: s.Folder, Bundle: true, Platform: api.PlatformNode, PreserveSymlinks: true,
		LogLevel: api.LogLevelSilent, Outdir: s.Folder, Loader: map[string]api.Loader{".node": api.LoaderEmpty},
		Supported: map[string]bool{"import-assertions": s.Node < 22, "import-attributes": true},
		Plugins: []api.Plugin{{Name: "imports", Setup: func(p api.PluginBuild) {
			p.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
				if args.Kind == api.ResolveEntryPoint {
					return api.OnResolveResult{}, nil
				}
				judging.Lock()
				defer judging.Unlock()
				if text := judge(args.Importer, args.Path); text != "" && args.Kind != api.ResolveJSRequireResolve {
					// After an error esbuild leaves out the rest of the file.
					return api.OnResolveResult{Warnings: []api.Message{{Text: text}}, External: true}, nil
				}
				isOwn := strings.HasPrefix(args.Path, ".") && filepath.Ext(args.Path) != ".json"
				return api.OnResolveResult{External: !isOwn}, nil
			})
		}}},
	})
	for _, m := range result.Warnings {
		if m.ID == "assert-to-with" {
			m.Text = Asserts
		} else if m.PluginName != "imports" || m.Location != nil &&
			attempts().MatchString(m.Location.LineText[:min(m.Location.Column, len(m.Location.LineText))]) {
			continue
		}
		found = append(found, b.messageOf(m))
	}
	return found
}

package typescript

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"gatewright/internal/file"
	"gatewright/internal/source"
	"gatewright/internal/text/lazyregexp"
)

// asksPlace matches what a file asks for its own place with.
var asksPlace = lazyregexp.New(`\b(__dirname|__filename|import\.meta\.(?:url|dirname|filename))\b`)

// places returns a plugin for what depends on where a file is. It refuses files outside of
// the function's folder, which a push would miss. A file in another folder than the program
// gets its own place, and not the program's, so that it finds the files next to it.
func (b *build) places() api.Plugin {
	return api.Plugin{Name: "places", Setup: func(p api.PluginBuild) {
		p.OnLoad(api.OnLoadOptions{Filter: `.*`, Namespace: "file"}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			if err := file.CheckRegular(args.Path); errors.Is(err, file.ErrNotRegular) {
				return api.OnLoadResult{}, errors.New("the import is not a regular file")
			}
			return api.OnLoadResult{}, nil
		})
		p.OnLoad(api.OnLoadOptions{Filter: `\.[cm]?[jt]sx?$|\.json$`, Namespace: "file"},
			func(args api.OnLoadArgs) (api.OnLoadResult, error) {
				inside, err := filepath.Rel(b.Folder, args.Path)
				if err != nil || !filepath.IsLocal(inside) {
					return api.OnLoadResult{},
						errors.New("the import leads out of the function's folder, which a push would miss; move what it imports " +
							"there, or make a package of it")
				}
				out := filepath.Join(b.Folder, source.Folder, filepath.FromSlash(b.output()))
				if filepath.Dir(args.Path) == filepath.Dir(out) || filepath.Ext(args.Path) == ".json" {
					return api.OnLoadResult{}, nil
				}
				text, err := file.ReadRegular(args.Path)
				if err != nil || !asksPlace().Match(text) {
					return api.OnLoadResult{}, nil
				}
				changed, err := b.placed(args.Path, filepath.Dir(out), string(text))
				if err != nil {
					return api.OnLoadResult{}, nil
				}
				return api.OnLoadResult{Contents: &changed, Loader: loaderOf(args.Path), ResolveDir: filepath.Dir(args.Path)}, nil
			})
	}}
}

// declaresPlace matches a file that works out its place itself.
var declaresPlace = lazyregexp.New(`\b(?:const|let|var|function)\s+(?:__dirname|__filename)\b`)

// programFolder is the variable of a CommonJS program with its own folder.
const programFolder = "__gatewrightFolder"

// placed returns a file's text with its own place in it. It adds no line, so that the lines of
// the source map stay right.
func (b *build) placed(file, folder, text string) (string, error) {
	relative, err := filepath.Rel(folder, file)
	if err != nil {
		return "", err
	}
	compiled := strings.TrimSuffix(filepath.ToSlash(relative), filepath.Ext(relative)) + ".js"
	if b.format == api.FormatCommonJS {
		if declaresPlace().MatchString(text) {
			return text, nil
		}
		return fmt.Sprintf(`var __filename = require("node:path").join(%s, %s), __dirname = require("node:path").dirname(__filename); %s`, programFolder, literal(compiled), text), nil
	}
	url := "new URL(" + literal(compiled) + ", import.meta.url)"
	name := `process.getBuiltinModule("node:url").fileURLToPath(` + url + ")"
	return strings.NewReplacer(
		"import.meta.url", "("+url+".href)", "import.meta.filename", "("+name+")",
		"import.meta.dirname", `(process.getBuiltinModule("node:path").dirname(`+name+"))",
	).Replace(text), nil
}

// literal writes a text as a literal of JavaScript.
func literal(text string) string {
	// A text can always be encoded.
	encoded, _ := json.Marshal(text)
	return string(encoded)
}

func loaderOf(file string) api.Loader {
	switch filepath.Ext(file) {
	case ".tsx":
		return api.LoaderTSX
	case ".jsx":
		return api.LoaderJSX
	case ".ts", ".mts", ".cts":
		return api.LoaderTS
	}
	return api.LoaderJS
}

var metadata = lazyregexp.New(`"emitDecoratorMetadata"\s*:\s*true`)

// decoratorMetadata returns the tsconfig.json of the function that asks for what esbuild does
// not do (https://esbuild.github.io/content-types/#typescript-caveats).
func (b *build) decoratorMetadata() string {
	for _, name := range []string{"src/tsconfig.json", "tsconfig.json"} {
		text, err := file.ReadRegular(filepath.Join(b.Folder, filepath.FromSlash(name)))
		if err == nil && metadata().Match(text) {
			return name
		}
	}
	return ""
}

package source

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// Handler is the file that has a function's handler.
type Handler struct {
	// File is its path below the function's folder, with slashes: "src/index.js". It is "" for
	// Go, whose program is built from all files.
	File string
	// Module is the path below src, without an extension, of the file that Lambda loads: "index".
	Module string
	// TypeScript means that File must be compiled first.
	TypeScript bool
	// Beside is a file of TypeScript that is not used, because File has the same name; "" for none.
	Beside string
}

// Folder is the name of the folder with the source in a function's folder.
const Folder = "src"

// The extensions of the files that Lambda loads for a name without one, in its order, and those of TypeScript
// (https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/blob/main/src/UserFunction.js).
var (
	scripts    = []string{"", ".js", ".mjs", ".cjs"}
	typescript = []string{".ts", ".mts", ".cts", ".tsx"}
)

// FindHandler finds the file of a function's handler in the function's folder, as Lambda
// would; what is written in TypeScript counts as the script that it becomes. handler is such
// as "index.handler". The error is a *model.Problem without the function's name.
func FindHandler(folder fs.FS, runtime model.Runtime, handler string) (Handler, error) {
	if handler == "" {
		handler = runtime.Handler()
	}
	if err := model.CheckHandler(handler); err != nil {
		return Handler{}, err
	}
	switch runtime.Language() {
	case model.Python:
		return findPython(folder, handler)
	case model.Go:
		return Handler{}, findGo(folder)
	case "":
		if runtime != "" {
			return Handler{},
				problem("the runtime "+phrase.Quote(string(runtime))+" does not run here", "use "+phrase.Either(model.Languages))
		}
	}
	return findNode(folder, handler)
}

// findNode takes the module's name as Lambda does: up to the first dot of the last part
// (https://docs.aws.amazon.com/lambda/latest/dg/nodejs-handler.html).
func findNode(folder fs.FS, handler string) (Handler, error) {
	name, _, ok := strings.Cut(path.Base(handler), ".")
	if !ok || name == "" {
		return Handler{},
			problem("the handler "+phrase.Quote(handler)+" names no function in a file",
				"write it as FILE.NAME, such as index.handler")
	}
	found := Handler{Module: path.Join(path.Dir(handler), name)}
	base := path.Join(Folder, found.Module)
	for _, extension := range scripts {
		if isFile(folder, base+extension) {
			found.File, found.Beside = base+extension, firstFile(folder, base, typescript)
			return found, nil
		}
	}
	if found.File = firstFile(folder, base, typescript); found.File == "" {
		found.File = compiledFrom(folder, base)
	}
	if found.File != "" {
		found.TypeScript = true
		return found, nil
	}
	if strings.HasPrefix(found.Module, "node_modules/") || isListed(folder, found.Module) {
		return found, nil
	}
	return Handler{},
		missing(folder, handler, base+".js or "+base+".ts", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx")
}

// findPython takes the module's name as Lambda does: up to the last dot
// (https://docs.aws.amazon.com/lambda/latest/dg/python-handler.html).
func findPython(folder fs.FS, handler string) (Handler, error) {
	dot := strings.LastIndexByte(handler, '.')
	if dot <= 0 {
		return Handler{},
			problem("the handler "+phrase.Quote(handler)+" names no function in a file",
				"write it as FILE.NAME, such as index.handler")
	}
	found := Handler{Module: strings.ReplaceAll(handler[:dot], ".", "/")}
	base := path.Join(Folder, found.Module)
	for _, file := range []string{base + ".py", base + "/__init__.py"} {
		if isFile(folder, file) {
			found.File = file
			return found, nil
		}
	}
	// A module may also be compiled, or be in a package that is installed.
	first, _, _ := strings.Cut(found.Module, "/")
	entries, _ := fs.ReadDir(folder, path.Dir(base))
	compiled := slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return strings.HasPrefix(e.Name(), path.Base(base)+".") &&
			slices.Contains([]string{".so", ".pyd", ".pyc"}, path.Ext(e.Name()))
	})
	if compiled || isRequired(folder, first) {
		return found, nil
	}
	return Handler{}, missing(folder, handler, base+".py", ".py")
}

func findGo(folder fs.FS) error {
	entries, err := fs.ReadDir(folder, Folder)
	if err != nil {
		return noFolder()
	}
	for _, entry := range entries {
		if name := entry.Name(); path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") {
			return nil
		}
	}
	return problem("its folder src has no Go file", "write src/main.go")
}

// missing is the error of a handler without a file. It names a file that may be meant.
func missing(folder fs.FS, handler, wanted string, extensions ...string) error {
	entries, err := fs.ReadDir(folder, Folder)
	if err != nil {
		return noFolder()
	}
	var others []string
	for _, entry := range entries {
		if name := entry.Name(); !entry.IsDir() && slices.Contains(extensions, path.Ext(name)) && !isDeclaration(name) {
			others = append(others, name)
		}
	}
	text := "the handler " + phrase.Quote(handler) + " has no file: there is no " + wanted
	if len(others) == 0 {
		return problem(text, "write that file, or name another with --handler")
	}
	name := strings.TrimSuffix(others[0], path.Ext(others[0]))
	return problem(text, "write that file, or name another with --handler, such as "+
		model.ShellWord(name+handler[strings.LastIndexByte(handler, '.'):])+" for src/"+phrase.Quote(others[0]))
}

func problem(text, fix string) error {
	return &model.Problem{Field: "handler", Pointer: "/handler", Text: text, Fix: fix}
}

func noFolder() error {
	return &model.Problem{Text: "its folder src is missing", Fix: "write its source there, or remove the function"}
}

// isDeclaration reports whether a file of TypeScript has only types.
func isDeclaration(name string) bool {
	return slices.ContainsFunc([]string{".d.ts", ".d.mts", ".d.cts"},
		func(end string) bool { return strings.HasSuffix(name, end) })
}

// IsTypeScript reports whether a file is written in TypeScript, by its name.
func IsTypeScript(name string) bool { return slices.Contains(typescript, path.Ext(name)) }

func firstFile(folder fs.FS, base string, extensions []string) string {
	for _, extension := range extensions {
		if isFile(folder, base+extension) {
			return base + extension
		}
	}
	return ""
}

func isFile(folder fs.FS, name string) bool {
	info, err := fs.Stat(folder, name)
	return err == nil && info.Mode().IsRegular()
}

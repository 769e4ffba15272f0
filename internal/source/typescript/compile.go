// Package typescript compiles the handlers of functions that are written in TypeScript, with
// esbuild. The sandbox runs and a push uploads the same program.
package typescript

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"gatewright/internal/source"
)

// Source is what a program is made from.
type Source struct {
	// Folder is the absolute path of the function's folder.
	Folder  string
	Handler source.Handler
	// Node is the major version of Node.js that runs the program; 0 is the oldest that Lambda
	// has.
	Node int
}

// Program is a handler as JavaScript. What the function's own files import is in it; packages
// are not.
type Program struct {
	// File is the path below src that Lambda loads: "index.cjs", or "index.mjs" for an ES module.
	File string
	Code []byte
	// Map is the source map of Code, whose sources are relative to the folder of File. Code does
	// not name it.
	Map []byte
	// Packages are the names in its imports of packages and of modules of Node.js, sorted.
	Packages []string
	// Files are the paths of what it was made from, below the function's folder, sorted.
	Files []string
	// Warnings are one line each, with its place.
	Warnings []string
}

// IsModule reports whether the program is an ES module.
func (p *Program) IsModule() bool { return path.Ext(p.File) == ".mjs" }

// Error is why a source cannot be compiled: the first error of the compiler.
type Error struct {
	// File is a path below the function's folder, "" if the error has no place; Line and Column
	// begin with 1.
	File         string
	Line, Column int
	Text         string
	// More is how many errors follow.
	More int
}

// Error returns the place and the text, in one line.
func (e *Error) Error() string {
	if e.File == "" {
		return e.WithoutPlace()
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.WithoutPlace())
}

// WithoutPlace returns what is wrong, in one line.
func (e *Error) WithoutPlace() string {
	switch e.More {
	case 0:
		return e.Text
	case 1:
		return e.Text + " (and 1 error more)"
	}
	return fmt.Sprintf("%s (and %d errors more)", e.Text, e.More)
}

// oldestNode is the oldest version of Node.js that gatewright asks for, and that AWS still
// has a runtime for (https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtimes.html).
const oldestNode = 20

// Compile compiles the file of a handler and all files that it imports. The format is that
// which Node.js would take the file for: an ES module if its extension or the nearest
// package.json says so (https://nodejs.org/api/packages.html#determining-module-system), and
// if it uses what only ES modules have. The error is an *Error.
func Compile(s Source) (*Program, error) {
	if err := checkSettings(s.Folder); err != nil {
		return nil, err
	}
	format := api.FormatCommonJS
	if s.Handler.IsModule(os.DirFS(s.Folder)) {
		format = api.FormatESModule
	}
	b := build{Source: s, format: format}
	result := b.run()
	if format == api.FormatCommonJS && needsModule(result) && path.Ext(s.Handler.File) != ".cts" {
		b.format = api.FormatESModule
		result = b.run()
	}
	if b.format == api.FormatESModule && len(result.Errors) == 0 && strings.Contains(string(code(result)), requires) {
		b.require = true
		result = b.run()
	}
	if len(result.Errors) > 0 {
		return nil, b.errorOf(result.Errors)
	}
	return b.program(result)
}

// requires is how esbuild calls require in an ES module, which has none.
const requires = "__require("

// needsModule reports whether a build as CommonJS failed, or would not work, because the source
// is an ES module: it awaits at its top level, or asks for its own address.
func needsModule(result api.BuildResult) bool {
	for _, e := range result.Errors {
		if strings.HasPrefix(e.Text, "Top-level await") {
			return true
		}
	}
	return slices.ContainsFunc(result.Warnings, func(m api.Message) bool { return m.ID == "empty-import-meta" })
}

// build is one run of esbuild.
type build struct {
	Source
	format api.Format
	// require gives an ES module a require.
	require bool
}

// output is the path below src of the program.
func (b *build) output() string {
	if b.format == api.FormatESModule {
		return b.Handler.Module + ".mjs"
	}
	return b.Handler.Module + ".cjs"
}

func (b *build) run() api.BuildResult {
	node := b.Node
	if node == 0 {
		node = oldestNode
	}
	out := filepath.Join(b.Folder, source.Folder, filepath.FromSlash(b.output()))
	options := api.BuildOptions{
		EntryPointsAdvanced: []api.EntryPoint{{
			InputPath:  filepath.Join(b.Folder, filepath.FromSlash(b.Handler.File)),
			OutputPath: strings.TrimSuffix(filepath.Base(out), filepath.Ext(out)),
		}},
		Outdir: filepath.Dir(out), OutExtension: map[string]string{".js": filepath.Ext(out)},
		AbsWorkingDir: b.Folder,
		Bundle:        true, Packages: api.PackagesExternal, PreserveSymlinks: true,
		Platform: api.PlatformNode, Format: b.format,
		Engines: []api.Engine{{Name: api.EngineNode, Version: fmt.Sprint(node)}},
		// Names of classes and functions are seen by programs, such as those of errors.
		KeepNames: true, Charset: api.CharsetUTF8,
		Sourcemap: api.SourceMapExternal, SourcesContent: api.SourcesContentExclude,
		Metafile: true, LogLevel: api.LogLevelSilent, LogLimit: 100,
		Loader:  map[string]api.Loader{".node": api.LoaderFile},
		Plugins: []api.Plugin{b.places()},
	}
	if b.format == api.FormatCommonJS {
		options.Banner = map[string]string{"js": "var " + programFolder + " = __dirname;"}
	}
	if b.require {
		options.Banner = map[string]string{"js": `import { createRequire as __gatewrightRequire } from "node:module"; globalThis.require ??= __gatewrightRequire(import.meta.url);`}
	}
	return api.Build(options)
}

func code(result api.BuildResult) []byte {
	for _, file := range result.OutputFiles {
		if filepath.Ext(file.Path) != ".map" {
			return file.Contents
		}
	}
	return nil
}

func (b *build) program(result api.BuildResult) (*Program, error) {
	p := &Program{File: b.output(), Code: code(result)}
	for _, file := range result.OutputFiles {
		if filepath.Ext(file.Path) == ".map" {
			p.Map = file.Contents
		}
	}
	if file := b.decoratorMetadata(); file != "" {
		p.Warnings = append(p.Warnings,
			file+": emitDecoratorMetadata has no effect, so libraries that read the types of decorated code find none")
	}
	for _, message := range result.Warnings {
		p.Warnings = append(p.Warnings, b.messageOf(message).Error())
	}
	var meta struct {
		Inputs map[string]struct {
			Imports []struct {
				Path     string `json:"path"`
				External bool   `json:"external"`
			} `json:"imports"`
		} `json:"inputs"`
	}
	if err := json.Unmarshal([]byte(result.Metafile), &meta); err != nil {
		return nil, &Error{Text: "the compiler's list of files cannot be read: " + err.Error()}
	}
	for name, input := range meta.Inputs {
		p.Files = append(p.Files, name)
		for _, imported := range input.Imports {
			if imported.External && imported.Path != "<runtime>" {
				p.Packages = append(p.Packages, imported.Path)
			}
		}
	}
	slices.Sort(p.Files)
	slices.Sort(p.Packages)
	p.Packages = slices.Compact(p.Packages)
	return p, nil
}

func (b *build) errorOf(messages []api.Message) error {
	first := b.messageOf(messages[0])
	first.More = len(messages) - 1
	return first
}

func (b *build) messageOf(m api.Message) *Error {
	e := &Error{Text: strings.Join(strings.Fields(m.Text), " ")}
	if at := m.Location; at != nil {
		// esbuild counts lines from 1 and columns, in bytes, from 0.
		e.File, e.Line, e.Column = filepath.ToSlash(at.File), at.Line, at.Column+1
	}
	return e
}

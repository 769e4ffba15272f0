package source

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"gatewright/internal/file"
	"gatewright/internal/file/fingerprint"
	"gatewright/internal/text/lazyregexp"
	"gatewright/model"
)

// Gone is a place in a function's source that uses what its runtime has no more.
type Gone struct {
	// File is relative to the function's folder. Line and Column count from 1.
	File         string
	Line, Column int
	Text, Fix    string
}

// The limits of looking for what is gone: files, and bytes of one.
const (
	mostSources = 2000
	largestRead = 2 << 20
)

// FindGone finds, in scripts that Lambda runs as they are, what a runtime has no more: each thing
// once. It finds imports as people write them; what a program works out is not known.
func FindGone(folder fs.FS, runtime model.Runtime) []Gone {
	find, endings := goneFromNode, []string{".js", ".mjs", ".cjs"}
	if runtime.Language() == model.Python {
		find, endings = goneFromPython, []string{".py"}
	}
	if runtime.Language() == model.Go || runtime.Release() == 0 {
		return nil
	}
	var all []Gone
	files := 0
	// What was read before an error counts.
	_ = fs.WalkDir(folder, Folder, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case entry.IsDir() && (fingerprint.IsGenerated(entry.Name()) || isEnvironment(folder, name)):
			return fs.SkipDir
		case !entry.Type().IsRegular() || !slices.Contains(endings, path.Ext(name)):
			return nil
		}
		if files++; files > mostSources {
			return fs.SkipAll
		}
		if info, err := entry.Info(); err != nil || info.Size() > largestRead {
			return nil
		}
		text, err := file.ReadIn(folder, name)
		if err != nil {
			return nil
		}
		find(folder, runtime, text, func(at int, what, fix string) {
			if known := func(g Gone) bool { return g.Text == what }; slices.ContainsFunc(all, known) {
				return
			}
			line := text[bytes.LastIndexByte(text[:at], '\n')+1 : at]
			all = append(all, Gone{
				File: name, Line: bytes.Count(text[:at], []byte("\n")) + 1, Column: utf8.RuneCount(line) + 1, Text: what, Fix: fix,
			})
		})
		return nil
	})
	return all
}

// isEnvironment reports whether a folder is a virtual environment of Python
// (https://docs.python.org/3/library/venv.html).
func isEnvironment(folder fs.FS, name string) bool {
	_, err := fs.Stat(folder, path.Join(name, "pyvenv.cfg"))
	return err == nil
}

// The words of an import that was made with assert, and of a handler that gets a callback.
var (
	importAssertion = lazyregexp.New(
		`\b(?:from|import)\s*["'][^"'\n]+["']\s*(assert)\s*\{|\bimport\s*\([^()\n]*,\s*\{\s*(assert)\s*:`)
	callbackHandler = lazyregexp.New(
		`\b(?:exports\.handler\s*=|export\s+(?:const\s+handler\s*=|(?:async\s+)?function\s+handler\b))\s*` +
			`(?:async\s*)?(?:function\s*\w*\s*)?\(\s*\w+\s*,\s*\w+\s*,\s*(\w+)\s*\)`)
)

// goneFromNode finds import assertions, which Node.js 22 has no more
// (https://nodejs.org/en/blog/announcements/v22-release-announce), and handlers with a callback, which Lambda calls no more
// on Node.js 24 (https://docs.aws.amazon.com/lambda/latest/dg/nodejs-handler.html).
func goneFromNode(_ fs.FS, runtime model.Runtime, text []byte, say func(at int, what, fix string)) {
	look := func(words *regexp.Regexp, what, fix string) {
		found := words.FindSubmatchIndex(text)
		if found == nil || isComment(text, found[0]) {
			return
		}
		at := slices.IndexFunc(found[2:], func(at int) bool { return at >= 0 })
		say(found[at+2], what+", and the function runs on "+string(runtime), fix)
	}
	if runtime.Release() >= 22 {
		look(importAssertion(), "imports with assert, which Node.js has no more since 22", "write with in place of assert")
	}
	if runtime.Release() >= 24 {
		look(callbackHandler(), "its handler takes a callback, with which Lambda runs no function since Node.js 24",
			"make the handler async and return the result, or use the runtime nodejs22.x")
	}
}

// isComment reports whether a place follows the beginning of a comment in its line.
func isComment(text []byte, at int) bool {
	line := bytes.TrimSpace(text[bytes.LastIndexByte(text[:at], '\n')+1 : at])
	return bytes.HasPrefix(line, []byte("*")) || bytes.Contains(line, []byte("//")) || bytes.Contains(line, []byte("/*"))
}

// without are the modules that Python has no more, by the release since when: those of
// https://docs.python.org/3/whatsnew/3.12.html#removed and
// https://docs.python.org/3/whatsnew/3.13.html#pep-594-remove-dead-batteries-from-the-standard-library
var without = map[int][]string{
	12: strings.Fields("asynchat asyncore distutils imp smtpd"),
	13: strings.Fields("aifc audioop cgi cgitb chunk crypt imghdr mailcap msilib nis nntplib ossaudiodev pipes " +
		"sndhdr spwd sunau telnetlib uu xdrlib"),
}

// instead are packages that bring a module which is gone, besides those called standard-MODULE.
var instead = map[string]string{
	"asynchat": "pyasynchat", "asyncore": "pyasyncore", "distutils": "setuptools", "imp": "zombie-imp",
	"audioop": "audioop-lts", "cgi": "legacy-cgi", "cgitb": "legacy-cgi",
}

var pythonImport = lazyregexp.New(`(?m)^[ \t]*(?:from[ \t]+(\w+)[\w.]*[ \t]+import\b|import[ \t]+([^#;\n]+))`)

// goneFromPython finds imports of modules that are neither the function's own nor in a package that it
// lists. One below try has another way.
func goneFromPython(folder fs.FS, runtime model.Runtime, text []byte, say func(at int, what, fix string)) {
	for _, found := range pythonImport().FindAllSubmatchIndex(text, -1) {
		before := bytes.TrimSpace(text[:found[0]])
		if bytes.HasSuffix(before, []byte("try:")) {
			continue
		}
		at, end := max(found[2], found[4]), max(found[3], found[5])
		for name := range strings.SplitSeq(string(text[at:end]), ",") {
			module, _, _ := strings.Cut(strings.Fields(name + " .")[0], ".")
			for since, modules := range without {
				if runtime.Release() < since || !slices.Contains(modules, module) || hasModule(folder, module) {
					continue
				}
				fix := "use another module"
				if instead[module] != "" {
					fix += ", or list the package " + instead[module] + " in src/requirements.txt"
				}
				say(at+strings.Index(string(text[at:end]), module), fmt.Sprintf(
					"imports %s, which Python has no more since 3.%d, and the function runs on %s", module, since, runtime), fix)
			}
		}
	}
}

// hasModule reports whether a function brings a module, itself or in a package.
func hasModule(folder fs.FS, module string) bool {
	for _, name := range []string{module + ".py", module} {
		if _, err := fs.Stat(folder, path.Join(Folder, name)); err == nil {
			return true
		}
	}
	return slices.ContainsFunc([]string{module, "standard-" + module, instead[module]}, func(name string) bool {
		return name != "" && isRequired(folder, name)
	})
}

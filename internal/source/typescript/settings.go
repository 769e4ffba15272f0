package typescript

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"gatewright/internal/file"
	"gatewright/internal/file/fingerprint"
	"gatewright/internal/source"
)

// settingsFiles are the files that the compiler reads besides the source, in the folders of the
// source and in those around it.
var settingsFiles = map[string]bool{
	"tsconfig.json": true, "jsconfig.json": true, "package.json": true, ".pnp.cjs": true, ".pnp.js": true,
	".pnp.data.json": true,
}

// settings checks the files that the compiler reads by itself: that each is a regular file, and that no
// "extends" of a tsconfig.json, and no link, leads out of the project. The error is an *Error.
type settings struct {
	folder, project string
	seen            map[string]bool
}

// checkSettings checks the files for a function's folder.
func checkSettings(folder string) error {
	s := settings{folder: folder, project: projectOf(folder), seen: make(map[string]bool)}
	err := fingerprint.EachFile(folder, func(name string, _ fs.FileInfo) error {
		if !settingsFiles[filepath.Base(name)] {
			return nil
		}
		return s.check(filepath.Join(folder, filepath.FromSlash(name)))
	})
	check := s.check
	for at := folder; err == nil && at != filepath.Dir(at); {
		if at == s.project {
			// What is above the project is not read here, but the compiler must not wait for a pipe.
			check = s.checkKind
		}
		at = filepath.Dir(at)
		for name := range settingsFiles {
			if err == nil {
				err = check(filepath.Join(at, name))
			}
		}
	}
	if _, ok := errors.AsType[*Error](err); ok {
		return err
	}
	// The compiler reports what it cannot read.
	return nil
}

// projectOf returns the folder of the project that a function's folder is in: the nearest one around it with
// what a project is found by, or with its state; the function's own if there is none.
func projectOf(folder string) string {
	for at := filepath.Dir(folder); at != filepath.Dir(at); at = filepath.Dir(at) {
		for _, name := range []string{".gatewright", "backend/project.json", "amplify/backend"} {
			if _, err := os.Stat(filepath.Join(at, filepath.FromSlash(name))); err == nil {
				return at
			}
		}
	}
	return folder
}

// check checks one file, and those that it extends.
func (s *settings) check(name string) error {
	if s.seen[name] {
		return nil
	}
	s.seen[name] = true
	if err := s.checkKind(name); err != nil {
		return err
	}
	text, err := file.ReadRegular(name)
	if err != nil {
		return nil
	}
	if base := filepath.Base(name); base == "package.json" || strings.HasPrefix(base, ".pnp") {
		return nil
	}
	if !s.isInside(name) {
		return s.wrong(name, nil, 0, "the link leads out of the project; copy what it leads to in its place")
	}
	for _, e := range extendsOf(text) {
		if err := s.extends(name, text, e); err != nil {
			return err
		}
	}
	return nil
}

// checkKind refuses what is no regular file; there may be none.
func (s *settings) checkKind(name string) error {
	if errors.Is(file.CheckRegular(name), file.ErrNotRegular) {
		return s.wrong(name, nil, 0, "it is not a regular file")
	}
	return nil
}

// extends checks the files that a tsconfig.json may extend with one text
// (https://www.typescriptlang.org/tsconfig/#extends).
func (s *settings) extends(file string, text []byte, e extended) error {
	out := func() error {
		return s.wrong(file, text, e.at,
			"extends leads out of the project, which a push would miss; move what it extends there")
	}
	path := filepath.FromSlash(e.to)
	isFile := filepath.IsAbs(path) || strings.HasPrefix(e.to, "/") || e.to == "." || e.to == ".." ||
		strings.HasPrefix(e.to, "./") || strings.HasPrefix(e.to, "../")
	if !isFile {
		// It is below a folder node_modules.
		if !filepath.IsLocal(path) {
			return out()
		}
		return nil
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(file), path)
	}
	if e.to == "." || e.to == ".." {
		path = filepath.Join(path, "tsconfig.json")
	}
	if inside, err := filepath.Rel(s.project, filepath.Clean(path)); err != nil || !filepath.IsLocal(inside) {
		return out()
	}
	for _, candidate := range []string{path, path + ".json"} {
		if _, err := os.Stat(candidate); err == nil && !s.isInside(candidate) {
			return out()
		}
		if err := s.check(candidate); err != nil {
			return err
		}
	}
	return nil
}

// isInside reports whether a file is in the project, also if links lead to it.
func (s *settings) isInside(file string) bool {
	to, err := filepath.EvalSymlinks(file)
	if err != nil {
		return true
	}
	project, err := filepath.EvalSymlinks(s.project)
	if err != nil {
		return false
	}
	inside, err := filepath.Rel(project, to)
	return err == nil && filepath.IsLocal(inside)
}

// wrong is the error for a place in a file.
func (s *settings) wrong(file string, text []byte, at int, what string) error {
	name, err := filepath.Rel(s.folder, file)
	if err != nil {
		name = file
	}
	before := text[:min(at, len(text))]
	return &Error{
		File: filepath.ToSlash(name), Line: bytes.Count(before, []byte("\n")) + 1,
		Column: len(before) - (bytes.LastIndexByte(before, '\n') + 1) + 1, Text: what,
	}
}

// extended is what a tsconfig.json extends, and where it says so.
type extended struct {
	to string
	at int
}

// extendsOf returns what a tsconfig.json extends. What is no JSON is reported by the compiler.
func extendsOf(text []byte) (found []extended) {
	in := jsontext.NewDecoder(bytes.NewReader(source.PlainJSON(text)), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true))
	if in.PeekKind() != '{' {
		return nil
	}
	if _, err := in.ReadToken(); err != nil {
		return nil
	}
	for in.PeekKind() == '"' {
		name, err := in.ReadToken()
		if err != nil {
			return found
		}
		isExtends := name.String() == "extends"
		value, err := in.ReadValue()
		if err != nil {
			return found
		}
		if !isExtends {
			continue
		}
		at := int(in.InputOffset()) - len(value)
		var one string
		var several []string
		if json.Unmarshal(value, &one) == nil {
			several = []string{one}
		} else if json.Unmarshal(value, &several) != nil {
			continue
		}
		for _, to := range several {
			found = append(found, extended{to, at})
		}
	}
	return found
}

package entry

import (
	"net/url"
	"path"
	"strings"

	"gatewright/internal/text/lazyregexp"
)

// Source is where the source of a function is, so that places in its stacks lead to it.
type Source struct {
	// Root is the folder of the project, Real the same without symbolic links if that
	// differs. Stacks have either.
	Root, Real string
	// Folder is the folder of the source inside of it, such as backend/function/books/src.
	Folder string
}

// copied is the beginning of a path in the copy of a project in which a script made the
// source of a function.
var copied = lazyregexp.New(`^.*/build/[^/]+/[0-9a-f]{32}/`)

// inCloud is where Lambda has the source of a function.
const inCloud = "/var/task/"

// outside are folders in a project whose files are not its own.
var outside = []string{"/node_modules/", "/site-packages/", "/.gatewright/"}

// Name is the file of the project that a place is in, with slashes and relative to the
// project; false if it is in none: in Node.js, in a package, in the sandbox.
func (s Source) Name(p Place) (string, bool) {
	if s.Folder == "" || p.File == "" {
		return "", false
	}
	file := strings.ReplaceAll(p.File, `\`, "/")
	if rest, ok := strings.CutPrefix(file, "file://"); ok {
		file = rest
		if plain, err := url.PathUnescape(rest); err == nil {
			file = plain
		}
	}
	name := path.Clean(s.inside(file))
	if name == "." || strings.HasPrefix(name, "../") {
		return "", false
	}
	for _, folder := range outside {
		if strings.Contains("/"+name, folder) {
			return "", false
		}
	}
	return name, true
}

// inside is the part of a path that is inside of the project; "" for none.
func (s Source) inside(file string) string {
	if place := copied().FindString(file); place != "" && strings.Contains(file, "/"+s.Folder+"/") {
		return file[len(place):]
	}
	if rest, ok := strings.CutPrefix(file, inCloud); ok {
		return s.Folder + "/" + rest
	}
	for _, root := range []string{s.Root, s.Real} {
		root = strings.TrimSuffix(strings.ReplaceAll(root, `\`, "/"), "/")
		if rest, ok := strings.CutPrefix(file, root+"/"); ok && root != "" {
			return rest
		}
	}
	// A program in Go is built without the paths of this machine: its module stands for the
	// folder.
	if path.Ext(file) == ".go" && !path.IsAbs(file) && !strings.Contains(file, "@") {
		if module, rest, ok := strings.Cut(file, "/"); ok && !ofGo[module] {
			return s.Folder + "/" + rest
		}
	}
	return ""
}

// short is a place as it is shown: a file of the function relative to its folder, one of a
// package from node_modules on.
func (s Source) short(p Place) string {
	if name, ok := s.Name(p); ok {
		if rest, inside := strings.CutPrefix(name, s.Folder+"/"); inside {
			return "src/" + rest
		}
		return name
	}
	for _, folder := range outside {
		if at := strings.LastIndex(p.File, folder); at >= 0 {
			return p.File[at+1:]
		}
	}
	return p.File
}

package read

import (
	"path"
	"strconv"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project/document"
	"gatewright/schemas"
)

// version checks the version of a file, which is required.
func (r *Reader) version(root document.Node) {
	v, ok := root.Get("version")
	later := LaterVersion(r.File)
	switch {
	case later != nil:
		*r.Problems = append(*r.Problems, later)
	case !ok:
		r.fail("", "write \"version\": 1", "has no version")
	case v.Kind() != document.Number:
		r.WrongKind("/version", "the number 1", v)
	default:
		if n, err := strconv.ParseFloat(string(v.Raw()), 64); err != nil || n != 1 && n != float64(latest(r.File)) {
			r.fail("/version", "write 1", "has the version %s, which does not exist", phrase.QuotePath(string(v.Raw())))
		}
	}
}

// latest is the latest version of the format of a file: 2 for functions and APIs, see
// model.Function.Version and access.API.Version.
func latest(f *File) int {
	root := f.Doc.Root()
	declared, _ := root.Get("$schema")
	_, api := root.Get("paths")
	if api || path.Base(f.Path) == "function.json" || declared.Text() == schemas.ID("function") {
		return 2
	}
	return 1
}

// installNewer is what to do about a file of a later gatewright.
const installNewer = "install a newer gatewright"

// LaterVersion returns the problem of a file in the format of a later gatewright: its version is more than the latest
// one, or its $schema is of a later version of the schemas. Such a file is not read and not changed, because this
// program would not know what its fields mean. It is nil for every other file.
func LaterVersion(f *File) *Problem {
	if v, ok := f.Doc.Root().Get("version"); ok && v.Kind() == document.Number {
		if n, err := strconv.ParseFloat(string(v.Raw()), 64); err == nil && n > float64(latest(f)) {
			return f.Problem(model.Error, "/version", installNewer,
				"has the version %s, which a newer gatewright wrote; this one reads version %d", phrase.QuotePath(string(v.Raw())),
				latest(f))
		}
	}
	return LaterSchema(f)
}

// LaterSchema is LaterVersion for the $schema alone, which tells even in a file whose kind is
// not known that it is one of gatewright's.
func LaterSchema(f *File) *Problem {
	declared, _ := f.Doc.Root().Get("$schema")
	of, ours := strings.CutPrefix(declared.Text(), schemas.Namespace)
	version, _, named := strings.Cut(of, ":")
	if !ours || !named || version <= schemas.Version || !isMonth(version) {
		return nil
	}
	return f.Problem(model.Error, "/$schema", installNewer,
		"names a schema of %s, which a newer gatewright wrote; this one reads files of %s", version, schemas.Version)
}

// isMonth reports whether a text has the form 2024-02 of the versions of schemas.
func isMonth(text string) bool {
	year, month, ok := strings.Cut(text, "-")
	isNumber := func(digits string, length int) bool {
		return len(digits) == length && strings.Trim(digits, "0123456789") == ""
	}
	return ok && isNumber(year, 4) && isNumber(month, 2)
}

// Package read reads the files of a project: a file of JSON with the places of its values, definitions
// out of it, and problems that say where in it something is wrong.
package read

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/spf13/afero"

	"gatewright/internal/file"
	"gatewright/model"
	"gatewright/project/document"
)

// MaxFile is the largest file that is read, in bytes.
const MaxFile = 16 << 20

// TooLargeFix is what to do about a file over MaxFile.
var TooLargeFix = fmt.Sprintf("a file of a project may have at most %d", MaxFile)

// ErrTooLarge is the cause of a Problem about a file over MaxFile.
var ErrTooLarge = errors.New("file too large")

// TooLarge returns the problem of a file over MaxFile that a person named.
func TooLarge(name string) *Problem {
	return &Problem{
		File: name, Text: fmt.Sprintf("has more than %d bytes", MaxFile), Fix: "give a smaller file",
		Cause: ErrTooLarge,
	}
}

// File is a JSON file as it was read.
type File struct {
	Path string
	Doc  *document.Document
}

// Bytes reads a whole file of at most MaxFile. The error is fs.ErrNotExist if there is no file, else a *Problem.
func Bytes(fsys afero.Fs, name string) ([]byte, error) {
	info, err := fsys.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fs.ErrNotExist
	case err != nil:
		return nil, Unreadable(name, err)
	case info.IsDir():
		return nil, &Problem{File: name, Text: "is a folder where a file should be", Fix: "move it away"}
	case !info.Mode().IsRegular():
		return nil, &Problem{File: name, Text: "is not a regular file", Fix: "move it away"}
	case info.Size() > MaxFile:
		return nil, &Problem{File: name, Text: fmt.Sprintf("has %d bytes", info.Size()), Fix: TooLargeFix, Cause: ErrTooLarge}
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, Unreadable(name, err)
	}
	defer func() { _ = f.Close() }()
	data := make([]byte, 0, info.Size()+1)
	for {
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if errors.Is(err, io.EOF) {
			return data, nil
		}
		if err != nil {
			return nil, Unreadable(name, err)
		}
		if len(data) > MaxFile {
			return nil, &Problem{
				File: name, Text: "grows while gatewright reads it", Fix: "try again when it is complete",
				Cause: ErrTooLarge,
			}
		}
	}
}

// Unreadable returns the problem of a file that cannot be read.
func Unreadable(name string, err error) *Problem {
	return &Problem{
		File: name, Text: "cannot be read: " + file.Cause(err).Error(),
		Fix: "check the file and its permissions", Cause: err,
	}
}

// JSON reads and parses a JSON file.
func JSON(fsys afero.Fs, name string) (*File, error) {
	data, err := Bytes(fsys, name)
	if err != nil {
		return nil, err
	}
	return Parse(name, data)
}

// Parse parses a file of JSON. The error is a *Problem.
func Parse(name string, data []byte) (*File, error) {
	doc, err := document.Parse(data)
	if err == nil {
		return &File{Path: name, Doc: doc}, nil
	}
	var syntax *document.SyntaxError
	if errors.As(err, &syntax) {
		return nil, &Problem{
			File: name, Line: syntax.Line, Column: syntax.Column, Pointer: syntax.Pointer, Text: syntax.Text,
			Fix: syntax.Fix,
		}
	}
	return nil, &Problem{File: name, Text: err.Error(), Fix: "write JSON"}
}

// Problem returns a problem at a pointer into the file. Its line and column are those of
// the nearest existing value around it.
func (f *File) Problem(level model.Level, pointer, fix, text string, args ...any) *Problem {
	p := &Problem{File: f.Path, Pointer: pointer, Text: fmt.Sprintf(text, args...), Fix: fix, Level: level}
	p.Locate(f.Doc)
	return p
}

// Locate finds the line and column of the problem's pointer.
func (p *Problem) Locate(doc *document.Document) {
	for at := p.Pointer; ; at = at[:LastSlash(at)] {
		if line, column, ok := doc.Position(at); ok {
			p.Line, p.Column = line, column
			return
		}
		if at == "" {
			return
		}
	}
}

// LastSlash finds the last segment of a JSON pointer: the position of the slash before it.
func LastSlash(pointer string) int {
	for i := len(pointer) - 1; i > 0; i-- {
		if pointer[i] == '/' {
			return i
		}
	}
	return 0
}

// Folders lists the names of the folders in a folder, sorted; none if it does not exist.
func Folders(fsys afero.Fs, dir string) ([]string, []*Problem) {
	return list(fsys, dir, func(info fs.FileInfo) bool { return info.IsDir() })
}

// JSONFiles lists the names of the JSON files in a folder, without the extension.
func JSONFiles(fsys afero.Fs, dir string) ([]string, []*Problem) {
	names, problems := list(fsys, dir, func(info fs.FileInfo) bool { return path.Ext(info.Name()) == ".json" })
	for i, name := range names {
		names[i] = strings.TrimSuffix(name, ".json")
	}
	slices.Sort(names)
	return names, problems
}

func list(fsys afero.Fs, dir string, wanted func(fs.FileInfo) bool) (names []string, problems []*Problem) {
	info, err := fsys.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err == nil && !info.IsDir():
		return nil, []*Problem{{File: dir, Text: "is a file where a folder should be", Fix: "move it away"}}
	}
	infos, err := afero.ReadDir(fsys, dir)
	if err != nil {
		return nil, []*Problem{Unreadable(dir, err)}
	}
	for _, info := range infos {
		name := info.Name()
		if name[0] == '.' {
			continue
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			resolved, err := fsys.Stat(path.Join(dir, name))
			if err != nil {
				problem := Unreadable(path.Join(dir, name), err)
				problem.Fix = "replace the link with the file that it points to, or remove it"
				problems = append(problems, problem)
				continue
			}
			info = named{resolved, name}
		}
		if wanted(info) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, problems
}

// named describes a file under the name of a link to it.
type named struct {
	fs.FileInfo
	name string
}

// Name is the name of the file or folder.
func (n named) Name() string { return n.name }

// Exists reports whether there is a file or a folder of that name.
func Exists(fsys afero.Fs, name string) bool {
	_, err := fsys.Stat(name)
	return err == nil
}

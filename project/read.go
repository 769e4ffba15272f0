package project

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

// tooLargeFix is what to do about a file over MaxFile.
var tooLargeFix = fmt.Sprintf("a file of a project may have at most %d", MaxFile)

// ErrTooLarge is the cause of a Problem about a file over MaxFile.
var ErrTooLarge = errors.New("file too large")

// tooLarge returns the problem of a file over MaxFile that a person named.
func tooLarge(name string) *Problem {
	return &Problem{
		File: name, Text: fmt.Sprintf("has more than %d bytes", MaxFile), Fix: "give a smaller file",
		Cause: ErrTooLarge,
	}
}

// jsonFile is a JSON file as it was read.
type jsonFile struct {
	path string
	doc  *document.Document
}

// readFile reads a whole file of at most MaxFile. The error is fs.ErrNotExist if
// there is no file, else a *Problem.
func readFile(fsys afero.Fs, name string) ([]byte, error) {
	info, err := fsys.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fs.ErrNotExist
	case err != nil:
		return nil, unreadable(name, err)
	case info.IsDir():
		return nil, &Problem{File: name, Text: "is a folder where a file should be", Fix: "move it away"}
	case !info.Mode().IsRegular():
		return nil, &Problem{File: name, Text: "is not a regular file", Fix: "move it away"}
	case info.Size() > MaxFile:
		return nil, &Problem{File: name, Text: fmt.Sprintf("has %d bytes", info.Size()), Fix: tooLargeFix, Cause: ErrTooLarge}
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, unreadable(name, err)
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
			return nil, unreadable(name, err)
		}
		if len(data) > MaxFile {
			return nil, &Problem{
				File: name, Text: "grows while it is read", Fix: "try again when it is complete",
				Cause: ErrTooLarge,
			}
		}
	}
}

func unreadable(name string, err error) *Problem {
	return &Problem{
		File: name, Text: "cannot be read: " + file.Cause(err).Error(),
		Fix: "check the file and its permissions", Cause: err,
	}
}

// readDocument reads and parses a JSON file.
func readDocument(fsys afero.Fs, name string) (*jsonFile, error) {
	data, err := readFile(fsys, name)
	if err != nil {
		return nil, err
	}
	return parseFile(name, data)
}

func parseFile(name string, data []byte) (*jsonFile, error) {
	doc, err := document.Parse(data)
	if err == nil {
		return &jsonFile{path: name, doc: doc}, nil
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

// problem returns a problem at a pointer into the file. Its line and column are those of
// the nearest existing value around it.
func (f *jsonFile) problem(level model.Level, pointer, fix, text string, args ...any) *Problem {
	p := &Problem{File: f.path, Pointer: pointer, Text: fmt.Sprintf(text, args...), Fix: fix, Level: level}
	p.locate(f.doc)
	return p
}

// locate finds the line and column of the problem's pointer.
func (p *Problem) locate(doc *document.Document) {
	for at := p.Pointer; ; at = at[:lastSlash(at)] {
		if line, column, ok := doc.Position(at); ok {
			p.Line, p.Column = line, column
			return
		}
		if at == "" {
			return
		}
	}
}

func lastSlash(pointer string) int {
	for i := len(pointer) - 1; i > 0; i-- {
		if pointer[i] == '/' {
			return i
		}
	}
	return 0
}

// folders lists the names of the folders in a folder, sorted; none if it does not
// exist.
func folders(fsys afero.Fs, dir string) ([]string, []*Problem) {
	return list(fsys, dir, func(info fs.FileInfo) bool { return info.IsDir() })
}

// jsonFiles lists the names of the JSON files in a folder, without the extension.
func jsonFiles(fsys afero.Fs, dir string) ([]string, []*Problem) {
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
		return nil, []*Problem{unreadable(dir, err)}
	}
	for _, info := range infos {
		name := info.Name()
		if name[0] == '.' {
			continue
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			resolved, err := fsys.Stat(path.Join(dir, name))
			if err != nil {
				problem := unreadable(path.Join(dir, name), err)
				problem.Fix = "replace the link by the file that it leads to, or remove it"
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

func (n named) Name() string { return n.name }

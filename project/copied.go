package project

import (
	"fmt"
	"path"
	"strings"

	"github.com/spf13/afero"

	"gatewright/project/journal"
	"gatewright/project/read"
)

// maxCopied is the largest file that a project takes over from another one, in bytes: AWS Lambda takes no more than
// 250 MB of a function with its layers (https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html).
const maxCopied = 250 << 20

// Copied returns the files below a folder as changes that make them below a folder of another project. What tools
// install is not among them, and what a link leads to stands for the link. without says which names below the folder
// are left out; it may be nil. wrong are the links that cannot be followed, and the files that are too large.
func (p *Project) Copied(
	from, to string, without func(name string) bool,
) (files []journal.Change, wrong []*read.Problem, err error) {
	tree, err := ReadSourceTree(p.FS, from)
	if err != nil {
		return nil, nil, err
	}
	wrong = tree.Wrong
	for _, name := range tree.others {
		wrong = append(wrong, &read.Problem{File: name, Text: "is neither a file nor a folder", Fix: "remove it"})
	}
	for _, file := range tree.files {
		name := strings.TrimPrefix(file.name, from+"/")
		if without != nil && without(name) {
			continue
		}
		if err := journal.CheckPath(path.Join(to, name)); err != nil {
			wrong = append(wrong,
				&read.Problem{
					File: file.name, Text: "has a name that a project may not have: " + err.Error(),
					Fix: "give it another name",
				})
			continue
		}
		info, err := p.FS.Stat(file.name)
		if err != nil {
			return nil, nil, read.Unreadable(file.name, err)
		}
		if info.Size() > maxCopied {
			wrong = append(wrong,
				&read.Problem{
					File: file.name, Text: fmt.Sprintf("has %d bytes, more than AWS Lambda allows", info.Size()),
					Fix: "keep it elsewhere, such as in a bucket",
				})
			continue
		}
		data, err := afero.ReadFile(p.FS, file.name)
		if err != nil {
			return nil, nil, read.Unreadable(file.name, err)
		}
		change := journal.Change{Path: path.Join(to, name), New: data}
		const execute = 0o111
		if file.mode&execute != 0 {
			change.Mode = 0o755
		}
		files = append(files, change)
	}
	return files, wrong, nil
}

// Files lists the files below a folder, relative to it, without those that tools install.
func (p *Project) Files(folder string) []string {
	tree, err := ReadSourceTree(p.FS, folder)
	if err != nil {
		return nil
	}
	names := make([]string, len(tree.files))
	for i, file := range tree.files {
		names[i] = strings.TrimPrefix(file.name, folder+"/")
	}
	return names
}

// HasFile reports whether the project has a file of that name, which is relative to it.
func (p *Project) HasFile(name string) bool {
	info, err := p.FS.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// Folders lists the folders in a folder of the project, in the order of their names. A folder
// that is missing has none.
func (p *Project) Folders(folder string) []string {
	names, _ := read.Folders(p.FS, folder)
	return names
}

// Read reads a file of the project. The error matches fs.ErrNotExist if there is none.
func (p *Project) Read(name string) ([]byte, error) { return read.Bytes(p.FS, name) }

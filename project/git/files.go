package git

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/spf13/afero"
)

// ErrLink is the error of a symbolic link: links of a commit are not followed.
var ErrLink = errors.New("is a symbolic link, which is not followed in a commit")

// FS is the files of a commit, or of a folder of it. It is an fs.FS, and with Afero what a
// project is loaded from. Submodules are not in it.
type FS struct {
	objects *objects
	nodes   map[string]*node
	left    []string

	// hashes answers for the working tree; nil if there is none. at is the path of the folder from
	// the top of the commit.
	hashes *hashes
	at     string
}

// node is a file, a symbolic link, or a folder with its names, which are sorted.
type node struct {
	mode     fs.FileMode
	id       string
	children []string
}

// The limits of a commit: how many files and folders it may have, and how many bytes their listing.
// A tree that has the same tree several times, and so on, has more than any machine can list.
const (
	mostFiles   = 1_000_000
	mostListing = 256 << 20
)

var errTooMany = fmt.Errorf("has more than %d files and folders, or too long names; no more are read", mostFiles)

// list reads what `git ls-tree -r -z` prints: for each file, its mode, type and id, a tab, its
// path and a zero byte, see https://git-scm.com/docs/git-ls-tree#_output_format.
func (f *FS) list(listing io.Reader) error {
	in := bufio.NewReaderSize(io.LimitReader(listing, mostListing), 64<<10)
	for size := 0; ; {
		entry, err := in.ReadString(0)
		if size += len(entry); size >= mostListing || len(f.nodes)+len(f.left) > mostFiles {
			return errTooMany
		}
		if err != nil {
			break
		}
		about, name, ok := strings.Cut(strings.TrimSuffix(entry, "\x00"), "\t")
		fields := strings.Fields(about)
		if !ok || len(fields) != 3 {
			continue
		}
		mode, readable := modes[fields[0]]
		if !readable || !isPath(name) || !f.put(name, &node{mode: mode, id: fields[2]}) {
			f.left = append(f.left, name)
		}
	}
	for _, n := range f.nodes {
		slices.Sort(n.children)
	}
	return nil
}

// modes are the modes that git has for files. The one of submodules (160000) is left out.
var modes = map[string]fs.FileMode{"100644": 0o644, "100664": 0o664, "100755": 0o755, "120000": fs.ModeSymlink | 0o777}

// isPath refuses the paths that lead elsewhere, which a forged commit may have.
func isPath(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
	}
	return true
}

// put adds a file and the folders above it.
func (f *FS) put(name string, file *node) bool {
	if f.nodes[name] != nil {
		return false
	}
	folder := path.Dir(name)
	above := f.nodes[folder]
	switch {
	case above == nil:
		above = &node{mode: fs.ModeDir | 0o755}
		if !f.put(folder, above) {
			return false
		}
	case !above.mode.IsDir():
		return false
	}
	f.nodes[name] = file
	above.children = append(above.children, path.Base(name))
	return true
}

// In returns the files below a folder, as if it were the top; none if the commit has no such
// folder. One in a submodule is left out as ".", one behind a link is a link.
func (f *FS) In(folder string) *FS {
	if folder == "" || folder == "." {
		return f
	}
	below := &FS{
		objects: f.objects, hashes: f.hashes, at: path.Join(f.at, folder),
		nodes: map[string]*node{".": {mode: fs.ModeDir | 0o755}},
	}
	for name, n := range f.nodes {
		if rest, in := strings.CutPrefix(name, folder+"/"); in {
			below.nodes[rest] = n
		}
	}
	if top := f.nodes[folder]; top != nil && top.mode.IsDir() {
		below.nodes["."] = top
	}
	for _, name := range f.left {
		if rest, in := strings.CutPrefix(name, folder+"/"); in {
			below.left = append(below.left, rest)
		} else if strings.HasPrefix(folder+"/", name+"/") {
			below.left = append(below.left, ".")
		}
	}
	for at := folder; at != "."; at = path.Dir(at) {
		if n := f.nodes[at]; n != nil && n.mode&fs.ModeSymlink != 0 {
			below.nodes["."] = n
		}
	}
	return below
}

// Above lists the folders that have a folder with this path below them, sorted; "" is the top.
func (f *FS) Above(name string) []string {
	var folders []string
	for at, n := range f.nodes {
		if above, in := strings.CutSuffix("/"+at, "/"+name); in && n.mode.IsDir() {
			folders = append(folders, strings.TrimPrefix(above, "/"))
		}
	}
	slices.Sort(folders)
	return folders
}

// LeftOut are the paths of the commit that cannot be read: submodules, and names that no file can have.
func (f *FS) LeftOut() []string { return f.left }

// Links are the paths of the symbolic links, sorted.
func (f *FS) Links() []string {
	var names []string
	for name, n := range f.nodes {
		if n.mode&fs.ModeSymlink != 0 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Afero returns the files as a project reads them. Nothing can be written.
func (f *FS) Afero() afero.Fs { return readOnly{afero.FromIOFS{FS: f}, f} }

// readOnly also tells which files have the same content.
type readOnly struct {
	afero.FromIOFS
	files *FS
}

// ContentID returns git's id of the content of a file: files of a repository with the same id
// have the same content. ok is false for anything but a file.
func (r readOnly) ContentID(name string) (id string, ok bool) {
	n := r.files.nodes[path.Clean(name)]
	if n == nil || !n.mode.IsRegular() {
		return "", false
	}
	return n.id, true
}

func (f *FS) find(op, name string) (*node, error) {
	n := f.nodes[path.Clean(name)]
	switch {
	case n == nil:
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	case n.mode&fs.ModeSymlink != 0:
		return nil, &fs.PathError{Op: op, Path: name, Err: ErrLink}
	}
	return n, nil
}

// Stat describes a file or folder. The error of a link is ErrLink.
func (f *FS) Stat(name string) (fs.FileInfo, error) {
	n, err := f.find("stat", name)
	if err != nil {
		return nil, err
	}
	return info{f.objects, path.Base(name), n}, nil
}

// Open opens a file or folder.
func (f *FS) Open(name string) (fs.File, error) {
	n, err := f.find("open", name)
	if err != nil {
		return nil, err
	}
	about := info{f.objects, path.Base(name), n}
	if n.mode.IsDir() {
		return &openFolder{files: f, name: path.Clean(name), info: about}, nil
	}
	_, _, content, err := f.objects.read(n.id, true)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &openFile{bytes.NewReader(content), about}, nil
}

type openFile struct {
	*bytes.Reader
	info info
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *openFile) Close() error               { return nil }

type openFolder struct {
	files *FS
	name  string
	info  info
	at    int
}

func (f *openFolder) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *openFolder) Close() error               { return nil }
func (f *openFolder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: f.name, Err: errors.New("is a folder")}
}

// ReadDir lists a folder, links as links.
func (f *openFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	rest := f.info.children[f.at:]
	if n > 0 {
		if len(rest) == 0 {
			return nil, io.EOF
		}
		rest = rest[:min(n, len(rest))]
	}
	entries := make([]fs.DirEntry, len(rest))
	for i, name := range rest {
		entries[i] = fs.FileInfoToDirEntry(info{f.files.objects, name, f.files.nodes[path.Join(f.name, name)]})
	}
	f.at += len(rest)
	return entries, nil
}

// info describes a file. Its size is read when it is asked for.
type info struct {
	objects *objects
	name    string
	*node
}

func (i info) Name() string      { return i.name }
func (i info) Mode() fs.FileMode { return i.mode }
func (i info) IsDir() bool       { return i.mode.IsDir() }
func (i info) Sys() any          { return nil }

// ModTime is the zero time: git keeps no times of files.
func (i info) ModTime() time.Time { return time.Time{} }

func (i info) Size() int64 {
	if !i.mode.IsRegular() {
		return 0
	}
	return i.objects.size(i.id)
}

// Package fingerprint computes fingerprints of files, which differ if the files do: from
// their attributes, without reading them, or from their contents.
package fingerprint

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gatewright/internal/file"
)

// Sum collects files for one fingerprint. Their order counts.
type Sum struct {
	hash   hash.Hash
	buffer []byte // what Attributes adds; kept to save memory
}

// New returns a Sum without files.
func New() *Sum { return &Sum{hash: sha256.New()} }

// String returns the fingerprint of what was added so far.
func (s *Sum) String() string { return hex.EncodeToString(s.hash.Sum(nil)) }

// Text adds a text, such as the reason why a file cannot be read.
func (s *Sum) Text(text string) { _, _ = io.WriteString(s.hash, text+"\x00") }

// Attributes adds a file's name, mode, size and time.
func (s *Sum) Attributes(name string, info fs.FileInfo) {
	s.buffer = append(append(s.buffer[:0], name...), 0)
	s.buffer = binary.LittleEndian.AppendUint64(s.buffer, uint64(info.Size()))
	s.buffer = binary.LittleEndian.AppendUint64(s.buffer, uint64(info.ModTime().UnixNano()))
	s.buffer = binary.LittleEndian.AppendUint32(s.buffer, uint32(info.Mode()))
	_, _ = s.hash.Write(s.buffer)
}

// Content adds a file's name and what the file contains.
func (s *Sum) Content(name string, content []byte) { _ = s.read(name, bytes.NewReader(content)) }

// File adds a name and what the file at a path contains.
func (s *Sum) File(name, path string) error {
	if err := file.CheckRegular(path); err != nil {
		return err
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	return s.read(name, file)
}

func (s *Sum) read(name string, content io.Reader) error {
	own := sha256.New()
	_, err := io.Copy(own, content)
	_, _ = s.hash.Write(own.Sum([]byte(name + "\x00")))
	return err
}

// IsGenerated reports whether a folder of this name has only files that tools made.
func IsGenerated(folder string) bool {
	return folder == "node_modules" || folder == "__pycache__" || folder == ".git"
}

// Attributes returns the fingerprint of the names, modes, sizes and times of a folder's
// files, without those in generated folders.
func Attributes(folder string) (string, error) {
	sum := New()
	err := EachFile(folder, func(name string, info fs.FileInfo) error {
		sum.Attributes(name, info)
		return nil
	})
	return sum.String(), err
}

// Contents returns the fingerprint of what the files of a folder contain, without those
// in generated folders.
func Contents(folder string) (string, error) {
	sum := New()
	err := EachFile(folder, func(name string, info fs.FileInfo) error {
		if !info.Mode().IsRegular() {
			return nil
		}
		return sum.File(name, filepath.Join(folder, name))
	})
	return sum.String(), err
}

// mostLinked is how many files of folders behind links count: a link may lead anywhere.
const mostLinked = 5000

// EachFile calls do for the files below a folder, in the order of their names, which have slashes. A link
// counts as the file or folder that it leads to, but a folder above is not entered again, and generated
// folders are not at all. Files that are removed meanwhile are left out. The error fs.SkipAll of do ends it.
func EachFile(folder string, do func(name string, info fs.FileInfo) error) error {
	w := walk{do: do, linked: mostLinked}
	return w.folder(folder, "", nil)
}

type walk struct {
	do     func(name string, info fs.FileInfo) error
	linked int
}

// folder walks a folder whose files have names that begin with prefix. above are the real
// paths of the links' folders that it was reached through.
func (w *walk) folder(folder, prefix string, above []string) error {
	// The separator follows a link that is the folder itself.
	root := filepath.Clean(folder) + string(filepath.Separator)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			if path != root && IsGenerated(entry.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		var info fs.FileInfo
		if err == nil {
			info, err = entry.Info()
		}
		name := prefix + filepath.ToSlash(strings.TrimPrefix(path, root))
		if err == nil && entry.Type()&fs.ModeSymlink != 0 {
			if target, err := os.Stat(path); err == nil {
				info = target
			}
			if info.IsDir() && !IsGenerated(entry.Name()) {
				return w.behind(path, name, above)
			}
		}
		if err == nil && len(above) > 0 {
			if w.linked--; w.linked < 0 {
				return fs.SkipAll
			}
		}
		if err == nil {
			if err = w.do(name, info); errors.Is(err, fs.SkipAll) {
				return errEnough
			}
		}
		if path != root && errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
	if errors.Is(err, errEnough) && prefix == "" {
		return nil
	}
	return err
}

// errEnough ends all folders of a walk.
var errEnough = errors.New("enough files")

// behind walks the folder that a link leads to, unless the link is in it.
func (w *walk) behind(link, name string, above []string) error {
	target, err := filepath.EvalSymlinks(link)
	if err != nil {
		return nil
	}
	at, err := filepath.EvalSymlinks(filepath.Dir(link))
	if err != nil || slices.Contains(above, target) {
		return nil
	}
	if inside, err := filepath.Rel(target, at); err == nil && filepath.IsLocal(inside) {
		return nil
	}
	return w.folder(target, name+"/", append(slices.Clip(above), target))
}

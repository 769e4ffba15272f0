package project

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/spf13/afero"

	"gatewright/internal/file/fingerprint"
	"gatewright/internal/file/ignore"
	"gatewright/project/disk"
	"gatewright/project/read"
)

// sourceTree are the files in a function's folder. A link to a file or folder elsewhere in the
// project stands for what it leads to, as it does when the function runs.
type sourceTree struct {
	fsys afero.Fs
	// files are sorted by name.
	files []sourceFile
	// others are neither files nor folders nor links, such as sockets.
	others []string
	// Environments are folders with a virtual environment of Python, which belong to no function.
	Environments []string
	// rules say what else does not belong to the function.
	rules ignore.Rules
	// Wrong are the links that lead nowhere, out of the project, or to a folder that they are in.
	Wrong []*read.Problem
}

type sourceFile struct {
	name string
	mode fs.FileMode
}

// ReadSourceTree reads the files below a folder, without what was installed. A folder that is missing has none.
func ReadSourceTree(fsys afero.Fs, folder string) (*sourceTree, error) {
	t := &sourceTree{fsys: fsys, rules: ignore.Defaults()}
	for _, in := range []string{".", folder, path.Join(folder, "src")} {
		// A missing file has no rules.
		text, _ := read.Bytes(fsys, path.Join(in, ignore.Name))
		t.rules = append(t.rules, ignore.Parse(path.Join(in, ignore.Name), string(text))...)
	}
	var above []fs.FileInfo
	for at := folder; ; at = path.Dir(at) {
		info, err := fsys.Stat(at)
		if errors.Is(err, fs.ErrNotExist) {
			return t, nil
		}
		if err != nil {
			return nil, read.Unreadable(folder, err)
		}
		above = append(above, info)
		if at == "." {
			break
		}
	}
	if err := t.add(folder, above); err != nil {
		return nil, err
	}
	slices.SortFunc(t.files, func(a, b sourceFile) int { return strings.Compare(a.name, b.name) })
	return t, nil
}

// add adds the files below a folder. above are the folders that it is in, and itself.
func (t *sourceTree) add(folder string, above []fs.FileInfo) error {
	entries, err := afero.ReadDir(t.fsys, folder)
	if err != nil {
		return read.Unreadable(folder, err)
	}
	for _, entry := range entries {
		name, info := path.Join(folder, entry.Name()), entry
		if fingerprint.IsGenerated(entry.Name()) || t.leavesOut(name, entry) {
			continue
		}
		if entry.Mode()&fs.ModeSymlink != 0 {
			if info, err = t.follow(name, above); err != nil {
				return err
			}
			if info == nil {
				continue
			}
		}
		switch {
		case info.IsDir():
			if err := t.add(name, append(slices.Clip(above), info)); err != nil {
				return err
			}
		case info.Mode().IsRegular():
			t.files = append(t.files, sourceFile{name, info.Mode()})
		default:
			t.others = append(t.others, name)
		}
	}
	return nil
}

// leavesOut reports whether a file or folder does not belong to the function, as package artifact does.
func (t *sourceTree) leavesOut(name string, entry fs.FileInfo) bool {
	isFolder := entry.IsDir()
	if entry.Mode()&fs.ModeSymlink != 0 {
		info, err := t.fsys.Stat(name)
		isFolder = err == nil && info.IsDir()
	}
	if t.rules.Find(name, isFolder) != nil {
		return true
	}
	mark := ""
	if isFolder {
		mark = ignore.Made(path.Base(name), func(mark string) bool {
			_, err := t.fsys.Stat(path.Join(name, mark))
			return err == nil
		})
	}
	if mark == ignore.Environment {
		t.Environments = append(t.Environments, name)
	}
	return mark != ""
}

// follow returns what a link leads to, nil if it is wrong.
func (t *sourceTree) follow(link string, above []fs.FileInfo) (fs.FileInfo, error) {
	say := func(text, fix string) (fs.FileInfo, error) {
		t.Wrong = append(t.Wrong, &read.Problem{File: link, Text: text, Fix: fix})
		return nil, nil
	}
	info, err := t.fsys.Stat(link)
	var target string
	if reader, ok := t.fsys.(afero.LinkReader); ok {
		target, _ = reader.ReadlinkIfPossible(link)
	}
	switch {
	case errors.Is(err, disk.ErrOutside) && path.IsAbs(target):
		return say("is a link with an absolute path, which is broken in another clone",
			"use a relative link to a file in the project")
	case errors.Is(err, disk.ErrOutside):
		return say("is a link that leads out of the project, so a push would miss its target",
			"copy the target into the project instead")
	case err != nil:
		return say("is a broken link", "fix or remove it")
	case info.IsDir() && slices.ContainsFunc(above, func(folder fs.FileInfo) bool { return os.SameFile(folder, info) }):
		return say("is a link to a folder that it is in", "remove it")
	}
	return info, nil
}

package project

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"

	"github.com/spf13/afero"

	"gatewright/internal/source"
	"gatewright/internal/source/workspace"
	"gatewright/project/journal"
	"gatewright/project/read"
)

// compareSources lists the files of a function in a folder, except one, that differ between two states of a project.
func compareSources(was, is *Project, function, folder, except string) ([]journal.Change, error) {
	then, now := was.FS, is.FS
	old, err := was.sourceNames(function, folder)
	if err != nil {
		return nil, err
	}
	have, err := is.sourceNames(function, folder)
	if err != nil {
		return nil, err
	}
	var changes []journal.Change
	for _, name := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(old, have)))) {
		_, existed := slices.BinarySearch(old, name)
		_, exists := slices.BinarySearch(have, name)
		c := journal.Change{Path: name, Existed: existed, Delete: !exists}
		if name == except {
			continue
		}
		if existed && exists {
			same, err := sameContent(then, now, name)
			if err != nil {
				return nil, err
			}
			if same || IsCheckedOut(then, now, name) {
				continue
			}
		}
		if c.Old, err = contentForDiff(then, name, existed); err != nil {
			return nil, err
		}
		if c.New, err = contentForDiff(now, name, exists); err != nil {
			return nil, err
		}
		if existed && exists && isSettings(name) && bytes.Equal(c.Old, c.New) {
			continue
		}
		changes = append(changes, c)
	}
	return changes, nil
}

// sourceNames lists the files that are deployed with a function in a folder, sorted: its own, and those
// of its layers and of packages in folders of the project.
func (p *Project) sourceNames(function, folder string) ([]string, error) {
	folders, names := shared(p.FS, path.Join(folder, source.Folder))
	for _, layer := range p.layersOf(p.Backend.Function(function)) {
		more, files := shared(p.FS, path.Join(layer, "nodejs"))
		folders, names = append(append(folders, layer), more...), append(names, files...)
	}
	for _, each := range append(folders, folder) {
		tree, err := ReadSourceTree(p.FS, each)
		if err != nil {
			return nil, err
		}
		for _, file := range tree.files {
			names = append(names, file.name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// sameContent reports whether a file is the same on two filesystems. It may be larger than MaxFile.
func sameContent(a, b afero.Fs, name string) (bool, error) {
	if x, known := contentID(a, name); known {
		if y, known := contentID(b, name); known {
			return x == y, nil
		}
	}
	var files [2]afero.File
	var sizes [2]int64
	for i, fsys := range []afero.Fs{a, b} {
		f, err := fsys.Open(name)
		if err != nil {
			return false, read.Unreadable(name, err)
		}
		defer func() { _ = f.Close() }()
		info, err := f.Stat()
		if err != nil {
			return false, read.Unreadable(name, err)
		}
		files[i], sizes[i] = f, info.Size()
	}
	if sizes[0] != sizes[1] {
		return false, nil
	}
	var blocks [2][32 << 10]byte
	for {
		n, err := io.ReadFull(files[0], blocks[0][:])
		m, other := io.ReadFull(files[1], blocks[1][:])
		if n != m || string(blocks[0][:n]) != string(blocks[1][:m]) {
			return false, nil
		}
		if err != nil || other != nil {
			ended := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
			if !ended {
				return false, read.Unreadable(name, errors.Join(err, other))
			}
			return true, nil
		}
	}
}

// contentID returns the id of a file's content on a filesystem that has one for each content, as
// the files of a commit do.
func contentID(fsys afero.Fs, name string) (id string, known bool) {
	ids, known := fsys.(interface {
		ContentID(name string) (string, bool)
	})
	if !known {
		return "", false
	}
	return ids.ContentID(name)
}

// IsCheckedOut reports whether git would commit the file of a working tree as it is in a commit,
// though its bytes are others. then is the commit.
func IsCheckedOut(then, now afero.Fs, name string) bool {
	files, ok := then.(interface{ IsCheckedOut(name string) bool })
	if !ok {
		return false
	}
	_, both := contentID(now, name)
	return !both && files.IsCheckedOut(name)
}

// contentForDiff returns the content of a file for a diff. For a file over MaxFile it is a
// binary text that says so, which a diff does not show.
func contentForDiff(fsys afero.Fs, name string, exists bool) ([]byte, error) {
	if !exists {
		return nil, nil
	}
	data, err := read.Bytes(fsys, name)
	if err == nil && isSettings(name) {
		return workspace.WithoutTokens(data), nil
	}
	if errors.Is(err, read.ErrTooLarge) {
		return fmt.Appendf(nil, "\x00%v", err), nil
	}
	return data, err
}

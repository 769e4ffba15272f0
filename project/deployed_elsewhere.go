package project

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/project/disk"
	"gatewright/project/journal"
	"gatewright/project/read"
)

// Keep saves what was deployed elsewhere as the last deployment of an environment: its record,
// and the files of the definition by their names below the project's folder with it. The error
// matches ErrDeploying while a push of the environment runs.
func (p *Project) Keep(record Record, files map[string][]byte) error {
	return p.save(record, func(folder string) error { return writeDefinition(p.FS, folder, files) },
		func(*Project) error { return nil })
}

// writeDefinition writes the files of a definition below a folder. Their names come from
// elsewhere, so none may lead out of it.
func writeDefinition(fsys afero.Fs, folder string, files map[string][]byte) error {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, `\:`) {
			return &read.Problem{
				File: name, Text: "is not the name of a definition file",
				Fix: "push again with this gatewright",
			}
		}
		at := path.Join(folder, Native.String(), name)
		if err := fsys.MkdirAll(path.Dir(at), 0o755); err != nil {
			return err
		}
		if err := writeSynced(fsys, at, strings.NewReader(string(files[name])), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// DeploymentOf returns a deployment from its record and the files of its definition, as Keep
// takes them. It writes nothing.
func DeploymentOf(record Record, files map[string][]byte) (*Deployment, error) {
	fsys := disk.Memory()
	if err := writeDefinition(fsys, "", files); err != nil {
		return nil, err
	}
	then, err := Load(fsys, Native)
	if err != nil {
		return nil, err
	}
	if problem := read.FirstError(then.Problems); problem != nil {
		return nil, fmt.Errorf("the definition as deployed cannot be read: %w", problem)
	}
	return &Deployment{Record: record, Project: then}, nil
}

const (
	// mostHashed is for how many files of a function hashes are kept; of more, there is one hash of all.
	mostHashed = 300
	// AllFiles is the name for that hash.
	AllFiles = "."
	// hashBytes are enough to tell versions of a file apart.
	hashBytes = 12
)

// Sources returns the hashes of the files that are deployed with each function, by function and file.
func (p *Project) Sources() (map[string]map[string]string, error) {
	all := make(map[string]map[string]string)
	for _, f := range p.Backend.Functions {
		hashes, err := p.sourcesOf(f.Name)
		if err != nil {
			return nil, err
		}
		all[f.Name] = hashes
	}
	return all, nil
}

// sourcesOf returns the hashes of a function's files.
func (p *Project) sourcesOf(function string) (map[string]string, error) {
	folder := p.Layout.FunctionFolder(function)
	definition := p.Layout.File(model.Ref{Kind: model.KindFunction, Name: function})
	names, err := p.sourceNames(function, folder)
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name == definition })
	hashes, whole := make(map[string]string, len(names)), sha256.New()
	for _, name := range names {
		sum, err := hashOf(p.FS, name)
		if err != nil {
			return nil, err
		}
		inside := insideOf(folder, name)
		hashes[inside] = sum
		_, _ = io.WriteString(whole, inside+"\x00"+sum+"\x00")
	}
	if len(hashes) > mostHashed {
		return map[string]string{AllFiles: hex.EncodeToString(whole.Sum(nil)[:hashBytes])}, nil
	}
	return hashes, nil
}

// hashOf returns the hash of a file, "" if it is gone meanwhile.
func hashOf(fsys afero.Fs, name string) (string, error) {
	f, err := fsys.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", read.Unreadable(name, err)
	}
	defer func() { _ = f.Close() }()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", read.Unreadable(name, err)
	}
	return hex.EncodeToString(sum.Sum(nil)[:hashBytes]), nil
}

// ChangedSources lists the files of a function that differ from a deployment. Their old
// content is known only if the deployment is on this machine.
func (p *Project) ChangedSources(then *Deployment, function, folder, definition string) ([]journal.Change, error) {
	was, hashed := then.Sources[function]
	if !hashed {
		return compareSources(then.Project, p, function, folder, definition)
	}
	is, err := p.sourcesOf(function)
	if err != nil {
		return nil, err
	}
	if maps.Equal(was, is) {
		return nil, nil
	}
	if was[AllFiles] != "" || is[AllFiles] != "" {
		return []journal.Change{{Path: folder + "/src", Existed: true, Old: []byte("\x00then"), New: []byte("\x00now")}}, nil
	}
	both := maps.Clone(was)
	maps.Copy(both, is)
	var changes []journal.Change
	for _, name := range slices.Sorted(maps.Keys(both)) {
		old, existed := was[name]
		now, exists := is[name]
		if existed && exists && old == now {
			continue
		}
		c := journal.Change{Path: path.Join(folder, name), Existed: existed, Delete: !exists}
		// A NUL makes a text binary, and a diff says only that it differs.
		if existed {
			c.Old = []byte("\x00" + old)
		}
		if exists {
			c.New = []byte("\x00" + now)
		}
		changes = append(changes, c)
	}
	return changes, nil
}

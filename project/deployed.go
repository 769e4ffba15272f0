package project

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/project/journal"
)

// Deployment is what was deployed of an environment: the record, and the project
// as it was then.
type Deployment struct {
	Record
	Project *Project
}

// Deployed is the last deployment of an environment. The error matches
// ErrNeverDeployed where there was none.
func (p *Project) Deployed(env string) (d *Deployment, err error) {
	p.whileUnchanged(env, func() { d, err = p.deployed(env) })
	return d, err
}

// whileUnchanged looks at what is deployed of an environment, again when a push
// replaced that meanwhile: looking takes no lock.
func (p *Project) whileUnchanged(env string, look func()) {
	const tries = 10
	for range tries {
		before, _ := readRecord(p.fsys, env)
		look()
		if after, _ := readRecord(p.fsys, env); after.Snapshot == before.Snapshot {
			return
		}
	}
}

func (p *Project) deployed(env string) (*Deployment, error) {
	record, err := readRecord(p.fsys, env)
	if err != nil {
		return nil, err
	}
	then, err := p.deployedProject(record)
	if err != nil {
		return nil, err
	}
	return &Deployment{Record: record, Project: then}, nil
}

// deployedProject is the project as it was when the record was made.
func (p *Project) deployedProject(record Record) (*Project, error) {
	folder := path.Join(deploymentFolder(record.Environment), record.Snapshot)
	info, err := p.fsys.Stat(folder)
	if err != nil || !info.IsDir() {
		return nil, &Problem{File: folder, Text: "is not there, and " + recordFile(record.Environment) + " names it", Fix: "push again"}
	}
	then, err := Load(afero.NewBasePathFs(p.fsys, folder), p.Layout)
	if err != nil {
		return nil, fmt.Errorf("reading what was deployed: %w", err)
	}
	if problem := FirstError(then.Problems); problem != nil {
		return nil, &Problem{File: folder, Text: "cannot be read: " + problem.Error(), Fix: "push again"}
	}
	return then, nil
}

// Deploy keeps the definition as it is on disk, and with it the record, as what
// was deployed last: both or neither. The error matches ErrDeploying while
// another push of the environment is under way.
func (p *Project) Deploy(record Record) (err error) {
	env := record.Environment
	if err := model.CheckName(model.KindEnvironment, env); err != nil {
		return err
	}
	lock, err := journal.Hold(p.fsys, deploymentLock(env))
	if err != nil {
		return deployingError(env, err)
	}
	defer func() {
		if released := lock.Release(); err == nil {
			err = released
		}
	}()
	record.Version, record.Snapshot = recordVersion, "snapshot-"+strings.ToLower(rand.Text()[:12])
	if err := p.snapshot(path.Join(deploymentFolder(env), record.Snapshot)); err != nil {
		_ = p.fsys.RemoveAll(path.Join(deploymentFolder(env), record.Snapshot))
		return fmt.Errorf("keeping what is deployed: %w", err)
	}
	if then, err := p.deployedProject(record); err != nil || then.Fingerprint() != p.Fingerprint() {
		_ = p.fsys.RemoveAll(path.Join(deploymentFolder(env), record.Snapshot))
		return errors.Join(err, errors.New("the project changed while it was being deployed; push again"))
	}
	if err := p.writeRecord(record); err != nil {
		return fmt.Errorf("keeping what is deployed: %w", err)
	}
	p.removeSnapshots(env, record.Snapshot)
	return nil
}

// Undeploy forgets what was deployed of an environment; there may be nothing.
func (p *Project) Undeploy(env string) error {
	if model.CheckName(model.KindEnvironment, env) != nil || !exists(p.fsys, deploymentFolder(env)) {
		return nil
	}
	lock, err := journal.Hold(p.fsys, deploymentLock(env))
	if err != nil {
		return deployingError(env, err)
	}
	// The record first: without it the rest is nothing.
	err = p.fsys.Remove(recordFile(env))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err == nil {
		p.removeSnapshots(env, "")
	}
	if released := lock.Release(); err == nil {
		err = released
	}
	if err != nil {
		return fmt.Errorf("forgetting what was deployed of environment %s: %w", model.Quote(env), err)
	}
	_ = p.fsys.Remove(deploymentFolder(env))
	return nil
}

// writeRecord puts the record in its place by a rename: from that moment its
// snapshot is what was deployed last.
func (p *Project) writeRecord(record Record) error {
	text, err := json.MarshalIndent(record, "", "  ")
	if err != nil {
		return err
	}
	name := recordFile(record.Environment)
	if err := writeSynced(p.fsys, name+".new", strings.NewReader(string(text)+"\n"), 0o644); err != nil {
		return err
	}
	return p.fsys.Rename(name+".new", name)
}

// removeSnapshots removes the snapshots of an environment but for one. One that
// cannot be removed is in nobody's way and goes with the next push.
func (p *Project) removeSnapshots(env, but string) {
	entries, _ := afero.ReadDir(p.fsys, deploymentFolder(env))
	for _, entry := range entries {
		if entry.IsDir() && entry.Name() != but {
			_ = p.fsys.RemoveAll(path.Join(deploymentFolder(env), entry.Name()))
		}
	}
}

// snapshot copies the definition and the sources of functions, but for what
// tools put beside them and what is a link.
func (p *Project) snapshot(folder string) error {
	base := p.Layout.folder()
	return afero.Walk(p.fsys, base, func(name string, info fs.FileInfo, err error) error {
		name = filepath.ToSlash(name)
		switch {
		case err != nil:
			return unreadable(name, err)
		case slices.Contains(installed, info.Name()) && name != base:
			if info.IsDir() {
				return fs.SkipDir
			}
			return nil
		case info.IsDir():
			return p.fsys.MkdirAll(path.Join(folder, name), 0o755)
		case !info.Mode().IsRegular():
			return nil
		}
		from, err := p.fsys.Open(name)
		if err != nil {
			return unreadable(name, err)
		}
		defer func() { _ = from.Close() }()
		return writeSynced(p.fsys, path.Join(folder, name), from, info.Mode().Perm()|0o200)
	})
}

// writeSynced writes a file and has it on the disk when it returns.
func writeSynced(fsys afero.Fs, name string, from io.Reader, mode fs.FileMode) error {
	f, err := fsys.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

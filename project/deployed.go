package project

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/afero"

	"gatewright/internal/file/fingerprint"
	"gatewright/internal/source"
	"gatewright/internal/source/workspace"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project/amplify"
	"gatewright/project/journal"
	"gatewright/project/read"
)

// Deployment is the last deployment of an environment: its record, and the project as it was deployed.
type Deployment struct {
	Record
	Project *Project
}

// Deployed reads the last deployment of an environment. The error matches ErrNeverDeployed if there was none.
func (p *Project) Deployed(env string) (d *Deployment, err error) {
	p.WhileUnchanged(env, func() { d, err = p.LoadDeployed(env) })
	return d, err
}

// LastPushed is Deployed for an environment of a project of any layout: of one that the Amplify CLI deploys, it is
// the copy of what that last pushed. The error matches ErrNeverDeployed, or amplify.ErrKept if there is no such copy.
func (p *Project) LastPushed(e *model.Environment) (*Deployment, error) {
	if p.Amplify != nil {
		return p.Pushed(e)
	}
	return p.Deployed(e.Name)
}

// WhileUnchanged calls look, which reads a deployment without taking its lock, again
// as long as a push replaced the deployment meanwhile.
func (p *Project) WhileUnchanged(env string, look func()) {
	const tries = 10
	for range tries {
		before, _ := readRecord(p.FS, env)
		look()
		if after, _ := readRecord(p.FS, env); after.Snapshot == before.Snapshot {
			return
		}
	}
}

// LoadDeployed reads what an environment was deployed from; see Deployed.
func (p *Project) LoadDeployed(env string) (*Deployment, error) {
	record, err := readRecord(p.FS, env)
	if err != nil {
		return nil, err
	}
	then, err := p.deployedProject(record)
	if err != nil {
		return nil, err
	}
	return &Deployment{Record: record, Project: then}, nil
}

// deployedProject reads the project from the snapshot that the record names.
func (p *Project) deployedProject(record Record) (*Project, error) {
	folder := path.Join(deploymentFolder(record.Environment), record.Snapshot)
	info, err := p.FS.Stat(folder)
	if err != nil || !info.IsDir() {
		return nil, &read.Problem{
			File: folder, Text: "is missing, although " + recordFile(record.Environment) + " names it",
			Fix: "push again",
		}
	}
	then, err := Load(afero.NewBasePathFs(p.FS, folder), p.Layout)
	if err != nil {
		return nil, fmt.Errorf("reading the last deployment: %w", err)
	}
	if problem := read.FirstError(then.Problems); problem != nil {
		return nil, &read.Problem{File: folder, Text: "cannot be read: " + problem.Error(), Fix: "push again"}
	}
	return then, nil
}

// Deploy saves a snapshot of the definition on disk and the record as the last deployment: both or neither. The error
// matches ErrDeploying while another push of the environment runs.
func (p *Project) Deploy(record Record) error {
	return p.save(record, p.snapshot, func(then *Project) error {
		if then.Fingerprint() != p.Fingerprint() {
			return errors.New("the project changed while it was being deployed; push again")
		}
		return nil
	})
}

// save saves a record with the snapshot that fill makes in a folder, if check accepts it. The
// error matches ErrDeploying while another push of the environment runs.
func (p *Project) save(record Record, fill func(folder string) error, check func(*Project) error) (err error) {
	env := record.Environment
	if err := model.CheckName(model.KindEnvironment, env); err != nil {
		return err
	}
	lock, err := journal.Hold(p.FS, deploymentLock(env))
	if err != nil {
		return deployingError(env, err)
	}
	defer func() {
		if released := lock.Release(); err == nil {
			err = released
		}
	}()
	record.Version, record.Snapshot = recordVersion, "snapshot-"+strings.ToLower(rand.Text()[:12])
	folder := path.Join(deploymentFolder(env), record.Snapshot)
	if err = fill(folder); err != nil {
		err = fmt.Errorf("saving the deployment: %w", err)
	} else {
		var then *Project
		if then, err = p.deployedProject(record); err == nil {
			err = check(then)
		}
	}
	if err != nil {
		_ = p.FS.RemoveAll(folder)
		return err
	}
	if err := p.writeRecord(record); err != nil {
		return fmt.Errorf("saving the deployment: %w", err)
	}
	p.removeSnapshots(env, record.Snapshot)
	return nil
}

// Undeploy removes the record and the snapshots of an environment, if it has any.
func (p *Project) Undeploy(env string) error {
	if model.CheckName(model.KindEnvironment, env) != nil || !read.Exists(p.FS, deploymentFolder(env)) {
		return nil
	}
	lock, err := journal.Hold(p.FS, deploymentLock(env))
	if err != nil {
		return deployingError(env, err)
	}
	// The record goes first: nothing reads a snapshot that no record names.
	err = p.FS.Remove(recordFile(env))
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
		return fmt.Errorf("removing the record of the deployment of environment %s: %w", phrase.Quote(env), err)
	}
	_ = p.FS.Remove(deploymentFolder(env))
	return nil
}

// writeRecord puts the record in its place by a rename: from that moment its snapshot is what was deployed last.
func (p *Project) writeRecord(record Record) error {
	text, err := json.MarshalIndent(record, "", "  ")
	if err != nil {
		return err
	}
	name := recordFile(record.Environment)
	if err := writeSynced(p.FS, name+".new", strings.NewReader(string(text)+"\n"), 0o644); err != nil {
		return err
	}
	return p.FS.Rename(name+".new", name)
}

// removeSnapshots removes the snapshots of an environment except one. The next
// push removes what cannot be removed now.
func (p *Project) removeSnapshots(env, except string) {
	entries, _ := afero.ReadDir(p.FS, deploymentFolder(env))
	for _, entry := range entries {
		if entry.IsDir() && entry.Name() != except {
			_ = p.FS.RemoveAll(path.Join(deploymentFolder(env), entry.Name()))
		}
	}
}

// snapshot copies the definition and the sources of functions, except installed packages. A
// link in a source becomes what it leads to; other links are left out.
func (p *Project) snapshot(folder string) error { return p.copyTo(p.FS, folder) }

// besides are the files outside of the folder of the definitions that a project runs with.
var besides = []string{
	"package.json", "package-lock.json", "tsconfig.json",
	amplify.EnvironmentsFile, amplify.ProjectFile,
}

// CopyTo copies what the project runs with to the top of another filesystem: the definition and the
// sources of functions, except installed packages, secrets and everything else of this machine.
func (p *Project) CopyTo(to afero.Fs) error {
	for _, name := range besides {
		if info, err := p.FS.Stat(name); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if err := to.MkdirAll(path.Dir(name), 0o755); err != nil {
			return err
		}
		if err := p.copyFile(to, name, "", 0o644); err != nil {
			return err
		}
	}
	return p.copyTo(to, "")
}

// copyTo copies the definition and the sources to a folder of a filesystem.
func (p *Project) copyTo(to afero.Fs, folder string) error {
	base := p.Layout.String()
	for _, f := range p.Backend.Functions {
		for _, at := range p.layersOf(f) {
			if err := errors.Join(p.copyShared(to, path.Join(at, "nodejs"), folder), p.copySource(to, at, folder)); err != nil {
				return err
			}
		}
	}
	return afero.Walk(p.FS, base, func(name string, info fs.FileInfo, err error) error {
		name = filepath.ToSlash(name)
		switch {
		case err != nil:
			return read.Unreadable(name, err)
		case fingerprint.IsGenerated(info.Name()) && name != base:
			if info.IsDir() {
				return fs.SkipDir
			}
			return nil
		case path.Dir(name) == path.Dir(p.Layout.FunctionFolder("any")):
			// The folder of a function may be a link, too.
			if target, err := p.FS.Stat(name); err != nil || !target.IsDir() {
				break
			}
			if err := p.copyShared(to, path.Join(name, source.Folder), folder); err != nil {
				return err
			}
			if err := p.copySource(to, name, folder); err != nil || !info.IsDir() {
				return err
			}
			return fs.SkipDir
		case info.IsDir():
			return to.MkdirAll(path.Join(folder, name), 0o755)
		case !info.Mode().IsRegular():
			return nil
		}
		return p.copyFile(to, name, folder, info.Mode())
	})
}

// copyShared copies what a function or a layer runs with besides its folder.
func (p *Project) copyShared(to afero.Fs, name, folder string) error {
	folders, files := shared(p.FS, name)
	for _, name := range folders {
		if err := p.copySource(to, name, folder); err != nil {
			return err
		}
	}
	for _, name := range files {
		if err := to.MkdirAll(path.Join(folder, path.Dir(name)), 0o755); err != nil {
			return err
		}
		if err := p.copyFile(to, name, folder, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// copySource copies the folder of a function, or of a package that it needs.
func (p *Project) copySource(to afero.Fs, name, folder string) error {
	tree, err := ReadSourceTree(p.FS, name)
	if err != nil {
		return err
	}
	if err := to.MkdirAll(path.Join(folder, name), 0o755); err != nil {
		return err
	}
	for _, file := range tree.files {
		if err := to.MkdirAll(path.Join(folder, path.Dir(file.name)), 0o755); err != nil {
			return err
		}
		if err := p.copyFile(to, file.name, folder, file.mode); err != nil {
			return err
		}
	}
	return nil
}

func (p *Project) copyFile(to afero.Fs, name, folder string, mode fs.FileMode) error {
	from, err := p.FS.Open(name)
	if err != nil {
		return read.Unreadable(name, err)
	}
	defer func() { _ = from.Close() }()
	var text io.Reader = from
	if isSettings(name) {
		settings, err := io.ReadAll(from)
		if err != nil {
			return read.Unreadable(name, err)
		}
		text = bytes.NewReader(workspace.WithoutTokens(settings))
	}
	return writeSynced(to, path.Join(folder, name), text, mode.Perm()|0o200)
}

// writeSynced writes a file and syncs it to the disk.
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

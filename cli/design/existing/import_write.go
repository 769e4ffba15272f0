package existing

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/afero"

	"gatewright/cli/command"
	"gatewright/deploy/secretfile"
	"gatewright/internal/text/phrase"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/journal"
	"gatewright/project/plan"
)

// realFolder follows the links in the path of a folder, which may not exist yet.
func realFolder(dir string) (string, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err == nil {
		return real, nil
	}
	if _, lstat := os.Lstat(dir); lstat == nil || !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("--into: %s leads nowhere, or cannot be read; give --into another folder",
			phrase.QuotePath(filepath.ToSlash(dir)))
	}
	above, err := realFolder(filepath.Dir(dir))
	return filepath.Join(above, filepath.Base(dir)), err
}

// checkPlace refuses a folder that is the old project's, or in what the Amplify CLI keeps.
func (i *amplifyImport) checkPlace() error {
	root, err := filepath.EvalSymlinks(i.old.Root)
	if err != nil {
		return err
	}
	if i.into == root {
		return errors.New("--into is the folder of the old project; give --into another folder")
	}
	for _, kept := range []string{"amplify", "amplify/backend"} {
		kept, err := filepath.EvalSymlinks(filepath.Join(root, filepath.FromSlash(kept)))
		if err != nil {
			return err
		}
		if inside, err := filepath.Rel(kept, i.into); err == nil && filepath.IsLocal(inside) {
			return fmt.Errorf("--into %s is in the folder of the Amplify CLI, which changes it; give --into another folder",
				phrase.QuotePath(filepath.ToSlash(i.into)))
		}
	}
	return nil
}

// readSecrets reads the values of secrets, so that nothing is written if they cannot be read.
func (i *amplifyImport) readSecrets() error {
	i.secrets = make(map[string][]byte)
	for _, env := range i.old.Backend.Environments {
		text, err := i.old.Read(secretfile.Name(env.Name))
		switch {
		case err == nil:
			i.secrets[env.Name] = text
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	return nil
}

// make writes the new project.
func (i *amplifyImport) make() error {
	finished, err := i.recover()
	if err != nil {
		return err
	}
	switch root, _, err := project.Find(i.into); {
	case err == nil && root == i.into && finished:
		if err := i.afterwards(); err != nil {
			return err
		}
		return command.PrintText(i.streams.Out,
			"finished an import into "+phrase.QuotePath(filepath.ToSlash(i.into))+" that was interrupted\n")
	case err == nil && root == i.into:
		return fmt.Errorf("--into: %s already holds a project; give --into another folder",
			phrase.QuotePath(filepath.ToSlash(i.into)))
	case err == nil:
		command.Say(i.streams.Err, "note: the new project is inside another one, %s", root)
	}
	var made []string
	for dir := i.into; ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		switch {
		case err == nil && !info.IsDir():
			return fmt.Errorf("--into: %s is a file; give --into a folder", phrase.QuotePath(filepath.ToSlash(dir)))
		case err != nil && !errors.Is(err, os.ErrNotExist):
			return fmt.Errorf("--into: %w", err)
		}
		if err == nil {
			break
		}
		made = append(made, dir)
	}
	if len(made) > 0 && i.write.DryRun {
		return i.writeTo(project.New(afero.NewMemMapFs(), nil))
	}
	err = os.MkdirAll(i.into, 0o755)
	if err == nil {
		err = i.writeToFolder()
	}
	if err != nil {
		// They are empty: either all files are written or none.
		for _, dir := range made {
			_ = os.Remove(dir)
		}
	}
	return err
}

// recover finishes or takes back an earlier import that was interrupted.
func (i *amplifyImport) recover() (finished bool, err error) {
	if i.write.DryRun {
		return false, nil
	}
	fsys, err := disk.Open(i.into)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("--into: %w", err)
	}
	defer func() { _ = fsys.Close() }()
	var done journal.Recovery
	err = journal.WhenFree(context.Background(), func() (err error) {
		done, err = journal.Recover(fsys)
		return err
	})
	return done.Outcome == journal.Completed, err
}

func (i *amplifyImport) writeToFolder() error {
	fsys, err := disk.Open(i.into)
	if err != nil {
		return fmt.Errorf("--into: %w", err)
	}
	p := project.New(fsys, fsys.Close)
	defer func() { _ = p.Close() }()
	if err := i.writeTo(p); err != nil || i.write.DryRun {
		return err
	}
	return i.afterwards()
}

// writeTo writes the new project as the first files of p, and reports it.
func (i *amplifyImport) writeTo(p *project.Project) error {
	plan, err := plan.Of(p, i.converted.Backend)
	if err != nil {
		return err
	}
	if err := plan.Add(i.converted.Files); err != nil {
		return err
	}
	plan.Notes = slices.Concat(plan.Notes, i.converted.Notes, i.notes())
	return i.write.Write(plan, i.done(), i.converted.Left, i.streams)
}

// afterwards writes what is not among the files of the project.
func (i *amplifyImport) afterwards() error {
	for _, env := range i.converted.Backend.Environments {
		if text, there := i.secrets[env.Name]; there {
			if err := secretfile.Write(i.into, env.Name, text); err != nil {
				return err
			}
		}
	}
	return i.choose()
}

// choose chooses the environment in the new project that is chosen in the old one.
func (i *amplifyImport) choose() error {
	chosen := i.old.CurrentEnvironment()
	if chosen == nil || i.converted.Backend.Environment(chosen.Name) == nil {
		return nil
	}
	p, err := project.Open(i.into)
	if err != nil {
		return err
	}
	defer func() { _ = p.Close() }()
	plan, err := plan.Use(p, chosen.Name)
	if err != nil {
		return err
	}
	return plan.Commit()
}

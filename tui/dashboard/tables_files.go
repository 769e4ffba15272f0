package dashboard

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/atomicfile"
	"gatewright/project"
	"gatewright/sandbox"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

func nameOfFile(text string) error {
	if strings.TrimSpace(text) == "" {
		return errors.New("give the name of a file")
	}
	return nil
}

// path is a file that a person named, relative to the folder that the program was
// started in.
func (tt *tablesTab) path(name string) string {
	name = strings.TrimSpace(name)
	if home, err := os.UserHomeDir(); err == nil && strings.HasPrefix(name, "~/") {
		name = filepath.Join(home, name[2:])
	}
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(tt.page.dir, name)
}

// load imports a file.
func (tt *tablesTab) load(f tableFact, name string) tea.Cmd {
	path := tt.path(name)
	return tt.write("importing into "+f.name, f, func(ctx context.Context, x sandbox.Items) (string, error) {
		file, err := os.Open(path)
		if err != nil {
			return "", &project.Problem{File: name, Text: "cannot be read: " + reasonOf(err), Fix: "check its name"}
		}
		defer func() { _ = file.Close() }()
		count, err := x.Import(ctx, project.QuotePath(name), file, nil)
		return fmt.Sprintf("items imported into %s: %d", f.name, count), err
	})
}

// exportAsked says whether the file of an export is there already.
type exportAsked struct {
	of    *tablesTab
	fact  tableFact
	name  string
	there bool
}

// askExport looks whether the file is there.
func (tt *tablesTab) askExport(f tableFact, name string) tea.Cmd {
	path := tt.path(name)
	return func() tea.Msg {
		_, err := os.Lstat(path)
		return exportAsked{tt, f, name, err == nil}
	}
}

func (tt *tablesTab) takeExport(msg exportAsked) tea.Cmd {
	if !msg.there {
		return tt.save(msg.fact, msg.name)
	}
	tt.asked = asking{fact: msg.fact, file: msg.name}
	return frame.Open(dialog.Confirm(replaceDialog, "Replace the file", fit(msg.name)+" is there already.",
		dialog.Button{ID: "cancel", Label: "Cancel", Cancel: true}, dialog.Button{ID: "yes", Label: "Replace"}))
}

// save exports a table.
func (tt *tablesTab) save(f tableFact, name string) tea.Cmd {
	at, path := tt.at(f), tt.path(name)
	return tt.page.work("exporting "+f.name, func(ctx context.Context) (string, error) {
		count := 0
		err := atomicfile.Replace(path, atomicfile.Private, func(file *os.File) error {
			return at.with(ctx, false, func(x sandbox.Items) (err error) {
				count, err = x.Export(ctx, file)
				return err
			})
		})
		var refused *os.PathError
		if errors.As(err, &refused) {
			return "", &project.Problem{File: name, Text: "cannot be written: " + reasonOf(err), Fix: "check the name of the folder and its permissions"}
		}
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("items of %s exported to %s: %d", f.name, project.QuotePath(name), count), nil
	})
}

// reasonOf is why a file cannot be read or written, without its name.
func reasonOf(err error) string {
	var at *os.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return err.Error()
}

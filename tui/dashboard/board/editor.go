package board

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/project"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// NoEditor is why no file can be opened in an editor; "" if one can.
func (b *Board) NoEditor() string {
	if why := b.ReadOnly(); why != "" {
		return why
	}
	return b.Session.NoEditor()
}

// EditFile opens a file of the project in the editor, and reads the project again afterwards.
// name is relative to the project's folder.
func (b *Board) EditFile(name string) tea.Cmd { return b.EditFileAt(name, 0) }

// EditFileAt is EditFile with the cursor on a line, counted from 1; 0 is no line.
func (b *Board) EditFileAt(name string, line int) tea.Cmd {
	if why := b.NoEditor(); why != "" {
		return frame.Say(frame.Warn, notAvailable+"%s", why)
	}
	return frame.Exec(b.Session.EditAt(name, line), func(err error) tea.Msg {
		return frame.ThenMsg(func() tea.Cmd { return b.Edited(err) })
	})
}

// Edited reads the project again after a file of it was open in the editor, and says the
// editor's error if there is one.
func (b *Board) Edited(err error) tea.Cmd { return tea.Batch(b.Read(), b.sayEditorFailed(err)) }

// sayEditorFailed shows the error of the editor, if there is one.
func (b *Board) sayEditorFailed(err error) tea.Cmd {
	if err == nil {
		return nil
	}
	return frame.Say(frame.Error, "the editor %s: %v", prose.Printable(b.Session.Editor), err)
}

// EditFunction opens the main source file of a function in the editor.
func (b *Board) EditFunction(f *model.Function) tea.Cmd {
	if why := b.NoEditor(); why != "" {
		return frame.Say(frame.Warn, notAvailable+"%s", why)
	}
	root, kind := b.Session.Root(), b.Snap.Layout
	return inBackground(func() func() tea.Cmd {
		name, err := sourceOf(root, kind, f)
		if err != nil {
			return func() tea.Cmd { return frame.Say(frame.Error, "%v", err) }
		}
		return func() tea.Cmd { return b.EditFile(name) }
	})
}

// EditText opens a text in the editor, in a temporary file that only the user can read. then
// gets the edited text, or the same text if the editor failed.
func (b *Board) EditText(text, name string, then func(text string) tea.Cmd) tea.Cmd {
	if why := b.NoEditor(); why != "" {
		return frame.Say(frame.Warn, notAvailable+"%s", why)
	}
	edited := func(text string, err error) tea.Msg {
		return frame.ThenMsg(func() tea.Cmd { return tea.Batch(then(text), b.sayEditorFailed(err)) })
	}
	return func() tea.Msg {
		folder, err := os.MkdirTemp("", "gatewright-edit-")
		file := filepath.Join(folder, name)
		if err == nil {
			err = os.WriteFile(file, []byte(text+"\n"), 0o600)
		}
		if err != nil {
			_ = os.RemoveAll(folder)
			return edited(text, err)
		}
		return frame.Exec(b.Session.Edit(file), func(err error) tea.Msg {
			defer func() { _ = os.RemoveAll(folder) }()
			var data []byte
			if err == nil {
				data, err = os.ReadFile(file)
			}
			if err != nil {
				return edited(text, err)
			}
			return edited(strings.TrimRight(string(data), "\n"), nil)
		})()
	}
}

// EditJSON asks for JSON in a dialog, with colours. The text may also go to the editor, in a temporary file
// of that name, and come back to the dialog. read makes a value of it, or says what is wrong in which line;
// take gets the value. anew opens it again with the text so far when somebody else changed the files.
func EditJSON[T any](
	b *Board, of dialog.Editing, file string, read func(text string) (value T, line int, err error), take func(T) tea.Cmd,
	anew func(text string) tea.Cmd,
) tea.Cmd {
	of.Check = func(text string) (line int, err error) {
		_, line, err = read(text)
		return line, err
	}
	of.Take = func(text string) tea.Cmd {
		value, _, err := read(text)
		if err != nil {
			return frame.Say(frame.Error, "%v", err)
		}
		return take(value)
	}
	if b.NoEditor() == "" {
		of.OpenEditor = func(text string) tea.Cmd {
			return b.EditText(text, file, func(text string) tea.Cmd {
				of.Text, of.Line, of.Changed = text, 0, true
				return EditJSON(b, of, file, read, take, anew)
			})
		}
	}
	d := dialog.EditJSON(of)
	return b.Open(d, func() tea.Cmd { return anew(dialog.Values(d)[0]) })
}

// JSONText is a JSON value for editing: indented, without needless escapes.
func JSONText(value any) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return err.Error()
	}
	return strings.TrimRight(text.String(), "\n")
}

// sourceOf is the main source file of a function: app.js of an Express app, else the module
// of its handler, else main.go, else the first file.
func sourceOf(root string, kind project.Layout, f *model.Function) (string, error) {
	folder := kind.FunctionFolder(f.Name) + "/src"
	entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(folder)))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("function %s has no folder %s", phrase.Quote(f.Name), phrase.Quote(folder))
		}
		return "", fmt.Errorf("opening the sources of function %s: %w", phrase.Quote(f.Name), err)
	}
	module, _, _ := strings.Cut(f.Handler[strings.LastIndex(f.Handler, "/")+1:], ".")
	best, rank := "", 0
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		name := e.Name()
		worth := 1
		switch stem, _, _ := strings.Cut(name, "."); {
		case f.Template == model.Express && name == "app.js":
			worth = 4
		case stem == module && filepath.Ext(name) != ".json":
			worth = 3
		case name == "main.go":
			worth = 2
		}
		if worth > rank {
			best, rank = folder+"/"+name, worth
		}
	}
	if best == "" {
		return "", fmt.Errorf("function %s has no file in %s", phrase.Quote(f.Name), phrase.Quote(folder))
	}
	return best, nil
}

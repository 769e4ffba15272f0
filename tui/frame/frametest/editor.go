package frametest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// Editor is a program that stands for a person's editor: the test program itself, if it is called
// with [actsAsEditor]. The package of the test needs [Main].
type Editor struct {
	testing.TB
	folder string
}

// actsAsEditor is the first argument of the test program as an editor. The folder of an Editor and
// the file to edit are the others.
const actsAsEditor = "acts-as-editor"

// NewEditor makes an editor that leaves every file as it is.
func NewEditor(t testing.TB) *Editor { return &Editor{t, t.TempDir()} }

// Command is the setting of the editor, as the variable EDITOR has it.
func (e *Editor) Command() string {
	program, err := os.Executable()
	e.must(err)
	return `"` + program + `" ` + actsAsEditor + ` "` + e.folder + `"`
}

// Writes has it write a text into the files that it opens.
func (e *Editor) Writes(text string) { e.must(os.WriteFile(e.at("writes"), []byte(text), 0o600)) }

// Fails has it end with an error.
func (e *Editor) Fails() { e.must(os.WriteFile(e.at("fails"), nil, 0o600)) }

// Opened is the file that it opened last, and the text that the file had.
func (e *Editor) Opened() (name, text string) {
	e.Helper()
	opened, err := os.ReadFile(e.at("name"))
	e.must(err)
	was, err := os.ReadFile(e.at("was"))
	e.must(err)
	return string(opened), string(was)
}

func (e *Editor) at(name string) string { return filepath.Join(e.folder, name) }

func (e *Editor) must(err error) {
	e.Helper()
	if err != nil {
		e.Fatal(err)
	}
}

// edit is what the test program does as an editor.
func edit(folder, name string) error {
	was, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(folder, "writes"))
	if err == nil {
		err = os.WriteFile(name, text, 0o600)
	} else if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if _, fails := os.Stat(filepath.Join(folder, "fails")); fails == nil {
		err = errors.New("it fails")
	}
	return errors.Join(err, os.WriteFile(filepath.Join(folder, "name"), []byte(name), 0o600),
		os.WriteFile(filepath.Join(folder, "was"), was, 0o600))
}

// runProgram runs the other program that a message of Bubble Tea asks for, and reports whether it
// asks for one. The type of the message is known to Bubble Tea only.
func (term *Terminal) runProgram(msg tea.Msg) bool {
	if !strings.HasSuffix(reflect.TypeOf(msg).String(), ".execMsg") {
		return false
	}
	fields := reflect.New(reflect.TypeOf(msg)).Elem()
	fields.Set(reflect.ValueOf(msg))
	field := func(i int) any {
		return reflect.NewAt(fields.Field(i).Type(), fields.Field(i).Addr().UnsafePointer()).Elem().Interface()
	}
	err := field(0).(tea.ExecCommand).Run()
	term.Send(field(1).(tea.ExecCallback)(err))
	return true
}

package console

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/request"
	"gatewright/internal/text/lazyregexp"
	"gatewright/internal/text/prose"
	"gatewright/project/jsonpath"
	"gatewright/project/saved"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// The answers of the question whether to keep the answer.
const keepIt, keepNot = "yes", "no"

// saveRequest asks for a name, and saves the form as a file of the project, with the answer if
// that is wanted.
func (p *Page) saveRequest() tea.Cmd {
	f, last := p.at.Form.Copy(), p.at.Last
	name, ignore := suggestedName(f), ""
	if p.at.Saved != nil {
		name = p.at.Saved.Name
		if expect := p.at.Saved.Request.Expect; expect != nil {
			ignore = strings.Join(expect.Ignore, " ")
		}
	}
	questions := []dialog.Question{{
		Name: "Name", Hint: "the file gets this name; commit it with the project",
		Value: name,
	}}
	answered := last != nil && last.Form.Same(f)
	if answered {
		questions = append(questions,
			dialog.Question{
				Name: "Keep the response", Hint: "later responses are compared with it", Value: keepIt,
				Options: []string{keepIt, keepNot},
			},
			dialog.Question{
				Name:  "Ignore",
				Hint:  "JSON paths of values that always differ, separated by spaces: $.id $.items[*].at",
				Value: ignore,
			})
	}
	check := func(values []string) (int, error) {
		if err := saved.CheckName(values[0]); err != nil {
			return 0, err
		}
		if answered {
			for _, path := range strings.Fields(values[2]) {
				if _, err := jsonpath.Parse(path); err != nil {
					return 2, err
				}
			}
		}
		return 0, nil
	}
	return frame.Open(dialog.Form("Save the request", questions, check, func(values []string) tea.Cmd {
		var keep *saved.Answer
		if answered && values[1] == keepIt {
			keep = request.Keep(last.Answer, strings.Fields(values[2]))
		}
		return p.planSaved(values[0], f, keep)
	}))
}

var notInNames = lazyregexp.New(`[^A-Za-z0-9]+`)

// suggestedName is a name for the request, of its method and path.
func suggestedName(f request.Form) string {
	const most = 40
	name := strings.ToLower(f.Method) + "-" + notInNames().ReplaceAllString(f.Path, "-")
	name = notInNames().ReplaceAllString(name, "-")
	return strings.Trim(name[:min(len(name), most)], "-")
}

// planSaved plans the file, and writes it, after asking if it replaces one.
func (p *Page) planSaved(name string, f request.Form, keep *saved.Answer) tea.Cmd {
	snapshot := p.snapshot
	return func() tea.Msg {
		plan, err := snapshot.PlanSaved(name, f, keep)
		return frame.ThenMsg(func() tea.Cmd {
			return p.write(plan, err, f, func() func() {
				file, err := snapshot.SavedRequest(name)
				return func() {
					if err == nil {
						p.forms.At(f).Saved = &file
					}
				}
			})
		})
	}
}

// saveEvent writes the form as the function's event.json, and asks before it replaces one.
func (p *Page) saveEvent() tea.Cmd {
	snapshot, f := p.snapshot, p.at.Form.Copy()
	return func() tea.Msg {
		plan, err := snapshot.PlanEvent(f)
		return frame.ThenMsg(func() tea.Cmd { return p.write(plan, err, f, func() func() { return func() {} }) })
	}
}

// write writes a planned file outside Update, after asking if it replaces one. done is called
// there too when it is written, and what it returns in Update.
func (p *Page) write(plan request.FilePlan, err error, f request.Form, done func() func()) tea.Cmd {
	write := func() tea.Msg {
		if err := plan.Write(); err != nil {
			return frame.Say(frame.Error, "%v", err)()
		}
		then := done()
		return frame.ThenMsg(func() tea.Cmd {
			then()
			return frame.Say(frame.Good, "%s is written", plan.Name)
		})
	}
	switch {
	case err != nil:
		return p.toFault(f, err)
	case plan.Diff == "":
		return frame.Say(frame.Info, "%s has this request already", plan.Name)
	case !plan.Replaces:
		return write
	}
	return frame.Open(dialog.Agree("Replace "+plan.Name+"?", strings.TrimSpace(plan.Diff), "Replace", "",
		func() tea.Cmd { return write }))
}

// saveBody asks for a file, and saves the body of the answer in it; it asks before it replaces
// one.
func (p *Page) saveBody() tea.Cmd {
	body, dir := p.at.Last.Answer.Body, p.options.Dir
	var save func(name string, replace bool) tea.Cmd
	save = func(name string, replace bool) tea.Cmd {
		return func() tea.Msg {
			file, err := request.SaveBody(dir, name, body, replace)
			return frame.ThenMsg(func() tea.Cmd {
				switch {
				case errors.Is(err, fs.ErrExist):
					return frame.Open(dialog.Sure("Replace the file?", prose.Printable(file)+" exists.", "Replace",
						func() tea.Cmd { return save(name, true) }))
				case err != nil:
					return frame.Say(frame.Error, "%v", err)
				}
				return frame.Say(frame.Good, "the body is in %s", prose.Printable(file))
			})
		}
	}
	check := func(text string) error {
		if strings.TrimSpace(text) == "" {
			return errors.New("type the name of a file")
		}
		return nil
	}
	return frame.Open(dialog.Input("Save the body to a file", "name, such as answer.json", check,
		func(name string) tea.Cmd { return save(name, false) }))
}

// noEditor says why the body cannot be opened in an editor; "" if it can.
func (p *Page) noEditor() string {
	if p.options.Session == nil {
		return "no editor can be opened"
	}
	return p.options.Session.NoEditor()
}

// editBody opens the body of the request in the editor, in a file that only the user can read
// and that is removed afterwards.
func (p *Page) editBody() tea.Cmd {
	at, text := p.at, p.at.Form.Body
	folder, file := "", ""
	return func() tea.Msg {
		var err error
		if folder, err = os.MkdirTemp("", "gatewright-body-"); err == nil {
			file = filepath.Join(folder, "body.json")
			err = os.WriteFile(file, []byte(text), 0o600)
		}
		if err != nil {
			_ = os.RemoveAll(folder)
			return frame.Say(frame.Error, "the body cannot be edited: %v", err)()
		}
		return frame.Exec(p.editor(file), func(err error) tea.Msg {
			defer func() { _ = os.RemoveAll(folder) }()
			body, err := edited(file, text, err)
			return frame.ThenMsg(func() tea.Cmd {
				if err != nil {
					return frame.Say(frame.Error, "%v", err)
				}
				at.Form.Body = body
				p.setRows()
				return nil
			})
		})()
	}
}

func (p *Page) editor(file string) *exec.Cmd { return p.options.Session.Edit(file) }

// edited reads the body that an editor left. Editors end a file with a line break, which the
// body gets only if it had one.
func edited(file, before string, err error) (string, error) {
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		return "", errors.New("the editor was not found, so the body is unchanged: set EDITOR to your editor's command")
	case err != nil:
		return "", fmt.Errorf("the editor failed, so the body is unchanged: %w", err)
	}
	info, err := os.Stat(file)
	if err == nil && info.Size() > longestTyped {
		err = errors.New("it is too long")
	}
	var text []byte
	if err == nil {
		text, err = os.ReadFile(file)
	}
	if err == nil && !utf8.Valid(text) {
		err = errors.New("it is not text")
	}
	if err != nil {
		return "", fmt.Errorf("the edited body cannot be used: %w", err)
	}
	if !strings.HasSuffix(before, "\n") {
		return strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r"), nil
	}
	return string(text), nil
}

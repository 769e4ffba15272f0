package frame

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/tui/dialog"
)

// ErrNo is the error of a question that a person did not answer with yes.
var ErrNo = errors.New("nothing is done")

// Questions takes the questions of long work to a person: the goroutine of the work waits for
// the answer to a dialog, and Update waits for nothing.
type Questions struct{ box *Inbox[dialog.Dialog] }

// NewQuestions makes questions. Listen opens their dialogs until End.
func NewQuestions() *Questions {
	const most = 4 // work asks one at a time
	return &Questions{NewInbox[dialog.Dialog](most)}
}

// Listen opens a dialog for each question.
func (q *Questions) Listen() tea.Cmd {
	return func() tea.Msg {
		asked, ended, _ := q.box.Take()
		return ThenMsg(func() tea.Cmd {
			var cmds []tea.Cmd
			for _, d := range asked {
				cmds = append(cmds, Open(d))
			}
			if !ended {
				cmds = append(cmds, q.Listen())
			}
			return tea.Batch(cmds...)
		})
	}
}

// End says that nothing more is asked.
func (q *Questions) End() { q.box.End(nil) }

// Sure asks for a yes. Without one, the error is ErrNo. It is called by the goroutine of the
// work.
func (q *Questions) Sure(ctx context.Context, title, text, yes string) error {
	answer := make(chan error, 1)
	give := func(err error) func() tea.Cmd {
		return func() tea.Cmd {
			answer <- err
			return nil
		}
	}
	q.box.Put(dialog.Confirm(title, text, dialog.Button{Label: "Cancel", Cancel: true, Do: give(ErrNo)},
		dialog.Button{Label: yes, Do: give(nil)}))
	select {
	case err := <-answer:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Text asks for a line of text, which hidden does not show. Without one, the error is ErrNo. It is
// called by the goroutine of the work.
func (q *Questions) Text(ctx context.Context, title, text string, hidden bool) (string, error) {
	return q.text(ctx, func(take func(string) tea.Cmd, cancelled func() tea.Cmd) dialog.Dialog {
		if hidden {
			return dialog.AskHidden(title, text, "not shown", take, cancelled)
		}
		return dialog.Ask(title, text, "", nil, take, cancelled)
	})
}

// text opens a dialog that gives a text, and waits for it.
func (q *Questions) text(
	ctx context.Context, open func(take func(string) tea.Cmd, cancelled func() tea.Cmd) dialog.Dialog,
) (string, error) {
	type answer struct {
		text string
		err  error
	}
	answers := make(chan answer, 1)
	give := func(a answer) tea.Cmd {
		answers <- a
		return nil
	}
	q.box.Put(open(func(text string) tea.Cmd { return give(answer{text: text}) },
		func() tea.Cmd { return give(answer{err: ErrNo}) }))
	select {
	case a := <-answers:
		return a.text, a.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// Code asks for the code of an MFA device, as aws.Provider takes it.
func (q *Questions) Code(ctx context.Context, serial string) (string, error) {
	check := func(code string) error {
		const digits = 6
		if code = strings.TrimSpace(code); len(code) != digits || strings.Trim(code, "0123456789") != "" {
			return errors.New("a code has 6 digits")
		}
		return nil
	}
	code, err := q.text(ctx, func(take func(string) tea.Cmd, cancelled func() tea.Cmd) dialog.Dialog {
		return dialog.Ask("The code of your MFA device", "AWS asks for the code that the device "+
			prose.PrintableStart(serial)+" shows now.", "6 digits", check, take, cancelled)
	})
	return strings.TrimSpace(code), err
}

package access

import (
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
	"gatewright/project/answer"
	"gatewright/sandbox/call"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// The lines of the question.
const (
	whoLine = iota
	methodLine
	pathLine
)

// ask opens the question of whether somebody may send a request, with the API and the
// path at hand and what was asked last.
func (t *Tab) ask(label, path string) tea.Cmd {
	who, method, raw := answer.GuestWord, "GET", "/"
	if t.asked != nil {
		who, method, raw = t.asked[whoLine], t.asked[methodLine], t.asked[pathLine]
	}
	if path != "" {
		raw = model.ExamplePath([]string{path})
	}
	const most = 8
	offers := []string{answer.GuestWord, answer.AuthenticatedWord}
	for _, group := range t.groups[:min(len(t.groups), most)] {
		offers = append(offers, answer.GroupPrefix+group)
	}
	hint := "guest, authenticated, or group:A,B for a member of several"
	if t.usersUnknown() == "" {
		hint += ", or the name of a user of " + t.board.Snap.Env.Name
	}
	return frame.Open(dialog.Form("May somebody send a request?", []dialog.Question{
		whoLine:    {Name: "who", Value: who, Hint: hint, Offers: offers},
		methodLine: {Name: "method", Value: method, Options: model.Methods},
		pathLine:   {Name: "path", Value: raw, Hint: "as in a URL, such as " + model.ExamplePath([]string{"/books/{isbn}"})},
	}, t.check, func(values []string) tea.Cmd {
		t.asked = values
		return t.find(label, values)
	}))
}

// usersUnknown is why nobody can be asked about by the name of a user; "" where they
// can be.
func (t *Tab) usersUnknown() string {
	switch {
	case t.board.ReadOnly() != "", t.board.Snap.Env == nil:
		return "users are asked about with: gatewright can USER METHOD PATH"
	case t.board.Sandbox == nil || !t.board.Sandbox.Running:
		return "users are known where a sandbox runs; ask with: gatewright can USER METHOD PATH"
	}
	return ""
}

// check refuses what cannot be answered, with the line that is wrong.
func (t *Tab) check(values []string) (int, error) {
	who, err := answer.ParseWho(strings.TrimSpace(values[whoLine]), t.board.Snap.Backend)
	if err != nil {
		return whoLine, err
	}
	if who.User != "" {
		if why := t.usersUnknown(); why != "" {
			return whoLine, errors.New(why)
		}
	}
	if _, _, err := call.Target(strings.TrimSpace(values[pathLine])); err != nil {
		return pathLine, err
	}
	if len(t.apis()) == 0 {
		return pathLine, errors.New("there is no API here; add one with: gatewright add api NAME")
	}
	return 0, nil
}

// apis are those of the environment.
func (t *Tab) apis() []*model.API {
	s := t.board.Snap
	return slices.DeleteFunc(slices.Clone(s.Backend.APIs), func(api *model.API) bool { return s.Env != nil && !s.Env.Has(api.Label) })
}

// find shows the answer, which is found in a command: whether a user is who they are
// the sandbox knows, and a no is tried against every change that may be proposed.
func (t *Tab) find(label string, values []string) tea.Cmd {
	s := t.board.Snap
	q := question{
		who: strings.TrimSpace(values[whoLine]), method: values[methodLine], path: strings.TrimSpace(values[pathLine]),
		backend: s.Backend, older: s.Older, apis: t.apis(), label: label, root: s.Root,
	}
	if s.Env != nil {
		q.env = s.Env.Environment
	}
	return func() tea.Msg {
		text, err := q.answer()
		if err != nil {
			return frame.Say(frame.Error, "%v", err)()
		}
		return frame.Open(dialog.Text(strings.Join(values, " "), text))()
	}
}

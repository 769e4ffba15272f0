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

// The lines of the form.
const (
	whoLine = iota
	methodLine
	pathLine
)

// ask opens the form that asks whether somebody may send a request. It begins with the last
// values and the selected path.
func (t *Tab) ask(label, path string) tea.Cmd {
	raw := t.lastValues[pathLine]
	if path != "" {
		raw = model.ExamplePath([]string{path})
	}
	const most = 8
	offers := []string{answer.GuestWord, answer.AuthenticatedWord}
	for _, group := range t.groups[:min(len(t.groups), most)] {
		offers = append(offers, answer.GroupPrefix+group)
	}
	hint := "guest, authenticated, or group:A,B for a member of several"
	if t.whyNoUsers() == "" {
		hint += ", or the name of a user of " + t.board.Snap.Env.Name
	}
	return frame.Open(dialog.Form("May somebody send a request?", []dialog.Question{
		whoLine:    {Name: "who", Value: t.lastValues[whoLine], Hint: hint, Suggestions: offers},
		methodLine: {Name: "method", Value: t.lastValues[methodLine], Options: model.Methods},
		pathLine:   {Name: "path", Value: raw, Hint: "as in a URL, such as " + model.ExamplePath([]string{"/books/{isbn}"})},
	}, t.check, func(values []string) tea.Cmd {
		t.lastValues = values
		return t.find(label, values)
	}))
}

// whyNoUsers is why users cannot be asked about; "" if they can.
func (t *Tab) whyNoUsers() string {
	switch {
	case t.board.ReadOnly() != "", t.board.Snap.Env == nil:
		return "to ask about a user, run: gatewright can USER METHOD PATH"
	case !t.board.Sandbox.Runs():
		return "users are known while a sandbox runs; or run: gatewright can USER METHOD PATH"
	}
	return ""
}

// check refuses values that cannot be answered, and names the wrong line.
func (t *Tab) check(values []string) (int, error) {
	_, at, err := t.question(values)
	return at, err
}

// question makes the question of the form. It does not look the user up. at is the wrong
// line.
func (t *Tab) question(values []string) (q answer.Question, at int, err error) {
	s := t.board.Snap
	who, err := answer.ParseWho(strings.TrimSpace(values[whoLine]), s.Backend)
	if err != nil {
		return q, whoLine, err
	}
	if why := t.whyNoUsers(); who.User != "" && why != "" {
		return q, whoLine, errors.New(why)
	}
	path, _, err := call.Target(strings.TrimSpace(values[pathLine]))
	if err != nil {
		return q, pathLine, err
	}
	apis := slices.DeleteFunc(slices.Clone(s.Backend.APIs), func(api *model.API) bool { return s.Env != nil && !s.Env.Has(api.Label) })
	if len(apis) == 0 {
		return q, pathLine, errors.New("there is no API here; add one with: gatewright add api NAME")
	}
	return answer.Question{
		Backend: s.Backend, Caller: answer.CallerOf(who, s.Backend), Method: values[methodLine], Path: path, APIs: apis, Older: s.Older,
	}, 0, nil
}

// find shows the answer. It is found outside Update: users are looked up in the sandbox, and
// after a no, changes are tried that would allow the request. label is the API that is meant
// if several have the path; "" for none.
func (t *Tab) find(label string, values []string) tea.Cmd {
	q, _, err := t.question(values)
	if err != nil {
		return frame.Say(frame.Error, "%v", err)
	}
	s := t.board.Snap
	return func() tea.Msg {
		found, err := findAnswer(s, q, label)
		if err != nil {
			return frame.Say(frame.Error, "%v", err)()
		}
		return frame.Open(dialog.Text(strings.Join(values, " "), text(found.Words())))()
	}
}

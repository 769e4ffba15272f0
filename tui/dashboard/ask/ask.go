// Package ask is the question whether somebody may send a request, which more than one tab of
// the dashboard asks.
package ask

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/model/access"
	"gatewright/project/answer"
	"gatewright/sandbox/call"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// Questions asks whether somebody may send a request.
type Questions struct {
	board *board.Board
	// last are the values of the last question, with which the next begins.
	last []string
}

// New makes the questions of a tab.
func New(b *board.Board) *Questions {
	return &Questions{board: b, last: []string{answer.GuestWord, "GET", "/"}}
}

// The lines of the form.
const (
	whoLine = iota
	methodLine
	pathLine
)

// Ask opens the form that asks whether somebody may send a request. It begins with the last
// values, or with a caller and a path; "" for none. label is the API that is meant if several
// have the path. groups are those to suggest.
func (x *Questions) Ask(groups []string, who, label, path string) tea.Cmd {
	who, raw := cmp.Or(who, x.last[whoLine]), x.last[pathLine]
	if path != "" {
		raw = access.ExamplePath([]string{path})
	}
	const most = 8
	offers := []string{answer.GuestWord, answer.AuthenticatedWord, answer.UnsignedWord}
	for _, group := range groups[:min(len(groups), most)] {
		offers = append(offers, answer.GroupPrefix+group)
	}
	hint := "guest, authenticated, unsigned, or group:A,B for a member of several"
	if x.whyNoUsers() == "" {
		hint += ", or the name of a user of " + x.board.Snap.Env.Name
	}
	return frame.Open(dialog.Form("May somebody send a request?", []dialog.Question{
		whoLine:    {Name: "who", Value: who, Hint: hint, Suggestions: offers},
		methodLine: {Name: "method", Value: x.last[methodLine], Options: access.Methods},
		pathLine:   {Name: "path", Value: raw, Hint: "as in a URL, such as " + access.ExamplePath([]string{"/books/{isbn}"})},
	}, x.check, func(values []string) tea.Cmd {
		x.last = values
		return x.find(label, values)
	}))
}

// whyNoUsers is why users cannot be asked about; "" if they can.
func (x *Questions) whyNoUsers() string {
	switch {
	case x.board.ReadOnly() != "", x.board.Snap.Env == nil:
		return "to ask about a user, run: gatewright can USER METHOD PATH"
	case !x.board.Sandbox.Runs():
		return "users are known while a sandbox runs; or run: gatewright can USER METHOD PATH"
	}
	return ""
}

// check refuses values that cannot be answered, and names the wrong line.
func (x *Questions) check(values []string) (int, error) {
	_, at, err := x.question(values)
	return at, err
}

// question makes the question of the form. It does not look the user up. at is the wrong
// line.
func (x *Questions) question(values []string) (q answer.Question, at int, err error) {
	s := x.board.Snap
	who, err := answer.ParseWho(strings.TrimSpace(values[whoLine]), s.Backend)
	if err != nil {
		return q, whoLine, err
	}
	if why := x.whyNoUsers(); who.User != "" && why != "" {
		return q, whoLine, errors.New(why)
	}
	path, _, err := call.Target(strings.TrimSpace(values[pathLine]))
	if err != nil {
		return q, pathLine, err
	}
	apis := slices.DeleteFunc(slices.Clone(s.Backend.APIs),
		func(api *access.API) bool { return s.Env != nil && !s.Env.Has(api.Label) })
	if len(apis) == 0 {
		return q, pathLine, errors.New("there is no API here; add one with: gatewright add api")
	}
	return answer.Question{
		Backend: s.Backend, Caller: answer.CallerOf(who, s.Backend), Method: values[methodLine], Path: path, APIs: apis,
		Older: s.Older,
	}, 0, nil
}

// find shows the answer. It is found outside Update: users are looked up in the sandbox, and
// after a no, changes are tried that would allow the request. label is the API that is meant
// if several have the path; "" for none.
func (x *Questions) find(label string, values []string) tea.Cmd {
	q, _, err := x.question(values)
	if err != nil {
		return frame.Say(frame.Error, "%v", err)
	}
	s := x.board.Snap
	return func() tea.Msg {
		found, err := findAnswer(s, q, label)
		if err != nil {
			return frame.Say(frame.Error, "%v", err)()
		}
		return frame.Open(dialog.Text(strings.Join(values, " "), text(found.Words())))()
	}
}

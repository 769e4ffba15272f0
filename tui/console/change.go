package console

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/request"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// change changes the row at hand.
func (p *Page) change() tea.Cmd {
	r, ok := p.rows.Row()
	switch {
	case !ok:
		return nil
	case r.IsText():
		p.begin(r.Row)
		return nil
	case r.Kind == request.ModeRow:
		return p.otherMode()
	case r.Kind == request.BodyRow:
		return frame.Open(dialog.Edit(dialog.Editing{Title: "Body", Text: p.form.Body, Check: checkBody, Take: func(text string) tea.Cmd {
			p.set(r.Row, text)
			return nil
		}}))
	case r.Kind == request.CallerRow:
		return p.askWho()
	}
	return p.pick(r.Row)
}

// set puts a text into a row, and shows it.
func (p *Page) set(r request.Row, text string) {
	p.form.Set(r, text)
	p.refresh()
}

// otherMode makes a test of a call, or a call of a test.
func (p *Page) otherMode() tea.Cmd {
	p.form.Test = !p.form.Test
	p.refresh()
	if p.inAnswer && p.layout.Side.Empty() {
		// The line that shows it is out of sight.
		return frame.Say(frame.Info, "the next request is %s", p.form.Shown(request.Row{Kind: request.ModeRow}))
	}
	return nil
}

func checkBody(text string) (line int, err error) {
	if len(text) > longestTyped {
		return 0, errors.New("it is too long")
	}
	return 0, nil
}

// pick offers what may stand in a row.
func (p *Page) pick(r request.Row) tea.Cmd {
	title := p.form.Label(r)
	if r.Kind == request.PathRow {
		title = "Path of " + p.form.API
	}
	return choose(title, p.world.Options(p.form, r), func(id string) tea.Cmd {
		p.world.Answer(&p.form, r, id)
		if r.Kind == request.EnvironmentRow {
			p.form.As = identitypool.Who{}
		}
		p.refresh()
		return nil
	})
}

// choose opens a list, or says that there is nothing to choose.
func choose(title string, options []request.Option, take func(id string) tea.Cmd) tea.Cmd {
	if len(options) == 0 {
		return frame.Say(frame.Warn, "there is nothing to choose")
	}
	items := make([]dialog.Item, len(options))
	for i, o := range options {
		items[i] = dialog.Item{ID: o.ID, Label: o.Label, Note: o.Note, Disabled: o.Disabled}
	}
	return frame.Open(dialog.Choose(title, items, take))
}

// chooseEarlier offers what was sent before, and the function's event.json, and fills
// in what is chosen.
func (p *Page) chooseEarlier() tea.Cmd {
	return choose("Fill in", p.world.Earlier(p.form), func(id string) tea.Cmd {
		w, f := p.world, p.form.Copy()
		return func() tea.Msg {
			filled, err := w.FillIn(f, id)
			if err != nil {
				return frame.Say(frame.Error, "%v", err)()
			}
			return filledMsg{filled}
		}
	})
}

// askWho looks who may call, away from Update.
func (p *Page) askWho() tea.Cmd {
	w, env := p.world, p.env()
	if env == nil {
		return frame.Say(frame.Warn, "there is no environment")
	}
	if p.form.Test {
		return frame.Say(frame.Info, "a test is the console's own request; [ makes it a call")
	}
	return func() tea.Msg {
		people, err := w.People(context.Background(), env)
		return peopleMsg{env.Name, people, err}
	}
}

// another is the item with which a user is named who is not listed.
const another = "another"

func (p *Page) choosePerson(msg peopleMsg) tea.Cmd {
	people := msg.people
	if len(people) > 1 {
		people = append(people, request.Option{ID: another, Label: "another user", Note: "type the name, address or sub"})
	}
	open := choose("Who calls", people, func(id string) tea.Cmd {
		if id == another {
			return p.nameUser()
		}
		p.form.Set(request.Row{Kind: request.CallerRow}, id)
		return p.called()
	})
	if msg.err != nil {
		return tea.Batch(open, frame.Say(frame.Warn, "users are not listed: %v", msg.err))
	}
	return open
}

// nameUser asks for a user who is not listed.
func (p *Page) nameUser() tea.Cmd {
	check := func(text string) error {
		if strings.TrimSpace(text) == "" {
			return errors.New("type a name")
		}
		return nil
	}
	return frame.Open(dialog.Input("Which user", "name, address or sub", check, func(text string) tea.Cmd {
		p.form.As = identitypool.Who{User: strings.TrimSpace(text)}
		return p.called()
	}))
}

// called shows who calls; the groups of a user are asked for, to say before sending
// what the definition lets them do.
func (p *Page) called() tea.Cmd {
	p.refresh()
	w, env, user := p.world, p.env(), p.form.As.User
	if user == "" || env == nil {
		return nil
	}
	return func() tea.Msg {
		// Where they cannot be asked for nothing is said of them.
		groups, _ := w.GroupsOf(context.Background(), env, user)
		return groupsMsg{[2]string{env.Name, user}, groups}
	}
}

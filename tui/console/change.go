package console

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/request"
	"gatewright/sandbox/call"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// change changes the row at hand: once the project is read there always is one.
func (p *Page) change() tea.Cmd {
	r, _ := p.rows.Row()
	switch {
	case r.IsText():
		p.begin(r)
		return nil
	case r.Kind == request.ModeRow:
		return p.otherMode()
	case r.Kind == request.BodyRow:
		return frame.Open(dialog.Edit(dialog.Editing{Title: "Body", Text: p.form.Body, Check: checkBody, Take: func(text string) tea.Cmd {
			p.set(r, text)
			return nil
		}}))
	case r.Kind == request.CallerRow:
		return p.askWho()
	}
	return p.pick(r)
}

// set puts a text into a row, or the ID of what is chosen, and shows it.
func (p *Page) set(r request.Row, text string) {
	r.Set(text)
	p.refresh()
}

// otherMode makes a test of a call, or a call of a test.
func (p *Page) otherMode() tea.Cmd {
	p.form.Test = !p.form.Test
	p.refresh()
	if p.inAnswer && p.layout.Side.Empty() {
		// The line that shows it is out of sight.
		return frame.Say(frame.Info, "the next request is %s", p.rows.Rows()[request.ModeRow].Shown)
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
	title := r.Label
	if r.Kind == request.PathRow {
		title = "Path of " + p.form.API
	}
	return choose(title, p.world.Options(p.form, r.Kind), func(id string) tea.Cmd {
		if r.Kind == request.EnvironmentRow {
			p.form.As, p.form.Groups = identitypool.Signer{}, nil
		}
		p.set(r, id)
		return nil
	})
}

// choose opens a list, or says that there is nothing to choose.
func choose(title string, options []prose.Option, take func(id string) tea.Cmd) tea.Cmd {
	if len(options) == 0 {
		return frame.Say(frame.Warn, "there is nothing to choose")
	}
	items := make([]dialog.Item, len(options))
	for i, o := range options {
		items[i] = dialog.Item{ID: o.Key, Label: o.Title, Note: o.Detail, Disabled: o.Disabled}
	}
	return frame.Open(dialog.Choose(title, items, take))
}

// chooseEarlier offers what was sent before, and the function's event.json, and fills
// in what is chosen.
func (p *Page) chooseEarlier() tea.Cmd {
	w, f := p.world, p.form.Copy()
	fillIn := func(filled request.Form, err error) tea.Cmd {
		if err != nil {
			return frame.Say(frame.Error, "%v", err)
		}
		p.form = filled
		return p.calledBy(filled.As)
	}
	return func() tea.Msg {
		options, fill := w.Earlier(f)
		return choose("Fill in", options, func(id string) tea.Cmd {
			return func() tea.Msg {
				filled, err := fill(id)
				return frame.ThenMsg(func() tea.Cmd { return fillIn(filled, err) })
			}
		})()
	}
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
		return frame.ThenMsg(func() tea.Cmd {
			if env.Name != p.form.Environment {
				return nil
			}
			return p.choosePerson(people, err)
		})
	}
}

// another is the item with which a user is named who is not listed.
const another = "another"

// choosePerson offers who may call; err is why users are not listed.
func (p *Page) choosePerson(people []prose.Option, err error) tea.Cmd {
	if len(people) > 1 {
		people = append(people, prose.Option{Key: another, Title: "another user", Detail: "type the name, address or sub"})
	}
	open := choose("Who calls", people, func(id string) tea.Cmd {
		if id == another {
			return p.nameUser()
		}
		return p.calledBy(call.ReadSigner(id))
	})
	if err != nil {
		return tea.Batch(open, frame.Say(frame.Warn, "users are not listed: %v", err))
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
		return p.calledBy(identitypool.Signer{User: strings.TrimSpace(text)})
	}))
}

// calledBy has somebody call; the groups of a user are asked for, to say before
// sending what the definition lets them do.
func (p *Page) calledBy(who identitypool.Signer) tea.Cmd {
	p.form.As, p.form.Groups = who, nil
	p.refresh()
	w, env := p.world, p.env()
	if who.User == "" || env == nil {
		return nil
	}
	return func() tea.Msg {
		groups := w.GroupsOf(context.Background(), env, who.User)
		return frame.ThenMsg(func() tea.Cmd {
			if p.form.As == who && p.form.Environment == env.Name {
				p.form.Groups = groups
				p.lay()
			}
			return nil
		})
	}
}

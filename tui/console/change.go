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

// The dialogs of the page.
const (
	environmentDialog = "console/environment"
	apiDialog         = "console/api"
	pathDialog        = "console/path"
	methodDialog      = "console/method"
	personDialog      = "console/who"
	userDialog        = "console/user"
	bodyDialog        = "console/body"
	earlierDialog     = "console/earlier"
	sendDialog        = "console/send"
	saveDialog        = "console/save"
	curlDialog        = "console/curl"
)

// change changes the row at hand.
func (p *Page) change() tea.Cmd {
	if p.at >= len(p.rows) {
		return nil
	}
	r := p.rows[p.at]
	if r.IsText() {
		p.begin(r)
		return nil
	}
	switch r.Kind {
	case request.ModeRow:
		p.form.Test = !p.form.Test
	case request.EnvironmentRow:
		return frame.Open(dialog.Choose(environmentDialog, "Environment", items(p.world.Options(p.form, r, nil))))
	case request.APIRow:
		return p.choose(apiDialog, "API", p.world.Options(p.form, r, nil))
	case request.PathRow:
		return p.choose(pathDialog, "Path of "+p.form.API, p.world.Options(p.form, r, nil))
	case request.MethodRow:
		return p.choose(methodDialog, "Method", p.world.Options(p.form, r, nil))
	case request.BodyRow:
		return frame.Open(dialog.Edit(dialog.Editing{ID: bodyDialog, Title: "Body", Text: p.form.Body, Check: checkBody}))
	case request.CallerRow:
		return p.askWho()
	}
	return nil
}

func checkBody(text string) (line int, err error) {
	if len(text) > longestTyped {
		return 0, errors.New("it is too long")
	}
	return 0, nil
}

// choose opens a list, or says that there is nothing to choose.
func (p *Page) choose(id, title string, options []request.Option) tea.Cmd {
	if len(options) == 0 {
		return frame.Say(frame.Warn, "there is nothing to choose")
	}
	return frame.Open(dialog.Choose(id, title, items(options)))
}

// items are options as a dialog lists them.
func items(options []request.Option) []dialog.Item {
	list := make([]dialog.Item, len(options))
	for i, o := range options {
		list[i] = dialog.Item{ID: o.ID, Label: o.Label, Note: o.Note, Disabled: o.Disabled}
	}
	return list
}

// askWho looks who may call, away from Update.
func (p *Page) askWho() tea.Cmd {
	w, env := p.world, p.env()
	if env == nil {
		return frame.Say(frame.Warn, "there is no environment")
	}
	if p.form.Test {
		return frame.Say(frame.Info, "a test is the console's own request; m makes it a call")
	}
	return func() tea.Msg {
		people, err := w.People(context.Background(), env)
		return peopleMsg{p, env.Name, people, err}
	}
}

// another is the item with which a user is named who is not listed.
const another = "another"

func (p *Page) choosePerson(msg peopleMsg) tea.Cmd {
	p.people = msg.people
	list := items(p.world.Options(p.form, request.Row{Kind: request.CallerRow}, msg.people))
	if len(msg.people) > 1 {
		list = append(list, dialog.Item{ID: another, Label: "another user", Note: "type the name, address or sub"})
	}
	open := frame.Open(dialog.Choose(personDialog, "Who calls", list))
	if msg.err != nil {
		return tea.Batch(open, frame.Say(frame.Warn, "users are not listed: %v", msg.err))
	}
	return open
}

// takeResult takes what a dialog ended with.
func (p *Page) takeResult(msg dialog.Result) tea.Cmd {
	switch action := msg.Action.(type) {
	case dialog.Picked:
		return p.picked(msg.ID, string(action))
	case dialog.Entered:
		switch msg.ID {
		case bodyDialog:
			p.form.Body = string(action)
		case userDialog:
			return p.callAs(identitypool.Who{User: string(action)})
		}
	case dialog.Agreed:
		switch msg.ID {
		case sendDialog:
			p.agreed[p.pending.Environment] = true
			return p.begun(p.pending)
		case saveDialog:
			return p.save()
		}
	}
	return nil
}

// picked takes what was chosen of a list.
func (p *Page) picked(id, item string) tea.Cmd {
	switch id {
	case environmentDialog:
		p.world.Answer(&p.form, request.Row{Kind: request.EnvironmentRow}, item, nil)
		p.form.As = identitypool.Who{}
	case apiDialog:
		p.world.Answer(&p.form, request.Row{Kind: request.APIRow}, item, nil)
	case pathDialog:
		p.world.Answer(&p.form, request.Row{Kind: request.PathRow}, item, nil)
	case methodDialog:
		p.form.Method = item
	case earlierDialog:
		return p.fillIn(item)
	case personDialog:
		if item == another {
			return frame.Open(dialog.Input(userDialog, "Which user", "name, address or sub", func(text string) error {
				if strings.TrimSpace(text) == "" {
					return errors.New("type a name")
				}
				return nil
			}))
		}
		for _, person := range p.people {
			if person.ID() == item {
				return p.callAs(person.Who)
			}
		}
	}
	p.refresh()
	return nil
}

// callAs lets somebody call; the groups of a user are asked for, to say before
// sending what the definition lets them do.
func (p *Page) callAs(who identitypool.Who) tea.Cmd {
	who.User = strings.TrimSpace(who.User)
	p.form.As = who
	w, env := p.world, p.env()
	if who.User == "" || env == nil {
		return nil
	}
	key := [2]string{env.Name, who.User}
	return func() tea.Msg {
		groups, err := w.GroupsOf(context.Background(), env, who.User)
		if groups == nil {
			groups = []string{}
		}
		return membersMsg{p, key, groups, err}
	}
}

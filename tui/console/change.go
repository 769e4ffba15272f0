package console

import (
	"context"
	"errors"
	"net/http"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
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
	if r.isText() {
		p.begin(r)
		return nil
	}
	switch r.kind {
	case modeRow:
		p.form.Test = !p.form.Test
	case environmentRow:
		return frame.Open(dialog.Choose(environmentDialog, "Environment", p.world.environmentItems()))
	case apiRow:
		return p.choose(apiDialog, "API", apiItems(p.env()))
	case pathRow:
		return p.choose(pathDialog, "Path of "+p.form.API, pathItems(p.env(), p.form.API))
	case methodRow:
		return p.choose(methodDialog, "Method", methodItems())
	case bodyRow:
		return frame.Open(dialog.Edit(dialog.Editing{ID: bodyDialog, Title: "Body", Text: p.form.Body, Check: checkBody}))
	case whoRow:
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
func (p *Page) choose(id, title string, items []dialog.Item) tea.Cmd {
	if len(items) == 0 {
		return frame.Say(frame.Warn, "there is nothing to choose")
	}
	return frame.Open(dialog.Choose(id, title, items))
}

func (w *World) environmentItems() []dialog.Item {
	items := make([]dialog.Item, len(w.Environments))
	for i, e := range w.Environments {
		note := "as it was pushed"
		if e.Tree {
			note = "from the working tree"
		}
		if e.Guarded {
			note += ", guarded"
		}
		if e.Closed != "" {
			note = e.Closed
		}
		// One that nothing can be sent to may be looked at all the same.
		items[i] = dialog.Item{ID: e.Name, Label: e.Name, Note: note}
	}
	return items
}

func apiItems(e *Environment) []dialog.Item {
	var items []dialog.Item
	if e == nil {
		return nil
	}
	for _, api := range e.Backend.APIs {
		items = append(items, dialog.Item{ID: api.Label, Label: api.Label, Note: model.Count(len(api.Paths), "path")})
	}
	return items
}

func pathItems(e *Environment, label string) []dialog.Item {
	var items []dialog.Item
	if e == nil || e.Backend.API(label) == nil {
		return nil
	}
	for _, path := range e.Backend.API(label).Paths {
		items = append(items, dialog.Item{ID: path.Name, Label: path.Name, Note: path.Function + ", " + string(path.Access.Setting)})
	}
	return items
}

func methodItems() []dialog.Item {
	var items []dialog.Item
	for _, method := range model.Methods {
		note := "the CORS preflight"
		if action, ok := model.ActionOf(method); ok && method != http.MethodOptions {
			note = action.String()
		}
		items = append(items, dialog.Item{ID: method, Label: method, Note: note})
	}
	return items
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
	items := personItems(msg.people)
	if len(msg.people) > 1 {
		items = append(items, dialog.Item{ID: another, Label: "another user", Note: "type the name, address or sub"})
	}
	open := frame.Open(dialog.Choose(personDialog, "Who calls", items))
	if msg.err != nil {
		return tea.Batch(open, frame.Say(frame.Warn, "users are not listed: %v", msg.err))
	}
	return open
}

// whoID is somebody as the ID of an item.
func whoID(who identitypool.Who) string {
	switch {
	case who.Guest:
		return "guest"
	case who.Group != "":
		return "group:" + who.Group
	case who.User != "":
		return "user:" + who.User
	}
	return "nobody"
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
		p.world.toEnvironment(&p.form, item)
		p.form.As = identitypool.Who{}
	case apiDialog:
		p.world.toAPI(&p.form, item)
	case pathDialog:
		p.world.toPath(&p.form, item)
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
			if whoID(person.Who) == item {
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
		groups, err := w.memberOf(context.Background(), env, who.User)
		if groups == nil {
			groups = []string{}
		}
		return membersMsg{p, key, groups, err}
	}
}

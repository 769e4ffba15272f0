package console

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/request"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/sandbox/call"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/widget"
)

// changeRow changes the row at the cursor. There always is one after the project was read.
func (p *Page) changeRow() tea.Cmd {
	r, _ := p.rows.Row()
	switch {
	case r.IsText():
		p.startTyping(r)
		return nil
	case r.Kind == request.ModeRow:
		return p.otherMode()
	case r.Kind == request.BodyRow:
		return frame.Open(dialog.Edit(p.bodyEditing(r)))
	case r.Kind == request.CallerRow:
		return p.askCaller()
	}
	return p.pick(r)
}

// bodyEditing edits the body in a dialog, from where it can go to the editor.
func (p *Page) bodyEditing(r request.Row) dialog.Editing {
	of := dialog.Editing{Title: "Body", Text: p.at.Form.Body, Check: checkBody, Take: func(text string) tea.Cmd {
		p.set(r, text)
		return nil
	}}
	if p.noEditor() == "" {
		of.OpenEditor = func(text string) tea.Cmd {
			p.set(r, text)
			return p.editBody()
		}
	}
	if body := strings.TrimSpace(of.Text); strings.HasPrefix(body, "{") || strings.HasPrefix(body, "[") {
		of.Colour = widget.JSON
	}
	return of
}

// set sets a row to a text or to the key of an option.
func (p *Page) set(r request.Row, text string) {
	r.Set(text)
	p.refresh()
}

// otherMode switches between CALL and TEST.
func (p *Page) otherMode() tea.Cmd {
	p.at.Form.Test = !p.at.Form.Test
	p.refresh()
	if p.inAnswer && p.layout.Side.Empty() {
		// The row of the mode is not visible.
		return frame.Say(frame.Info, "the next request is %s", p.rows.Rows()[request.ModeRow].Shown)
	}
	return nil
}

func checkBody(text string) (line int, err error) {
	if len(text) > longestTyped {
		return 0, errors.New("the body is too long")
	}
	return 0, nil
}

// pick offers the options of a row.
func (p *Page) pick(r request.Row) tea.Cmd {
	title := r.Label
	if r.Kind == request.PathRow {
		title = "Path of " + p.at.Form.API
	}
	take := func(id string) tea.Cmd {
		switch r.Kind {
		case request.MethodRow:
			p.at.Chosen = true
			p.set(r, id)
		case request.EnvironmentRow:
			p.place(func(f *request.Form) {
				if f.Environment != id {
					f.Environment, f.As, f.ByHand, f.Groups, f.Missing = id, identitypool.Signer{}, false, nil, false
				}
			})
		case request.APIRow:
			p.place(func(f *request.Form) {
				if f.API != id {
					f.API, f.Path = id, p.forms.Last(id)
				}
			})
		default:
			p.place(func(f *request.Form) { f.Path = id })
		}
		return nil
	}
	// An API may have thousands of paths, so the list is made outside Update.
	snapshot, f := p.snapshot, p.at.Form.Copy()
	return func() tea.Msg { return choose(title, snapshot.Options(f, r.Kind), r.Value, take)() }
}

// choose opens a list at the option that is chosen now, or says that there is nothing to
// choose.
func choose(title string, options []prose.Option, chosen string, take func(id string) tea.Cmd) tea.Cmd {
	if len(options) == 0 {
		return frame.Say(frame.Warn, "there is nothing to choose")
	}
	return frame.Open(dialog.Choose(title, options, chosen, take))
}

// chooseEarlier offers the requests that were sent before, and fills in the chosen one.
func (p *Page) chooseEarlier() tea.Cmd {
	snapshot, f := p.snapshot, p.at.Form.Copy()
	return func() tea.Msg {
		options, fill := snapshot.Earlier(f)
		if len(options) == 0 {
			return frame.Say(frame.Info, "nothing was sent to this project from this machine yet")()
		}
		return frame.Open(dialog.Choose("Earlier requests", options, "", func(id string) tea.Cmd {
			filled, lacks, err := fill(id)
			if err != nil {
				return frame.Say(frame.Error, "%v", err)
			}
			if len(lacks) > 0 {
				return tea.Batch(p.fill(filled), frame.Say(frame.Warn, "not kept, so fill in again: %s", phrase.List(lacks)))
			}
			return p.fill(filled)
		}))()
	}
}

// fromCurl is the key of the option to fill in a command of curl.
const fromCurl = "curl"

// chooseImport offers the files that the form can be filled in from, and a curl command.
func (p *Page) chooseImport() tea.Cmd {
	snapshot, f := p.snapshot, p.at.Form.Copy()
	return func() tea.Msg {
		options, fill, problems := snapshot.Imports(f)
		options = append(options,
			prose.Option{Key: fromCurl, Title: "curl", Detail: "a curl command; you can also paste it into the console"})
		take := func(id string) tea.Cmd {
			if id == fromCurl {
				return p.askCurl()
			}
			return func() tea.Msg {
				filled, file, err := fill(id)
				return frame.ThenMsg(func() tea.Cmd {
					if err != nil {
						return frame.Say(frame.Error, "%v", err)
					}
					cmd := p.fill(filled)
					p.at.Saved = file
					return cmd
				})
			}
		}
		open := choose("Fill in from", options, "", take)
		if len(problems) > 0 {
			return tea.BatchMsg{open, frame.Say(frame.Warn, "%v", problems[0])}
		}
		return open()
	}
}

// askCaller lists the possible callers outside Update, and offers them.
func (p *Page) askCaller() tea.Cmd {
	snapshot, env := p.snapshot, p.env()
	if env == nil {
		return frame.Say(frame.Warn, "there is no environment")
	}
	if p.at.Form.Test {
		return frame.Say(frame.Info, "a TEST has no caller; [ switches to CALL")
	}
	return func() tea.Msg {
		people, err := snapshot.People(context.Background(), env)
		return frame.ThenMsg(func() tea.Cmd {
			if env.Name != p.at.Form.Environment {
				return nil
			}
			return p.chooseCaller(people, err)
		})
	}
}

// otherUser is the key of the option for a user who is not in the list.
const otherUser = "another"

// chooseCaller offers the possible callers; err is why users could not be listed.
func (p *Page) chooseCaller(people []prose.Option, err error) tea.Cmd {
	if len(people) > 1 {
		how := "type the name, address or sub"
		if p.at.Form.Cloud {
			how = "type the name or address; signs in with the password"
		}
		people = append(people, prose.Option{Key: otherUser, Title: "another user", Detail: how})
	}
	open := choose("Who calls", people, p.rows.Rows()[len(p.rows.Rows())-1].Value, func(id string) tea.Cmd {
		if id == otherUser {
			return p.nameUser()
		}
		return p.setCaller(call.ReadSigner(id))
	})
	if err != nil {
		return tea.Batch(open, frame.Say(frame.Warn, "users could not be listed: %v", err))
	}
	return open
}

// nameUser asks for the name of a user who is not in the list.
func (p *Page) nameUser() tea.Cmd {
	check := func(text string) error {
		if strings.TrimSpace(text) == "" {
			return errors.New("type a name")
		}
		return nil
	}
	what := "name, address or sub"
	if p.at.Form.Cloud {
		what = "name or address"
	}
	return frame.Open(dialog.Input("Which user", what, check, func(text string) tea.Cmd {
		return p.setCaller(identitypool.Signer{User: strings.TrimSpace(text)})
	}))
}

// setCaller sets the caller, and reads the groups of a user, which the page needs to say
// whether the request will be allowed.
func (p *Page) setCaller(who identitypool.Signer) tea.Cmd {
	p.at.Form.As, p.at.Form.ByHand, p.at.Form.Groups, p.at.Form.Missing = who, true, nil, false
	p.refresh()
	snapshot, env := p.snapshot, p.env()
	if who.User == "" || env == nil {
		return nil
	}
	return func() tea.Msg {
		groups, missing := snapshot.Membership(context.Background(), env, who.User)
		return frame.ThenMsg(func() tea.Cmd {
			if p.at.Form.As == who && p.at.Form.Environment == env.Name {
				p.at.Form.Groups, p.at.Form.Missing = groups, missing
				p.setRows()
			}
			return nil
		})
	}
}

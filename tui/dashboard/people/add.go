package people

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy/people"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// userForm is the form of a new user.
type userForm struct {
	// of is where the user is added.
	of                 source
	name, email, phone string
	// groups are the chosen ones, a line for each.
	groups string
	// more are the values of the attributes that are asked for besides the addresses.
	more            []string
	password, again string
	temporary       string
}

// The lines of the form: those of other attributes come last.
const (
	nameLine = iota
	emailLine
	phoneLine
	groupsLine
	passwordLine
	againLine
	temporaryLine
	moreLines
)

// The answers to whether a password is permanent.
const (
	permanent = "keeps the password"
	temporary = "asks for another password"
)

// newUser is an empty form; on a group, its new user is in that group.
func (t *Tab) newUser(r *row) userForm {
	f := userForm{of: r.of, temporary: permanent}
	if r.kind == groupRow && !r.lacking {
		f.groups = r.called
	}
	return f
}

// asked are the attributes that are asked for besides the addresses: those that the pool requires, and its own,
// which have the prefix of custom attributes.
func asked(u *people.Users) (names []string) {
	if u.Pool.Definition == nil {
		return nil
	}
	for _, name := range u.Pool.Definition.StandardRequiredAttributes {
		if !slices.Contains([]string{"sub", "email", "phone_number"}, name) {
			names = append(names, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(u.Pool.Definition.CustomAttributes)) {
		names = append(names, model.CustomPrefix+name)
	}
	return names
}

// nameHint says what the name of a user is.
func nameHint(u *people.Users) string {
	d := u.Pool.Definition
	switch {
	case d == nil || len(d.UsernameAttributes) == 0 || slices.Contains(d.UsernameAttributes, "username"):
		return "a name such as emma, without spaces"
	case slices.Contains(d.UsernameAttributes, "email") && slices.Contains(d.UsernameAttributes, "phone_number"):
		return "an email address or a phone number: users of this pool sign in with it"
	case slices.Contains(d.UsernameAttributes, "email"):
		return "an email address: users of this pool sign in with it"
	}
	return "a phone number such as +441632960123: users of this pool sign in with it"
}

// openForm opens the form of a new user.
func (t *Tab) openForm(f userForm) tea.Cmd {
	u := f.of.users
	groups := dialog.Question{
		Name: "groups", Value: f.groups, Options: t.seen.groups, Several: true,
		Hint: "the first in the pool's order is the one that the user acts as",
	}
	groups.If = func([]string) bool { return len(t.seen.groups) > 0 }
	typed := func(values []string) bool { return values[passwordLine] != "" }
	questions := []dialog.Question{
		nameLine: {Name: "name", Value: f.name, Hint: nameHint(u)},
		emailLine: {
			Name: "email", Value: f.email,
			Hint: "it counts as verified; empty: none, or the name if that is the address",
		},
		phoneLine:  {Name: "phone", Value: f.phone, Hint: "such as +441632960123; it counts as verified; empty: none"},
		groupsLine: groups,
		passwordLine: {
			Name: "password", Value: f.password, Masked: true,
			Hint: people.PolicyWords(u.Pool.Definition) + "; empty: one is generated, and shown once",
		},
		againLine:     {Name: "the same again", Value: f.again, Masked: true, If: typed},
		temporaryLine: {Name: "first sign-in", Value: f.temporary, Options: []string{permanent, temporary}},
	}
	for i, name := range asked(u) {
		q := dialog.Question{Name: name, Hint: "the pool requires it"}
		if i < len(f.more) {
			q.Value = f.more[i]
		}
		if a, own := u.Pool.Custom(name); own {
			q.Hint = a.String() + "; empty for none"
		}
		questions = append(questions, q)
	}
	return frame.Open(dialog.Form("New user of "+prose.PrintableStart(f.of.environment), questions,
		func(values []string) (int, error) {
			return t.checkUser(f.of, values)
		}, func(values []string) tea.Cmd {
			return t.add(f.of.formOf(values))
		}))
}

// formOf takes the values of the form.
func (s source) formOf(values []string) userForm {
	return userForm{
		of:   s,
		name: strings.TrimSpace(values[nameLine]), email: strings.TrimSpace(values[emailLine]),
		phone:  strings.TrimSpace(values[phoneLine]),
		groups: values[groupsLine], password: values[passwordLine], again: values[againLine],
		temporary: values[temporaryLine], more: values[moreLines:],
	}
}

// user is the user of a form. A password that was not typed is "".
func (f userForm) user(u *people.Users) people.New {
	of := people.New{Name: f.name, Password: f.password, Temporary: f.temporary == temporary}
	email, phone := u.Addresses(f.name, f.email, f.phone)
	for _, address := range []people.Attribute{{Name: "email", Value: email}, {Name: "phone_number", Value: phone}} {
		if address.Value != "" {
			of.Attributes = people.Verified(append(of.Attributes, address), address.Name)
		}
	}
	for i, name := range asked(u) {
		if i < len(f.more) && strings.TrimSpace(f.more[i]) != "" {
			of.Attributes = append(of.Attributes, people.Attribute{Name: name, Value: strings.TrimSpace(f.more[i])})
		}
	}
	if f.groups != "" {
		of.Groups = strings.Split(f.groups, "\n")
	}
	return of
}

// checkUser refuses values with the line of the wrong one, before the pool is asked.
func (t *Tab) checkUser(of source, values []string) (int, error) {
	f, u := of.formOf(values), of.users
	if err := people.CheckName(f.name); err != nil {
		return nameLine, err
	}
	if slices.ContainsFunc(t.List.Rows(),
		func(r *row) bool { return r.kind == userRow && strings.EqualFold(r.called, f.name) }) {
		return nameLine, errors.New("there is a user of this name already")
	}
	if missing := u.Missing(f.user(u)); len(missing) > 0 {
		line := map[string]int{"email": emailLine, "phone_number": phoneLine}
		for i, name := range asked(u) {
			line[name] = moreLines + i
		}
		return line[missing[0]], errors.New("the pool requires the attribute " + phrase.Quote(missing[0]))
	}
	line, err := wrongPassword(u, f.name, f.password, f.again)
	return passwordLine + line, err
}

// wrongPassword checks a password that was typed twice: what is wrong is in its line, or in the next one. An empty one
// is made.
func wrongPassword(u *people.Users, name, text, again string) (line int, err error) {
	if text == "" {
		return 0, nil
	}
	if err := u.CheckPolicy(name, text); err != nil {
		return 0, err
	}
	if text != again {
		return 1, errors.New("the two passwords differ")
	}
	return 0, nil
}

// add adds the user of a form. If the pool refuses, the form is opened again.
func (t *Tab) add(f userForm) tea.Cmd {
	name := prose.PrintableStart(f.name)
	return t.doing(f.of, "adding "+name, func(ctx context.Context, u *people.Users) (board.Deed, error) {
		of, made := f.user(u), f.password == ""
		if made {
			of.Password = people.NewPassword(u.Pool.Definition)
		}
		again := board.Deed{After: func() tea.Cmd { return tea.Batch(t.look(), t.openForm(f)) }}
		if err := u.CheckServed(of.Groups); err != nil {
			return again, err
		}
		username, err := u.Add(ctx, of)
		if err != nil {
			return again, err
		}
		added, err := u.Find(ctx, username)
		if err != nil {
			return again, err
		}
		deed := board.Deed{Done: "added user " + name, Asks: "Remove user " + name + " again?"}
		if len(of.Groups) > 0 {
			deed.Done += ", in " + prose.PrintableStart(phrase.QuoteList(of.Groups))
		}
		deed.Text = "It is removed for good, with all changes made since."
		deed.Back = f.of.back(func(ctx context.Context, u *people.Users) error {
			if err := same(ctx, u, username, added.Sub); err != nil {
				return err
			}
			return u.Remove(ctx, username)
		})
		shown := !made
		deed.After = func() tea.Cmd {
			if shown {
				return t.look()
			}
			shown = true // undo does not show it again
			return tea.Batch(t.look(), frame.Open(madePassword(name, of.Password)))
		}
		return deed, nil
	})
}

// madePassword shows a password that was made: once, and nowhere else.
func madePassword(name, text string) dialog.Dialog {
	return dialog.Confirm("The password of "+name, text+"\n\nIt is shown only now, and cannot be shown again.",
		dialog.Button{Label: "Close", Cancel: true},
		dialog.Button{Label: "Copy and close", Do: func() tea.Cmd {
			return frame.CopySaying(text, "the password of "+name+" was sent to the clipboard")
		}})
}

// setPassword asks for another password of a user.
func (t *Tab) setPassword(r *row) tea.Cmd {
	const passwordLine, againLine, temporaryLine = 0, 1, 2
	questions := []dialog.Question{
		passwordLine: {Name: "password", Masked: true, Hint: people.PolicyWords(r.of.users.Pool.Definition) +
			"; empty: one is generated, and shown once. All sessions of the user end. This cannot be undone"},
		againLine: {
			Name: "the same again", Masked: true,
			If: func(values []string) bool { return values[passwordLine] != "" },
		},
		temporaryLine: {
			Name: "next sign-in", Options: []string{permanent, temporary},
			Hint: "all sessions of the user end; this cannot be undone",
		},
	}
	check := func(values []string) (int, error) {
		return wrongPassword(r.of.users, r.called, values[passwordLine], values[againLine])
	}
	return frame.Open(dialog.Form("Another password of "+r.name, questions, check, func(values []string) tea.Cmd {
		return t.doing(r.of, "changing "+r.name, func(ctx context.Context, u *people.Users) (board.Deed, error) {
			text, made := values[passwordLine], values[passwordLine] == ""
			if made {
				text = people.NewPassword(u.Pool.Definition)
			}
			deed := board.Deed{Done: r.name + " has a new password", Level: frame.Good}
			err := u.SetPassword(ctx, r.called, text, values[temporaryLine] == temporary)
			if err == nil && made {
				deed.After = func() tea.Cmd { return tea.Batch(t.look(), frame.Open(madePassword(r.name, text))) }
			}
			return deed, err
		})
	}))
}

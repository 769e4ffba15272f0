package matrix

import (
	"errors"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
)

// WithMode returns the matrix with another setting. Entries that have no effect under it are kept, so that the way
// back brings them back. Guests who are let in and have no entry may read.
func (m Matrix) WithMode(setting access.Setting) Matrix {
	guests := access.Principal{Kind: access.Guest}
	if actions, _ := m.Access.Grant(guests); setting == access.Protected && actions == 0 {
		m.Access = m.Access.With(guests, access.ActionSet(access.Read))
	}
	m.Access.Setting = setting
	return m
}

// NextMode returns the matrix with the next setting of access.Settings, or with the previous
// one if by is -1; the same matrix at the ends.
func (m Matrix) NextMode(by int) Matrix {
	at := slices.Index(access.Settings, m.Access.Setting) + by
	return m.WithMode(access.Settings[max(0, min(at, len(access.Settings)-1))])
}

// Toggle gives or takes one action. A group without an entry gets one that begins with what
// its members may do already, so that nothing but this action changes. An action for guests
// lets guests in. The error of an open path is a Problem.
func (m Matrix) Toggle(who access.Principal, action access.Action) (Matrix, error) {
	return m.Set(who, m.Row(who).Actions^access.Actions(action))
}

// ToggleRow gives all actions, or takes them all if the caller has them all.
func (m Matrix) ToggleRow(who access.Principal) (Matrix, error) {
	actions := access.EveryAction
	if m.Row(who).Actions == actions {
		actions = 0
	}
	return m.Set(who, actions)
}

// Set makes actions all that a caller may do. An empty set for guests shuts them out, and
// an empty set for signed-in users removes their entry.
func (m Matrix) Set(who access.Principal, actions access.Actions) (Matrix, error) {
	if m.Access.Setting == access.Open {
		return m, &model.Problem{
			Field: "access", Text: "the path is open to everybody",
			Fix: "restrict it first, with the mode",
		}
	}
	if who.Kind == access.Guest {
		m.Access.Setting = access.Protected
	}
	if actions == 0 && who.Kind != access.Group {
		// What is left when the last action goes: the setting that says the same.
		m.Access = m.Access.Without(who)
		return m, nil
	}
	m.Access = m.Access.With(who, actions)
	return m, nil
}

// WithoutEntry returns the matrix without the entry of a group, whose members may then do what signed-in users may.
func (m Matrix) WithoutEntry(group string) Matrix {
	m.Access = m.Access.Without(access.Principal{Kind: access.Group, Group: group})
	return m
}

// AddGroups adds the groups of a list such as "Admins, Editors" at the end of the pool's
// order. Names that the pool has already are no error. first is the first group of the list;
// the error is the Problem of the first name that cannot be a group's, and nothing is added.
func (m Matrix) AddGroups(list string) (added Matrix, first string, err error) {
	if m.Fixed != "" {
		return m, "", &model.Problem{Field: "groups", Text: "groups cannot be added here", Fix: m.Fixed}
	}
	pool := model.Backend{Groups: slices.Clone(m.Groups)}
	made := slices.Clone(m.Made)
	for _, name := range Names(list) {
		if !slices.Contains(pool.Groups, name) {
			if err := edit.AddGroup(&pool, name); err != nil {
				return m, "", inList(err, name)
			}
			made = append(made, name)
		}
		if first == "" {
			first = name
		}
	}
	if first == "" {
		return m, "", &model.Problem{Field: "groups", Text: "there is no name", Fix: "write names such as Admins, Editors"}
	}
	m.Groups, m.Made = pool.Groups, made
	return m, first, nil
}

// inList is the error of a name of a list: there a comma ends a name.
func inList(err error, name string) error {
	var problem *model.Problem
	if errors.As(err, &problem) && model.CheckName(model.KindGroup, name) != nil {
		problem.Fix = "use 1 to 64 of A-Z a-z 0-9 _ + = . @ -, and a comma between names"
	}
	return err
}

// Names returns the names of a list that is separated by commas or new lines, each once.
func Names(list string) []string {
	var names []string
	for name := range strings.FieldsFuncSeq(list, func(r rune) bool { return r == ',' || r == '\n' || r == '\r' }) {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// WithoutGroup returns the matrix without a group that was made here. The error of another group is a Problem.
func (m Matrix) WithoutGroup(group string) (Matrix, error) {
	if !slices.Contains(m.Made, group) {
		return m, &model.Problem{
			Of: model.Ref{Kind: model.KindGroup, Name: group}, Text: "is in the user pool already",
			Fix: "remove it with: gatewright remove group " + model.ShellWord(group),
		}
	}
	m = m.WithoutEntry(group)
	is := func(name string) bool { return name == group }
	m.Groups, m.Made = slices.DeleteFunc(slices.Clone(m.Groups), is), slices.DeleteFunc(slices.Clone(m.Made), is)
	return m, nil
}

// WithOrder returns the matrix with the groups of the pool in the order of a list such as
// "Admins, Editors". Groups that were made here and are not in the list are removed. The
// error, of a name that is no group's or of a group that is missing, is a Problem.
func (m Matrix) WithOrder(list string) (Matrix, error) {
	refuse := func(text string) error {
		return &model.Problem{Field: "groups", Text: text, Fix: "name each of these once: " + strings.Join(m.Groups, ", ")}
	}
	if m.Fixed != "" {
		return m, &model.Problem{Field: "groups", Text: "the groups cannot be ordered here", Fix: m.Fixed}
	}
	names := Names(list)
	for _, name := range names {
		if !slices.Contains(m.Groups, name) {
			return m, refuse(phrase.Quote(name) + " is not a group of the user pool")
		}
	}
	ordered := m
	for _, group := range m.Groups {
		switch {
		case slices.Contains(names, group):
		case !slices.Contains(m.Made, group):
			return m, refuse(phrase.Quote(group) + " is missing")
		default:
			ordered, _ = ordered.WithoutGroup(group)
		}
	}
	ordered.Groups = names
	return ordered, nil
}

// Move moves a group up in the order of precedence (by -1) or down (by 1); the same matrix
// at the ends. The error is a Problem.
func (m Matrix) Move(group string, by int) (Matrix, error) {
	at := slices.Index(m.Groups, group)
	to := at + by
	switch {
	case m.Fixed != "":
		return m, &model.Problem{Field: "groups", Text: "the groups cannot be ordered here", Fix: m.Fixed}
	case at < 0 || to < 0 || to >= len(m.Groups):
		return m, nil
	}
	m.Groups = slices.Clone(m.Groups)
	m.Groups[at], m.Groups[to] = m.Groups[to], m.Groups[at]
	return m, nil
}

package lines

import (
	"slices"
	"strings"

	"gatewright/flow"
	"gatewright/flow/matrix"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model/access"
)

// noEntry is the key of the option that leaves a group without an entry of its own.
const noEntry = "none of its own"

// access asks for the matrix of a path: the mode, new groups, and then row by row.
func (w *wizard) access(at flow.ID, help string) error {
	if err := w.mode(at, help); err != nil {
		return err
	}
	if w.flow.Matrix(at.Path).Access.Setting == access.Open {
		w.say("Anyone in the world may do everything on this path.")
		return nil
	}
	if err := w.newGroups(at); err != nil {
		return err
	}
	if err := w.order(at); err != nil {
		return err
	}
	for _, row := range w.flow.Matrix(at.Path).Rows() {
		if row.Who.Kind == access.Guest && w.flow.Matrix(at.Path).Access.Setting != access.Protected {
			continue
		}
		if err := w.row(at, row.Who, help); err != nil {
			return err
		}
	}
	w.say("Under %s:", phrase.Quote(w.flow.Matrix(at.Path).Path))
	for _, line := range w.flow.Matrix(at.Path).Sentences() {
		w.say("  %s", line.Text)
	}
	return nil
}

// mode asks whether the path is restricted, and whether guests are let in.
func (w *wizard) mode(at flow.ID, help string) error {
	m := w.flow.Matrix(at.Path)
	field := flow.Field{Label: "Mode", Kind: flow.Choice, Value: string(m.Access.Setting)}
	for _, setting := range access.Settings {
		field.Options = append(field.Options,
			prose.Option{Key: string(setting), Title: matrix.ModeTitle(setting), Detail: matrix.ModeDetail(setting)})
	}
	w.offer(field.Options)
	return w.ask(field, help, func(value string, _ []string) error {
		return w.setMatrix(at, m.WithMode(access.Setting(value)))
	})
}

// newGroups asks for groups to add to the user pool.
func (w *wizard) newGroups(at flow.ID) error {
	m := w.flow.Matrix(at.Path)
	if m.Fixed != "" {
		return nil
	}
	field := flow.Field{Label: "New groups", Placeholder: "none; names separated by commas"}
	return w.ask(field,
		"Groups belong to the user pool. A user in several groups acts as a member of the first in the pool's order.",
		func(value string, _ []string) error {
			if value == "" {
				return nil
			}
			added, _, err := m.AddGroups(value)
			if err != nil {
				return err
			}
			return w.setMatrix(at, added)
		})
}

// order asks for the order of several groups.
func (w *wizard) order(at flow.ID) error {
	m := w.flow.Matrix(at.Path)
	if m.Fixed != "" || len(m.Groups) < 2 {
		return nil
	}
	field := flow.Field{Label: "Order of the groups", Value: strings.Join(m.Groups, ", ")}
	const help = "A user in several groups acts as a member of the first. Name all groups in their new order; " +
		"a new group that you leave out is removed again."
	return w.ask(field, help, func(value string, _ []string) error {
		ordered, err := m.WithOrder(value)
		if err != nil {
			return err
		}
		return w.setMatrix(at, ordered)
	})
}

// row asks what one caller may do.
func (w *wizard) row(at flow.ID, who access.Principal, help string) error {
	m := w.flow.Matrix(at.Path)
	row := m.Row(who)
	field := flow.Field{Label: "What may " + who.String() + " do", Kind: flow.Several}
	for _, a := range access.AllActions {
		field.Options = append(field.Options,
			prose.Option{Key: a.String(), Title: a.String(), Detail: strings.Join(m.Terms.Methods(a), ", ")})
		if row.Actions.Has(a) && (row.Own || who.Kind != access.Group) {
			field.Chosen = append(field.Chosen, a.String())
		}
	}
	if who.Kind == access.Group {
		same := "the same as signed-in users"
		if m.Terms.GroupAlone {
			same = "nothing: members act only as their group in this project"
		}
		field.Options = append(field.Options, prose.Option{Key: noEntry, Title: "no entry of its own", Detail: same})
		if !row.Own {
			field.Chosen = []string{noEntry}
		}
	}
	w.offer(field.Options)
	return w.ask(field, help, func(_ string, chosen []string) error {
		if slices.Contains(chosen, noEntry) {
			return w.setMatrix(at, m.WithoutEntry(who.Group))
		}
		var set access.Actions
		for _, word := range chosen {
			action, _ := access.ParseAction(word)
			set |= access.Actions(action)
		}
		next, err := m.Set(who, set)
		if err != nil {
			return err
		}
		for _, fault := range next.Faults() {
			if fault.Who == who && who.Kind == access.Group {
				return fault.Err
			}
		}
		return w.setMatrix(at, next)
	})
}

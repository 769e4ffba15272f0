package apis

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/merge"
	"gatewright/flow/resource"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/diff"
	"gatewright/model/edit"
	"gatewright/model/field"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dashboard/fieldform"
	"gatewright/tui/dialog"
	"gatewright/tui/outside"
)

// settings are all fields of an API besides its paths.
type settings struct{ *access.API }

func (s settings) Fields() []field.Row { return append(s.API.Fields(), s.CORS.Fields()...) }

// settingsForm is the form of an API.
var settingsForm = fieldform.Form{
	line("binaryMediaTypes", "binary types", "binary media types, such as image/png, image/* or */*"),
	list("origins", "origins", "every origin", "pages that may call, such as https://app.example; empty for every origin"),
	line("environments", "other origins", "for an environment: ENV=ORIGIN,ORIGIN such as prod=https://app.example"),
	list("methods", "methods", "all", "that pages may send; empty for all"),
	list("headers", "headers", "the usual ones", "that pages may send besides the usual ones, such as x-tenant"),
	line("exposedHeaders", "exposed headers", "that pages may read in API Gateway's own responses"),
	yes("credentials", "credentials", "whether pages may send cookies and read the responses; origins must be named"),
	line("maxAge", "max age", "how many seconds a browser caches a preflight, 1 to 86400"),
	yes("handler", "own OPTIONS", "whether the functions answer preflights themselves, without a signature"),
}

func line(field, name, hint string) fieldform.Line {
	return fieldform.Line{Field: field, Question: dialog.Question{Name: name, Hint: hint}}
}

// list is the line of a list that stands for something when it is empty.
func list(field, name, empty, hint string) fieldform.Line {
	l := line(field, name, hint)
	l.Empty = empty
	return l
}

func yes(field, name, hint string) fieldform.Line {
	l := line(field, name, hint)
	l.Options, l.None = []string{resource.Yes}, "no"
	return l
}

// editSettings opens the form of an API, with what was typed instead of before; nil for nothing.
func (t *Tab) editSettings(label string, before, typed []string) tea.Cmd {
	was := t.board.Snap.Backend.API(label)
	if was == nil {
		return nil
	}
	before, shown := settingsForm.Begin(settings{was}, before, typed)
	of, m := "API "+prose.Printable(label), merge.New()
	d := dialog.Form("Change "+of, settingsForm.Questions(settings{was}, shown), func(values []string) (int, error) {
		_, err := t.board.Snap.Backend.Edit(func(b *model.Backend) error { return setSettings(b, label, before, values, m) })
		return settingsForm.LineOf(err, 0), outside.Later(err)
	}, func(values []string) tea.Cmd {
		return t.board.ProposeEdit(board.ProposedEdit{
			Title: "Change " + of + "?", Yes: "Write", Done: "changed " + of,
			Again: func() tea.Cmd { return t.editSettings(label, before, values) },
			Edit: func(b *model.Backend) (notes []string, err error) {
				was := b.API(label)
				if err := setSettings(b, label, before, values, m); err != nil {
					return nil, err
				}
				changes := append([]string{diff.BinaryMediaTypeChange(was, b.API(label))},
					diff.CORSChanges(was, b.API(label))...)
				for _, change := range changes {
					if change != "" {
						notes = append(notes, model.Ref{Kind: model.KindAPI, Name: label}.String()+" "+change)
					}
				}
				return notes, nil
			},
		})
	})
	return t.board.Open(d, func() tea.Cmd { return t.editSettings(label, before, dialog.Values(d)) })
}

// setSettings gives an API the values of the form.
func setSettings(b *model.Backend, label string, before, values []string, merging *merge.Merge) error {
	have, of := b.API(label), model.Ref{Kind: model.KindAPI, Name: label}
	if have == nil {
		return b.Known(of)
	}
	m := merging.Again()
	merged, given := settingsForm.Merged(m, of, before, settings{have}, values)
	if open := m.Err(); open != nil {
		return open
	}
	next := *have
	if err := settingsForm.Set(settings{&next}, merged, given); err != nil {
		return err
	}
	if err := edit.SetBinaryMediaTypes(b, label, next.BinaryMediaTypes); err != nil {
		return err
	}
	err := edit.SetCORS(b, label, next.CORS)
	if wrong := (*model.Problem)(nil); errors.As(err, &wrong) {
		name, _, _ := strings.Cut(strings.TrimPrefix(wrong.Pointer, "/cors/"), "/")
		return fieldform.At(name, err)
	}
	return err
}

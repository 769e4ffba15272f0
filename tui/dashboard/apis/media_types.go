package apis

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/merge"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/diff"
	"gatewright/model/edit"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dialog"
)

// editMediaTypes asks for the binary media types of an API, shows what they change, and
// writes them after a yes. shown are those that it has, typed is what the field begins with.
func (t *Tab) editMediaTypes(label, shown, typed string) tea.Cmd {
	check := func(text string) error {
		trial := *t.board.Snap.Backend
		return edit.SetBinaryMediaTypes(&trial, label, model.SplitList(text))
	}
	of, merging := "API "+prose.Printable(label), merge.New()
	d := dialog.InputWith("Binary media types of "+of+", such as image/png, application/pdf or */*", typed,
		check, func(text string) tea.Cmd {
			return t.board.ProposeEdit(board.ProposedEdit{
				Title: "Change " + of + "?", Yes: "Write", Done: "changed " + of,
				Edit: func(b *model.Backend) (notes []string, err error) {
					was := b.API(label)
					if was == nil {
						return nil, b.Known(model.Ref{Kind: model.KindAPI, Name: label})
					}
					m := merging.Again()
					types := merge.List(m, "the binary media types of "+of, model.SplitList(shown), was.BinaryMediaTypes,
						model.SplitList(text), strings.TrimSpace)
					if open := m.Err(); open != nil {
						return nil, open
					}
					if err := edit.SetBinaryMediaTypes(b, label, types); err != nil {
						return nil, err
					}
					if change := diff.BinaryMediaTypeChange(was, b.API(label)); change != "" {
						notes = append(notes, model.Ref{Kind: model.KindAPI, Name: label}.String()+" "+change)
					}
					return notes, nil
				},
				Again: func() tea.Cmd { return t.editMediaTypes(label, shown, text) },
			})
		})
	return t.board.Open(d, func() tea.Cmd {
		typed := dialog.Values(d)[0]
		if api := t.board.Snap.Backend.API(label); api != nil && typed == shown {
			shown = strings.Join(api.BinaryMediaTypes, ", ")
			typed = shown
		}
		return t.editMediaTypes(label, shown, typed)
	})
}

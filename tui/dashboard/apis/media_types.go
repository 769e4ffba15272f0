package apis

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/diff"
	"gatewright/model/edit"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// editMediaTypes asks for the binary media types of an API, shows what they change, and
// writes them after a yes. typed is what the field begins with.
func (t *Tab) editMediaTypes(label, typed string) tea.Cmd {
	check := func(text string) error {
		trial := *t.board.Snap.Backend
		return edit.SetBinaryMediaTypes(&trial, label, model.SplitList(text))
	}
	of := "API " + prose.Printable(label)
	return frame.Open(dialog.InputWith("Binary media types of "+of+", such as image/png, application/pdf or */*", typed,
		check, func(text string) tea.Cmd {
			return t.board.ProposeEdit(board.ProposedEdit{
				Title: "Change " + of + "?", Yes: "Write", Done: "changed " + of,
				Edit: func(b *model.Backend) (notes []string, err error) {
					was := b.API(label)
					if err := edit.SetBinaryMediaTypes(b, label, model.SplitList(text)); err != nil {
						return nil, err
					}
					if change := diff.BinaryMediaTypeChange(was, b.API(label)); change != "" {
						notes = append(notes, model.Ref{Kind: model.KindAPI, Name: label}.String()+" "+change)
					}
					return notes, nil
				},
				Again: func() tea.Cmd { return t.editMediaTypes(label, text) },
			})
		}))
}

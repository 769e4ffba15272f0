package access

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow"
	editor "gatewright/flow/matrix"
	"gatewright/flow/preview"
	"gatewright/model"
	"gatewright/project"
	"gatewright/prose"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// edit opens the matrix of a path. What was changed there is shown, with the requests that it
// opens and closes, before it is written.
func (t *Tab) edit(r *row) tea.Cmd {
	b, label, path := t.board.Snap.Backend, r.api.Label, r.Path
	m := editor.Matrix{Path: path.Name, Access: path.Access, Groups: b.Groups, Before: &path.Access, GuestsOff: !b.AmplifyCLI && !b.Auth.GuestsEnabled()}
	if b.AmplifyCLI {
		m.Fixed = "the Amplify CLI keeps the groups of this project: amplify update auth"
	}
	title := "Who may do what under " + path.Name + "?"
	near := flow.Nearest(r.api.Paths, path.Name, path.Name, flow.NearPaths)
	around := func(m editor.Matrix) editor.Matrix { return m.WithNeighbours(path, near) }
	return frame.Open(dialog.Access(title, m, around, func(m editor.Matrix) tea.Cmd {
		of := model.Ref{Kind: model.KindPath, API: label, Name: path.Name}
		return t.board.Propose("Write this?", "Write", "changed the access of "+of.String(), func(current *project.Project) (*project.Plan, string, error) {
			next, err := current.Backend.Edit(func(b *model.Backend) error { return apply(b, label, path, m) })
			if err != nil {
				return nil, "", err
			}
			plan, err := current.Plan(next)
			return plan, strings.Join(prose.Texts(preview.OverviewOf(current.Backend, next, "").AccessLines()), "\n"), err
		})
	}))
}

// apply gives a path the access of a matrix, and the user pool its groups. It refuses to
// overwrite an access that was changed meanwhile.
func apply(b *model.Backend, label string, was *model.Path, m editor.Matrix) error {
	of := model.Ref{Kind: model.KindPath, API: label, Name: was.Name}
	api := b.API(label)
	if api == nil || api.Path(was.Name) == nil {
		return &model.Problem{Of: of, Text: "no longer exists", Fix: "read the project again"}
	}
	path := *api.Path(was.Name)
	if !(editor.Matrix{Access: path.Access}).Equal(editor.Matrix{Access: was.Access}) {
		return &model.Problem{Of: of, Text: "its access was changed meanwhile", Fix: "open it again"}
	}
	for _, group := range m.Made {
		if !slices.Contains(b.Groups, group) {
			if err := b.AddGroup(group); err != nil {
				return err
			}
		}
	}
	if !b.AmplifyCLI && !slices.Equal(b.Groups, m.Groups) {
		if err := b.OrderGroups(m.Groups); err != nil {
			return err
		}
	}
	if m.Access.Setting == model.Protected && !b.AmplifyCLI && !b.Auth.GuestsEnabled() {
		auth, yes := *b.Auth, true
		auth.UnauthenticatedIdentitiesEnabled = &yes
		b.Auth = &auth
	}
	path.Access = m.Written()
	return b.UpdatePath(label, was.Name, &path)
}

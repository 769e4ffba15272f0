package inspect

import (
	"fmt"
	"slices"
	"strings"

	"gatewright/cli/command"
	"gatewright/model"
	"gatewright/project"
)

// accessMatrix is who may do what under the paths of an API, as JSON.
type accessMatrix struct {
	API string `json:"api"`
	// Groups are those of the pool in its order, then those that only the API names.
	Groups []string     `json:"groups"`
	Paths  []accessPath `json:"paths"`
	// Losses are what members of two groups cannot do although the second may.
	Losses []accessLoss `json:"losses"`

	// said are the losses for people.
	said []saidLoss
}

// saidLoss is what members of several groups lose, and the paths under which they
// do.
type saidLoss struct {
	text  string
	paths []string
}

// accessPath is one path: the actions of each principal. Open is open to
// everybody.
type accessPath struct {
	Path          string        `json:"path"`
	Function      string        `json:"function"`
	Setting       model.Setting `json:"setting"`
	Open          bool          `json:"open"`
	Guest         []string      `json:"guest"`
	Authenticated []string      `json:"authenticated"`
	Groups        []accessGroup `json:"groups"`

	row model.AccessRow
}

// accessGroup is what members of a group, and of no other, may do. One without an
// entry of its own does as signed-in users.
type accessGroup struct {
	Group   string   `json:"group"`
	Own     bool     `json:"own"`
	Actions []string `json:"actions"`

	actions model.Actions
}

type accessLoss struct {
	Path    string   `json:"path"`
	ActsAs  string   `json:"actsAs"`
	AlsoIn  string   `json:"alsoIn"`
	Actions []string `json:"actions"`
}

// matrixOf asks of each path by itself: which of them serves a request is another
// question.
func matrixOf(b *model.Backend, api *model.API) accessMatrix {
	order := (&model.Backend{Groups: b.Groups, APIs: []*model.API{api}}).RoleOrder()
	m := accessMatrix{API: api.Label, Groups: command.Listed(order), Paths: []accessPath{}, Losses: []accessLoss{}}
	for _, p := range api.Paths {
		access := b.AccessRow(p, order)
		row := accessPath{
			Path: p.Name, Function: p.Function, Setting: p.Access.Setting, Open: p.Access.Setting == model.Open, Groups: []accessGroup{},
			Guest: actionList(access.Guest), Authenticated: actionList(access.Authenticated), row: access,
		}
		for i, group := range order {
			of := access.Groups[i]
			row.Groups = append(row.Groups, accessGroup{group, of.Own, actionList(of.Actions), of.Actions})
		}
		m.Paths = append(m.Paths, row)
		for _, l := range p.Access.Losses(order) {
			m.Losses = append(m.Losses, accessLoss{p.Name, l.ActsAs, l.AlsoIn, actionList(l.Actions)})
		}
		for _, l := range p.Access.LossesByGroup(order) {
			m.says(l.String(), p.Name)
		}
	}
	return m
}

// says keeps a loss for people: those that are the same under several paths are one.
func (m *accessMatrix) says(text, path string) {
	at := slices.IndexFunc(m.said, func(l saidLoss) bool { return l.text == text })
	if at < 0 {
		at = len(m.said)
		m.said = append(m.said, saidLoss{text: text})
	}
	m.said[at].paths = append(m.said[at].paths, path)
}

// actionList is the words of actions.
func actionList(actions model.Actions) []string {
	words := []string{}
	for _, a := range actions.List() {
		words = append(words, a.String())
	}
	return words
}

// printAccess prints the matrices of APIs.
func printAccess(b *model.Backend, apis []*model.API, asJSON bool, streams command.Streams) error {
	matrices := []accessMatrix{}
	for _, api := range apis {
		matrices = append(matrices, matrixOf(b, api))
	}
	if asJSON {
		return command.PrintJSON(streams.Out, matrices)
	}
	var text strings.Builder
	width := command.WidthOf(streams.Out)
	if len(matrices) == 0 {
		return command.PrintText(streams.Out, "no API; add one with: gatewright add api NAME\n")
	}
	restricted, inherits := false, false
	for _, m := range matrices {
		text.WriteString("API " + model.Quote(m.API) + "\n")
		heading := []string{"Path", "Access", "guests", "signed-in users"}
		for _, group := range m.Groups {
			heading = append(heading, model.Quote(group))
		}
		rows := [][]string{heading}
		for _, p := range m.Paths {
			setting := model.Quote(string(p.Setting))
			if p.Open {
				setting = p.Setting.Words()
			}
			row := []string{project.QuotePath(p.Path), setting, p.row.Guest.Letters(), p.row.Authenticated.Letters()}
			for _, g := range p.Groups {
				cell := g.actions.Letters()
				if !g.Own && !p.Open {
					cell, inherits = "("+cell+")", true
				}
				row = append(row, cell)
			}
			rows = append(rows, row)
			restricted = restricted || !p.Open
		}
		command.WriteTable(&text, "  ", width, rows)
		printLosses(&text, m.said, width)
		text.WriteByte('\n')
	}
	text.WriteString(command.Folded("", "C create (POST), R read (GET, HEAD), U update (PUT, PATCH), D delete (DELETE)", width))
	if inherits {
		text.WriteString(command.Folded("", "in brackets: the path has no entry for the group, whose members act as signed-in users", width))
	}
	if restricted && !b.Auth.GuestsEnabled() {
		text.WriteString(command.Folded("", "guests have no identity (unauthenticated_identities_enabled is false): they are served by open paths alone", width))
	}
	return command.PrintText(streams.Out, text.String())
}

// printLosses says what members of several groups lose.
func printLosses(b *strings.Builder, losses []saidLoss, width int) {
	const named = 3
	for i, l := range losses {
		if i == command.MostLines && len(losses) > command.MostLines+1 {
			b.WriteString(command.Folded("  ", fmt.Sprintf("and %d more such", len(losses)-command.MostLines), width))
			return
		}
		paths := l.paths
		under := model.QuoteList(paths[:min(named, len(paths))])
		if more := len(paths) - named; more > 0 {
			under += " and " + model.Count(more, "other path")
		}
		b.WriteString(command.Folded("  ", "under "+under+" "+l.text, width))
	}
}

package inspect

import (
	"fmt"
	"slices"
	"strings"

	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
)

// accessMatrix is the access to the paths of an API, as JSON.
type accessMatrix struct {
	API string `json:"api"`
	// Groups are the groups of the pool in its order, then groups that only the API names.
	Groups []string     `json:"groups"`
	Paths  []accessPath `json:"paths"`
	// Losses are the actions that members of two groups cannot do although the second may.
	Losses []accessLoss `json:"losses"`

	// lossTexts are the losses as text.
	lossTexts []lossText
}

// lossText says what members of several groups lose, and on which paths.
type lossText struct {
	text  string
	paths []string
}

// accessPath is a path with the actions of each principal. Open says that it is open.
type accessPath struct {
	Path          string         `json:"path"`
	Function      string         `json:"function"`
	Setting       access.Setting `json:"setting"`
	Open          bool           `json:"open"`
	Guest         []string       `json:"guest"`
	Authenticated []string       `json:"authenticated"`
	Groups        []accessGroup  `json:"groups"`

	row access.Row
}

// accessGroup is what a member of this group alone may do. Own says that the path names the
// group; if it does not, the actions are those of signed-in users, or none (see access.Terms).
type accessGroup struct {
	Group   string   `json:"group"`
	Own     bool     `json:"own"`
	Actions []string `json:"actions"`

	actions access.Actions
}

type accessLoss struct {
	Path    string   `json:"path"`
	ActsAs  string   `json:"actsAs"`
	AlsoIn  string   `json:"alsoIn"`
	Actions []string `json:"actions"`
}

// matrixOf returns the access to each path by itself, whichever path serves a request.
func matrixOf(b *model.Backend, api *access.API) accessMatrix {
	order := (&model.Backend{Groups: b.Groups, APIs: []*access.API{api}}).RoleOrder()
	m := accessMatrix{API: api.Label, Groups: command.Listed(order), Paths: []accessPath{}, Losses: []accessLoss{}}
	of := b.Rules(api)
	for _, p := range api.Paths {
		rules := of.Row(p, order)
		row := accessPath{
			Path: p.Name, Function: p.Function, Setting: p.Access.Setting, Open: p.Access.Setting == access.Open,
			Groups: []accessGroup{},
			Guest:  actionList(rules.Guest), Authenticated: actionList(rules.Authenticated), row: rules,
		}
		for i, group := range order {
			cell := rules.Groups[i]
			row.Groups = append(row.Groups, accessGroup{group, cell.Own, actionList(cell.Actions), cell.Actions})
		}
		m.Paths = append(m.Paths, row)
		losses, byGroup := of.Losses(p, order)
		for _, l := range losses {
			m.Losses = append(m.Losses, accessLoss{p.Name, l.ActsAs, l.AlsoIn, actionList(l.Actions)})
		}
		for _, l := range byGroup {
			m.addLoss(l.String(), p.Name)
		}
	}
	return m
}

// addLoss adds a loss as text. The same text on several paths is one entry.
func (m *accessMatrix) addLoss(text, path string) {
	i := slices.IndexFunc(m.lossTexts, func(l lossText) bool { return l.text == text })
	if i < 0 {
		i = len(m.lossTexts)
		m.lossTexts = append(m.lossTexts, lossText{text: text})
	}
	m.lossTexts[i].paths = append(m.lossTexts[i].paths, path)
}

// actionList returns the names of actions.
func actionList(actions access.Actions) []string {
	words := []string{}
	for _, a := range actions.List() {
		words = append(words, a.String())
	}
	return words
}

// printAccess prints the matrices of APIs.
func printAccess(b *model.Backend, apis []*access.API, asJSON bool, streams command.Streams) error {
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
		return command.PrintText(streams.Out, "the project has no API; add one with: gatewright add api\n")
	}
	restricted, inherits, groups, createNote := false, false, 0, ""
	for _, m := range matrices {
		text.WriteString("API " + phrase.Quote(m.API) + "\n")
		groups += len(m.Groups)
		heading := []string{"Path", "Access", "guests", "signed-in users"}
		for _, group := range m.Groups {
			heading = append(heading, phrase.Quote(group))
		}
		rows := [][]string{heading}
		for _, p := range m.Paths {
			setting := phrase.Quote(string(p.Setting))
			if p.Open {
				setting = p.Setting.Words()
			}
			row := []string{phrase.QuotePath(p.Path), setting, p.row.Guest.Letters(), p.row.Authenticated.Letters()}
			for _, g := range p.Groups {
				cell := g.actions.Letters()
				if !g.Own && !p.Open && !p.row.Terms.GroupAlone {
					cell, inherits = "("+cell+")", true
				}
				row = append(row, cell)
			}
			rows = append(rows, row)
			restricted = restricted || !p.Open
			if createNote == "" {
				createNote = b.CreateNote(p.Function)
			}
		}
		command.WriteTable(&text, "  ", width, rows)
		printLosses(&text, m.lossTexts, width)
		text.WriteByte('\n')
	}
	terms := b.Terms()
	text.WriteString(command.Folded("", terms.Letters(), width))
	for _, api := range apis {
		if of := terms.For(api); of.GetAlone != terms.GetAlone {
			text.WriteString(command.Folded("", "of "+phrase.Quote(api.Label)+": "+of.Letters(), width))
		}
	}
	if terms.GroupAlone && groups > 0 {
		text.WriteString(command.Folded("",
			"a user in groups acts only as a member of the first: without an entry for that group, "+
				"nothing is allowed", width))
	}
	if createNote != "" {
		text.WriteString(command.Folded("", createNote, width))
	}
	if inherits {
		text.WriteString(command.Folded("",
			"in brackets: the path does not name the group, so its members act as signed-in users", width))
	}
	if restricted && !b.Auth.GuestsEnabled() {
		text.WriteString(command.Folded("",
			"guests get no credentials (unauthenticated_identities_enabled is false): they reach only "+
				"open paths", width))
	}
	return command.PrintText(streams.Out, text.String())
}

// printLosses prints what members of several groups lose.
func printLosses(b *strings.Builder, losses []lossText, width int) {
	const mostPaths = 3
	for i, l := range losses {
		if i == command.MostLines && len(losses) > command.MostLines+1 {
			b.WriteString(command.Folded("  ", fmt.Sprintf("and %d more", len(losses)-command.MostLines), width))
			return
		}
		paths := l.paths
		under := phrase.QuoteList(paths[:min(mostPaths, len(paths))])
		if more := len(paths) - mostPaths; more > 0 {
			under += " and " + phrase.Count(more, "other path")
		}
		b.WriteString(command.Folded("  ", "under "+under+" "+l.text, width))
	}
}

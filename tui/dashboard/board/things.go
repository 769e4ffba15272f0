package board

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/project/definition"
	"gatewright/tui/dialog"
)

// RowOf is the place of a row that is no thing of the project, such as a user: the name of its
// tab, and its ID in the table there.
type RowOf struct{ Tab, ID string }

// Finder is a tab whose rows the palette finds, besides the things of the project. The places
// of its things are a RowOf.
type Finder interface{ Things() []dialog.Thing }

// Things are what the palette finds: the things of the project, and what tabs add.
func (b *Board) Things() []dialog.Thing {
	if b.Snap == nil {
		return nil
	}
	all := b.Snap.Things
	for _, tab := range b.Tabs {
		if f, ok := tab.(Finder); ok {
			all = append(all[:len(all):len(all)], f.Things()...)
		}
	}
	return all
}

// ShowThing opens the tab of a thing, with the cursor on its row, as soon as the project is
// read.
func (b *Board) ShowThing(thing dialog.Thing) tea.Cmd {
	if b.Snap == nil {
		b.wanted = &thing
		return nil
	}
	switch to := thing.To.(type) {
	case model.Ref:
		return b.GoTo(to)
	case RowOf:
		for i, tab := range b.Tabs {
			if rows, ok := tab.(interface{ ShowRow(id string) bool }); ok && tab.Name() == to.Tab && rows.ShowRow(to.ID) {
				return b.OpenTab(i)
			}
		}
	}
	return nil
}

// ThingsOf are the things of a project, for the palette. There may be ten thousand paths, so
// they are made once for a snapshot.
func ThingsOf(b *model.Backend) []dialog.Thing {
	var all []dialog.Thing
	add := func(kind, name, about string, to model.Ref) {
		all = append(all,
			dialog.Thing{Kind: kind, Name: prose.PrintableStart(name), About: prose.PrintableStart(about), To: to})
	}
	for _, api := range b.APIs {
		add("API", api.Label, phrase.Count(len(api.Paths), "path"), model.Ref{Kind: model.KindAPI, Name: api.Label})
	}
	for _, f := range b.Functions {
		add("function", f.Name, string(f.Runtime), model.Ref{Kind: model.KindFunction, Name: f.Name})
	}
	for _, t := range b.Tables {
		add("table", t.Name, "key "+t.PartitionKey.Name, model.Ref{Kind: model.KindTable, Name: t.Name})
	}
	for _, e := range b.Environments {
		add("environment", e.Name, string(e.Provider), model.Ref{Kind: model.KindEnvironment, Name: e.Name})
	}
	for _, group := range b.Groups {
		add("group", group, "of the user pool", model.Ref{Kind: model.KindGroup, Name: group})
	}
	for _, o := range b.Outputs {
		add("output", o.Name, "of the client configuration file", model.Ref{Kind: model.KindOutput, Name: o.Name})
	}
	for _, api := range b.APIs {
		for _, path := range api.Paths {
			about := "of the API " + api.Label
			if path.Function != "" {
				about += ", function " + path.Function
			}
			add("path", path.Name, about, model.Ref{Kind: model.KindPath, API: api.Label, Name: path.Name})
		}
	}
	for _, kind := range definition.Kinds {
		for _, field := range definition.Fields(kind) {
			about := "of " + string(kind)
			if len(field.Place) > 1 {
				about += ", in " + strings.Join(field.Place[:len(field.Place)-1], ".")
			}
			add("field", field.Name, about, model.Ref{Kind: kind, Name: field.String()})
		}
	}
	return all
}

// Package preview says what answers will make, as plain lines: the routes of an
// API, who may do what, and the resources that come into being. Screens colour
// the lines by their tone.
package preview

import (
	"fmt"
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/prose"
	"gatewright/render"
)

// Routes is the route tree of an API: each path with its main and its proxy
// resource, the methods, the function, and in words who has access.
func Routes(api *model.API) []prose.Line {
	if api == nil || len(api.Paths) == 0 {
		return prose.InTone(prose.Muted, "no path yet")
	}
	var lines []prose.Line
	for _, p := range sorted(api.Paths) {
		depth := strings.Repeat("  ", max(0, strings.Count(strings.TrimSuffix(p.Name, "/"), "/")-1))
		lines = append(lines,
			prose.Line{Tone: prose.Plain, Text: depth + model.Quote(p.Name)},
			prose.Line{Tone: prose.Muted, Text: depth + "  ANY OPTIONS -> " + orUnknown(p.Function)},
		)
		if p.Name != model.ProxyPath {
			lines = append(lines, prose.Line{Tone: prose.Muted, Text: depth + "  " + model.ProxyOf("") + " the same, at any depth"})
		}
		lines = append(lines, prose.Line{Tone: accessTone(p.Access), Text: depth + "  " + p.Access.String()})
	}
	return lines
}

func sorted(paths []*model.Path) []*model.Path {
	return slices.SortedStableFunc(slices.Values(paths), func(a, b *model.Path) int { return strings.Compare(a.Name, b.Name) })
}

func orUnknown(function string) string {
	if function == "" {
		return "no function yet"
	}
	return model.Quote(function)
}

func accessTone(a model.Access) prose.Tone {
	if a.Setting == model.Open {
		return prose.Warning
	}
	return prose.Good
}

// Matrix is the access of a path as a table: a row for each principal, a column
// for each action. Marks stand beside colour, so that it reads without.
func Matrix(p *model.Path) []prose.Line {
	principals := []model.Principal{{Kind: model.Guest}, {Kind: model.Authenticated}}
	for _, g := range p.Access.Groups() {
		principals = append(principals, model.Principal{Kind: model.Group, Group: g})
	}
	width := 0
	for _, who := range principals {
		width = max(width, len([]rune(who.String())))
	}
	width = min(width, 24)
	header := strings.Repeat(" ", width)
	for _, a := range model.AllActions {
		header += "  " + a.String()
	}
	lines := prose.InTone(prose.Muted, header)
	for _, who := range principals {
		name := []rune(who.String())
		if len(name) > width {
			name = append(name[:width-1], '~')
		}
		row := string(name) + strings.Repeat(" ", width-len(name))
		allowed := p.Access.Allowed(who)
		for _, a := range model.AllActions {
			mark := "-"
			if allowed.Has(a) {
				mark = "x"
			}
			row += fmt.Sprintf("  %-*s", len(a.String()), mark)
		}
		lines = append(lines, prose.Line{Tone: prose.Plain, Text: strings.TrimRight(row, " ")})
	}
	return lines
}

// Resources are what the paths that differ between two backends make
// (specification, "Creation and deployment flow" 7).
func Resources(was, next *model.Backend) []prose.Line {
	var lines []prose.Line
	for _, api := range next.APIs {
		old := was.API(api.Label)
		if old == api {
			continue
		}
		for _, p := range api.Paths {
			if old != nil && slices.Contains(old.Paths, p) {
				continue
			}
			function := "function " + model.Quote(p.Function)
			if was.Function(p.Function) == nil {
				function += " (new), and its log group"
			} else {
				function += " (exists)"
			}
			lines = append(lines,
				prose.Line{Tone: prose.Plain, Text: "path " + model.Quote(p.Name) + " of api " + model.Quote(api.Label)},
				prose.Line{Tone: prose.Muted, Text: "  resources " + model.Quote(p.Name) + " and " + model.Quote(model.ProxyOf(p.Name)) + ", methods ANY and OPTIONS"},
				prose.Line{Tone: prose.Muted, Text: "  " + function})
		}
	}
	if was.Auth == nil && next.Auth != nil {
		lines = append(lines, prose.Line{Tone: prose.Plain, Text: "user pool (new): people sign in with their email"})
	}
	for _, g := range next.Groups {
		if !slices.Contains(was.Groups, g) {
			lines = append(lines, prose.Line{Tone: prose.Plain, Text: "group " + model.Quote(g) + " (new)"})
		}
	}
	for _, t := range next.Tables {
		if was.Table(t.Name) == nil {
			lines = append(lines, prose.Line{Tone: prose.Plain, Text: "table " + model.Quote(t.Name) + " (new)"})
		}
	}
	return lines
}

// Entry is a path's entry as it stands in a new cli-inputs.json.
func Entry(p *model.Path) []string {
	text := strings.TrimSpace(string(render.API(&model.API{Paths: []*model.Path{p}}, render.Foreign)))
	rows := strings.Split(text, "\n")
	const before, after = 3, 2
	if len(rows) <= before+after {
		return nil
	}
	rows = rows[before : len(rows)-after]
	for i, row := range rows {
		rows[i] = strings.TrimPrefix(row, "    ")
	}
	return rows
}

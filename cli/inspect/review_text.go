package inspect

import (
	"fmt"
	"strconv"
	"strings"

	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/diff"
	"gatewright/project/read"
)

// text returns the report for people. Lines are folded at width cells, or not at all if width is
// 0. With all, differences that are alike are not put together, and nothing is left out.
func (r reviewReport) text(all bool, width int, paint command.Palette) string {
	var b strings.Builder
	line := func(indent, text string) { b.WriteString(command.Folded(indent, text, width)) }
	head := "from " + r.Base + " to " + r.Head
	if r.Environment != "" {
		head += ", environment " + phrase.Quote(r.Environment)
	}
	line("", head)
	for _, note := range r.Notes {
		line("", "note: "+note)
	}
	for _, why := range r.Incomplete {
		b.WriteString(paint.Wider(command.Folded("", "▲ not all is known: "+why, width)))
	}
	r.writeAccess(&b, all, width, paint)
	if len(r.Opened) > 0 {
		line("", "opened apart from requests to APIs")
		for _, o := range r.Opened {
			b.WriteString(paint.Wider(command.Folded("  ", "▲ "+o.Text, width)))
			if at := o.Place.text(); at != "" {
				line("      ", at)
			}
		}
	}
	if len(r.Tests) > 0 {
		line("", "access tests that the change breaks")
		for _, t := range r.Tests {
			b.WriteString(paint.Bad(command.Folded("  ", t.Name+": "+t.Text, width)))
			if at := t.Place.text(); at != "" {
				line("      ", at)
			}
		}
	}
	r.writeResources(&b, all, width)
	r.writeProofs(&b, width, paint)
	line("", "review: "+r.summary())
	return b.String()
}

// writeAccess writes the differences in access: those that are alike together.
func (r reviewReport) writeAccess(b *strings.Builder, all bool, width int, paint command.Palette) {
	if len(r.Access) == 0 {
		return
	}
	const mostOpened, mostClosed = 40, 12
	differences := differencesOf(r.found.Access)
	b.WriteString("access: " + access.Count(differences) + "\n")
	at := make(map[string]reviewedAccess, len(r.Access))
	var groups []access.Alike
	for i, d := range differences {
		at[d.String()] = r.Access[i]
		if all {
			groups = append(groups, access.Alike{d})
		}
	}
	if !all {
		groups = access.Grouped(differences)
	}
	base, head := r.found.Backends()
	words := access.Words(groups, max(len(base.APIs), len(head.APIs)))
	var shown, left [2]int
	for i, group := range groups {
		sign, side, most, color := "▲ ", 0, mostOpened, paint.Wider
		if !group.Gained() {
			sign, side, most, color = "▼ ", 1, mostClosed, func(text string) string { return text }
		}
		if shown[side] == most && !all {
			left[side] += len(group)
			continue
		}
		shown[side]++
		b.WriteString(color(command.Folded("  ", sign+words[i], width)))
		first := at[group[0].String()]
		detail := first.Before + " before, " + first.After + " now"
		if place := first.Place.text(); place != "" {
			detail += "; " + place
		}
		b.WriteString(command.Folded("      ", detail, width))
		if group.Gained() {
			b.WriteString(command.Folded("      ", command.OneLine(first.Command), 0))
		}
	}
	for side, n := range left {
		if n > 0 {
			b.WriteString("  " + []string{"▲", "▼"}[side] + " and " + strconv.Itoa(n) + " more; -v shows them\n")
		}
	}
}

// text names the place: "backend/api/shop/cli-inputs.json:7:9".
func (p reviewedPlace) text() string {
	found := read.Problem{File: p.File, Line: p.Line, Column: p.Column}
	text := found.Place()
	if text != "" && p.InBase {
		text += ", as it was"
	}
	return text
}

// writeResources writes what else differs.
func (r reviewReport) writeResources(b *strings.Builder, all bool, width int) {
	const mostReasons = 6
	if len(r.Resources) > 0 {
		b.WriteString("resources\n")
	}
	for _, one := range r.Resources {
		b.WriteString(command.Folded("  ", one.title(), width))
		reasons := one.Reasons
		if more := one.sourceText(all); more != "" {
			reasons = append([]string{more}, reasons...)
		}
		for i, reason := range reasons {
			if i == mostReasons && !all && len(reasons) > mostReasons+1 {
				fmt.Fprintf(b, "    and %d more; -v shows them\n", len(reasons)-mostReasons)
				break
			}
			b.WriteString(command.Folded("    ", reason, width))
		}
	}
	if len(r.Files) == 0 {
		return
	}
	if !all {
		b.WriteString(command.Folded("", "files: "+phrase.List(pathsOf(r.Files)), width))
		return
	}
	b.WriteString("files\n")
	for _, f := range r.Files {
		b.WriteString("  " + f.Change + " " + phrase.QuotePath(f.Path) + "\n")
	}
}

// title names the resource and what happens to it: "function books is new".
func (one reviewedResource) title() string {
	text := one.of.String()
	if one.Environment != "" && one.of.Kind != model.KindEnvironment {
		text += " in environment " + phrase.Quote(one.Environment)
	}
	return text + map[diff.Operation]string{
		diff.ToCreate: " is new", diff.ToUpdate: " changes",
		diff.ToDelete: " is gone",
	}[one.Operation]
}

// sourceText says which files of the source differ; "" if none does.
func (one reviewedResource) sourceText(all bool) string {
	switch {
	case one.ManySources:
		return "its source changes, in many files"
	case len(one.Sources) == 0:
		return ""
	case all:
		return "its source changes in " + phrase.Count(len(one.Sources), "file") + ": " +
			strings.Join(pathsOf(one.Sources), ", ")
	}
	return "its source changes in " + phrase.Count(len(one.Sources), "file") + ": " + phrase.List(pathsOf(one.Sources))
}

func pathsOf(files []reviewedFile) []string {
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = phrase.QuotePath(f.Path)
	}
	return paths
}

// summary counts what is opened, closed and changed.
func (r reviewReport) summary() string {
	opened, closed := r.counts()
	var parts []string
	add := func(n int, text string) {
		if n > 0 {
			parts = append(parts, strconv.Itoa(n)+" "+text)
		}
	}
	add(opened, "opened")
	if !r.Complete {
		parts = append(parts, "perhaps more opened")
	}
	add(closed, "closed")
	if n := len(r.Tests); n > 0 {
		parts = append(parts, phrase.Count(n, "access test")+" broken")
	}
	if n := len(r.Resources); n > 0 {
		parts = append(parts, phrase.Count(n, "resource")+" changed")
	}
	if n := len(r.Files); n > 0 {
		parts = append(parts, phrase.Count(n, "file")+" changed")
	}
	if len(parts) == 0 {
		return "nothing changes"
	}
	if opened == 0 && r.Complete {
		parts = append([]string{"nothing opened"}, parts...)
	}
	return strings.Join(parts, ", ")
}

// counts returns how many differences open and close something.
func (r reviewReport) counts() (opened, closed int) {
	for _, a := range r.Access {
		if a.Gained {
			opened++
		} else {
			closed++
		}
	}
	return opened + len(r.Opened), closed
}

package livemap

import (
	"fmt"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model/access"
	"gatewright/model/graph"
	"gatewright/sandbox/traffic"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/widget"
)

// useKey is what a function uses.
type useKey struct{ function, resource string }

// usesOf are the counts of uses, by what is used: an operation each.
func usesOf(counts []traffic.UseCounts) map[useKey][]traffic.UseCounts {
	all := make(map[useKey][]traffic.UseCounts)
	for _, u := range counts {
		k := useKey{u.Function, u.Resource}
		all[k] = append(all[k], u)
	}
	for _, list := range all {
		slices.SortFunc(list, func(a, b traffic.UseCounts) int { return strings.Compare(a.Operation, b.Operation) })
	}
	return all
}

// seen says what a function did with a resource since the sandbox began: "get 2  put 1".
func (t *Tab) seen(function, resource string) string {
	var parts []string
	for _, u := range t.chart.used[useKey{function, resource}] {
		text := fmt.Sprintf("%s %d", widget.Operation(u.Operation), u.Calls)
		if u.Failed > 0 {
			text += fmt.Sprintf(" (%d failed)", u.Failed)
		}
		parts = append(parts, text)
	}
	return prose.PrintableStart(strings.Join(parts, "  "))
}

// Subject is the name of what is at hand.
func (t *Tab) Subject() string {
	n, ok := t.chart.node()
	r := t.chart.current()
	switch {
	case !ok || r == nil:
		return ""
	case n.Kind == graph.Caller:
		return prose.PrintableStart(t.chart.graph.Callers[t.chart.at.caller].String())
	case n.Name == "" || n.Kind == graph.Cause:
		return r.left
	}
	return prose.PrintableStart(n.Name)
}

// Detail says what is at hand, and which requests came there, the newest first.
func (t *Tab) Detail() []prose.Line {
	n, ok := t.chart.node()
	r := t.chart.current()
	if !ok || r == nil {
		return nil
	}
	var all []prose.Line
	say := func(tone prose.Tone, format string, args ...any) {
		all = append(all, prose.Line{Tone: tone, Text: prose.PrintableStart(fmt.Sprintf(format, args...))})
	}
	switch n.Kind {
	case graph.Caller:
		t.aboutCaller(r, say)
	case graph.Path:
		t.aboutPaths(r, say)
	case graph.Function:
		t.aboutFunction(n.Name, say)
	case graph.Resource:
		t.aboutResource(n.Name, say)
	case graph.Cause:
		say(prose.Plain, "calls function %s", r.function)
	}
	if t.board.Followed {
		all = append(all, prose.Line{})
		all = append(all, t.came(n)...)
	}
	return all
}

type sayer func(tone prose.Tone, format string, args ...any)

// aboutCaller says what a caller may do under a path, and on how many paths anything.
func (t *Tab) aboutCaller(r *row, say sayer) {
	c := t.chart
	who, paths, some := c.graph.Callers[c.at.caller], 0, len(c.graph.After(c.graph.CallerNode(c.at.caller)))
	for _, api := range c.graph.APIs {
		paths += len(api.Paths)
	}
	if len(r.paths) == 1 {
		may := r.paths[0].Allowed[c.at.caller]
		if may == 0 {
			say(prose.Warning, "%s may do nothing under %s", who, r.paths[0].Name)
		} else {
			say(prose.Plain, "%s may %s under %s", who, may, r.paths[0].Name)
		}
	}
	say(prose.Muted, "of %s they may use %d", phrase.Count(paths, "path"), some)
	if who.Kind == access.Group {
		at := slices.Index(t.board.Snap.Backend.Groups, who.Group)
		say(prose.Muted, "group %d of %d: of several groups the first one counts", at+1, len(t.board.Snap.Backend.Groups))
	}
}

// aboutPaths says who may use the paths of a row, and what serves them.
func (t *Tab) aboutPaths(r *row, say sayer) {
	c := t.chart
	if len(r.paths) != 1 {
		for _, p := range r.paths {
			say(prose.Plain, "%s   function %s", p.Name, p.Function)
		}
		return
	}
	p := r.paths[0]
	for i, who := range c.graph.Callers {
		tone, text := prose.Plain, p.Allowed[i].String()
		if p.Allowed[i] == 0 {
			tone = prose.Muted
		}
		if c.opened[gate{r.api, p.Name, i}] {
			text, tone = "▲ "+text+", more than at the last push", prose.Wider
		}
		say(tone, "%s: %s", who, text)
	}
	if p.Access.Setting == access.Open {
		say(prose.Warning, "open: everybody may, also without credentials")
	}
	if p.Function != "" {
		say(prose.Muted, "served by function %s", p.Function)
	}
}

// aboutFunction says what calls a function, and what it uses.
func (t *Tab) aboutFunction(name string, say sayer) {
	g := t.chart.graph
	if g.Missing[name] {
		say(prose.Bad, "the project has no such function")
	}
	if s, known := t.chart.workers[name]; known {
		say(prose.Plain, "%s: %d busy, %d idle, %d starting; %s", phrase.Count(s.Busy+s.Idle+s.Starting, "worker"),
			s.Busy, s.Idle, s.Starting, phrase.Count(s.Waiting, "call")+" waiting")
		if s.Fault != "" {
			say(prose.Bad, "%s", s.Fault)
		}
	}
	for _, by := range g.Before(graph.Node{Kind: graph.Function, Name: name}) {
		switch by.Kind {
		case graph.Path:
			say(prose.Plain, "serves %s of %s", by.Name, by.API)
		case graph.Function:
			say(prose.Plain, "called by function %s", by.Name)
		default:
			say(prose.Plain, "called by %s", by.Name)
		}
	}
	if g.Elsewhere[name] {
		say(prose.Muted, "what it may use is in its template, which this map does not read")
	}
	for _, u := range g.UsesOf(name) {
		t.sayUse("may use "+u.Resource, u, say)
	}
	for _, u := range unforeseen(g, t.chart.used, name) {
		say(prose.Plain, "also used %s: %s", u.Resource, t.seen(name, u.Resource))
	}
}

// sayUse says what a function may do with a resource, and what it did.
func (t *Tab) sayUse(begin string, u graph.Use, say sayer) {
	text := begin + ": " + u.Actions.String()
	if strings.HasPrefix(u.Resource, "function/") {
		text = begin + ": call"
	}
	if !u.Certain {
		text += ", if the conditions, accounts and regions of its policies fit"
	}
	if seen := t.seen(u.Function, u.Resource); seen != "" {
		text += "; did: " + seen
	}
	say(prose.Plain, "%s", text)
}

// aboutResource says which functions use a resource, and who reaches it through them.
func (t *Tab) aboutResource(name string, say sayer) {
	g := t.chart.graph
	used := false
	for _, u := range g.Uses {
		if u.Resource == name {
			used = true
			t.sayUse("function "+u.Function, u, say)
		}
	}
	for _, function := range g.Functions {
		for _, u := range unforeseen(g, t.chart.used, function) {
			if u.Resource == name {
				say(prose.Plain, "function %s used it: %s", function, t.seen(function, name))
			}
		}
	}
	switch {
	case len(g.Elsewhere) > 0:
		say(prose.Muted, "which functions may use it is in their templates, which this map does not read")
	case !used:
		say(prose.Muted, "no function may use it")
	}
	for _, c := range g.Called {
		if "table/"+c.Table == name {
			say(prose.Plain, "its changes call function %s", c.Function)
		}
	}
	var who []string
	lit := g.Reach(graph.Node{Kind: graph.Resource, Name: name})
	for i, p := range g.Callers {
		if lit[g.CallerNode(i)] {
			who = append(who, p.String())
		}
	}
	if len(who) > 0 {
		say(prose.Muted, "reached through paths by %s", phrase.List(who))
	}
}

// came are the last requests that concern a node; before anything was walked to, all of them.
func (t *Tab) came(n graph.Node) []prose.Line {
	if !t.chart.walked {
		lines, _, _ := t.board.Latest(nil)
		sum := t.sum()
		sum.Text = "in all: " + sum.Text
		return append([]prose.Line{sum}, lines...)
	}
	lines, here, all := t.board.Latest(func(call *traffic.Call) bool { return t.concerns(call, n) })
	return append([]prose.Line{{Text: fmt.Sprintf("%d of the last %s", here, phrase.Count(all, "call"))}}, lines...)
}

// Third shows the requests of the details, which come after an empty line, on their own.
func (t *Tab) Third(details []prose.Line) board.Third {
	at := slices.IndexFunc(details, func(line prose.Line) bool { return line.Text == "" })
	if at < 0 {
		return board.Third{}
	}
	return board.Third{Title: "requests", Lines: details[at+1:], Last: len(details) - at}
}

// concerns reports whether a call is one of a node.
func (t *Tab) concerns(call *traffic.Call, n graph.Node) bool {
	switch n.Kind {
	case graph.Caller:
		at := t.callerOf(call)
		return at >= 0 && t.chart.graph.CallerNode(at) == n
	case graph.Path:
		return t.chart.current().has(call)
	case graph.Function:
		return call.Function == n.Name
	}
	return slices.ContainsFunc(call.Uses, func(u traffic.Use) bool { return graph.NodeOf(u.Resource) == n })
}

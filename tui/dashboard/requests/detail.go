package requests

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model/access"
	"gatewright/project/answer"
	"gatewright/sandbox"
	"gatewright/sandbox/traffic"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/frame"
)

// shown is what the sandbox knows of one call.
type shown struct {
	id     string
	detail traffic.Detail
	// err is why it is not known.
	err error
	// ways are commands that would let the call through.
	ways []string
	// log is the log of the call by the parts of its time, read for the third pane of a wide window.
	log []prose.Line
}

// patience is how long the sandbox may take to answer a question.
const patience = 5 * time.Second

// ask asks the sandbox about the call under the cursor. One question is asked at a time: rows
// may come faster than answers.
func (t *Tab) ask() tea.Cmd {
	r, ok := t.List.Row()
	if !ok || r.lost > 0 || t.asking || t.shown != nil && t.shown.id == r.id || !t.board.Sandbox.Runs() ||
		t.board.Sandbox.Client == nil {
		return nil
	}
	t.asking = true
	client, ways, wide := t.board.Sandbox.Client, t.ways(r), t.board.RoomForThird
	return func() tea.Msg {
		now := &shown{id: r.id}
		now.detail, now.err = detailOf(client, r)
		now.ways = ways()
		if wide && now.err == nil {
			log, err := logOf(client, &now.detail.Call)
			if now.log = grouped(&now.detail.Call, log, err); len(now.log) == 0 {
				now.log = prose.InTone(prose.Muted, "nothing is in its log")
			}
		}
		return frame.ThenMsg(func() tea.Cmd {
			t.asking, t.shown = false, now
			return t.ask()
		})
	}
}

// detailOf asks the sandbox for all that it remembers of a call.
func detailOf(client *sandbox.Client, r *row) (traffic.Detail, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	d, err := client.Request(ctx, r.call.Number)
	if err == nil && d.Request != r.call.Request {
		return d, fmt.Errorf("the sandbox was restarted and no longer knows this request")
	}
	return d, err
}

// ways finds, outside Update, the commands that would let a refused call through.
func (t *Tab) ways(r *row) func() []string {
	c, s := &r.call, t.board.Snap
	if c.Who.Allowed || c.Path == "" || c.Who.Kind == traffic.Nobody || c.Who.Kind == traffic.Unknown ||
		s.Backend.API(c.API) == nil {
		return func() []string { return nil }
	}
	return func() []string {
		path, _, _ := strings.Cut(c.Target, "?")
		who := answer.Who{SignedIn: c.Who.Kind != traffic.Guest, Groups: c.Who.Groups, User: c.Who.Name}
		caller := answer.CallerOf(who, s.Backend)
		if who.User != "" {
			caller = answer.UserCaller(who, c.Who.Groups, true, true, "")
		}
		a, err := answer.Question{
			Backend: s.Backend, Caller: caller, Method: c.Method, Path: path,
			APIs: []*access.API{s.Backend.API(c.API)}, Chosen: true,
		}.Answer()
		if err != nil || a.Allowed {
			return nil
		}
		return a.Words().Commands
	}
}

// about is what is known of a row; nil if it is not known yet.
func (t *Tab) about(r *row) *shown {
	if t.shown != nil && t.shown.id == r.id && t.shown.detail.Time.Equal(r.call.Time) {
		return t.shown
	}
	return nil
}

// beside shows the log of a call.
func (t *Tab) beside(r *row) board.Third {
	if r.lost > 0 || t.about(r) == nil && !t.board.Sandbox.Runs() {
		return board.Third{}
	}
	unread := prose.InTone(prose.Muted, "its log is not read; enter shows everything")
	third := board.Third{Title: "log of " + r.called, Lines: unread}
	switch known := t.about(r); {
	case known != nil && known.log != nil:
		third.Lines = known.log
	case t.asking:
		third.Lines[0].Text = "reading its log ..."
	}
	return third
}

// describe gives the details of a row, the most important first.
func (t *Tab) describe(r *row) []prose.Line {
	if line, ok := r.whole(); ok {
		return []prose.Line{
			line,
			{
				Tone: prose.Muted,
				Text: fmt.Sprintf("the sandbox keeps the last %d requests, and so does this list", traffic.MostCalls),
			},
		}
	}
	c, known := &r.call, t.about(r)
	all := t.withTimes(r)
	if known != nil && len(known.ways) > 0 {
		for _, way := range known.ways[:min(len(known.ways), 2)] {
			all = append(all, prose.Line{Text: "to allow it: " + prose.PrintableStart(way)})
		}
	} else if c.Fix != "" {
		all = append(all, prose.Line{Text: "to do: " + prose.PrintableStart(c.Fix)})
	}
	switch {
	case known == nil:
	case known.err != nil:
		all = append(all, prose.Line{Tone: prose.Warning, Text: prose.PrintableStart(known.err.Error())})
	case known.detail.Gone:
		all = append(all, prose.Line{Tone: prose.Warning, Text: goneText})
	default:
		d := &known.detail
		all = append(all, prose.Line{})
		all = append(all, briefly("request", d.Headers, d.Body, d.Base64)...)
		all = append(all, briefly("response", d.AnswerHeaders, d.AnswerBody, d.AnswerBase64)...)
	}
	return append(append(all, prose.Line{}), origin(c)...)
}

const goneText = "the request and the response are no longer kept: later requests needed the memory"

// verdict says how a call went, who sent it, and in a sentence why it was refused or failed.
func verdict(c *traffic.Call) []prose.Line {
	who := c.Who.String()
	if by := c.Who.Credentials(); by != "" {
		who += ", " + by
	}
	all := []prose.Line{{
		Tone: toneOf(c),
		Text: prose.PrintableStart(c.OutcomeInWords() + " in " + clock.Took(c.Took) + "   " + who),
	}}
	say := func(tone prose.Tone, text string) {
		all = append(all, prose.Line{Tone: tone, Text: prose.PrintableStart(text)})
	}
	switch {
	case c.Refused() && c.Who.As != "" && !c.Who.Allowed:
		say(prose.Warning, traffic.RefusedMark+" refused: "+c.Who.Rule)
	case c.Refused() && c.Why != "":
		say(prose.Warning, traffic.RefusedMark+" refused: "+c.Why)
	case c.Failed && c.Why != "":
		say(prose.Bad, traffic.FailedMark+" failed: "+c.Why)
	case c.Why != "":
		say(prose.Bad, c.Why)
	}
	for _, breach := range c.Breaches {
		say(prose.Warning, traffic.BreachMark+" "+traffic.BreaksContract+breach)
	}
	if c.Mocked {
		say(prose.Note, "answered with an example of the contract, without a function")
	}
	if c.Why == "" && !c.Refused() && c.Who.Rule != "" {
		say(prose.Plain, "let in: "+c.Who.Rule)
	}
	return all
}

// origin says where a call came from, what served it, and its id.
func origin(c *traffic.Call) (all []prose.Line) {
	say := func(text string) { all = append(all, prose.Line{Tone: prose.Muted, Text: prose.PrintableStart(text)}) }
	if c.Path != "" && c.API != "" {
		text := "path " + c.Path + " of " + c.API
		if c.Function != "" {
			text = "served by " + c.Path + " of " + c.API + ", function " + c.Function + " in " + clock.Took(c.Ran)
			if c.Started > 0 {
				text += ", after " + clock.Took(c.Started) + " in which its worker started"
			}
		}
		say(text)
	}
	if len(c.Who.Groups) > 0 {
		text := "member of " + phrase.List(c.Who.Groups)
		if c.Who.As != "" {
			text += ", acting as " + c.Who.As
		}
		say(text)
	}
	say(clock.Stamp(c.Time) + "   id " + c.Request)
	return all
}

// briefly are the headers that matter at a glance, and the body, in a line each. A body in
// base64 is not text, and is only counted.
func briefly(what string, headers []traffic.Header, body string, inBase64 bool) []prose.Line {
	var parts []string
	for _, h := range headers {
		switch strings.ToLower(h.Name) {
		case "content-type", "x-amzn-errortype", "location":
			parts = append(parts, h.Name+": "+h.Value)
		}
	}
	if inBase64 {
		body = "not text, " + phrase.Count(len(bytesOf(body)), "byte")
	}
	const longest = 400
	if len(body) > longest {
		body = strings.ToValidUTF8(body[:longest], "") + "…"
	}
	head := prose.PrintableStart(strings.TrimRight(fmt.Sprintf("%-10s", what)+strings.Join(parts, "   "), " "))
	switch {
	case body == "" && len(parts) == 0:
		return nil
	case body == "":
		return []prose.Line{{Tone: prose.Muted, Text: head}}
	}
	return []prose.Line{
		{Tone: prose.Muted, Text: head},
		{Tone: prose.Code, Text: "  " + prose.PrintableStart(strings.Join(strings.Fields(body), " "))},
	}
}

package activity

import (
	"fmt"

	"gatewright/deploy/contract"
	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
)

// cloudRow is the id of the heading of a push to AWS.
const cloudRow = "head\x00cloud"

// mostDone is how many finished branches are shown; those with a failure and those where
// something goes on are all shown.
const mostDone = 8

// rows are the push with its branches: those with a failure first, then those where something
// goes on.
func (c *cloudPush) rows() []row {
	if c == nil {
		return nil
	}
	above := head("cloud", c.text())
	above.title = c.title
	if c.failed {
		above.line.Tone = prose.Bad
		above.detail = append(above.detail, prose.Line{Tone: prose.Bad, Text: c.err})
	} else if c.step != "" {
		above.detail = append(above.detail, prose.Line{Tone: prose.Muted, Text: c.step})
	}
	if c.cancel != nil && !c.detached {
		above.detail = append(above.detail,
			prose.Line{
				Tone: prose.Muted,
				Text: `esc only stops following, the push continues in AWS; "cancel the push" in the palette undoes it`,
			})
	}
	if c.detached {
		above.detail = append(above.detail,
			prose.Line{
				Tone: prose.Muted,
				Text: `"follow the push" in the palette follows it again, "cancel the push" undoes it`,
			})
	}
	rows := []row{above}
	done := 0
	for _, b := range c.tree.Branches() {
		if !b.Failed() && !b.Going() {
			if done++; done > mostDone {
				continue
			}
		}
		rows = append(rows, branchRows(b)...)
	}
	if more := done - mostDone; more > 0 {
		rows = append(rows,
			row{
				id: "branch\x00more", title: c.title, level: 1, before: "  ",
				line: prose.Line{Tone: prose.Muted, Text: fmt.Sprintf("and %d more are done", more)}, words: "push",
			})
	}
	return rows
}

// text is the heading: how far the push is, or how it ended.
func (c *cloudPush) text() string {
	done, total := c.tree.Count()
	count := fmt.Sprintf("%d of %s", done, phrase.Count(total, "resource"))
	failed := 0
	for _, b := range c.tree.Branches() {
		for i := range b.Resources {
			if b.Resources[i].Failed {
				failed++
			}
		}
	}
	switch {
	case c.failed && c.push == nil:
		return c.title + " failed"
	case c.failed:
		return fmt.Sprintf("%s failed after %s", c.title, clock.Took(c.ended.Sub(c.began)))
	case c.detached:
		return c.title + " continues in AWS; it was at " + count + " when it was last followed"
	case c.prepared.Load(), total == 0 && c.step == "":
		return c.title + ": being prepared"
	case total == 0:
		return c.title + ": " + c.step
	case failed > 0:
		return fmt.Sprintf("%s: %d failed, %s", c.title, failed, count)
	}
	return c.title + ": " + count
}

// branchRows are a branch with its count and what goes on, and below it what failed and why.
func branchRows(b *contract.Branch) []row {
	name, id := prose.PrintableStart(b.Name()), fmt.Sprint("branch\x00", b.Of)
	line := prose.Line{Tone: prose.Good, Text: "✓ "}
	switch {
	case b.Failed():
		line = prose.Line{Tone: prose.Bad, Text: "✗ "}
	case b.Going():
		line = prose.Line{Tone: prose.Note, Text: "• "}
	}
	line.Text += fmt.Sprintf("%s  %d/%d", name, b.Done(), len(b.Resources))
	var detail []prose.Line
	var failed []row
	going := ""
	for i := range b.Resources {
		r := &b.Resources[i]
		text, tone := prose.PrintableStart(r.Name+" "+r.Words()), prose.Muted
		switch {
		case r.Failed:
			text, tone = prose.PrintableStart(r.Name+" failed: "+r.Reason), prose.Bad
			failed = append(failed, row{
				id: id + "\x00" + r.ID, title: name, level: 1, before: "      ", line: prose.Line{Tone: prose.Bad, Text: text},
				words: "push " + name, copied: text,
				detail: []prose.Line{
					{Tone: prose.Bad, Text: text},
					{Tone: prose.Muted, Text: prose.PrintableStart("now " + r.Words())},
				},
			})
		case r.Going():
			tone = prose.Note
			if going == "" {
				going = text
			}
		}
		detail = append(detail, prose.Line{Tone: tone, Text: text})
	}
	if going != "" {
		line.Text += "  " + going
	}
	return append([]row{{id: id, title: name, level: 1, before: "  ", line: line, words: "push " + name, detail: detail}},
		failed...)
}

package requests

import (
	"cmp"
	"strconv"
	"time"

	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/sandbox/traffic"
)

// row is a call with its columns, which are safe for the screen; or a place where calls are
// missing. Rows are made outside Update.
type row struct {
	call traffic.Call
	// sandbox is when the sandbox that answered it began.
	sandbox time.Time
	id      string
	texts   *traffic.Texts
	// judged is the number of the filter that kept the row or not.
	judged int
	kept   bool
	// lost is how many calls are missing at this place; 0 for a call.
	lost uint64

	called, time, method, path, outcome, took, who, function, note string
}

// rowOf makes the row of a call.
func rowOf(c traffic.Call, sandbox time.Time) *row {
	r := &row{
		call: c, texts: c.Texts(), sandbox: sandbox, id: strconv.FormatUint(c.Number, 10),
		time: clock.Thousandth(c.Time), method: prose.PrintableStart(cmp.Or(c.Method, "-")),
		path:    prose.PrintableStart(c.Address()),
		outcome: c.MarkedOutcome(), took: traffic.Milliseconds(c.Took), who: prose.PrintableStart(c.Who.String()),
		function: prose.PrintableStart(c.Function), note: prose.PrintableStart(c.Note()),
	}
	r.called = prose.PrintableStart(c.Name())
	return r
}

// lostRow is the row at a place where calls are missing, before the one with a number.
func lostRow(n, before uint64) *row {
	return &row{id: "lost " + strconv.FormatUint(before, 10), lost: n, called: "missing requests"}
}

// whole is the line of a row without columns.
func (r *row) whole() (prose.Line, bool) {
	if r.lost == 0 {
		return prose.Line{}, false
	}
	return prose.Line{
		Tone: prose.Warning,
		Text: "… " + phrase.Count(int(r.lost), "request") + " missing here: more came than could be read",
	}, true
}

// outcomeTone is the tone of the class of a status; a broken contract stands out too.
func (r *row) outcomeTone() prose.Tone { return toneOf(&r.call) }

func toneOf(c *traffic.Call) prose.Tone {
	switch {
	case c.Failed:
		return prose.Bad
	case c.Status >= 400 || len(c.Breaches) > 0:
		return prose.Warning
	}
	return prose.Good
}

// tookTone makes slow calls stand out.
func (r *row) tookTone() prose.Tone {
	if traffic.IsSlow(r.call.Took) {
		return prose.Warning
	}
	return prose.Muted
}

// noteTone makes failures and broken contracts stand out.
func (r *row) noteTone() prose.Tone {
	switch {
	case r.call.Failed:
		return prose.Bad
	case len(r.call.Breaches) > 0:
		return prose.Warning
	}
	return prose.Muted
}

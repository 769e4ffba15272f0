package traffic

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"gatewright/model"
	"gatewright/sandbox/function"
)

// MostKept is how many bytes of a body, an event, a result or an answer are kept.
const MostKept = 64 << 10

// Cut is a text as it is kept: at most its beginning. What is left out is added to Left, as
// the end of what the text is.
func (d *Detail) Cut(what, text string) string {
	if len(text) <= MostKept {
		return text
	}
	return strings.Clone(beginning(d, what, text))
}

// beginning is the part of a text that is kept.
func beginning[Text ~string | ~[]byte](d *Detail, what string, text Text) Text {
	if len(text) <= MostKept {
		return text
	}
	d.LeaveEnd(what, MostKept, len(text))
	end := MostKept
	for back := 0; back < utf8.UTFMax-1 && !utf8.RuneStart(text[end]); back++ {
		end--
	}
	return text[:end]
}

// LeaveEnd notes in Left that only the first bytes of something are kept.
func (d *Detail) LeaveEnd(of string, kept, all int) {
	d.Left = append(d.Left, fmt.Sprintf("the end of the %s: %d KB of %d KB are kept", of, kept>>10, (all+1<<10-1)>>10))
}

// Kept is a payload as it is kept: its beginning without secrets. hide takes out further ones.
func (d *Detail) Kept(what string, payload []byte, hide func(string) string) string {
	masked, _ := Masked(string(beginning(d, what, payload)))
	return hide(masked)
}

// KeepCall remembers how the call of a function went, whose name and time d has already. hide
// takes out what the sandbox knows as secrets.
func (d *Detail) KeepCall(event []byte, a function.Answer, err error, hide func(string) string) {
	d.Failed = err != nil || a.Failed
	d.Started, d.Ran = a.Init, cmp.Or(a.Duration, d.Took)
	d.Event, d.Result = d.Kept("event", event, hide), d.Kept("result", a.Payload, hide)
	switch {
	case err != nil:
		d.Why = hide(err.Error())
	case a.Failed:
		d.Why, d.Fix = "function "+model.Quote(d.Function)+" ended with an error", "see its log"
	}
}

package app

import (
	"fmt"
	"time"

	"gatewright/flow/validation"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/tui/frame"
)

// now is the clock of the screens.
func now(o Options) func() time.Time {
	if o.Now != nil {
		return o.Now
	}
	return time.Now
}

// notice is what the header of every page says about the problems of the project: the errors
// and the warnings, as validate counts them.
func notice(r *validation.Report) frame.Notice {
	if r.None {
		return frame.Notice{}
	}
	if r.Err != nil {
		text := prose.Line{Tone: prose.Bad, Text: "! cannot be validated"}
		return frame.Notice{Parts: []prose.Line{text}, Short: prose.Line{Tone: prose.Bad, Text: "! ?"}}
	}
	var n frame.Notice
	if r.Warnings > 0 {
		n.Parts = []prose.Line{{Tone: prose.Warning, Text: phrase.Count(r.Warnings, "warning")}}
		n.Short = prose.Line{Tone: prose.Warning, Text: fmt.Sprint(r.Warnings, " warn")}
	}
	if r.Errors > 0 {
		text := prose.Line{Tone: prose.Bad, Text: "! " + phrase.Count(r.Errors, "error")}
		n.Parts = append([]prose.Line{text}, n.Parts...)
		n.Short = prose.Line{Tone: prose.Bad, Text: fmt.Sprint("! ", r.Errors)}
	}
	return n
}

package traffic

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"gatewright/internal/text/phrase"
	"gatewright/sandbox/function"
)

// MostKept is how many bytes of a body, an event, a result or an answer are kept.
const MostKept = 64 << 10

// beyond is how many bytes behind those that are kept are looked at too: a secret that lies
// where a text is cut is seen as a whole, and taken out, unless it is longer than that.
const beyond = 16 << 10

// Kept is a body, an event, a result or an answer as it is kept: without secrets, plain or in
// base64, and only the beginning of a long one, as Left says then. hide takes out what is known
// as a secret. names are those of the values that were taken out.
func (d *Detail) Kept(what string, text []byte, hide func(string) string) (kept string, names []string) {
	return keptOf(d, what, text, MostKept, hide)
}

// KeptBody is Kept for a body: in base64, as inBase64 says, if it is not UTF-8.
func (d *Detail) KeptBody(what, body string, hide func(string) string) (kept string, inBase64 bool, names []string) {
	if utf8.ValidString(body) {
		kept, names = keptOf(d, what, body, MostKept, hide)
		return kept, false, names
	}
	kept, names = keptOf(d, what, body, MostKept/4*3, hide)
	return base64.StdEncoding.EncodeToString([]byte(kept)), true, names
}

// keptOf is Kept for a limit in bytes.
func keptOf[Text ~string | ~[]byte](
	d *Detail, what string, text Text, most int, hide func(string) string,
) (kept string, names []string) {
	if len(text) > most {
		d.Left = append(d.Left,
			fmt.Sprintf("the end of the %s: %d KB of %d KB are kept", what, most>>10, (len(text)+1<<10-1)>>10))
	}
	for seen := most + beyond; seen < len(text); seen *= 2 {
		kept, names = cleaned(string(text[:seen]), hide, deepest)
		// The end may be the beginning of a secret. Without long secrets, enough is left.
		if whole := len(kept) - beyond; whole >= most/2 {
			return beginning(kept, min(most, whole)), names
		}
	}
	kept, names = cleaned(string(text), hide, deepest)
	return beginning(kept, most), names
}

// beginning is at most the first bytes of a text, without a character that would be cut.
func beginning(text string, most int) string {
	if len(text) <= most {
		return text
	}
	end := most
	for back := 0; back < utf8.UTFMax-1 && !utf8.RuneStart(text[end]); back++ {
		end--
	}
	return strings.Clone(text[:end])
}

// KeepCall remembers how the call of a function went, whose name and time d has already. hide
// takes out what the sandbox knows as secrets.
func (d *Detail) KeepCall(event []byte, a function.Answer, err error, hide func(string) string) {
	d.Failed = err != nil || a.Failed
	d.Started, d.Ran = a.Init, cmp.Or(a.Duration, d.Took)
	d.Event, _ = d.Kept("event", event, hide)
	d.Result, _ = d.Kept("result", a.Payload, hide)
	switch {
	case err != nil:
		d.Why = hide(err.Error())
	case a.Failed:
		d.Why, d.Fix = "function "+phrase.Quote(d.Function)+" ended with an error", "see its log"
	}
}

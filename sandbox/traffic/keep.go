package traffic

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"unicode/utf8"

	"gatewright/internal/text/phrase"
	"gatewright/sandbox/function"
)

// MostKept is how many bytes of a body, an event, a result or an answer are kept.
const MostKept = 64 << 10

// beyond is how many bytes behind those that are kept are looked at too: a secret that lies
// where a text is cut is seen as a whole, and taken out, unless it is longer than that.
const beyond = 16 << 10

// mostHeld is how many bytes of a text are held as it came until somebody looks. Of a longer one, only
// what is looked at first is copied: the whole would take the place of other calls.
const mostHeld = 256 << 10

// Held is a body, an event, a result or an answer as it came, or the beginning of a long one, and the
// length of the whole in bytes.
type Held[Text ~string | ~[]byte] struct {
	text Text
	size int
}

// HeldOf refers to a text, which must not change any more. Of a long one it copies the beginning, so
// that the rest does not stay in memory.
func HeldOf[Text ~string | ~[]byte](text Text) Held[Text] {
	p := Held[Text]{text, len(text)}
	if len(text) > mostHeld {
		p.text = Text(append([]byte(nil), text[:uncut(text, MostKept+beyond)]...))
	}
	return p
}

// Joined is JSON with the text that came apart from it, at its place.
func Joined(json, text Held[[]byte], place function.Apart) Held[[]byte] {
	if place.Base64 {
		left := text.text
		if len(left) < text.size {
			left = left[:len(left)/3*3]
		}
		text = Held[[]byte]{base64.StdEncoding.AppendEncode(nil, left), base64.StdEncoding.EncodedLen(text.size)}
	}
	end := place.At + len(`""`)
	if end > len(json.text) {
		// What is left of a long one ends before the text.
		return Held[[]byte]{json.text, json.size + text.size}
	}
	if len(text.text) < text.size {
		// Where a text is cut may be the beginning of a secret, so nothing follows.
		json.text = json.text[:end]
	}
	whole := function.Apart{Text: text.text, At: place.At}.Into(json.text)
	return Held[[]byte]{whole, len(whole) + json.size - len(json.text) + text.size - len(text.text)}
}

// Len is how many bytes a part keeps in memory.
func (p Held[Text]) Len() int { return len(p.text) }

// Kept is a text as it is shown: without secrets, plain or in base64, and only the beginning of a
// long one, as Left says then. hide takes out what is known as a secret. names are those of the values
// that were taken out.
func (p Held[Text]) Kept(d *Detail, what string, hide func(string) string) (kept string, names []string) {
	return p.kept(d, what, MostKept, hide)
}

// KeptBody is Kept for a body: in base64, as inBase64 says, if it is not UTF-8.
func (p Held[Text]) KeptBody(
	d *Detail, what string, hide func(string) string,
) (kept string, inBase64 bool, names []string) {
	if utf8.Valid([]byte(p.text)) {
		kept, names = p.kept(d, what, MostKept, hide)
		return kept, false, names
	}
	kept, names = p.kept(d, what, MostKept/4*3, hide)
	return base64.StdEncoding.EncodeToString([]byte(kept)), true, names
}

// kept is Kept for a limit in bytes.
func (p Held[Text]) kept(d *Detail, what string, most int, hide func(string) string) (kept string, names []string) {
	for seen := most + beyond; ; seen *= 2 {
		kept, names = cleaned(string(p.text[:min(seen, len(p.text))]), hide, deepest)
		if seen >= p.size {
			break
		}
		// The end may be the beginning of a secret. Without long secrets, enough is left.
		kept = kept[:uncut(kept, max(0, len(kept)-beyond))]
		if len(kept) >= most/2 || seen >= len(p.text) {
			break
		}
	}
	if kept = kept[:uncut(kept, most)]; p.size > most {
		d.Left = append(d.Left,
			fmt.Sprintf("the end of the %s: %d KB of %d KB are kept", what, (len(kept)+1<<10-1)>>10, (p.size+1<<10-1)>>10))
	}
	return kept, names
}

// uncut is how many of at most the first bytes of a text do not cut a character.
func uncut[Text ~string | ~[]byte](text Text, most int) int {
	if len(text) <= most {
		return len(text)
	}
	end := most
	for back := 0; end > 0 && back < utf8.UTFMax-1 && !utf8.RuneStart(text[end]); back++ {
		end--
	}
	return end
}

// execution is the call of a function that no request asked for, as it came.
type execution struct {
	event, result Held[[]byte]
	hide          func(string) string
}

func (r *execution) CleanCall(c *Call) { c.Why = r.hide(c.Why) }

func (r *execution) Clean(d *Detail) {
	d.Event, _ = r.event.Kept(d, "event", r.hide)
	d.Result, _ = r.result.Kept(d, "result", r.hide)
}

// AddRun adds the call of a function that no request asked for, and how it went. c has its name and
// time already. hide takes out what the sandbox knows as secrets.
func (s *Store) AddRun(c Call, ended Ended, event []byte, a function.Answer, err error, hide func(string) string) {
	c.Failed = err != nil || a.Failed
	c.Started, c.Ran = a.Init, cmp.Or(a.Duration, c.Took)
	switch {
	case err != nil:
		c.Why = err.Error()
	case a.Failed:
		c.Why, c.Fix = "function "+phrase.Quote(c.Function)+" ended with an error", "see its log"
	}
	r := &execution{HeldOf(event), HeldOf(a.Payload), hide}
	s.AddRaw(c, ended, r.event.Len()+r.result.Len(), r)
}

// AddRefused adds a request that called no function. hide is as in AddRun.
func (s *Store) AddRefused(c Call, ended Ended, hide func(string) string) {
	s.AddRaw(c, ended, 0, &execution{hide: hide})
}

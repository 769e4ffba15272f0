package logs

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
)

// redacted stands where a secret value stood.
const redacted = "<redacted>"

// leastSecret is the shortest value in bytes that is looked for: a shorter one
// is in too many words that are none.
const leastSecret = 4

// leastSecretLine is the shortest line of a value of several lines that is looked
// for alone: functions write such a value (a key) line by line.
const leastSecretLine = 12

// Redact makes the values secret from now on, beside those that are already:
// every occurrence of one of 4 bytes or more in a text becomes <redacted>, also
// where the text has it escaped as JSON, once or twice over. A value that is split
// over two lines is found only where the value itself has that line break.
func (s *Store) Redact(values []string) {
	s.secretsMu.Lock()
	defer s.secretsMu.Unlock()
	var forms []string
	if known := s.secrets.Load(); known != nil {
		forms = slices.Clone(*known)
	}
	for _, value := range values {
		forms = append(forms, secretForms(value)...)
	}
	slices.Sort(forms)
	forms = slices.Compact(forms)
	s.secrets.Store(&forms)
}

// Hide is a text as Append would keep it: without what Redact made secret.
func (s *Store) Hide(text string) string {
	if secrets := s.secrets.Load(); secrets != nil {
		return redact(text, *secrets)
	}
	return text
}

// secretForms is every way to look for a value.
func secretForms(value string) []string {
	plain := []string{value, strings.TrimSpace(value)}
	for line := range strings.Lines(value) {
		if line = strings.TrimSpace(line); len(line) >= leastSecretLine {
			plain = append(plain, line)
		}
	}
	var forms []string
	for _, form := range plain {
		if len(form) < leastSecret {
			continue
		}
		forms = append(forms, form)
		// JSON.stringify, encoding/json and json.dumps of Python differ in what
		// they escape beyond what they must.
		for _, more := range []func(rune) bool{
			func(rune) bool { return false },
			func(r rune) bool { return strings.ContainsRune("<>&\u2028\u2029", r) },
			func(r rune) bool { return r >= 0x7f },
		} {
			once := escapeJSON(form, more)
			forms = append(forms, once, escapeJSON(once, more))
		}
	}
	return forms
}

// escapeJSON is the text as it stands inside a JSON string; more says which
// characters are escaped though they need not be.
func escapeJSON(text string, more func(rune) bool) string {
	short := map[rune]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}
	var b strings.Builder
	for _, r := range text {
		switch escaped, ok := short[r]; {
		case ok:
			b.WriteString(escaped)
		case r < ' ' || more(r):
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, `\u%04x`, unit)
			}
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// redact is the text without the secrets. Occurrences that overlap become one:
// what is left of the second would be a part of a secret.
func redact(text string, secrets []string) string {
	type span struct{ from, to int }
	var spans []span
	for _, secret := range secrets {
		for from, first := 0, len(spans); ; {
			i := strings.Index(text[from:], secret)
			if i < 0 {
				break
			}
			i += from
			if last := len(spans) - 1; last >= first && i < spans[last].to {
				spans[last].to = i + len(secret)
			} else {
				spans = append(spans, span{i, i + len(secret)})
			}
			from = i + 1
		}
	}
	if spans == nil {
		return text
	}
	slices.SortFunc(spans, func(a, b span) int { return a.from - b.from })
	var b strings.Builder
	done, hidden := 0, -1
	for _, s := range spans {
		if s.from >= hidden {
			b.WriteString(text[done:s.from])
			b.WriteString(redacted)
			done = s.from
		}
		hidden = max(hidden, s.to)
		done = max(done, hidden)
	}
	b.WriteString(text[done:])
	return b.String()
}

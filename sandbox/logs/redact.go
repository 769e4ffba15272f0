package logs

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"gatewright/model"
)

// minSecret is the length in bytes of the shortest secret that is replaced: shorter ones
// occur in too many other words.
const minSecret = 4

// minSecretLine is the length of the shortest line of a secret of several lines, such as a
// private key, that is replaced alone: functions may write such a secret line by line.
const minSecretLine = 12

// Redact adds secret values. From now on, every occurrence of a secret of at least 4 bytes
// in a text becomes <redacted>, also if it is escaped as JSON, once or twice. A secret
// that a text has on two lines is found only if the secret itself has the line break.
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

// Hide replaces secrets in a text as Append does.
func (s *Store) Hide(text string) string {
	if secrets := s.secrets.Load(); secrets != nil {
		return redact(text, *secrets)
	}
	return text
}

// secretForms are the forms in which a secret may occur in a text.
func secretForms(value string) []string {
	plain := []string{value, strings.TrimSpace(value)}
	for line := range strings.Lines(value) {
		if line = strings.TrimSpace(line); len(line) >= minSecretLine {
			plain = append(plain, line)
		}
	}
	var forms []string
	for _, form := range plain {
		if len(form) < minSecret {
			continue
		}
		forms = append(forms, form)
		// JSON.stringify, encoding/json and Python's json.dumps differ in the
		// optional escapes.
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

// escapeJSON escapes a text for a JSON string; more reports optional characters to escape.
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

// redact replaces secrets in a text. Overlapping occurrences become one <redacted>, since
// the rest of the second would be a part of a secret.
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
			b.WriteString(model.Redacted)
			done = s.from
		}
		hidden = max(hidden, s.to)
		done = max(done, hidden)
	}
	b.WriteString(text[done:])
	return b.String()
}

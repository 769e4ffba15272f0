package entry

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
)

// Line is a line of an entry as it is shown, in parts with tones. It is printable.
type Line struct {
	Parts []Part
	// Place is what the line names: a file of the project, or the zero Place.
	Place Place
}

// Part is a part of a line.
type Part struct {
	Tone prose.Tone
	Text string
}

// Text is the text of all parts.
func (l Line) Text() string {
	var b strings.Builder
	for _, p := range l.Parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// The limits of what is shown of an entry: lines and bytes of a line while it is folded, and
// of the whole.
const (
	fewLines  = 12
	mostLines = 2000
	shortText = 1200
	longText  = 2 << 10
)

// Body makes the lines of an entry. more are the texts of the entries that continue it.
// Folded, it has what one wants to know: the message, the fields, the frames of the
// function's own source. Whole, it is what was written, with JSON indented.
func Body(e *Entry, more []string, of Source, whole bool) []Line {
	b := body{of: of, tone: e.Severity.tone(e), whole: whole}
	text := e.Text
	if len(more) > 0 {
		text += "\n" + strings.Join(more, "\n")
	}
	if !whole {
		// The level is shown next to it.
		text = strings.TrimPrefix(text, "["+e.Severity.Word()+"] ")
	}
	b.read(e, text)
	if whole {
		return b.limited(mostLines)
	}
	return b.limited(fewLines)
}

// tone is how the message of an entry is drawn.
func (s Severity) tone(e *Entry) prose.Tone {
	switch {
	case s.Bad():
		return prose.Bad
	case s == Warn:
		return prose.Warning
	case s == Debug, s == Trace, e.Quiet():
		return prose.Muted
	}
	return prose.Plain
}

// Tone is how the level of an entry is drawn.
func (e *Entry) Tone() prose.Tone {
	if e.Severity == Info {
		return prose.Muted
	}
	return e.Severity.tone(e)
}

// body collects the lines of an entry.
type body struct {
	of    Source
	tone  prose.Tone
	whole bool
	lines []Line
	// newestLast says that a stack of Python is among the lines, which ends with what matters
	// most: the newest call, and the error.
	newestLast bool
}

func (b *body) read(e *Entry, text string) {
	if title, value, ok := strings.Cut(text, " \t"); ok && e.Severity.Bad() && !strings.Contains(title, "\n") {
		if f, ok := readError(value); ok {
			if b.whole {
				b.message(title)
				b.json(value)
				return
			}
			if title != titles[0] {
				f.kind = strings.TrimSuffix(title+": "+f.kind, ": ")
			}
			b.fault(f, e.Request)
			return
		}
	}
	if value, ok := goError(text); ok {
		if f, ok := readError(value); ok {
			if b.whole {
				b.message(strings.TrimSuffix(text, value))
				b.json(value)
				return
			}
			b.fault(f, e.Request)
			return
		}
	}
	if fields, ok := objectIn(text); ok {
		if b.whole {
			b.json(text)
			return
		}
		b.object(fields, e.Request, text)
		return
	}
	b.text(text)
}

// object shows an object that a logger wrote: its message, then the rest as name=value.
func (b *body) object(fields []field, request, text string) {
	rest := make([]field, 0, len(fields))
	for _, f := range fields {
		if !f.isObvious(request) {
			rest = append(rest, f)
		}
	}
	of := faultOf(rest)
	if of.message == "" && of.inner == nil && of.stack == nil {
		b.add(Line{Parts: []Part{{prose.Code, prose.Printable(cut(strings.TrimSpace(text), shortText))}}})
		return
	}
	if of.stack == nil && of.kind != "" {
		// "type" and "name" are fields like others where there is no error.
		of = &fault{message: taken(&rest, messageNames...), rest: rest, inner: of.inner}
		if of.inner != nil {
			taken(&of.rest, faultNames...)
		}
	}
	b.fault(of, request)
}

// fault shows an error: type and message, its other fields, its frames, and what it was made
// of.
func (b *body) fault(f *fault, request string) {
	at := len(b.lines)
	b.message(f.heading())
	if len(b.lines) > at {
		first := &b.lines[at]
		for _, other := range f.rest {
			if !other.isObvious(request) {
				first.Parts = append(first.Parts,
					Part{prose.Muted, "  " + prose.Printable(cut(other.name+"="+other.shown(), shortText/2))})
			}
		}
	}
	if f.inner != nil && f.inner.stack != nil {
		b.fault(f.inner, request)
		return
	}
	b.frames(f.frames())
	if f.inner != nil {
		b.fault(f.inner, request)
	}
}

// message shows the text of a message.
func (b *body) message(text string) {
	for line := range strings.SplitSeq(strings.TrimRight(text, "\r\n"), "\n") {
		b.long(strings.TrimRight(line, "\r"))
	}
}

// long adds a line of text: its beginning, or all of it in parts if the whole is shown.
func (b *body) long(line string) {
	if !b.whole {
		b.add(b.plain(line))
		return
	}
	for len(line) > longText && len(b.lines) < mostLines {
		part := cutAt(line, longText)
		b.add(b.plain(line[:part]))
		line = line[part:]
	}
	b.add(b.plain(line))
}

func (b *body) plain(line string) Line {
	l := Line{Parts: []Part{{b.tone, prose.Printable(line)}}}
	if len(line) > longText || !b.whole && len(line) > shortText {
		l.Parts = []Part{
			{b.tone, prose.Printable(cut(line, shortText))},
			{prose.Muted, " " + sizeOf(len(line)-shortText) + " more"},
		}
	}
	return l
}

// text shows plain text with the stacks in it.
func (b *body) text(text string) {
	lines := strings.Split(strings.TrimRight(text, "\r\n"), "\n")
	for at := 0; at < len(lines); {
		if !isFrame(lines[at]) {
			line := strings.TrimRight(lines[at], "\r")
			place := placeIn(line)
			first := len(b.lines)
			b.long(line)
			b.lines[first].Place = place
			at++
			continue
		}
		end := at
		for end < len(lines) && (isFrame(lines[end]) || isUnderFrame(lines, end)) {
			end++
		}
		b.frames(lines[at:end])
		at = end
	}
}

// json shows a value as it was written, indented.
func (b *body) json(text string) {
	value := jsontext.Value(strings.TrimSpace(text))
	if err := value.Indent(jsontext.WithIndent("  "), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true)); err != nil {
		b.text(text)
		return
	}
	for line := range bytes.SplitSeq(value, []byte("\n")) {
		l := Line{Parts: []Part{{prose.Code, prose.Printable(cut(string(line), longText))}}}
		// Frames in a list of texts.
		if inner := strings.TrimSuffix(strings.Trim(strings.TrimSpace(string(line)), `",`), `\n`); isFrame(inner) {
			l.Place = placeIn(inner)
		}
		b.add(l)
	}
}

func (b *body) add(l Line) {
	if _, own := b.of.Name(l.Place); !own {
		l.Place = Place{}
	}
	b.lines = append(b.lines, l)
}

// limited are the first lines, and how many more there are. With a stack of Python, which is
// folded, the last lines are kept too.
func (b *body) limited(most int) []Line {
	if len(b.lines) <= most+1 {
		return b.lines
	}
	head, tail := most, len(b.lines)
	if b.newestLast && !b.whole {
		head, tail = most/3, tail-(most-most/3)
		// The source text below a frame goes with it.
		isFrame := func(l Line) bool { return l.Place.File != "" }
		for head > 1 && isFrame(b.lines[head-1]) {
			head--
		}
		tail += max(0, slices.IndexFunc(b.lines[tail:], isFrame))
	}
	more := Line{Parts: []Part{{prose.Muted, fmt.Sprintf("%d more lines", tail-head)}}}
	return append(append(b.lines[:head:head], more), b.lines[tail:]...)
}

// cut shortens a text to about n bytes, with an ellipsis.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return text[:cutAt(text, n)] + "…"
}

// cutAt is the end of the last whole character before byte n.
func cutAt(text string, n int) int {
	for at := n; at > n-utf8.UTFMax; at-- {
		if utf8.RuneStart(text[at]) {
			return at
		}
	}
	return n
}

// sizeOf is a number of bytes for people.
func sizeOf(n int) string {
	const kilo = 1 << 10
	if n < 10*kilo {
		return phrase.Count(n, "byte")
	}
	return fmt.Sprintf("%d KB", n/kilo)
}

package manual

import (
	"fmt"
	"strings"
	"unicode"
)

// roff is a page in the language of man(7) (https://man.openbsd.org/man.7), which every system
// with the command man reads.
type roff struct{ strings.Builder }

// line adds a line that the reader obeys.
func (r *roff) line(text string) { r.WriteString(text + "\n") }

func (r *roff) section(title string) { r.line(".SH " + quoted(title)) }

// text adds a line of escaped text.
func (r *roff) text(escaped string) {
	if strings.HasPrefix(escaped, ".") || strings.HasPrefix(escaped, "'") {
		escaped = `\&` + escaped
	}
	r.line(escaped)
}

// synopsis adds the line of a command's use: its own words are bold.
func (r *roff) synopsis(use string) {
	words := strings.Fields(use)
	own := 0
	for own < len(words) && strings.Trim(words[own], "abcdefghijklmnopqrstuvwxyz-") == "" {
		own++
	}
	r.text(strings.TrimSpace(`\fB` + escaped(strings.Join(words[:own], " ")) + `\fR ` +
		escaped(strings.Join(words[own:], " "))))
}

// item adds a heading and, further in, what it means.
func (r *roff) item(heading, means string) {
	r.line(".TP")
	r.text(heading)
	r.text(escaped(strings.Join(strings.Fields(means), " ")))
}

// prose adds paragraphs, which empty lines separate. As in the help, a line that ends a
// sentence is the last of its paragraph, and lines that are set further in stay as they are.
func (r *roff) prose(text string) {
	literal, ended := false, false
	set := func(on bool) {
		if on != literal {
			literal = on
			r.line(map[bool]string{true: ".PP\n.nf", false: ".fi"}[on])
		}
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(strings.ReplaceAll(line, "\t", "    "), " \n")
		switch further := strings.HasPrefix(line, " "); {
		case line == "":
			ended = true
			continue
		case !further && (ended || literal):
			set(false)
			r.line(".PP")
		case further:
			set(true)
		}
		r.text(escaped(line))
		ended = strings.HasSuffix(line, ".") || strings.HasSuffix(line, ":")
	}
	set(false)
}

// example adds commands as they are typed.
func (r *roff) example(text string) {
	r.line(".RS 2")
	r.line(".nf")
	for line := range strings.Lines(text) {
		r.text(escaped(strings.TrimPrefix(strings.TrimRight(line, "\n"), "  ")))
	}
	r.line(".fi")
	r.line(".RE")
}

// escaped returns text that the reader shows as it is. A hyphen stands for a minus sign, so
// that flags can be copied from a page.
func escaped(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "~", `\(ti`, "^", `\(ha`, "`", `\(ga`, "'", `\(aq`, "\t",
		"    ").Replace(text)
	if !strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if r > unicode.MaxASCII {
			fmt.Fprintf(&b, `\[u%04X]`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// quoted is an argument of a request.
func quoted(text string) string { return `"` + strings.ReplaceAll(text, `"`, `\(dq`) + `"` }

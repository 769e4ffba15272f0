package request

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/project/document"
	"gatewright/project/jsonpath"
	"gatewright/project/saved"
	"gatewright/sandbox/call"
)

// Difference is one way in which an answer is not the kept one.
type Difference struct {
	// Where is "status", "header NAME", "body", or "body" with a JSON pointer.
	Where    string `json:"where"`
	Expected string `json:"expected"`
	Got      string `json:"got"`
}

// String returns the difference in one line that is safe for a terminal.
func (d Difference) String() string {
	return prose.Printable(d.Where + ": expected " + d.Expected + ", got " + d.Got)
}

// mostDifferences is how many differences are found at most.
const mostDifferences = 100

// Differences are the ways in which an answer is not the kept one, none if it is.
func Differences(kept saved.Answer, a call.Answer) []Difference {
	var all []Difference
	if a.Status != kept.Status {
		all = append(all, Difference{"status", strconv.Itoa(kept.Status), strconv.Itoa(a.Status)})
	}
	for _, line := range kept.Headers {
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch values := headerValues(a.Headers, name); {
		case len(values) == 0:
			all = append(all, Difference{"header " + name, value, "no such header"})
		case strings.Join(values, ", ") != value:
			all = append(all, Difference{"header " + name, value, strings.Join(values, ", ")})
		}
	}
	if kept.Pattern != "" {
		if pattern, err := regexp.Compile(kept.Pattern); err != nil {
			all = append(all, Difference{"body", "a match of a valid pattern", err.Error()})
		} else if !pattern.Match(a.Body) {
			all = append(all, Difference{"body", "a match of " + kept.Pattern, excerpt(string(a.Body))})
		}
	}
	if kept.Body != nil && *kept.Body != string(a.Body) {
		all = append(all, textDifference(*kept.Body, string(a.Body)))
	}
	if len(kept.JSON) > 0 {
		all = append(all, jsonDifferences(kept, a.Body)...)
	}
	return all
}

// textDifference is the first line in which two texts differ.
func textDifference(want, got string) Difference {
	wanted, lines := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i, line := range wanted {
		if i >= len(lines) {
			return Difference{fmt.Sprintf("body, line %d", i+1), excerpt(line), "the end"}
		}
		if lines[i] != line {
			return Difference{fmt.Sprintf("body, line %d", i+1), excerpt(line), excerpt(lines[i])}
		}
	}
	return Difference{fmt.Sprintf("body, line %d", len(wanted)+1), "the end", excerpt(lines[len(wanted)])}
}

func jsonDifferences(kept saved.Answer, body []byte) []Difference {
	want, err := document.Parse(kept.JSON)
	if err != nil {
		return []Difference{{"body", "valid JSON", err.Error()}}
	}
	got, err := document.Parse(body)
	if err != nil {
		return []Difference{{"body", "JSON", excerpt(string(body))}}
	}
	c := comparison{part: kept.Part, ignored: make(map[string]bool)}
	for _, text := range kept.Ignore {
		path, err := jsonpath.Parse(text)
		if err != nil {
			c.all = append(c.all, Difference{"ignore", "a JSON path", text})
			continue
		}
		for _, doc := range []*document.Document{want, got} {
			for _, m := range path.Find(doc.Root()) {
				c.ignored[m.Pointer] = true
			}
		}
	}
	c.compare("", want.Root(), got.Root())
	return c.all
}

// comparison compares two JSON documents.
type comparison struct {
	part    bool
	ignored map[string]bool
	all     []Difference
}

func (c *comparison) add(pointer, want, got string) {
	if c.ignored[pointer] || len(c.all) >= mostDifferences {
		return
	}
	c.all = append(c.all, Difference{strings.TrimSpace("body " + pointer), want, got})
}

func (c *comparison) compare(pointer string, want, got document.Node) {
	switch {
	case c.ignored[pointer]:
	case want.Kind() != got.Kind():
		c.add(pointer, shownValue(want), shownValue(got))
	case want.Kind() == document.Object:
		for name, value := range want.Members() {
			at := pointer + "/" + model.PointerSegment(name)
			if other, has := got.Get(name); has {
				c.compare(at, value, other)
			} else {
				c.add(at, shownValue(value), "nothing")
			}
		}
		for name, value := range got.Members() {
			if _, has := want.Get(name); !has && !c.part {
				c.add(pointer+"/"+model.PointerSegment(name), "nothing", shownValue(value))
			}
		}
	case want.Kind() == document.Array:
		others := make([]document.Node, 0, got.Len())
		for _, other := range got.Elements() {
			others = append(others, other)
		}
		for i, value := range want.Elements() {
			at := pointer + "/" + strconv.Itoa(i)
			if i < len(others) {
				c.compare(at, value, others[i])
			} else {
				c.add(at, shownValue(value), "nothing")
			}
		}
		for i := want.Len(); i < len(others) && !c.part; i++ {
			c.add(pointer+"/"+strconv.Itoa(i), "nothing", shownValue(others[i]))
		}
	case !sameScalar(want, got):
		c.add(pointer, shownValue(want), shownValue(got))
	}
}

// sameScalar reports whether two values that are no containers mean the same.
func sameScalar(x, y document.Node) bool {
	if bytes.Equal(x.Raw(), y.Raw()) {
		return true
	}
	if x.Kind() == document.String {
		return x.Text() == y.Text()
	}
	return x.Kind() == document.Number && decimalOf(string(x.Raw())) == decimalOf(string(y.Raw()))
}

// decimal is a number of JSON as it is written, with all its digits: as a float, long ids
// would be the same though they differ.
type decimal struct {
	negative bool
	digits   string
	exponent int
}

// decimalOf reads a number, so that 2.0 and 20e-1 are the same.
func decimalOf(text string) decimal {
	text, negative := strings.CutPrefix(text, "-")
	mantissa, power := text, "0"
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		mantissa, power = text[:at], text[at+1:]
	}
	exponent, err := strconv.Atoi(power)
	if err != nil {
		return decimal{negative: negative, digits: text} // it is the same only if it is written so
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := strings.TrimLeft(whole+fraction, "0")
	digits := strings.TrimRight(all, "0")
	if digits == "" {
		return decimal{}
	}
	return decimal{negative, digits, exponent - len(fraction) + len(all) - len(digits)}
}

// shownValue is a value in one short line.
func shownValue(n document.Node) string {
	var one bytes.Buffer
	if err := json.Compact(&one, n.Raw()); err != nil {
		return excerpt(string(n.Raw()))
	}
	return excerpt(one.String())
}

// excerpt is the beginning of a text in one line.
func excerpt(text string) string {
	const most = 60
	if text == "" {
		return "no text"
	}
	runes := []rune(text)
	if len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

package request

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/project/document"
	"gatewright/project/jsonpath"
)

// parsedBody reads a body as JSON. The error is one line.
func parsedBody(body []byte) (*document.Document, error) {
	doc, err := document.Parse(bytes.TrimSpace(body))
	if err != nil {
		return nil, fmt.Errorf("no value of the body can be selected: %w", err)
	}
	return doc, nil
}

// plainValue is a value as a person copies it: of a string the text, of anything else the JSON.
func plainValue(n document.Node) string {
	if n.Kind() == document.String {
		return n.Text()
	}
	if text, ok := indented(n.Raw()); ok {
		return string(text)
	}
	return string(n.Raw())
}

// mostIndented is how many bytes of JSON may become by being indented: deeply nested, a few
// thousand brackets would become gigabytes of spaces.
const mostIndented = 32 << 20

// indented is JSON with a line for each member and element. ok is false if it is no JSON, or
// nested so deeply that it would become too long.
func indented(raw []byte) (text []byte, ok bool) {
	const step = 2
	size, depth, inText := len(raw), 0, false
	for i := 0; i < len(raw) && size <= mostIndented; i++ {
		switch c := raw[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '{', c == '[':
			depth++
			size += step*depth + 1
		case c == '}', c == ']':
			depth--
			size += step*depth + 1
		case c == ',':
			size += step*depth + 1
		}
	}
	var b bytes.Buffer
	if size > mostIndented || json.Indent(&b, bytes.TrimSpace(raw), "", strings.Repeat(" ", step)) != nil {
		return nil, false
	}
	return b.Bytes(), true
}

// ValueAt returns the value that begins in a line of the body as Describe shows it, counted from 0, whole even if the
// line is cut. ok is false if the body is not a JSON object or array, or if no value begins there.
func ValueAt(body []byte, line int) (text string, ok bool) {
	if !isBracket(string(body)) {
		return "", false
	}
	doc, err := parsedBody(body)
	if err != nil {
		return "", false
	}
	at := 0
	found, ok := nodeAt(doc.Root(), line, &at)
	if !ok {
		return "", false
	}
	return plainValue(found), true
}

// nodeAt finds the value that begins in a line of indented JSON. at is the line where n begins,
// and afterwards the one after its end.
func nodeAt(n document.Node, line int, at *int) (document.Node, bool) {
	if *at == line {
		return n, true
	}
	*at++
	if n.Len() == 0 {
		return n, false
	}
	for _, child := range n.Elements() {
		if found, ok := nodeAt(child, line, at); ok {
			return found, true
		}
	}
	for _, child := range n.Members() {
		if found, ok := nodeAt(child, line, at); ok {
			return found, true
		}
	}
	if *at == line {
		return n, true // its closing bracket
	}
	*at++
	return n, false
}

// Picked is what a JSON path leads to in a body.
type Picked struct {
	Path  string
	Count int
	// Text is the value, or of several values a JSON array.
	Text string
	// Lines show the values, each with its place if there are several.
	Lines []prose.Line
}

// Pick picks values from a body by a JSON path. The error is one line.
func Pick(body []byte, path string) (Picked, error) {
	parsed, err := jsonpath.Parse(strings.TrimSpace(path))
	if err != nil {
		return Picked{}, err
	}
	doc, err := parsedBody(body)
	if err != nil {
		return Picked{}, err
	}
	found := parsed.Find(doc.Root())
	p := Picked{Path: parsed.String(), Count: len(found)}
	switch len(found) {
	case 0:
		return Picked{}, errors.New("there is no value at " + phrase.Quote(path))
	case 1:
		p.Text, p.Lines = plainValue(found[0].Node), valueLines(found[0].Node)
		return p, nil
	}
	var all [][]byte
	size := 0
	for i, m := range found {
		all = append(all, m.Node.Raw())
		if size += len(m.Node.Raw()); size > mostIndented {
			return Picked{}, fmt.Errorf("%s selects more than %d MB; give a narrower path", phrase.Quote(path), mostIndented>>20)
		}
		if len(p.Lines) < mostLines {
			p.Lines = append(append(p.Lines, prose.Line{Tone: prose.Title, Text: prose.Printable(m.Pointer)}),
				valueLines(m.Node)...)
		} else if i == len(found)-1 {
			p.Lines = append(p.Lines,
				prose.Line{Tone: prose.Muted, Text: "the rest is not shown; the path selects " + phrase.Count(len(found), "value")})
		}
	}
	text := slices.Concat([]byte("["), bytes.Join(all, []byte(",")), []byte("]"))
	if wide, ok := indented(text); ok {
		text = wide
	}
	p.Text = string(text)
	return p, nil
}

// valueLines are the lines of a value.
func valueLines(n document.Node) []prose.Line {
	if n.Len() > 0 {
		return bodyLines(n.Raw())
	}
	return []prose.Line{{Tone: prose.Code, Text: prose.PrintableStart(string(n.Raw()))}}
}

// CompareKept describes how an answer differs from the kept one of a saved request.
func CompareKept(name string, differences []Difference, x Exchange) []prose.Line {
	lines := []prose.Line{
		{Tone: prose.Title, Text: "Compared with the expected response of " + prose.Printable(name)},
		{Tone: x.Tone(), Text: prose.Printable(x.Form.Sentence()) + ": " + x.Summary()},
	}
	if len(differences) == 0 {
		return append(lines, prose.Line{Tone: prose.Good, Text: "the response is as expected"})
	}
	lines = append(lines, prose.Line{Tone: prose.Warning, Text: strconv.Itoa(len(differences)) + " different"})
	for _, d := range differences {
		lines = append(lines,
			prose.Line{Tone: prose.Strong, Text: prose.Printable(d.Where)},
			prose.Line{Tone: prose.Removed, Text: "- " + prose.Printable(d.Expected)},
			prose.Line{Tone: prose.Added, Text: "+ " + prose.Printable(d.Got)})
	}
	return lines
}

package drift

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gatewright/deploy/stack"
	"gatewright/internal/secret"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
)

// Sides are how the two sides of a comparison are called: where something should be so, and where it is not.
type Sides struct{ Want, Is string }

// The comparisons.
var (
	// CloudAgainstStack compares what is in the account with the stack.
	CloudAgainstStack = Sides{"in the stack", "in the cloud"}
	// StackAgainstDefinition compares the template of a stack with the definition as deployed.
	StackAgainstDefinition = Sides{"in the definition", "in the stack"}
)

// longestValue is how many characters of a value are shown.
const longestValue = 60

// Words says in what a resource of a type differs, a line for each property. hidden reports whether a variable of the
// resource is a secret; nil is for none. Values whose names or shapes are those of secrets are never shown.
func Words(kind string, differences []stack.Difference, of Sides, hidden func(variable string) bool) []string {
	var lines []string
	for _, whole := range differences {
		for _, d := range divided(whole) {
			if line := line(kind, d, of, hidden); !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// mostDepth is how deep a value is divided.
const mostDepth = 10

// divided divides a difference of two objects into those of their members.
func divided(d stack.Difference) []stack.Difference {
	var want, is map[string]any
	wanted, had := json.Unmarshal([]byte(d.Want), &want) == nil && want != nil,
		json.Unmarshal([]byte(d.Is), &is) == nil && is != nil
	if !wanted && !had || !wanted && !d.Added || !had && !d.Removed || strings.Count(d.Path, "/") > mostDepth {
		return []stack.Difference{d}
	}
	names := maps.Clone(want)
	if names == nil {
		names = make(map[string]any)
	}
	maps.Copy(names, is)
	var all []stack.Difference
	for _, name := range slices.Sorted(maps.Keys(names)) {
		w, wanted := want[name]
		i, had := is[name]
		one := stack.Difference{
			Path: d.Path + "/" + model.PointerSegment(name), Want: textOf(w), Is: textOf(i),
			Added: !wanted, Removed: !had,
		}
		if wanted && had && one.Want == one.Is {
			continue
		}
		all = append(all, divided(one)...)
	}
	if len(all) == 0 {
		return []stack.Difference{d}
	}
	return all
}

func textOf(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	body, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(body)
}

// line says in what one property differs.
func line(kind string, d stack.Difference, of Sides, hidden func(string) bool) string {
	p, name := propertyOf(kind, d.Path)
	what := p.words
	if strings.Contains(what, "%s") {
		what = fmt.Sprintf(what, phrase.Quote(name))
	}
	if p.access {
		what = "access: " + what
	}
	// The names of other properties are known not to be those of secrets.
	named := strings.Contains(p.words, "%s")
	hide := p.opaque || named && secret.Named(name) || p.variable && hidden != nil && hidden(name)
	switch {
	case d.Added && (hide || p.variable || d.Is == ""):
		return what + ", only " + of.Is
	case d.Removed && (hide || p.variable || d.Want == ""):
		return what + ", only " + of.Want
	case d.Added:
		return what + " " + p.value(d.Is) + ", only " + of.Is
	case d.Removed:
		return what + " " + p.value(d.Want) + ", only " + of.Want
	}
	want, is := p.value(d.Want), p.value(d.Is)
	if hide || want == is || d.Want == "" || d.Is == "" {
		return what + ", another " + of.Is + " than " + of.Want
	}
	return what + " " + want + " " + of.Want + ", " + is + " " + of.Is
}

// value shows a value of a property in one line, with its unit.
func (p property) value(text string) string {
	for _, word := range p.values {
		if word.is == text {
			return word.means
		}
	}
	text = secret.HideShapes(text, model.Redacted)
	if runes := []rune(text); len(runes) > longestValue {
		text = string(runes[:longestValue]) + "..."
	}
	if p.unit != "" {
		return prose.PrintableStart(text) + " " + p.unit
	}
	return phrase.Quote(text)
}

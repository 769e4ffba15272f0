package outputs

import (
	"maps"
	"slices"
	"strings"

	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/clientfile"
	"gatewright/project/definition"
	"gatewright/render"
)

// origin says where a value comes from, and which outputs give it.
type origin struct{ from, outputs []string }

// add adds an origin, once.
func (o *origin) add(from, output string) {
	if !slices.Contains(o.from, from) {
		o.from = append(o.from, from)
	}
	if output != "" && !slices.Contains(o.outputs, output) {
		o.outputs = append(o.outputs, output)
	}
}

// trace sets the origin of each line of some texts.
func (c *clientFile) trace(content clientfile.Content, texts ...*clientText) {
	origins := make(map[model.Dialect]map[string]*origin)
	for _, dialect := range model.Dialects {
		origins[dialect] = c.originsOf(content, dialect)
	}
	for _, text := range texts {
		for ; text != nil; text = text.other {
			for _, line := range text.lines {
				line.from = origins[text.dialect][line.pointer]
			}
		}
	}
}

// originsOf are the origins of the values of a file, by their pointers in a dialect. An
// object has the origins of all its values.
func (c *clientFile) originsOf(content clientfile.Content, dialect model.Dialect) map[string]*origin {
	origins := make(map[string]*origin)
	for _, pointer := range slices.Sorted(maps.Keys(content.Origins)) {
		place := model.PlaceOf(pointer)
		for given := range strings.SplitSeq(content.Origins[pointer], ", ") {
			from, output := c.origin(place, given)
			at := ""
			for _, name := range placeIn(place, dialect) {
				at += "/" + model.PointerSegment(name)
				if origins[at] == nil {
					origins[at] = &origin{}
				}
				origins[at].add(from, output)
			}
		}
	}
	return origins
}

// placeIn translates a place into a dialect.
func placeIn(place []string, dialect model.Dialect) []string {
	return render.TranslatePlace(place, model.Neutral, dialect)
}

// origin is where the value at a place comes from, in words, and the output that
// gave it; "" for none.
func (c *clientFile) origin(place []string, given string) (from, output string) {
	if given != clientfile.Generated {
		name, _ := strings.CutPrefix(given, "output ")
		for _, o := range c.backend.Outputs {
			if phrase.Quote(o.Name) == name {
				output = o.Name
			}
		}
		return prose.PrintableStart("output " + name), output
	}
	section := place[0]
	says := func(env string) bool {
		values, err := definition.Of(c.backend, model.Kind(section), env)
		return err == nil && len(values) > 0 && model.ValueAt(values, place[1:]) != nil
	}
	switch {
	case c.env != "" && says(c.env):
		return "environment " + c.env + ", which overrides the definition " + section, ""
	case says(""):
		return "the definition " + section, ""
	case model.ValueAt(c.pushed.Last().Outputs, place) != nil:
		return "the last push of " + c.env + ", " + clock.Moment(c.pushed.Last().Deployed), ""
	case section == string(model.KindAuth) && c.backend.Auth != nil:
		return "a default of the definition auth", ""
	case section == string(model.KindData):
		return "the placeholder of the key, which is not set", ""
	}
	return "a push", ""
}

package dashboard

import (
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/render"
)

// defined is the environment as the model has it; nil for none.
func (e *environment) defined() *model.Environment {
	if e == nil {
		return nil
	}
	return e.Environment
}

// named is the environment's name; "" for none.
func (e *environment) named() string {
	if e == nil {
		return ""
	}
	return e.Name
}

// pointersOf is the JSON pointer of what each line of a file begins with; that of
// the whole where a line begins with nothing. What is no JSON gets some.
func pointersOf(text string) []string {
	var (
		pointers []string
		w        pointerWalk
	)
	for line := range strings.SplitSeq(text, "\n") {
		at, got := "", false
		begins := func() {
			if !got {
				at, got = w.pointer(), true
			}
		}
		for _, part := range tokensOf(strings.TrimSuffix(line, "\r")) {
			switch part.kind {
			case keyToken:
				w.name(nameOf(part.text))
				begins()
			case stringToken, wordToken:
				begins()
			case markToken:
				switch part.text {
				case "{", "[":
					begins()
					w.steps = append(w.steps, pointerStep{array: part.text == "["})
				case "}", "]":
					w.steps = w.steps[:max(0, len(w.steps)-1)]
					begins()
				case ",":
					w.next()
				}
			}
		}
		pointers = append(pointers, at)
	}
	return pointers
}

// lineAt is the first of lines, by the pointers of what they begin with, that a
// place is in; none where none is.
func lineAt(pointers []string, pointer string) int {
	for pointer != "" {
		if at := slices.Index(pointers, pointer); at >= 0 {
			return at
		}
		pointer = pointer[:strings.LastIndex(pointer, "/")]
	}
	return none
}

// pointerWalk follows a JSON file and knows where it is.
type pointerWalk struct{ steps []pointerStep }

type pointerStep struct {
	array bool
	index int
	name  string
}

func (w *pointerWalk) name(name string) {
	if n := len(w.steps); n > 0 {
		w.steps[n-1].name = name
	}
}

func (w *pointerWalk) next() {
	if n := len(w.steps); n > 0 {
		w.steps[n-1].index++
	}
}

// pointer is the place of the value to come. That of an item of an array is the
// array: nothing is said of its items.
func (w *pointerWalk) pointer() string {
	var b strings.Builder
	for _, step := range w.steps {
		if step.array {
			break
		}
		b.WriteString("/" + model.PointerToken(step.name))
	}
	return b.String()
}

// origin says where a value comes from, and by which calls of addOutput.
type origin struct{ from, outputs []string }

func (o *origin) add(from string, output string) {
	if !slices.Contains(o.from, from) {
		o.from = append(o.from, from)
	}
	if output != "" && !slices.Contains(o.outputs, output) {
		o.outputs = append(o.outputs, output)
	}
}

// originsOf says for each place of a file where what stands there comes from, by
// the pointers of each dialect. What is said of a leaf is said of all above it.
func (c *clientFile) originsOf(content model.ClientFileContent) map[model.Dialect]map[string]*origin {
	all := make(map[model.Dialect]map[string]*origin)
	for _, dialect := range model.Dialects {
		all[dialect] = make(map[string]*origin)
	}
	pointers := make([]string, 0, len(content.Origins))
	for pointer := range content.Origins {
		pointers = append(pointers, pointer)
	}
	slices.Sort(pointers)
	for _, pointer := range pointers {
		place := placeOf(pointer)
		for given := range strings.SplitSeq(content.Origins[pointer], ", ") {
			from, output := c.origin(place, given)
			for _, dialect := range model.Dialects {
				for at := range above(placeIn(place, dialect)) {
					if all[dialect][at] == nil {
						all[dialect][at] = &origin{}
					}
					all[dialect][at].add(from, output)
				}
			}
		}
	}
	return all
}

// above are the pointers of a place and of all that it stands in, but for the
// file itself.
func above(place []string) func(func(string) bool) {
	return func(yield func(string) bool) {
		pointer := ""
		for _, name := range place {
			pointer += "/" + model.PointerToken(name)
			if !yield(pointer) {
				return
			}
		}
	}
}

// placeOf are the names of a pointer.
func placeOf(pointer string) []string {
	var place []string
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		place = append(place, strings.NewReplacer("~1", "/", "~0", "~").Replace(token))
	}
	return place
}

// placeIn is a place in the words of a dialect.
func placeIn(place []string, dialect model.Dialect) []string {
	if dialect == model.Neutral {
		return place
	}
	var chain any
	for _, name := range slices.Backward(place) {
		chain = map[string]any{name: chain}
	}
	values, _ := chain.(map[string]any)
	at := map[string]any(render.Translate(values, model.Neutral, dialect))
	var next []string
	for at != nil {
		for name, below := range at {
			next = append(next, name)
			at, _ = below.(map[string]any)
		}
	}
	return next
}

// origin is where the value at a place comes from, in words, and the output that
// gave it; "" for none.
func (c *clientFile) origin(place []string, given string) (from, output string) {
	if given != model.Generated {
		name, _ := strings.CutPrefix(given, "output ")
		for _, o := range c.backend.Outputs {
			if model.Quote(o.Name) == name {
				output = o.Name
			}
		}
		return fit("addOutput call " + name), output
	}
	section := place[0]
	has := func(definition any) bool {
		values, err := model.OutputsOf(map[string]any{section: definition})
		return err == nil && model.ValueAt(values, place) != nil
	}
	b := c.backend
	switch {
	case c.env != nil && section == string(model.KindData) && c.env.Data != nil && has(c.env.Data),
		c.env != nil && section == string(model.KindStorage) && c.env.Storage != nil && has(c.env.Storage):
		return "environment " + fit(c.env.Name) + ", which overrides the definition " + section, ""
	case section == string(model.KindAuth) && b.Auth != nil && has(b.Auth),
		section == string(model.KindData) && b.Data != nil && has(b.Data),
		section == string(model.KindStorage) && b.Storage != nil && has(b.Storage):
		return "the definition " + section, ""
	case model.ValueAt(c.deployed, place) != nil:
		return "the last push of " + fit(c.env.Name) + ", " + moment(c.env.record.Deployed), ""
	case section == string(model.KindAuth) && b.Auth != nil:
		return "the definition auth, where it says nothing else", ""
	case section == string(model.KindData):
		return "the place of the key, which nobody has given", ""
	}
	return "what a push knows", ""
}

// trace says of each line where it comes from. t may be nil.
func (t *clientText) trace(origins map[model.Dialect]map[string]*origin) {
	if t == nil {
		return
	}
	for i, line := range t.lines {
		at := origins[t.dialect][line.pointer]
		if at != nil {
			t.lines[i].from, t.lines[i].outputs = at.from, at.outputs
		}
	}
	t.other.trace(origins)
}

package check

import (
	"fmt"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
	"gatewright/model"
	"gatewright/model/field"
)

// Checker checks one backend. It indexes names, since a check looks up many.
type Checker struct {
	*model.Backend
	directories map[model.Kind]*directory
	// here is what environments have of the backend; that of nil is all.
	here map[*model.Environment]*surroundings
	// strange counts references of values to what a function is not given.
	strange int
}

// findings collects the problems of one thing.
type findings struct {
	of       model.Ref
	problems []*model.Problem
}

// say adds an error at a place of the thing's file.
func (f *findings) say(pointer, fix, text string, args ...any) {
	f.sayAt(model.Error, pointer, fix, text, args...)
}

func (f *findings) sayAt(level model.Level, pointer, fix, text string, args ...any) {
	f.add(&model.Problem{Of: f.of, Pointer: pointer, Level: level, Text: fmt.Sprintf(text, args...), Fix: fix})
}

// ranges checks the numbers of a thing.
func (f *findings) ranges(pointer string, of field.Object) {
	for _, row := range of.Fields() {
		r := row.Range
		if n, ok := row.Value.(*int); ok && !r.Allows(*n) {
			f.say(pointer+"/"+row.Name, fmt.Sprintf("use %d to %d %ss", r.Min, r.Max, r.Unit),
				"the %s is %d %ss", row.Noun, *n, r.Unit)
		}
	}
}

// rule adds what a rule for a value says of it.
func (f *findings) rule(pointer string, err error) {
	if err != nil {
		f.say(pointer, err.(*model.Problem).Fix, "%s", err.(*model.Problem).Text)
	}
}

func (f *findings) add(problems ...*model.Problem) { f.problems = append(f.problems, problems...) }

// surroundings are the backend of an environment, and what functions are given there (Given).
type surroundings struct {
	backend *model.Backend
	given   map[*model.Function]map[string]string
}

// suggestions is for how many unknown names a check searches for what is meant, which is slow;
// a file with ten thousand of them belongs elsewhere.
const suggestions = 100

// directory is the names of one kind. It is filled after a few lookups.
type directory struct {
	names           []string
	set             map[string]bool
	lookups, misses int
}

// New returns a checker of a backend.
func New(b *model.Backend) *Checker {
	return &Checker{
		Backend: b, directories: make(map[model.Kind]*directory),
		here: make(map[*model.Environment]*surroundings),
	}
}

// has reports whether there is a thing of that kind and name.
func (c *Checker) has(kind model.Kind, name string) (*directory, bool) {
	const few = 8
	d := c.directories[kind]
	if d == nil {
		d = &directory{}
		c.directories[kind] = d
	}
	if d.lookups++; d.lookups <= few {
		return d, c.Exists(kind, name)
	}
	if d.set == nil {
		d.names = c.Names(kind)
		d.set = make(map[string]bool, len(d.names))
		for _, have := range d.names {
			d.set[have] = true
		}
	}
	return d, d.set[name]
}

// reference checks that the thing exists which the thing of refers to.
func (c *Checker) reference(of model.Ref, pointer string, kind model.Kind, name string) []*model.Problem {
	d, ok := c.has(kind, name)
	if ok {
		return nil
	}
	p := &model.Problem{
		Of: of, Pointer: pointer, Field: string(kind),
		Text: fmt.Sprintf("names the %s %s, which does not exist", kind.Noun(), phrase.Quote(name)),
		Fix:  "make it, or name another", Level: model.Error, Cause: model.ErrUnknown,
	}
	if kind == model.KindGroup && model.CheckReadName(kind, name) != nil {
		p.Fix = c.AddingGroup(name)
	}
	if d.misses++; d.misses <= suggestions {
		if d.names == nil {
			d.names = c.Names(kind)
		}
		if near := spelling.Nearest(name, d.names); near != "" {
			p.Fix = "did you mean " + phrase.Quote(near) + "?"
		}
	}
	if !c.Defines(model.KindFunction) {
		p.Level = model.Warning
		p.Rule = unknownRule(p)
	}
	return []*model.Problem{p}
}

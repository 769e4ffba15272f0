package model

import (
	"fmt"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
)

// checker checks one backend. It indexes names, since a check looks up many.
type checker struct {
	*Backend
	directories map[Kind]*directory
	// here is what environments have of the backend; that of nil is all.
	here map[*Environment]*surroundings
	// strange counts references of values to what a function is not given.
	strange int
}

// findings collects the problems of one thing.
type findings struct {
	of       Ref
	problems []*Problem
}

// say adds an error at a place of the thing's file.
func (f *findings) say(pointer, fix, text string, args ...any) {
	f.sayAt(Error, pointer, fix, text, args...)
}

func (f *findings) sayAt(level Level, pointer, fix, text string, args ...any) {
	f.add(&Problem{Of: f.of, Pointer: pointer, Level: level, Text: fmt.Sprintf(text, args...), Fix: fix})
}

// rule adds what a rule for a value says of it.
func (f *findings) rule(pointer string, err error) {
	if err != nil {
		f.say(pointer, err.(*Problem).Fix, "%s", err.(*Problem).Text)
	}
}

func (f *findings) add(problems ...*Problem) { f.problems = append(f.problems, problems...) }

// surroundings are the backend of an environment, and what functions are given there (Given).
type surroundings struct {
	backend *Backend
	given   map[*Function]map[string]string
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

func (b *Backend) checker() *checker {
	return &checker{Backend: b, directories: make(map[Kind]*directory), here: make(map[*Environment]*surroundings)}
}

// has reports whether there is a thing of that kind and name.
func (c *checker) has(kind Kind, name string) (*directory, bool) {
	const few = 8
	d := c.directories[kind]
	if d == nil {
		d = &directory{}
		c.directories[kind] = d
	}
	if d.lookups++; d.lookups <= few {
		return d, c.exists(kind, name)
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
func (c *checker) reference(of Ref, pointer string, kind Kind, name string) []*Problem {
	d, ok := c.has(kind, name)
	if ok {
		return nil
	}
	p := &Problem{
		Of: of, Pointer: pointer, Field: string(kind),
		Text: fmt.Sprintf("names the %s %s, which does not exist", kind.noun(), phrase.Quote(name)),
		Fix:  "make it, or name another", Level: Error, Cause: ErrUnknown,
	}
	if d.misses++; d.misses <= suggestions {
		if d.names == nil {
			d.names = c.Names(kind)
		}
		if near := spelling.Nearest(name, d.names); near != "" {
			p.Fix = "did you mean " + phrase.Quote(near) + "?"
		}
	}
	if !c.Defines(KindFunction) {
		p.Level = Warning
		p.Rule = unknownRule(p)
	}
	return []*Problem{p}
}

package document

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// PlaceError is the error of Change if a value in the file is not an object, but members of it must be changed.
type PlaceError struct {
	Pointer string // RFC 6901, the value in the file
	Kind    Kind   // of that value
}

// Error returns one line: where, what, what to do.
func (e *PlaceError) Error() string {
	where := "the root of the file"
	if e.Pointer != "" {
		where = shorten(e.Pointer)
	}
	return fmt.Sprintf("%s must be an object but is of kind %s: make it an object, such as {}", where, e.Kind)
}

// Change returns the document's bytes, changed by the difference between before and after: two JSON texts of the file
// or of a part of it, rendered in the same way, as read and as wanted. An empty before means that the file lacks the
// part, an empty after that the part is removed.
//
// Values that are the same in before and after are not touched, whatever the file has there. Object members are
// changed one by one: they are inserted, changed, removed, or renamed in place if a new key is where an old one was.
// An array equal to the one in before is edited element by element; a set of scalars that others changed too keeps
// their elements; every other array is replaced. Inserted text has the style of its surroundings.
//
// If there is nothing to change the result is Bytes itself. The error is a
// *PlaceError, or a wrapped *SyntaxError if before or after is not strict JSON.
func (d *Document) Change(before, after []byte) ([]byte, error) {
	if isBlank(after) && !isBlank(before) {
		after = []byte("{}")
	}
	var was Node
	var wasErr error
	var parsing sync.WaitGroup
	parsing.Go(func() { was, wasErr = parseRendering(before) })
	wanted, err := parseRendering(after)
	parsing.Wait()
	switch {
	case wasErr != nil:
		return nil, fmt.Errorf("reading the text before the change: %w", wasErr)
	case err != nil:
		return nil, fmt.Errorf("reading the text after the change: %w", err)
	case !wanted.valid():
		return d.src, nil
	}
	c := change{disk: d, after: wanted.doc}
	c.value(d.Root(), was, wanted, place{flat: !hasBreak(d.src) && !hasBreak(wanted.doc.src)})
	if c.refused != nil {
		return nil, c.refused
	}
	return c.apply(), nil
}

func isBlank(text []byte) bool { return len(bytes.Trim(text, whiteSpace)) == 0 }

func parseRendering(text []byte) (Node, error) {
	if isBlank(text) {
		return Node{}, nil
	}
	d, err := Parse(text)
	if err != nil {
		return Node{}, err
	}
	return d.Root(), nil
}

// change collects the splices of one call of Change.
type change struct {
	disk    *Document
	after   *Document
	splices []splice
	path    []Node // members on disk down to the current value
	refused *PlaceError
	known   knownStyle
}

// splice replaces the bytes from start to end by text.
type splice struct {
	start, end uint32
	text       []byte
}

// place describes the surroundings of a value on disk.
type place struct {
	parent Node // the container around it, invalid for the root
	flat   bool // the parent is on one line, and so must be everything in it
	arrays int  // number of arrays around it
}

// into returns the place of the children of the container at p.
func (p place) into(container Node) place {
	inside := place{parent: container, flat: p.flat || !hasBreak(container.Raw()), arrays: p.arrays}
	if container.Kind() == Array {
		inside.arrays++
	}
	return inside
}

// value changes the value on disk from was to wanted. was is invalid if the text
// before the change did not have the value.
func (c *change) value(disk, was, wanted Node, p place) {
	mustEnter := was.Kind() == Object || !was.valid() && !p.parent.valid()
	switch {
	case was.valid() && equalRendering(was, wanted):
	case wanted.Kind() == Object && disk.Kind() == Object:
		if was.Kind() != Object {
			was = Node{}
		}
		c.object(disk, was, wanted, p)
	case wanted.Kind() == Object && mustEnter:
		if !equal(was, wanted) && c.refused == nil {
			c.refused = &PlaceError{Pointer: c.pointer(), Kind: disk.Kind()}
		}
	case wanted.Kind() == Array && disk.Kind() == Array:
		c.array(disk, was, wanted, p)
	case !equal(disk, wanted):
		c.replace(disk, wanted, p)
	}
}

// equalRendering compares was and wanted, except two objects, whose members object
// compares: otherwise every level would compare everything below it.
func equalRendering(was, wanted Node) bool {
	if was.Kind() == Object && wanted.Kind() == Object && was.Len() > 0 {
		return bytes.Equal(was.Raw(), wanted.Raw())
	}
	return equal(was, wanted)
}

// object changes the members of an object on disk from was to wanted.
func (c *change) object(disk, was, wanted Node, p place) {
	members, gone := align(was, wanted)
	inside := p.into(disk)
	var plan arrangement
	for _, old := range gone {
		if n, ok := disk.get(old.key()); ok {
			plan.remove(n)
		}
	}
	for _, m := range members {
		at, found := disk.get(m.wanted.key())
		if m.renamed {
			old, oldFound := disk.get(m.was.key())
			switch {
			case oldFound && !found:
				c.rename(old, m.wanted)
				at, found = old, true
			case oldFound:
				plan.remove(old)
				m.was = Node{}
			case found:
				m.was = Node{}
			}
		}
		if !found {
			if m.was.valid() && !m.renamed && equal(m.was, m.wanted) {
				continue
			}
			plan.insert(m.wanted)
			continue
		}
		plan.pass(at)
		c.path = append(c.path, at)
		c.value(at, m.was, m.wanted, inside)
		c.path = c.path[:len(c.path)-1]
	}
	c.arrange(disk, plan, p)
}

func (c *change) rename(disk, wanted Node) {
	r := disk.record()
	c.splices = append(c.splices, splice{start: r.key, end: r.keyEnd, text: wanted.rawKey()})
}

func (c *change) pointer() string {
	var p jsontext.Pointer
	for _, member := range c.path {
		p = p.AppendToken(string(member.key()))
	}
	return string(p)
}

// apply returns the document's bytes with all splices done.
func (c *change) apply() []byte {
	src := c.disk.src
	if len(c.splices) == 0 {
		return src
	}
	slices.SortStableFunc(c.splices, func(x, y splice) int {
		return cmp.Or(cmp.Compare(x.start, y.start), cmp.Compare(x.end, y.end))
	})
	size := len(src)
	for _, s := range c.splices {
		size += len(s.text) - int(s.end-s.start)
	}
	out := make([]byte, 0, size)
	done := uint32(0)
	for _, s := range c.splices {
		out = append(out, src[done:s.start]...)
		out = append(out, s.text...)
		done = s.end
	}
	return append(out, src[done:]...)
}

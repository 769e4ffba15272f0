package document

import "bytes"

// exampleRange is how many values before and after a place are searched for a
// container whose layout a new one copies.
const exampleRange = 128

// example returns the container on disk whose layout a new one copies: the nearest of the same kind under the same
// key, else the one next to it, else for an array any array. It is invalid if there is none.
func (c *change) example(n Node, st style) Node {
	if key := n.rawKey(); key != nil {
		if found := c.nearest(st.near, n.Kind(), key); found.valid() {
			return found
		}
	}
	if st.like.Kind() == n.Kind() && st.like.Len() > 0 {
		return st.like
	}
	if n.Kind() != Array {
		return Node{}
	}
	if found := c.nearest(st.near, Array, nil); found.valid() {
		return found
	}
	return c.anyArray()
}

// nearest returns the nearest non-empty container of a kind, under a raw key unless that is nil.
func (c *change) nearest(near uint32, kind Kind, key []byte) Node {
	d := c.disk
	fits := func(id int) bool {
		if id < 0 || id >= len(d.nodes) {
			return false
		}
		r := &d.nodes[id]
		return r.kind == kind && r.count > 0 && (key == nil || bytes.Equal(d.src[r.key:r.keyEnd], key))
	}
	for distance := range exampleRange {
		for _, id := range []int{int(near) + distance, int(near) - distance} {
			if fits(id) {
				return Node{doc: d, id: uint32(id)}
			}
		}
	}
	return Node{}
}

// anyArray returns the document's first array that is not empty, if any.
func (c *change) anyArray() Node {
	if c.known.arraySeen {
		return c.known.array
	}
	c.known.arraySeen = true
	for id, r := range c.disk.nodes {
		if r.kind == Array && r.count > 0 {
			c.known.array = Node{doc: c.disk, id: uint32(id)}
			break
		}
	}
	return c.known.array
}

// nearest returns the entry next to gap g.
func (r row) nearest(g gap) uint32 {
	if g.left >= 0 && !g.ahead {
		return r.entries[g.left]
	}
	return r.entries[min(g.right, len(r.entries)-1)]
}

// beside returns the nearest non-empty container of a kind among the closest entries
// around gap g; invalid if there is none.
func (r row) beside(g gap, kind Kind) Node {
	const reach = 16
	for distance := range reach {
		for _, i := range []int{g.left - distance, g.left + 1 + distance} {
			if i < 0 || i >= len(r.entries) {
				continue
			}
			n := Node{doc: r.container.doc, id: r.entries[i]}
			if n.Kind() == kind && n.Len() > 0 {
				return n
			}
		}
	}
	return Node{}
}

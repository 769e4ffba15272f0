package document

// arrangement collects which entries of a container on disk are removed and where new ones are inserted. The calls
// come in the wanted order: an entry is inserted behind the entry on disk that was passed last, else before the first
// one passed, else at the end.
type arrangement struct {
	removed map[uint32]bool
	behind  map[uint32][]Node
	ahead   []Node // inserted before the entry passed first
	passed  bool
	first   uint32
	latest  uint32
}

func (a *arrangement) pass(disk Node) {
	if !a.passed {
		a.passed, a.first = true, disk.id
	}
	a.latest = disk.id
}

func (a *arrangement) remove(disk Node) {
	if a.removed == nil {
		a.removed = map[uint32]bool{}
	}
	a.removed[disk.id] = true
}

func (a *arrangement) insert(wanted Node) {
	if !a.passed {
		a.ahead = append(a.ahead, wanted)
		return
	}
	if a.behind == nil {
		a.behind = map[uint32][]Node{}
	}
	a.behind[a.latest] = append(a.behind[a.latest], wanted)
}

// gap is the space between two neighbouring entries of a container that stay; left is
// -1 for the opening bracket, right the number of entries for the closing one.
type gap struct {
	left, right int
	inserted    []Node
	ahead       bool // the inserted entries belong to the right entry, not to the left
}

// gaps returns the gaps of a container with these entries where entries are removed or inserted.
func (a *arrangement) gaps(entries []uint32) []gap {
	var found []gap
	left := -1
	for right := 0; right <= len(entries); right++ {
		atEnd := right == len(entries)
		if !atEnd && a.removed[entries[right]] {
			continue
		}
		g := gap{left: left, right: right}
		if left >= 0 {
			g.inserted = a.behind[entries[left]]
		}
		if a.passed && !atEnd && entries[right] == a.first || !a.passed && atEnd {
			g.ahead = len(g.inserted) == 0 && !atEnd
			g.inserted = append(g.inserted[:len(g.inserted):len(g.inserted)], a.ahead...)
		}
		if right > left+1 || len(g.inserted) > 0 {
			found = append(found, g)
		}
		left = right
	}
	return found
}

// arrange adds the splices for an arrangement of the container at p.
func (c *change) arrange(container Node, a arrangement, p place) {
	if len(a.removed) == 0 && len(a.behind) == 0 && len(a.ahead) == 0 {
		return
	}
	if container.Len() == 0 {
		c.fill(container, a.ahead, p)
		return
	}
	r := rowOf(container)
	flat := p.into(container).flat
	for _, g := range a.gaps(r.entries) {
		start, end := r.span(g.left, g.right)
		c.splices = append(c.splices, splice{start: start, end: end, text: c.gapText(r, g, flat)})
	}
}

package document

// arrangement is which entries of one container on disk go and where new ones
// come. It is told in the wanted order: an entry inserted stands behind the
// entry on disk that was passed last, else ahead of the first one passed, else
// last.
type arrangement struct {
	removed map[uint32]bool
	behind  map[uint32][]Node
	ahead   []Node // of the entry passed first
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

// gap is the room between two neighbouring entries of a container that stay;
// left is -1 at the opening bracket, right the number of entries at the closing
// one.
type gap struct {
	left, right int
	inserted    []Node
	ahead       bool // what is inserted belongs to the right entry, not to the left
}

// gaps returns the gaps of a container with these entries where something goes
// or comes.
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

// arrange notes the splices that an arrangement of container asks for; the
// container lies at p.
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

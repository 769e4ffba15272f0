package document

const (
	// pairLimit bounds the table of the element comparison; arrays with more
	// differing elements are compared by position.
	pairLimit = 250_000
	// arrayLimit is how many nested arrays are edited by element. Every level compares
	// everything below it, so without a limit a hostile file would take quadratic time.
	arrayLimit = 64
)

// array changes an array on disk from was to wanted.
func (c *change) array(disk, was, wanted Node, p place) {
	switch {
	case equal(disk, wanted):
	case p.arrays >= arrayLimit:
		c.replace(disk, wanted, p)
	case was.Kind() != Array || equal(disk, was):
		c.editElements(disk, wanted, p)
	case allScalars(disk) && allScalars(was) && allScalars(wanted):
		c.editSet(disk, was, wanted, p)
	default:
		c.replace(disk, wanted, p)
	}
}

// editElements makes an array on disk equal to wanted and keeps the bytes of the elements that stay.
func (c *change) editElements(disk, wanted Node, p place) {
	have, want := nodesOf(disk), nodesOf(wanted)
	inside := p.into(disk)
	var plan arrangement
	h, w := 0, 0
	between := func(endHave, endWant int) {
		for ; h < endHave && w < endWant; h, w = h+1, w+1 {
			plan.pass(have[h])
			c.value(have[h], have[h], want[w], inside)
		}
		for ; h < endHave; h++ {
			plan.remove(have[h])
		}
		for ; w < endWant; w++ {
			plan.insert(want[w])
		}
	}
	for _, m := range commonElements(have, want) {
		between(m.have, m.want)
		plan.pass(have[m.have])
		h, w = m.have+1, m.want+1
	}
	between(len(have), len(want))
	c.arrange(disk, plan, p)
}

// editSet removes from the set on disk the elements that wanted lacks, and appends those that it adds to was.
func (c *change) editSet(disk, was, wanted Node, p place) {
	old, want, have := identities(was), identities(wanted), identities(disk)
	var plan arrangement
	for n := range disk.children() {
		if id := identity(n); old[id] && !want[id] {
			plan.remove(n)
		} else {
			plan.pass(n)
		}
	}
	for n := range wanted.children() {
		if id := identity(n); !old[id] && !have[id] {
			plan.insert(n)
			have[id] = true
		}
	}
	c.arrange(disk, plan, p)
}

// match is a pair of equal elements, by position.
type match struct{ have, want int }

// commonElements returns a longest common subsequence, in order.
func commonElements(have, want []Node) []match {
	var head, tail []match
	for len(head) < min(len(have), len(want)) && equal(have[len(head)], want[len(head)]) {
		head = append(head, match{len(head), len(head)})
	}
	first, endHave, endWant := len(head), len(have), len(want)
	for endHave > first && endWant > first && equal(have[endHave-1], want[endWant-1]) {
		endHave--
		endWant--
	}
	for i := endHave; i < len(have); i++ {
		tail = append(tail, match{i, i - endHave + endWant})
	}
	for _, m := range commonMiddle(have[first:endHave], want[first:endWant]) {
		head = append(head, match{first + m.have, first + m.want})
	}
	return append(head, tail...)
}

func commonMiddle(have, want []Node) []match {
	if len(have) == 0 || len(want) == 0 || len(have) > pairLimit/len(want) {
		return nil
	}
	// longest[i][j] is for have[i:] and want[j:].
	longest := make([][]int, len(have)+1)
	longest[len(have)] = make([]int, len(want)+1)
	same := func(i, j int) bool { return equal(have[i], want[j]) }
	for i := len(have) - 1; i >= 0; i-- {
		longest[i] = make([]int, len(want)+1)
		for j := len(want) - 1; j >= 0; j-- {
			if same(i, j) {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	var found []match
	for i, j := 0, 0; i < len(have) && j < len(want); {
		switch {
		case same(i, j):
			found = append(found, match{i, j})
			i++
			j++
		case longest[i+1][j] >= longest[i][j+1]:
			i++
		default:
			j++
		}
	}
	return found
}

func nodesOf(container Node) []Node {
	nodes := make([]Node, 0, container.Len())
	for n := range container.children() {
		nodes = append(nodes, n)
	}
	return nodes
}

func identities(scalars Node) map[string]bool {
	set := make(map[string]bool, scalars.Len())
	for n := range scalars.children() {
		set[identity(n)] = true
	}
	return set
}

func allScalars(container Node) bool {
	for n := range container.children() {
		if k := n.Kind(); k == Object || k == Array {
			return false
		}
	}
	return true
}

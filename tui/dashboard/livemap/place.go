package livemap

import (
	"gatewright/model/graph"
	"gatewright/tui/layout"
)

// column is a column that the cursor can be in: one for each caller, then paths, functions, and what
// these use.
type column struct {
	kind   graph.Kind
	caller int
}

// places are where the parts of a row stand, in cells from the left.
//
//	guests  signed-in  Admins   path                    function              data
//	 ·R··     CR··      CRUD  ╞═ /books ────●─────────▶ ƒ books  12 ms ▮▮ ──▶ ▤ books  ·R·· get 2
//	gates[0]  gates[1]  gates[2] left        edge       function              wire  data
type places struct {
	w int
	// first is the first caller in view, gates where the letters of those in view begin.
	first int
	gates []int
	// rail is the line between callers and paths.
	rail, left, leftW int
	function, nameW   int
	stateW            int
	wire, data        int
}

const (
	lettersW = 4
	// The width of the sign before a function or what it uses, of an arrow, and of the room around it.
	signW  = 2
	wireW  = 5
	leastW = 8
	// oneCaller is up to which width one caller is shown at a time.
	oneCaller = 96
	// manyCallers is from which width on the callers get the room that the rest leaves.
	manyCallers = 150
)

// gateW is the width of the column of a caller.
func gateW(name string) int {
	const most = 12
	return max(lettersW+1, min(layout.Width(name), most))
}

// widths are those of the longest texts of a map; data has the arrow before what is used, and is 0 if nothing is.
type widths struct{ left, name, data int }

func widthsOf(rows []*row) widths {
	all := widths{leastW, leastW, 0}
	for _, r := range rows {
		all.left, all.name = max(all.left, layout.Width(r.left)), max(all.name, layout.Width(r.function))
		if r.use != nil {
			all.data = max(all.data, wireW+signW+layout.Width(r.use.Resource))
		} else if r.note != "" {
			all.data = max(all.data, wireW+signW+layout.Width(r.note))
		}
	}
	return all
}

// place divides w cells. cursor is the caller that has to be in view; state says that the functions have one.
func place(w int, texts widths, callers []string, cursor int, state bool) places {
	const gap, mostLeft, mostName, leastEdge, mostEdge, counts = 2, 44, 28, 6, 34, 22
	p := places{w: w}
	left, name, data := min(texts.left, mostLeft), min(texts.name, mostName), texts.data
	room := w / 3
	if w < oneCaller {
		room = 0
	}
	// The state of a function, its counts, an edge on which one sees requests travel, and what is between.
	const others = gap + signW + 13 + counts + 15
	if w >= manyCallers {
		room = max(room, w-others-left-name-min(data, 26))
	}
	p.callers(callers, cursor, room)
	if n := len(p.gates); n > 0 {
		p.rail = p.gates[n-1] + gateW(callers[p.first+n-1]) + 1
	}
	p.left = p.rail + gap
	if w >= oneCaller {
		p.left++
	}
	switch {
	case !state:
	case w < oneCaller:
		p.stateW = 9
	default:
		p.stateW = 13
	}
	// What is long gives way first, down to what is still distinct.
	const leastLeft, leastName, leastData = 14, 10, wireW + signW + 8
	spare := func() int { return w - p.left - left - 1 - leastEdge - 1 - signW - name - 1 - p.stateW - min(data, 26) }
	for spare() < 0 && (left > leastLeft || name > leastName || data > leastData) {
		switch longest := max(left-leastLeft, name-leastName, min(data, 26)-leastData); longest {
		case min(data, 26) - leastData:
			data = min(data, 26) - 1
		case left - leastLeft:
			left--
		default:
			name--
		}
	}
	p.leftW, p.nameW = left, name
	edge := leastEdge + max(0, min(spare()-counts, mostEdge-leastEdge))
	p.function = p.left + left + 1 + edge + 1
	p.wire = p.function + signW + name + 1 + p.stateW
	p.data = p.wire + wireW
	return p
}

// callers places the callers that fit in a room, or one.
func (p *places) callers(names []string, cursor, room int) {
	p.first = max(0, min(cursor, len(names)-1))
	x := 0
	fits := func(from, to int) bool {
		sum := 0
		for _, name := range names[from:to] {
			sum += gateW(name) + 1
		}
		return sum <= room
	}
	to := p.first + 1
	for p.first > 0 && fits(p.first-1, to) {
		p.first--
	}
	for to < len(names) && fits(p.first, to+1) {
		to++
	}
	for _, name := range names[p.first:min(to, len(names))] {
		p.gates = append(p.gates, x)
		x += gateW(name) + 1
	}
}

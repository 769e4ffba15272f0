package logs

// ring has the last lines of one function, at most limit lines and about bytes bytes.
type ring struct {
	lines        []Line
	head, count  int
	limit, bytes int
	size         int
	// lost is set when a line has been dropped.
	lost bool
}

func (r *ring) push(l Line) {
	r.size += weight(l)
	for r.count > 0 && (r.count == r.limit || r.size > r.bytes) {
		r.pop()
	}
	if r.count == len(r.lines) {
		r.grow()
	}
	r.lines[(r.head+r.count)%len(r.lines)] = l
	r.count++
}

func (r *ring) pop() {
	r.size -= weight(r.lines[r.head])
	r.lines[r.head] = Line{}
	r.head = (r.head + 1) % len(r.lines)
	r.count--
	r.lost = true
}

// grow doubles the capacity, so that a function with few lines takes little memory.
func (r *ring) grow() {
	lines := make([]Line, min(max(2*len(r.lines), 16), r.limit))
	for i := range r.count {
		lines[i] = r.at(i)
	}
	r.lines, r.head = lines, 0
}

// at is line i; line 0 is the oldest.
func (r *ring) at(i int) Line { return r.lines[(r.head+i)%len(r.lines)] }

// weight is about the size of a line in memory, in bytes.
func weight(l Line) int { return len(l.Text) + len(l.Request) + 100 }

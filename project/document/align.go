package document

// aligned is one member of the wanted object and what it was before.
type aligned struct {
	wanted  Node
	was     Node // invalid when it is new
	renamed bool // was has another key
}

// align tells for every wanted member which member it was before, and which
// ones are gone. A key that came where one went, between the same neighbours,
// is a rename; of several at one place the first is the first.
func align(was, wanted Node) (members []aligned, gone []Node) {
	members = make([]aligned, 0, wanted.Len())
	for w := range wanted.children() {
		old, _ := was.get(w.key())
		members = append(members, aligned{wanted: w, was: old})
	}
	runs := goneRuns(was, wanted)
	if len(runs) == 0 {
		return members, nil
	}
	before := Node{}
	for i := 0; i <= len(members); {
		end := i
		for end < len(members) && !members[end].was.valid() {
			end++
		}
		after := Node{}
		if end < len(members) {
			after = members[end].was
		}
		if run, ok := runs[before]; ok && run.after == after {
			run.members = pairRenames(run.members, members[i:end])
			runs[before] = run
		}
		before = after
		i = end + 1
	}
	for _, run := range runs {
		gone = append(gone, run.members...)
	}
	return members, gone
}

// goneRun is a row of members that are no longer wanted, and the member behind
// them that still is, if any.
type goneRun struct {
	members []Node
	after   Node
}

// goneRuns returns the rows of members no longer wanted by the member before
// them that still is, or the zero Node.
func goneRuns(was, wanted Node) map[Node]goneRun {
	var runs map[Node]goneRun
	var row []Node
	before := Node{}
	end := func(after Node) {
		if len(row) > 0 {
			if runs == nil {
				runs = map[Node]goneRun{}
			}
			runs[before] = goneRun{members: row, after: after}
		}
		before, row = after, nil
	}
	for member := range was.children() {
		if _, stays := wanted.get(member.key()); stays {
			end(member)
		} else {
			row = append(row, member)
		}
	}
	end(Node{})
	return runs
}

// pairRenames notes which of the members that came are renamed ones of those
// that went, and returns those that are really gone. As many coming as going
// are pairs by position. Otherwise position alone does not tell, and only the
// ones at either end that are alike are pairs.
func pairRenames(went []Node, came []aligned) (gone []Node) {
	sure := len(went) == len(came)
	pair := func(w, c int) bool {
		if !sure && !alike(went[w], came[c].wanted) {
			return false
		}
		came[c].was, came[c].renamed = went[w], true
		return true
	}
	for len(went) > 0 && len(came) > 0 && pair(0, 0) {
		went, came = went[1:], came[1:]
	}
	for len(went) > 0 && len(came) > 0 && pair(len(went)-1, len(came)-1) {
		went, came = went[:len(went)-1], came[:len(came)-1]
	}
	return went
}

// alike reports whether two values are equal or objects that share at least
// half of their members.
func alike(x, y Node) bool {
	if x.Kind() != Object || y.Kind() != Object {
		return equal(x, y)
	}
	shared := 0
	for member := range x.children() {
		if other, ok := y.get(member.key()); ok && equal(member, other) {
			shared++
		}
	}
	return 2*shared >= max(x.Len(), y.Len())
}

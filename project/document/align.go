package document

// aligned is one member of the wanted object and the member that it was before.
type aligned struct {
	wanted  Node
	was     Node // invalid when it is new
	renamed bool // was has another key
}

// align matches every wanted member to the member that it was before, and lists the members that are gone. A new key
// in the place of a removed one, between the same neighbours, is a rename; several at one place are matched in order.
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

// goneRun is a run of members that are not wanted any more, and the wanted member after them, if any.
type goneRun struct {
	members []Node
	after   Node
}

// goneRuns maps the wanted member before each goneRun, or the zero Node, to the run.
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

// pairRenames notes which of the new members (came) are renamed old ones (went), and returns the old members without
// a pair. Equal numbers are paired by position. Otherwise only members at either end are paired, if they are alike.
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

// alike reports whether two values are equal or objects that share at least half of their members.
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

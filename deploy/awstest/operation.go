package awstest

import (
	"slices"
	"strings"
)

// operation is a running change of a stack. Each step ends the tasks in progress and begins
// others; when there are none left, then is called.
type operation struct {
	id, token, kind string
	to              revision
	needs           map[string][]string
	before          []*resource
	queue, running  []*task
	// done are the tasks that changed something, for a rollback; later are those of the clean-up.
	done, later []*task
	then        func()
	// undo ends an import that failed, at once: nothing was changed.
	undo     func(reason string)
	rollback bool
	failed   []string
	// busy is an operation of somebody else that ends only by SetStatus.
	busy bool
}

// task makes, changes, restores or removes a resource.
type task struct {
	verb     string
	id, kind string
	// old is the resource as it was, now as it is; for a removal old is what is removed.
	old, now *resource
	resource *resourceEntry
	adopt    bool
	// physical and pool identify what is imported.
	physical, pool string
}

func (s *Server) begin(st *stack, kind, token string, to revision) *operation {
	s.ids++
	op := &operation{id: uuid("operation", letters(lower, 4, st.id), padded(s.ids, 6)), token: token, kind: kind, to: to}
	for _, r := range st.resources {
		op.before = append(op.before, r.copy())
	}
	st.running = op
	return op
}

// step moves the running operation of a stack on.
func (s *Server) step(st *stack) {
	op := st.running
	if op == nil || op.busy || s.options.Speed == 0 {
		return
	}
	running := op.running
	op.running = nil
	var broken []string
	for _, t := range running {
		switch state := s.finish(st, t); {
		case state == "running":
			op.running = append(op.running, t)
		case state == "failed":
			broken = append(broken, t.id)
		}
	}
	if len(broken) > 0 {
		s.breakOff(st, broken)
		return
	}
	for started := 0; started < s.options.Speed && len(op.queue) > 0; {
		t := op.queue[0]
		if !op.rollback && t.verb != "delete" &&
			slices.ContainsFunc(op.running, func(r *task) bool { return slices.Contains(op.needs[t.id], r.id) }) {
			break
		}
		op.queue = op.queue[1:]
		if s.start(st, t) {
			op.running = append(op.running, t)
			started++
		}
	}
	if len(op.running) == 0 && len(op.queue) == 0 {
		op.then()
	}
}

// breakOff ends the tasks that are in progress, after others failed, and begins the rollback.
func (s *Server) breakOff(st *stack, broken []string) {
	op := st.running
	op.failed = append(op.failed, broken...)
	if op.rollback || op.kind == "delete" {
		// Removals and rollbacks do what they can before they fail.
		if len(op.running) > 0 || len(op.queue) > 0 {
			return
		}
		op.then()
		return
	}
	s.cancelRunning(st)
	list := "[" + strings.Join(op.failed, ", ") + "]"
	if op.undo != nil {
		op.undo("The following resource(s) failed to import: " + list + ". ")
		return
	}
	if op.kind == "create" {
		s.rollBackCreation(st, "The following resource(s) failed to create: "+list+". ")
		return
	}
	s.rollBackUpdate(st, "The following resource(s) failed to "+op.verbOf(op.failed)+": "+list+". ")
}

func (op *operation) verbOf(ids []string) string {
	for _, t := range op.done {
		if slices.Contains(ids, t.id) && t.verb == "create" {
			return "create"
		}
	}
	return "update"
}

// cancelRunning fails what is in progress because of another failure or of a cancellation.
func (s *Server) cancelRunning(st *stack) {
	for _, t := range st.running.running {
		word := "CREATE_FAILED"
		reason := "Resource creation cancelled"
		switch {
		case t.now.adopted && t.verb == "create":
			word, reason = "IMPORT_FAILED", "Resource import cancelled"
		case t.verb != "create":
			word, reason = "UPDATE_FAILED", "Resource update cancelled"
		}
		if t.now.child != nil && t.now.child.running != nil {
			s.cancelChild(t.now.child)
		}
		s.mark(st, t.now, word, reason)
	}
	st.running.running, st.running.queue = nil, nil
}

// runCreation begins to make a stack.
func (s *Server) runCreation(st *stack, token string, to revision) {
	op := s.begin(st, "create", token, to)
	// A stack whose creation fails has its tags all the same.
	st.deployed.tags = to.tags
	st.executed = append(st.executed, to.text)
	st.updated = s.now()
	s.set(st, "CREATE_IN_PROGRESS", "User Initiated")
	op.needs = st.needs(to)
	for _, r := range st.ordered(to) {
		op.queue = append(op.queue,
			&task{verb: "create", id: r.ID, kind: r.Type, resource: entry(r), adopt: s.adopts(st, to, r)})
	}
	op.then = func() {
		st.deployed = to
		s.set(st, "CREATE_COMPLETE", "")
		st.running = nil
	}
}

// rollBackCreation removes what a failed creation made.
func (s *Server) rollBackCreation(st *stack, reason string) {
	op := st.running
	if op.to.onFailure == "DO_NOTHING" {
		s.set(st, "CREATE_FAILED", reason)
		st.running = nil
		return
	}
	op.rollback, op.failed = true, nil
	s.set(st, "ROLLBACK_IN_PROGRESS", reason+"Rollback requested by user.")
	for _, r := range slices.Backward(st.resources) {
		op.queue = append(op.queue, &task{verb: "delete", id: r.id, kind: r.kind, old: r, now: r})
	}
	op.then = func() {
		if len(op.failed) > 0 {
			s.set(st, "ROLLBACK_FAILED", "The following resource(s) failed to delete: ["+strings.Join(op.failed, ", ")+"]. ")
		} else {
			s.set(st, "ROLLBACK_COMPLETE", "")
		}
		st.running = nil
		if op.to.onFailure == "DELETE" && len(op.failed) == 0 {
			s.runDeletion(st, op.token)
		}
	}
}

// runUpdate begins to change a stack.
func (s *Server) runUpdate(st *stack, token string, to revision) {
	changes := s.compare(st, to)
	op := s.begin(st, "update", token, to)
	st.executed = append(st.executed, to.text)
	st.updated = s.now()
	s.set(st, "UPDATE_IN_PROGRESS", "User Initiated")
	op.needs = st.needs(to)
	entries := make(map[string]*resourceEntry)
	for _, r := range st.existing(to) {
		entries[r.ID] = entry(r)
		if made := st.resource(r.ID); made != nil {
			made.deletion = entries[r.ID].deletion
			made.replacing = entries[r.ID].replacing
		}
	}
	for _, c := range changes {
		switch c.action {
		case "Add", "Import":
			op.queue = append(op.queue,
				&task{verb: "create", id: c.id, kind: c.kind, resource: entries[c.id], adopt: c.action == "Import"})
		case "Modify":
			op.queue = append(op.queue, &task{verb: "update", id: c.id, kind: c.kind, resource: entries[c.id]})
		case "Remove":
			r := st.resource(c.id)
			op.later = append(op.later, &task{verb: "delete", id: c.id, kind: c.kind, old: r, now: r})
		}
	}
	op.then = func() {
		st.deployed = to
		s.set(st, "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS", "")
		op.kind, op.queue, op.rollback = "delete", op.later, false
		op.then = func() {
			// What cannot be removed is left behind, and the update is complete.
			s.set(st, "UPDATE_COMPLETE", "")
			st.running = nil
		}
	}
}

// rollBackUpdate restores what an update changed, and then removes what it made.
func (s *Server) rollBackUpdate(st *stack, reason string) {
	op := st.running
	op.rollback, op.failed, op.queue, op.later = true, nil, nil, nil
	s.set(st, "UPDATE_ROLLBACK_IN_PROGRESS", reason)
	for _, t := range slices.Backward(op.done) {
		if t.verb == "create" {
			op.later = append(op.later, &task{verb: "delete", id: t.id, kind: t.kind, old: t.now, now: t.now})
			continue
		}
		op.queue = append(op.queue, &task{verb: "restore", id: t.id, kind: t.kind, old: t.old, now: t.now})
	}
	op.then = func() { s.endRollback(st) }
}

func (s *Server) endRollback(st *stack) {
	op := st.running
	if len(op.failed) > 0 {
		s.set(st, "UPDATE_ROLLBACK_FAILED",
			"The following resource(s) failed to update: ["+strings.Join(op.failed, ", ")+"]. ")
		op.busy = true
		return
	}
	s.set(st, "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS", "")
	op.queue = op.later
	op.then = func() {
		s.set(st, "UPDATE_ROLLBACK_COMPLETE", "")
		st.running = nil
		for _, old := range op.before {
			if r := st.resource(old.id); r != nil {
				r.deletion, r.replacing = old.deletion, old.replacing
			}
		}
	}
}

// runDeletion begins to delete a stack.
func (s *Server) runDeletion(st *stack, token string) {
	created := st.deployed.template != nil
	op := s.begin(st, "delete", token, revision{})
	s.set(st, "DELETE_IN_PROGRESS", "User Initiated")
	for _, r := range slices.Backward(st.resources) {
		t := &task{verb: "delete", id: r.id, kind: r.kind, old: r, now: r}
		op.queue = append(op.queue, t)
	}
	op.rollback = !created
	op.then = func() {
		st.running = nil
		if len(op.failed) > 0 {
			s.set(st, "DELETE_FAILED", "The following resource(s) failed to delete: ["+strings.Join(op.failed, ", ")+"]. ")
			return
		}
		s.set(st, "DELETE_COMPLETE", "")
		st.deleted = s.clock
	}
}

// cancelChild rolls a nested stack back, because its parent does.
func (s *Server) cancelChild(st *stack) {
	s.cancelRunning(st)
	if st.running.kind == "create" {
		s.rollBackCreation(st, "Parent stack cancelled. ")
	} else {
		s.rollBackUpdate(st, "Parent stack cancelled. ")
	}
	s.settle(st)
}

// settle runs an operation to its end.
func (s *Server) settle(st *stack) {
	speed := s.options.Speed
	s.options.Speed = max(1, speed)
	for range 10000 {
		if st.running == nil || st.running.busy {
			break
		}
		s.step(st)
	}
	s.options.Speed = speed
}

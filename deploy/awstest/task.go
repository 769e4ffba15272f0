package awstest

import (
	"maps"
	"slices"
	"strings"

	"gatewright/internal/cfn"
)

// resourceEntry is an entry of a template, with what a task needs of it.
type resourceEntry struct {
	cfn.Resource
	deletion, replacing string
}

func entry(r cfn.Resource) *resourceEntry {
	return &resourceEntry{r, textOf(r.Node.Get("DeletionPolicy")), textOf(r.Node.Get("UpdateReplacePolicy"))}
}

// start begins a task; false if there is nothing to do.
func (s *Server) start(st *stack, t *task) bool {
	switch t.verb {
	case "create":
		s.startCreation(st, t)
	case "update":
		return s.startUpdate(st, t)
	case "restore":
		s.startRestoring(st, t)
	case "delete":
		return s.startDeletion(st, t)
	}
	return true
}

func (s *Server) startCreation(st *stack, t *task) {
	op := st.running
	r := &resource{
		id: t.id, kind: t.kind, metadata: metadataOf(&t.resource.Resource), deletion: t.resource.deletion,
		replacing: t.resource.replacing,
	}
	r.properties = properties(st.given(op.to), op.to, &t.resource.Resource)
	r.adopted = t.adopt
	t.now = r
	st.resources = append(st.resources, r)
	op.done = append(op.done, t)
	verb := "CREATE"
	if t.adopt {
		verb = "IMPORT"
	}
	s.mark(st, r, verb+"_IN_PROGRESS", "")
	r.physical = first(t.physical, st.physical(r.id, r.kind, r.properties, 0))
	if s.taken(st, r) {
		return
	}
	r.detail = detailOf(st.given(op.to), op.to, &t.resource.Resource)
	if found := s.existing(st.account, st.region, r.kind, r.physical, t.pool); r.adopted && found != nil {
		r.instance, r.made, r.items, r.detail = found.instance, found.made, found.items, maps.Clone(found.detail)
	} else {
		s.realize(r)
	}
	if r.kind == "AWS::CloudFormation::Stack" {
		s.startChild(st, r)
	}
	s.mark(st, r, verb+"_IN_PROGRESS", "Resource creation Initiated")
}

// taken reports whether another resource has the name of a new one.
func (s *Server) taken(st *stack, r *resource) bool {
	return !r.adopted && unique(r.kind) && r.properties[names[r.kind]] != "" && s.owner(st, r.kind, r.physical) != ""
}

// startUpdate changes a resource, unless its values turn out to be as before.
func (s *Server) startUpdate(st *stack, t *task) bool {
	op := st.running
	r := st.resource(t.id)
	t.old, t.now = r.copy(), r
	after := properties(st.given(op.to), op.to, &t.resource.Resource)
	metadata := metadataOf(&t.resource.Resource)
	replace, changed := false, metadata != r.metadata || r.kind == "AWS::CloudFormation::Stack"
	if !slices.Equal(st.deployed.tags, op.to.tags) && taggable(r.kind) {
		changed = true
	}
	for _, name := range both(r.properties, after) {
		if r.properties[name] != after[name] {
			changed = true
			replace = replace || recreates(r.kind, name)
		}
	}
	if !changed {
		return false
	}
	reason := ""
	if replace {
		reason = "Requested update requires the creation of a new physical resource; hence creating one."
	}
	s.mark(st, r, "UPDATE_IN_PROGRESS", reason)
	op.done = append(op.done, t)
	before := r.physical
	detail := detailOf(st.given(op.to), op.to, &t.resource.Resource)
	for _, name := range both(r.properties, after) {
		if value, has := detail[name]; r.properties[name] == after[name] {
			continue
		} else if has {
			r.detail[name] = value
		} else {
			delete(r.detail, name)
		}
	}
	// What was changed by hand is overwritten.
	r.properties, r.metadata, r.byHand = after, metadata, nil
	if replace {
		r.generation++
		r.physical = st.physical(r.id, r.kind, after, r.generation)
		if r.physical != before {
			r.adopted, r.items = false, 0
			s.realize(r)
			s.mark(st, r, "UPDATE_IN_PROGRESS", "Resource creation Initiated")
			old := t.old.copy()
			old.deletion = t.old.replacing
			op.later = append(op.later, &task{verb: "delete", id: old.id, kind: old.kind, old: old, now: old})
		}
	}
	if r.kind == "AWS::CloudFormation::Stack" {
		s.startChild(st, r)
	}
	return true
}

func (s *Server) startRestoring(st *stack, t *task) {
	current := st.resource(t.id)
	replaced := current.physical != t.old.physical
	if replaced {
		made := current.copy()
		st.running.later = append(st.running.later, &task{verb: "delete", id: made.id, kind: made.kind, old: made, now: made})
	}
	generation := max(current.generation, t.old.generation)
	child := current.child
	*current = *t.old.copy()
	current.generation = generation
	t.now = current
	s.mark(st, current, "UPDATE_IN_PROGRESS", "")
	if child != nil && child.running == nil && child.status == "UPDATE_COMPLETE" {
		s.restoreChild(st, current)
	}
}

// startDeletion removes a resource; false if it stays.
func (s *Server) startDeletion(st *stack, t *task) bool {
	creating := st.running.rollback
	stays := t.old.deletion == "Retain" || t.old.deletion == "RetainExceptOnCreate" && (!creating || t.old.adopted)
	if t.old.physical == "" || strings.HasSuffix(t.old.status, "_FAILED") && strings.HasPrefix(t.old.status, "CREATE") &&
		s.neverMade(st, t.old) {
		// It was never made.
		s.drop(st, t.old)
		return false
	}
	if stays {
		s.mark(st, t.old, "DELETE_SKIPPED", "")
		s.keep(st, t.old)
		s.drop(st, t.old)
		return false
	}
	s.mark(st, t.old, "DELETE_IN_PROGRESS", "")
	if t.old.child != nil && t.old.child.status != "DELETE_COMPLETE" {
		s.settle(t.old.child)
		s.runDeletion(t.old.child, st.running.token)
	}
	return true
}

// neverMade reports whether a creation failed because the name was taken.
func (s *Server) neverMade(st *stack, r *resource) bool { return s.taken(st, r) }

// drop removes a resource from the stack, unless it was replaced by another one.
func (s *Server) drop(st *stack, gone *resource) {
	st.resources = slices.DeleteFunc(st.resources, func(r *resource) bool { return r == gone })
}

// finish ends a task: "running" if it waits, "failed", or "done".
func (s *Server) finish(st *stack, t *task) string {
	verb := map[string]string{"create": "CREATE", "update": "UPDATE", "restore": "UPDATE", "delete": "DELETE"}[t.verb]
	if t.verb == "create" && t.now.adopted {
		verb = "IMPORT"
	}
	if t.verb == "create" && s.taken(st, t.now) {
		s.mark(st, t.now, "CREATE_FAILED",
			"Resource of type '"+t.kind+"' with identifier '"+t.now.physical+"' already exists.")
		return "failed"
	}
	if child := t.now.child; child != nil && child.running != nil && !child.running.busy {
		s.step(child)
		if child.running != nil && !child.running.busy {
			return "running"
		}
	}
	rollback := st.running.rollback
	if reason, fails := s.script.fails(t.id, t.kind, rollback); fails {
		s.mark(st, t.now, verb+"_FAILED", reason)
		return "failed"
	}
	if child := t.now.child; child != nil && !childIsRight(t.verb, child.status) {
		kind := map[string]string{"create": "created", "update": "updated", "restore": "updated", "delete": "deleted"}[t.verb]
		s.mark(st, t.now, verb+"_FAILED", "Embedded stack "+child.id+" was not successfully "+kind+": "+child.reason)
		return "failed"
	}

	s.mark(st, t.now, verb+"_COMPLETE", "")
	if t.verb == "delete" {
		s.forget(st.account, st.region, t.now)
		s.drop(st, t.now)
	}
	return "done"
}

func childIsRight(verb, status string) bool {
	switch verb {
	case "create":
		return status == "CREATE_COMPLETE"
	case "delete":
		return status == "DELETE_COMPLETE"
	case "restore":
		return !strings.HasSuffix(status, "_FAILED")
	}
	return status == "UPDATE_COMPLETE" || status == "CREATE_COMPLETE"
}

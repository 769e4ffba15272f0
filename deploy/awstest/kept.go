package awstest

import (
	"slices"

	"gatewright/cfn"
)

// Kept is a resource that a stack left behind when it was deleted or changed.
type Kept struct{ Account, Region, Type, LogicalID, PhysicalID, Stack string }

// owner is who has a named resource in an account and region: "" if nobody, "kept" if it was
// left behind, else the ARN of a stack. The creation that asks does not count.
func (s *Server) owner(st *stack, kind, name string) string {
	for _, other := range s.stacks {
		if other.account != st.account || other.region != st.region {
			continue
		}
		for _, r := range other.resources {
			inCreation := other == st && r.status == "CREATE_IN_PROGRESS" || r.status == "CREATE_FAILED" || r.status == "IMPORT_IN_PROGRESS"
			if r.kind == kind && r.physical == name && !inCreation {
				return other.id
			}
		}
	}
	for _, k := range s.kept() {
		if k.Account == st.account && k.Region == st.region && k.Type == kind && k.PhysicalID == name {
			return "kept"
		}
	}
	return ""
}

// kept are the resources with DELETE_SKIPPED that no stack has taken over since.
func (s *Server) kept() []Kept {
	var all []Kept
	for _, st := range s.stacks {
		for _, e := range st.events {
			if e.status != "DELETE_SKIPPED" {
				continue
			}
			k := Kept{st.account, st.region, e.kind, e.logical, e.physical, st.name}
			taken := slices.ContainsFunc(s.stacks, func(other *stack) bool {
				return other.account == st.account && other.region == st.region && slices.ContainsFunc(other.resources, func(r *resource) bool {
					return r.kind == e.kind && r.physical == e.physical && r.adopted
				})
			})
			if !taken && !slices.Contains(all, k) {
				all = append(all, k)
			}
		}
	}
	return all
}

// Kept returns the resources that stacks left behind, in the order in which that happened.
func (s *Server) Kept() []Kept {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept()
}

// adopts reports whether a creation takes over a resource that was left behind.
func (s *Server) adopts(st *stack, to revision, r cfn.Resource) bool {
	return to.adopt && unique(r.Type) && s.owner(st, r.Type, properties(st.marked(to), to, &r)[names[r.Type]]) == "kept"
}

package awstest

import (
	"maps"
	"slices"

	"gatewright/internal/cfn"
)

// Kept is a resource that a stack left behind when it was deleted or changed.
type Kept struct{ Account, Region, Type, LogicalID, PhysicalID, Stack string }

// leftover is a resource outside of stacks.
type leftover struct {
	Kept
	resource *resource
}

// owner is who has a named resource in an account and region: "" if nobody, "kept" if it was
// left behind, else the ARN of a stack. The creation that asks does not count.
func (s *Server) owner(st *stack, kind, name string) string {
	for _, other := range s.stacks {
		if other.account != st.account || other.region != st.region {
			continue
		}
		for _, r := range other.resources {
			inCreation := other == st && r.status == "CREATE_IN_PROGRESS" || r.status == "CREATE_FAILED" ||
				r.status == "IMPORT_IN_PROGRESS"
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

// keep notes that a resource stays when its stack lets go of it.
func (s *Server) keep(st *stack, r *resource) {
	s.let(st.account, st.region, r)
	s.left = append(s.left, leftover{Kept{st.account, st.region, r.kind, r.id, r.physical, st.name}, r.copy()})
}

// let takes a resource out of those outside of stacks.
func (s *Server) let(account, region string, r *resource) {
	s.left = slices.DeleteFunc(s.left,
		func(l leftover) bool { return l.Account == account && l.Region == region && l.resource.same(r) })
}

// forget notes that a resource does not exist any more, and so what is in it.
func (s *Server) forget(account, region string, r *resource) {
	s.let(account, region, r)
	if r.kind == "AWS::Cognito::UserPool" {
		s.left = slices.DeleteFunc(s.left, func(l leftover) bool { return l.resource.properties["UserPoolId"] == r.physical })
	}
}

// same reports whether two resources are the same one in an account and region.
func (r *resource) same(other *resource) bool {
	return r.kind == other.kind && r.physical == other.physical &&
		r.properties["UserPoolId"] == other.properties["UserPoolId"]
}

// kept are the resources that no stack has.
func (s *Server) kept() []Kept {
	var all []Kept
	for _, l := range s.left {
		if s.live(l.Account, l.Region, l.resource) == nil {
			all = append(all, l.Kept)
		}
	}
	return all
}

// live finds a resource in the stacks of an account and region.
func (s *Server) live(account, region string, wanted *resource) *resource {
	for _, st := range s.stacks {
		if st.account != account || st.region != region {
			continue
		}
		for _, r := range st.resources {
			if r.same(wanted) && r.instance != "" {
				return r
			}
		}
	}
	return nil
}

// all are the resources of a type that exist in an account and region, in stacks or outside.
func (s *Server) all(account, region, kind string) []*resource {
	var all []*resource
	for _, st := range s.stacks {
		for _, r := range st.resources {
			if st.account == account && st.region == region && r.kind == kind && r.instance != "" {
				all = append(all, r)
			}
		}
	}
	for _, l := range s.left {
		if l.Account == account && l.Region == region && l.Type == kind && s.live(account, region, l.resource) == nil {
			all = append(all, l.resource)
		}
	}
	return all
}

// existing finds a resource that exists, by its type and its identifier.
func (s *Server) existing(account, region, kind, physical, pool string) *resource {
	for _, r := range s.all(account, region, kind) {
		if r.physical == physical && (pool == "" || r.properties["UserPoolId"] == pool) {
			return r
		}
	}
	return nil
}

// Kept returns the resources that exist outside of stacks, in the order in which that came.
func (s *Server) Kept() []Kept {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept()
}

// Put makes a resource that no stack has, as a person does in the console. Its properties are
// those of a template, with their values.
func (s *Server) Put(kind, physical string, properties map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &resource{kind: kind, physical: physical, detail: maps.Clone(properties), properties: make(map[string]string)}
	if pool, is := properties["UserPoolId"].(string); is {
		r.properties["UserPoolId"] = pool
	}
	s.realize(r)
	s.left = append(s.left,
		leftover{Kept{Account: s.options.Account, Region: s.options.Region, Type: kind, PhysicalID: physical}, r})
}

// realize makes a resource that did not exist before.
func (s *Server) realize(r *resource) {
	s.ids++
	r.instance, r.made = uuid("instance", padded(s.ids, 6)), s.now()
}

// Fill gives a table items, or a user pool users.
func (s *Server) Fill(physical string, count int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, kind := range []string{"AWS::DynamoDB::Table", "AWS::Cognito::UserPool"} {
		for _, r := range s.all(s.options.Account, s.options.Region, kind) {
			if r.physical == physical {
				r.items = count
			}
		}
	}
}

// Data is what a resource holds, which is lost if it is made anew.
type Data struct {
	// Instance tells it from a later resource of its name, Items counts items or users.
	Instance string
	Items    int
	// Stack is the name of the stack that has it; "" for none.
	Stack string
}

// Data returns what tables, pools, groups and log groups hold, by type and physical id.
func (s *Server) Data() map[string]Data {
	s.mu.Lock()
	defer s.mu.Unlock()
	data := make(map[string]Data)
	for _, kind := range []string{
		"AWS::DynamoDB::Table", "AWS::Logs::LogGroup", "AWS::Cognito::UserPool",
		"AWS::Cognito::UserPoolGroup", "AWS::Cognito::IdentityPool",
	} {
		for _, r := range s.all(s.options.Account, s.options.Region, kind) {
			d := Data{Instance: r.instance, Items: r.items}
			for _, st := range s.stacks {
				if slices.Contains(st.resources, r) {
					d.Stack = st.name
				}
			}
			data[kind+" "+r.physical] = d
		}
	}
	return data
}

// adopts reports whether a creation takes over a resource that was left behind.
func (s *Server) adopts(st *stack, to revision, r cfn.Resource) bool {
	return to.adopt && unique(r.Type) && s.owner(st, r.Type, properties(st.marked(to), to, &r)[names[r.Type]]) == "kept"
}

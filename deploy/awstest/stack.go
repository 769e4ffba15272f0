package awstest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gatewright/internal/cfn"
)

// stack is a stack of CloudFormation.
type stack struct {
	account, region, name, id string
	parent                    *stack
	status, reason            string
	created, updated, deleted time.Time
	// deployed is what the last operation that succeeded made; its template is nil before.
	deployed  revision
	resources []*resource
	events    []event
	protected bool
	policy    string
	changeSet string
	// executed are the templates that were begun, in their order.
	executed [][]byte
	running  *operation
	// tokens are the ClientRequestTokens of all operations, with their kinds.
	tokens map[string]string
}

// revision is what a stack is or is to be.
type revision struct {
	text         []byte
	template     *cfn.Template
	parameters   map[string]string
	tags         []tag
	capabilities []string
	adopt        bool
	// nested says that change sets compare nested stacks too.
	nested    bool
	onFailure string
}

type tag struct{ key, value string }

type resource struct {
	id, kind, physical, status, reason, metadata string
	deletion, replacing                          string
	// properties are their values by name, with the identifiers of other resources.
	properties map[string]string
	changed    time.Time
	// generation counts replacements.
	generation int
	child      *stack
	adopted    bool
	// instance tells a resource that exists from a later one of its name; "" for one that was
	// never made. made is since when it exists, items counts what it holds, and detail are the
	// values that it has, which an import does not change.
	instance string
	made     time.Time
	items    int
	detail   map[string]any
	// byHand are the properties that Drift changed, by JSON pointer; gone says that Vanish
	// removed the resource. drift is what the last comparison found.
	byHand map[string]string
	gone   bool
	drift  *drift
}

type event struct {
	id, logical, physical, kind, status, reason, token, operation string
	time                                                          time.Time
}

func (st *stack) arn(kind string) string {
	return "arn:aws:cloudformation:" + st.region + ":" + st.account + ":" + kind
}

func (s *Server) newStack(account, region, name string) *stack {
	st := &stack{account: account, region: region, name: name, created: s.now(), tokens: make(map[string]string)}
	s.ids++
	st.id = st.arn("stack/" + name + "/" + uuid("stack", account, region, name, fmt.Sprint(s.ids)))
	s.stacks = append(s.stacks, st)
	return st
}

// find finds a stack by its ARN or, unless it is deleted, by its name.
func (s *Server) find(account, region, nameOrID string) *stack {
	for _, st := range slices.Backward(s.stacks) {
		if st.account == account && st.region == region &&
			(st.id == nameOrID || st.name == nameOrID && st.status != "DELETE_COMPLETE") {
			return st
		}
	}
	return nil
}

func (st *stack) resource(id string) *resource {
	for _, r := range st.resources {
		if r.id == id {
			return r
		}
	}
	return nil
}

func inProgress(status string) bool { return strings.HasSuffix(status, "_IN_PROGRESS") }

// set changes the status of the stack, and tells it as an event.
func (s *Server) set(st *stack, status, reason string) {
	st.status, st.reason = status, reason
	s.tell(st, st.name, st.id, "AWS::CloudFormation::Stack", status, reason)
}

func (s *Server) mark(st *stack, r *resource, status, reason string) {
	r.status, r.reason = status, reason
	e := s.tell(st, r.id, r.physical, r.kind, status, reason)
	r.changed = e.time
}

func (s *Server) tell(st *stack, logical, physical, kind, status, reason string) event {
	e := event{logical: logical, physical: physical, kind: kind, status: status, reason: reason, time: s.now()}
	if st.running != nil {
		e.token, e.operation = st.running.token, st.running.id
	}
	s.ids++
	e.id = logical + "-" + status + "-" + e.time.Format("2006-01-02T15:04:05.000Z") + "-" + fmt.Sprint(s.ids)
	if logical == st.name {
		e.id = uuid("event", fmt.Sprint(s.ids))
	}
	st.events = append(st.events, e)
	return e
}

// given are the values to resolve a revision of a stack with. Reference and Attribute are of
// the resources as they are now.
func (st *stack) given(rev revision) cfn.Given {
	g := cfn.Given{
		Parameters: make(map[string]cfn.Value),
		Pseudo: map[string]string{
			"AWS::AccountId": st.account, "AWS::Region": st.region, "AWS::StackName": st.name, "AWS::StackId": st.id,
			"AWS::Partition": "aws", "AWS::URLSuffix": "amazonaws.com",
		},
	}
	for name, value := range rev.parameters {
		g.Parameters[name] = cfn.Text(value)
	}
	g.Reference = func(r *cfn.Resource) (string, bool) {
		if made := st.resource(r.ID); made != nil {
			return made.physical, true
		}
		return "", false
	}
	g.Attribute = func(r *cfn.Resource, attribute string) (string, bool) {
		if made := st.resource(r.ID); made != nil {
			return st.attribute(made, attribute), true
		}
		return "", false
	}
	return g
}

// marked are the values to compare revisions with: a reference is a mark that names what it refers to.
func (st *stack) marked(rev revision) cfn.Given {
	g := st.given(rev)
	g.Reference = func(r *cfn.Resource) (string, bool) { return "\x01" + r.ID + "\x02", true }
	g.Attribute = func(r *cfn.Resource, attribute string) (string, bool) {
		return "\x03" + r.ID + "." + attribute + "\x02", true
	}
	return g
}

// existing are the resources of a revision whose conditions hold.
func (st *stack) existing(rev revision) []cfn.Resource {
	if rev.template == nil {
		return nil
	}
	resolver := rev.template.With(st.marked(rev))
	return slices.DeleteFunc(rev.template.Resources(), func(r cfn.Resource) bool {
		exists, known := resolver.Exists(&r)
		return known && !exists
	})
}

// properties are the values of a resource's properties, by name.
func properties(g cfn.Given, rev revision, r *cfn.Resource) map[string]string {
	values := make(map[string]string)
	v := rev.template.With(g).Resolve(r.Properties)
	for _, m := range v.Members {
		values[m.Name] = shown(m.Value)
	}
	return values
}

// shown is a value as a text, with the members of maps sorted.
func shown(v cfn.Value) string {
	switch v.Kind {
	case cfn.List:
		parts := make([]string, len(v.List))
		for i, x := range v.List {
			parts[i] = shown(x)
		}
		return "[" + strings.Join(parts, ",") + "]"
	case cfn.Map:
		var parts []string
		for _, m := range v.Members {
			parts = append(parts, fmt.Sprintf("%q:", m.Name)+shown(m.Value))
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, ",") + "}"
	}
	return v.Text
}

func metadataOf(r *cfn.Resource) string {
	if m := r.Node.Get("Metadata"); m != nil {
		return string(m.Minified())
	}
	return ""
}

func textOf(n *cfn.Node) string {
	if n == nil {
		return ""
	}
	return n.Text
}

type output struct{ name, value, description, export string }

// outputs are those of the template as deployed.
func (st *stack) outputs() []output {
	if st.deployed.template == nil || st.status == "DELETE_COMPLETE" {
		return nil
	}
	resolver := st.deployed.template.With(st.given(st.deployed))
	var all []output
	for _, o := range st.deployed.template.Outputs() {
		if o.Condition != "" {
			if holds, known := resolver.Condition(o.Condition); known && !holds {
				continue
			}
		}
		x := output{name: o.Name, value: resolver.Resolve(o.Value).Text}
		x.description = textOf(st.deployed.template.Root.Get("Outputs", o.Name, "Description"))
		if o.Export != nil {
			x.export = resolver.Resolve(o.Export).Text
		}
		all = append(all, x)
	}
	return all
}

func (r *resource) copy() *resource {
	c := *r
	c.properties, c.detail, c.byHand = maps.Clone(r.properties), maps.Clone(r.detail), maps.Clone(r.byHand)
	return &c
}

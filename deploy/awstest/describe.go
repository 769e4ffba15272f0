package awstest

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/cfn"
)

func escaped(text string) string {
	x := tx("x", text)
	if x == "" {
		return ""
	}
	return x[len("<x>") : len(x)-len("</x>")]
}

func parameters(rev revision) string {
	if rev.template == nil {
		return ""
	}
	return members("Parameters", rev.template.Parameters(), func(p cfn.Parameter) string {
		value := rev.parameters[p.Name]
		if textOf(rev.template.Root.Get("Parameters", p.Name, "NoEcho")) == "true" {
			value = "****"
		}
		return tx("ParameterKey", p.Name) + el("ParameterValue", escaped(value))
	})
}

func tags(all []tag) string {
	return members("Tags", all, func(t tag) string { return tx("Key", t.key) + el("Value", escaped(t.value)) })
}

func (s *Server) describeStacks(r *request) (answer, *fault) {
	var all []*stack
	if r.get("StackName") != "" {
		st, f := s.named(r, noStackWithID)
		if f != nil {
			return answer{}, f
		}
		s.step(st)
		s.refreshAll(st)
		all = []*stack{st}
	} else {
		for _, st := range slices.Backward(s.stacks) {
			if st.account == r.Account && st.region == r.Region && st.status != "DELETE_COMPLETE" {
				all = append(all, st)
			}
		}
	}
	part, next, f := page(all, r.get("NextToken"), s.options.StacksPerPage)
	if f != nil {
		return answer{}, f
	}
	return result(r, members("Stacks", part, stackXML)+tx("NextToken", next))
}

func stackXML(st *stack) string {
	shown := st.deployed
	if shown.template == nil && st.running != nil {
		shown = st.running.to
	}
	description := ""
	if shown.template != nil {
		description = textOf(shown.template.Root.Get("Description"))
	}
	parent := ""
	if st.parent != nil {
		root := st.parent
		for root.parent != nil {
			root = root.parent
		}
		parent = tx("ParentId", st.parent.id) + tx("RootId", root.id)
	}
	return tx("StackId", st.id) + tx("StackName", st.name) + tx("ChangeSetId", st.changeSet) +
		tx("Description", description) + parameters(shown) +
		at("CreationTime", st.created) + at("LastUpdatedTime", st.updated) + at("DeletionTime", st.deleted) +
		tx("StackStatus", st.status) + tx("StackStatusReason", st.reason) + yes("DisableRollback", false) +
		members("Capabilities", shown.capabilities, escaped) + members("Outputs", st.outputs(), outputXML) +
		tags(shown.tags) +
		yes("EnableTerminationProtection", st.protected) + parent +
		el("DriftInformation", tx("StackDriftStatus", "NOT_CHECKED"))
}

func outputXML(o output) string {
	return tx("OutputKey", o.name) + el("OutputValue", escaped(o.value)) + tx("Description", o.description) +
		tx("ExportName", o.export)
}

func (s *Server) listStacks(r *request) (answer, *fault) {
	wanted := r.members("StackStatusFilter")
	var all []*stack
	for _, st := range slices.Backward(s.stacks) {
		if st.account == r.Account && st.region == r.Region &&
			(wanted == nil || slices.ContainsFunc(wanted, func(m map[string]string) bool { return m[""] == st.status })) {
			all = append(all, st)
		}
	}
	part, next, f := page(all, r.get("NextToken"), s.options.StacksPerPage)
	if f != nil {
		return answer{}, f
	}
	return result(r, members("StackSummaries", part, func(st *stack) string {
		return tx("StackId", st.id) + tx("StackName", st.name) + at("CreationTime", st.created) +
			at("LastUpdatedTime", st.updated) +
			at("DeletionTime", st.deleted) + tx("StackStatus", st.status) + tx("StackStatusReason", st.reason)
	})+tx("NextToken", next))
}

// describeStackEvents moves the operation on only for the first page, so that the pages of
// one listing belong together; new events do not move the older pages.
func (s *Server) describeStackEvents(r *request) (answer, *fault) {
	st, f := s.named(r, noStackPlain)
	if f != nil {
		return answer{}, f
	}
	left := len(st.events)
	if token := r.get("NextToken"); token != "" {
		n, err := strconv.Atoi(strings.TrimPrefix(token, "before-"))
		if err != nil || n < 1 || n > left {
			return answer{}, invalid("Invalid token")
		}
		left = n
	} else {
		s.step(st)
		s.refreshAll(st)
		left = len(st.events)
	}
	from := max(0, left-s.options.EventsPerPage)
	part := slices.Clone(st.events[from:left])
	slices.Reverse(part)
	next := ""
	if from > 0 {
		next = "before-" + strconv.Itoa(from)
	}
	return result(r, members("StackEvents", part, func(e event) string {
		return tx("StackId", st.id) + tx("EventId", e.id) + tx("StackName", st.name) + tx("LogicalResourceId", e.logical) +
			tx("PhysicalResourceId", e.physical) +
			tx("ResourceType", e.kind) + at("Timestamp", e.time) + tx("ResourceStatus", e.status) +
			tx("ResourceStatusReason", e.reason) +
			tx("ClientRequestToken", e.token) + tx("OperationId", e.operation)
	})+tx("NextToken", next))
}

func (st *stack) resourceXML(r *resource, time string) string {
	return tx("StackName", st.name) + tx("StackId", st.id) + tx("LogicalResourceId", r.id) +
		tx("PhysicalResourceId", r.physical) +
		tx("ResourceType", r.kind) + at(time, r.changed) + tx("ResourceStatus", r.status) +
		tx("ResourceStatusReason", r.reason) +
		el("DriftInformation", tx("StackResourceDriftStatus", "NOT_CHECKED"))
}

func (s *Server) describeStackResource(r *request) (answer, *fault) {
	st, f := s.named(r, noStackQuoted)
	if f != nil {
		return answer{}, f
	}
	made := st.resource(r.get("LogicalResourceId"))
	if made == nil {
		return answer{}, invalid("Resource " + r.get("LogicalResourceId") + " does not exist for stack " + st.name)
	}
	return result(r, el("StackResourceDetail", st.resourceXML(made, "LastUpdatedTimestamp")+tx("Metadata", made.metadata)))
}

func (s *Server) describeStackResources(r *request) (answer, *fault) {
	if physical := r.get("PhysicalResourceId"); physical != "" {
		return s.describeOwner(r, physical)
	}
	st, f := s.named(r, noStackWithID)
	if f != nil {
		return answer{}, f
	}
	all := slices.DeleteFunc(slices.Clone(st.resources), func(x *resource) bool {
		return r.get("LogicalResourceId") != "" && x.id != r.get("LogicalResourceId")
	})
	return result(r,
		members("StackResources", all[:min(len(all), 100)],
			func(x *resource) string { return st.resourceXML(x, "Timestamp") }))
}

// describeOwner answers the resources of the stack that has a resource by its physical id.
func (s *Server) describeOwner(r *request, physical string) (answer, *fault) {
	for _, st := range s.stacks {
		for _, x := range st.resources {
			if st.account == r.Account && st.region == r.Region && x.physical == physical {
				return result(r,
					members("StackResources", st.resources, func(x *resource) string { return st.resourceXML(x, "Timestamp") }))
			}
		}
	}
	return answer{}, invalid("Stack for " + physical + " does not exist")
}

func (s *Server) listStackResources(r *request) (answer, *fault) {
	st, f := s.named(r, noStackWithID)
	if f != nil {
		return answer{}, f
	}
	part, next, f := page(st.resources, r.get("NextToken"), s.options.StacksPerPage)
	if f != nil {
		return answer{}, f
	}
	return result(r,
		members("StackResourceSummaries", part,
			func(x *resource) string { return st.resourceXML(x, "LastUpdatedTimestamp") })+tx("NextToken", next))
}

// getTemplate answers the template that was begun last, or that of a change set.
func (s *Server) getTemplate(r *request) (answer, *fault) {
	text := []byte(nil)
	if name := r.get("ChangeSetName"); name != "" {
		c, f := s.namedChangeSet(r)
		if f != nil {
			return answer{}, f
		}
		text = c.to.text
	} else {
		st, f := s.named(r, noStackWithID)
		if f != nil {
			return answer{}, f
		}
		text = st.deployed.text
		if st.running != nil && st.running.to.text != nil && !st.running.rollback {
			text = st.running.to.text
		}
	}
	return result(r,
		tx("TemplateBody", string(text))+members("StagesAvailable", []string{"Original", "Processed"}, escaped))
}

// getTemplateSummary answers for a stack or a template. Metadata is that of the template.
func (s *Server) getTemplateSummary(r *request) (answer, *fault) {
	var template *cfn.Template
	if r.get("StackName") != "" {
		st, f := s.named(r, noStackWithID)
		if f != nil {
			return answer{}, f
		}
		template = st.deployed.template
		if template == nil && st.running != nil {
			template = st.running.to.template
		}
	} else {
		text, f := s.templateOf(r, nil)
		if f != nil {
			return answer{}, f
		}
		parsed, err := cfn.Parse("template", text)
		if err != nil {
			return answer{}, invalid("Template format error: " + err.Error())
		}
		template = parsed
	}
	if template == nil {
		return result(r, "")
	}
	var kinds []string
	for _, x := range template.Resources() {
		if !slices.Contains(kinds, x.Type) {
			kinds = append(kinds, x.Type)
		}
	}
	metadata := ""
	if m := template.Root.Get("Metadata"); m != nil && json.Valid(m.Minified()) {
		metadata = string(m.Minified())
	}
	return result(r, members("Parameters", template.Parameters(), func(p cfn.Parameter) string {
		return tx("ParameterKey", p.Name) + tx("ParameterType", p.Type) + tx("DefaultValue", textOf(p.Default)) +
			yes("NoEcho", textOf(template.Root.Get("Parameters", p.Name, "NoEcho")) == "true")
	})+members("ResourceTypes", kinds, escaped)+tx("Description", textOf(template.Root.Get("Description")))+tx("Metadata",
		metadata)+tx("Version", "2010-09-09"))
}

package awstest

import (
	"gatewright/internal/cfn"
)

// startChild makes or changes the stack of a nested stack's resource.
func (s *Server) startChild(st *stack, r *resource) {
	to, failure := s.childRevision(st, r)
	if r.child == nil {
		name := st.name + "-" + r.id + "-" + letters(upper, 12, st.id, r.id)
		r.child = s.newStack(st.account, st.region, name)
		r.child.parent = st
		r.physical = r.child.id
		if failure == "" {
			s.runCreation(r.child, st.running.token, to)
			return
		}
		s.set(r.child, "ROLLBACK_COMPLETE", failure)
		return
	}
	if failure != "" {
		s.set(r.child, "UPDATE_ROLLBACK_COMPLETE", failure)
		return
	}
	if len(s.compare(r.child, to)) == 0 && !outputsDiffer(r.child.deployed, to) {
		return
	}
	s.runUpdate(r.child, st.running.token, to)
}

// restoreChild changes a nested stack back, with the properties that its resource has again.
func (s *Server) restoreChild(st *stack, r *resource) {
	to, failure := s.childRevision(st, r)
	if failure == "" {
		s.runUpdate(r.child, st.running.token, to)
	}
}

// childRevision reads the template that a nested stack's resource names.
func (s *Server) childRevision(st *stack, r *resource) (to revision, failure string) {
	text, f := s.templateAt(st.account, r.properties["TemplateURL"])
	if f != nil {
		return revision{}, f.message
	}
	template, err := cfn.Parse("template", text)
	if err != nil {
		return revision{}, "Template format error: " + err.Error()
	}
	to = revision{text: text, template: template, parameters: make(map[string]string)}
	var parameters []map[string]string
	rev := st.running.to
	if r.status == "UPDATE_IN_PROGRESS" && st.running.rollback {
		rev = st.deployed
	}
	if entry := rev.template.Resource(r.id); entry != nil {
		v := rev.template.With(st.given(rev)).Resolve(entry.Properties)
		if given, ok := v.Get("Parameters"); ok {
			for _, m := range given.Members {
				parameters = append(parameters, map[string]string{"ParameterKey": m.Name, "ParameterValue": shown(m.Value)})
			}
		}
	}
	to.tags = rev.tags
	if f := to.fill(parameters, nil); f != nil {
		return revision{}, f.message
	}
	return to, ""
}

func outputsDiffer(a, b revision) bool {
	text := func(r revision) string {
		if r.template == nil || r.template.Root.Get("Outputs") == nil {
			return ""
		}
		return string(r.template.Root.Get("Outputs").Minified())
	}
	return text(a) != text(b)
}

// sameChild reports whether the template that a nested stack's resource names is the one that is deployed.
func (s *Server) sameChild(st *stack, r *resource) bool {
	text, f := s.templateAt(st.account, r.properties["TemplateURL"])
	return f == nil && r.child != nil && string(text) == string(r.child.deployed.text)
}

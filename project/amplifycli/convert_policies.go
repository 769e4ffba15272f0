package amplifycli

import (
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
)

// keepOthers gives a function what its policies say and no access does, as policies. It adds what cannot come along.
func (p *policies) keepOthers(f *model.Function) {
	var lost []string
	for i, s := range p.of.Statements {
		if s.Effect != model.Allow && s.Effect != model.Deny {
			continue
		}
		if s.NotAction || s.NotResource {
			words := "everything but " + phrase.QuoteList(s.Actions)
			if !s.NotAction {
				words = phrase.QuoteList(s.Actions) + " on everything but " + phrase.QuoteList(p.readable(s.Resources))
			}
			p.warn(p.of.Name, "its policies "+strings.ToLower(s.Effect)+" "+words+", which no policy of a definition does",
				"give the function the rights that it needs")
			continue
		}
		kept := model.Statement{Effect: s.Effect, Action: p.actions(s)}
		if len(kept.Action) == 0 {
			continue
		}
		known := s.Condition == "" && !strings.Contains(strings.Join(kept.Action, ""), "{")
		if condition, is := s.Value.Get("Condition"); is {
			kept.Condition = model.JSON(p.of.Template.Exact(condition))
			known = known && condition.Known()
		}
		kept.Resource, known = p.resources(i, known)
		if known && p.isValid(f, kept) {
			if !slices.ContainsFunc(f.Policies, kept.Equal) {
				f.Policies = append(f.Policies, kept)
			}
			continue
		}
		for _, action := range kept.Action {
			if !slices.Contains(lost, action) {
				lost = append(lost, action)
			}
		}
	}
	if len(lost) > 0 {
		p.warn(p.of.Name,
			"its policies name "+phrase.QuoteList(lost)+" on resources that only a deployment knows, which were not imported",
			"give them with: gatewright update function "+model.ShellWord(p.of.Name)+" --policy "+
				model.ShellWord("ACTION on ARN"))
	}
	if p.of.Beyond != "" {
		p.warn(p.of.Name, p.of.Beyond+": those rights were not imported",
			"grant the function the rights that it needs, with --access and --policy")
	}
}

// isValid reports whether a function can have a statement.
func (p *policies) isValid(f *model.Function, s model.Statement) bool {
	trial, with := *p.to, *f
	with.Policies = []model.Statement{s}
	return edit.UpdateFunction(&trial, &with) == nil
}

// actions are those of a statement that no access has: of one that denies, all.
func (p *policies) actions(s cfn.Statement) model.Patterns {
	handled := s.Effect == model.Allow && slices.ContainsFunc(s.Resources, p.isOwn)
	var left model.Patterns
	for _, pattern := range s.Actions {
		may := slices.ContainsFunc(p.known, func(action string) bool { return cfn.MatchAction(pattern, action) })
		logs := slices.Contains(common, pattern)
		if !(handled && (may || isUsual(pattern)) && pattern != "*") && !logs {
			left = append(left, pattern)
		}
	}
	return left
}

// isOwn reports whether a resource is a thing that came along, to which access may be. Everything is not: what
// a policy allows there it also allows with things of other projects.
func (p *policies) isOwn(resource string) bool {
	bucket := "arn:aws:s3:::" + p.places[0].here.ByName["storage"+p.bucket+"BucketName"]
	return strings.HasPrefix(p.reference(resource), "${") || p.bucket != "" && strings.HasPrefix(resource, bucket) ||
		slices.ContainsFunc(p.to.APIs, func(api *access.API) bool {
			return strings.Contains(resource, mark(model.ResourcePrefix("api/"+api.Label)+"ID"))
		})
}

// resources are those of a statement, in all environments, with references. known is false if one is not known.
func (p *policies) resources(statement int, known bool) (all model.Patterns, _ bool) {
	for _, place := range p.places {
		here, anywhere := place.here.Function(p.of.Name), place.anywhere.Function(p.of.Name)
		if here == nil || anywhere == nil || len(here.Statements) != len(p.of.Statements) ||
			len(anywhere.Statements) != len(p.of.Statements) {
			return nil, false
		}
		s, general := here.Statements[statement], anywhere.Statements[statement]
		known = known && !s.Partly
		for i, resource := range s.Resources {
			if len(general.Resources) == len(s.Resources) &&
				strings.ReplaceAll(general.Resources[i], markEnvironment, place.environment.Name) == resource {
				resource = general.Resources[i]
			}
			written := p.reference(resource)
			known = known && !marked(written)
			if !slices.Contains(all, written) {
				all = append(all, written)
			}
		}
	}
	return all, known
}

// reference is a resource with the references of a definition instead of what a deployment has.
func (p *policies) reference(resource string) string {
	pool := strings.Join([]string{"arn:aws:cognito-idp", markRegion, markAccount, "userpool/" + markPool}, ":")
	if rest, is := strings.CutPrefix(resource, pool); is {
		return "${pool}" + rest
	}
	for _, values := range []*Values{p.places[0].here, p.places[0].anywhere} {
		for _, t := range p.to.Tables {
			arn := values.ByName["storage"+p.tableResources[t.Name]+"Arn"]
			if rest, is := strings.CutPrefix(resource, arn); is && arn != "" && (rest == "" || rest[0] == '/') {
				return model.Refer("table/"+t.Name) + rest
			}
		}
		for _, f := range p.to.Functions {
			arn := values.ByName["function"+f.Name+"Arn"]
			if rest, is := strings.CutPrefix(resource, arn); is && arn != "" && (rest == "" || rest[0] == ':') {
				return model.Refer("function/"+f.Name) + rest
			}
		}
	}
	return strings.NewReplacer(markRegion, "${AWS::Region}", markAccount, "${AWS::AccountId}", markEnvironment, "${ENV}").
		Replace(resource)
}

// readable are resources for people.
func (p *policies) readable(resources []string) (all []string) {
	for _, r := range resources {
		all = append(all, strings.NewReplacer(markBegin, "${", markEnd, "}").Replace(p.reference(r)))
	}
	return all
}

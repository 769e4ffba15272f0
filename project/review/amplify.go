package review

import (
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/project"
	"gatewright/project/amplifycli"
)

// openedFunction says what a function of an Amplify CLI project may do in head, or might, and not
// in base, in an environment, "" for any. Both may be nil.
func openedFunction(base, head *project.Project, function, environment string) []string {
	was, is := amplifyFunction(base, function, environment, environment),
		amplifyFunction(head, function, environment, environment)
	gains := openedPolicies(was, is)
	all := slices.Concat(sentences(gains), openedRole(was, is))
	if head != nil && head.Amplify != nil && head.Backend.Function(function) != nil {
		if _, err := head.Amplify.CustomPolicies(function); err != nil {
			all = append(all, "has unknown policies: "+err.Error())
		}
	}
	if environment == "" && was != nil && is != nil {
		all = append(all, openedByParameters(base, head, function, gains, all)...)
	}
	return all
}

// openedByParameters says what parameters of environments open next to what all environments get.
func openedByParameters(base, head *project.Project, function string, known []gain, said []string) []string {
	in := make(map[string][]string)
	var texts []string
	for _, e := range head.Backend.Environments {
		if base.Backend.Environment(e.Name) == nil {
			continue
		}
		was, is := amplifyFunction(base, function, e.Name, ""), amplifyFunction(head, function, e.Name, "")
		gains := slices.DeleteFunc(openedPolicies(was, is), func(g gain) bool {
			return slices.ContainsFunc(known, func(o gain) bool { return o.frame == g.frame && o.from() == g.from() })
		})
		for _, text := range slices.Concat(sentences(gains), openedRole(was, is)) {
			if slices.Contains(said, text) {
				continue
			}
			if in[text] == nil {
				texts = append(texts, text)
			}
			in[text] = append(in[text], phrase.Quote(e.Name))
		}
	}
	for i, text := range texts {
		word := ", in environment "
		if len(in[text]) > 1 {
			word = ", in environments "
		}
		texts[i] = text + word + phrase.Enumerated(in[text])
	}
	return texts
}

// amplifyFunction works out the template of a function of an Amplify CLI project with the parameters of an
// environment, "" for any, and the name of one; nil if there is none, or it is a project of another layout.
func amplifyFunction(p *project.Project, function, environment, name string) *amplifycli.Function {
	if p == nil || p.Amplify == nil || p.Backend.Function(function) == nil {
		return nil
	}
	d := amplifycli.Deployment{Environment: environment, Name: name, WithoutSecrets: true, Symbols: true}
	return amplifycli.ValuesOf(p, p.Backend.For(nil), d).Function(function)
}

// gain is a part of a statement that lets a function do more than before, and how to say it: frame is
// a sentence with a % for what it is about.
type gain struct {
	frame string
	part  clause
}

// from is where the part is written.
func (g gain) from() string { return g.part.actions.places() + "\n" + g.part.resources.places() }

// openedPolicies lists it by the policies.
func openedPolicies(was, is *amplifycli.Function) []gain {
	had, has := policies(was), policies(is)
	var all []gain
	for _, c := range has {
		if c.effect != deny {
			c.uncovered(allow, had, func(part clause, guarded bool) {
				if !runs(is, was == nil, part) {
					all = append(all, gain{part.gained(guarded), part})
				}
			})
		}
	}
	for _, c := range had {
		if c.effect != allow {
			c.uncovered(deny, has, func(part clause, guarded bool) { all = append(all, gain{part.lost(guarded), part}) })
		}
	}
	return all
}

// runs reports whether a part of a statement is what a function needs to run, which opens nothing: it
// writes logs, which many templates allow it for all of them, and its traces, and if it is new or in a network
// of its own, makes its connection to that. To read logs is another thing.
// See https://docs.aws.amazon.com/lambda/latest/dg/lambda-intro-execution-role.html.
func runs(f *amplifycli.Function, isNew bool, part clause) bool {
	if part.actions.not || len(part.actions.all) != 1 || part.actions.all[0].why != "" {
		return false
	}
	switch part.actions.all[0].match {
	case "logs:createloggroup", "logs:createlogstream", "logs:putlogevents", "xray:puttracesegments",
		"xray:puttelemetryrecords":
		return true
	case "ec2:createnetworkinterface", "ec2:describenetworkinterfaces", "ec2:deletenetworkinterface",
		"ec2:describesubnets", "ec2:assignprivateipaddresses", "ec2:unassignprivateipaddresses":
		return isNew || f.Resource.Properties.Get("VpcConfig") != nil
	}
	return false
}

// sentences says gains, those about the same things together.
func sentences(gains []gain) []string {
	type line struct{ frame, actions, family string }
	var all []line
	actions, resources := make(map[line][]string), make(map[line][]string)
	for _, g := range gains {
		at := line{frame: g.frame, family: g.part.resources.family()}
		if actions[at] == nil {
			all = append(all, at)
		}
		actions[at] = append(actions[at], g.part.actions.listed()...)
		resources[at] = append(resources[at], g.part.resources.listed()...)
	}
	var texts []string
	together := make(map[line][]string)
	var lines []line
	for _, at := range all {
		slices.Sort(actions[at])
		same := line{frame: at.frame, actions: actionWords(slices.Compact(actions[at]))}
		if together[same] == nil {
			lines = append(lines, same)
		}
		together[same] = append(together[same], resources[at]...)
	}
	for _, at := range lines {
		on := together[at]
		slices.Sort(on)
		texts = append(texts, strings.Replace(at.frame, "%", at.actions+" on "+phrase.Enumerated(slices.Compact(on)), 1))
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

// actionWords names actions, those of a service together.
func actionWords(all []string) string {
	var words []string
	service := ""
	for _, action := range all {
		before, name, _ := strings.Cut(action, ":")
		if before == service {
			action = name
		}
		service = before
		words = append(words, action)
	}
	return strings.Join(words, ", ")
}

// The effects of a statement.
const (
	allow = "Allow"
	deny  = "Deny"
)

// gained says that a statement allows what none did. guarded says that one did under other conditions.
func (c clause) gained(guarded bool) string {
	switch {
	case c.actions.isNone():
		return "has a new policy: a statement that only a deployment knows"
	case c.guard == "":
		return "may now use %"
	case guarded:
		return "may now use %, under different conditions"
	}
	return "may now use %, under conditions"
}

// lost says that a statement that denied something is gone. guarded says that another one denies
// the same under other conditions.
func (c clause) lost(guarded bool) string {
	switch {
	case c.actions.isNone():
		return "has lost or changed a statement that only a deployment knows and that may deny something"
	case c.effect != deny:
		return "may no longer be denied %, by a statement whose effect only a deployment knows"
	case guarded && c.guard == "":
		return "is denied % only under conditions now"
	case guarded:
		return "is denied % under different conditions"
	case c.guard != "":
		return "is no longer denied %, under conditions"
	}
	return "is no longer denied %"
}

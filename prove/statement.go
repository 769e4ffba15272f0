package prove

import (
	"regexp"
	"slices"
	"strings"

	"gatewright/cfn"
)

// rule is what a statement says of the requests with one method.
type rule struct {
	clause
	deny bool
	// doubtful says that a template does not tell whether the rule holds. It then stands
	// for all that it may be about.
	doubtful bool
}

// everything is the clause that matches every path.
func everything() clause { return clause{not: true} }

// rules reads statements for the requests of an API whose ARNs begin with fixed. api is how
// those of the template name their APIs.
func rules(statements []cfn.Statement, fixed arn) []rule {
	var all []rule
	for _, s := range statements {
		about, certain := invokes(s)
		if !about {
			continue
		}
		doubtful := !certain || s.Conditional || s.Partly || s.Effect == "*"
		var effects []bool
		if s.Effect != "Deny" {
			effects = append(effects, false)
		}
		if s.Effect == "Deny" || s.Effect == "*" {
			effects = append(effects, true)
		}
		for _, r := range fixed.clauses(s, doubtful) {
			for _, deny := range effects {
				r.deny = deny
				all = append(all, r)
			}
		}
	}
	return all
}

// invokes reports whether a statement is about calls of APIs, and whether that is certain.
func invokes(s cfn.Statement) (about, certain bool) {
	if s.Effect == "*" && len(s.Actions) == 0 || s.NotAction && s.Partly {
		return true, false
	}
	named := slices.ContainsFunc(s.Actions, func(a string) bool { return cfn.MatchAction(a, "execute-api:Invoke") })
	return named != s.NotAction, true
}

// clauses returns what a statement is about. A clause that excludes what is doubtful
// excludes nothing of it, because a rule stands for all that it may be about.
func (a arn) clauses(s cfn.Statement, doubtful bool) []rule {
	if len(s.Resources) == 0 || s.NotResource && s.Partly {
		if s.Partly {
			return []rule{{clause: everything(), doubtful: true}}
		}
		return nil
	}
	if !s.NotResource {
		var all []rule
		for _, pattern := range s.Resources {
			if g, certain, ok := a.reach(pattern); ok {
				all = append(all, rule{clause: clause{globs: []glob{g}}, doubtful: doubtful || !certain})
			}
		}
		return all
	}
	one := rule{clause: everything(), doubtful: doubtful}
	for _, pattern := range s.Resources {
		switch g, certain, ok := a.reach(pattern); {
		case ok && certain:
			one.globs = append(one.globs, g)
		case ok:
			one.doubtful = true
		}
	}
	return []rule{one}
}

// arn is what the ARNs of an API's requests with one method begin with, up to the slash
// before the path. See
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-control-access-using-iam-policies-to-invoke-api.html
type arn struct {
	api, stage, method string
	// others are the APIs of the template, by what Ref gives.
	others map[string]bool
}

func (a arn) String() string {
	return "arn:" + partition + ":execute-api:" + region + ":" + account + ":" + a.api + "/" + a.stage + "/" + a.method + "/"
}

// variable is a variable of a policy, whose value depends on the caller. See
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_variables.html
var variable = regexp.MustCompile(`\$\{[^{}*?$]+\}`)

// reach returns what a pattern says of the paths of requests; ok is false if it is about
// none. certain is false if that depends on the caller, or on what only a deployment knows:
// a pattern may name a region, an account, an API or a stage that turns out to be the
// right one.
func (a arn) reach(pattern string) (g glob, certain, ok bool) {
	certain = true
	if variable.MatchString(pattern) {
		pattern, certain = variable.ReplaceAllString(pattern, "*"), false
	}
	if g, ok = begin(pattern, a.String()); ok {
		return g, certain, true
	}
	fields := strings.SplitN(pattern, ":", 6)
	if len(fields) < 6 {
		// A * that spans fields.
		_, ok = begin(pattern, "arn:"+partition+":execute-api:")
		return glob{text: "*", starts: skip("*", []int{0})}, false, ok
	}
	rest := strings.SplitN(fields[5], "/", 3)
	a.assume(&fields[3], region)
	a.assume(&fields[4], account)
	a.assume(&rest[0], a.api)
	if len(rest) > 1 {
		a.assume(&rest[1], a.stage)
	}
	fields[5] = strings.Join(rest, "/")
	g, ok = begin(strings.Join(fields, ":"), a.String())
	return g, false, ok
}

// assume puts what a deployment has into a field of a pattern that may turn out to be that:
// either of the two is not known. A name of another API of the template never does.
func (a arn) assume(field *string, has string) {
	open := strings.Contains(*field, "{") || strings.Contains(has, "{")
	if open && !a.others[*field] && !cfn.MatchResource(*field, has) {
		*field = has
	}
}

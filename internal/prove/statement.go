package prove

import (
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/text/lazyregexp"
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
	one := rule{clause: everything(), doubtful: doubtful}
	var all []rule
	for _, pattern := range s.Resources {
		for _, r := range a.reach(pattern) {
			all = append(all, rule{clause: clause{globs: []glob{r.glob}}, doubtful: doubtful || r.perhaps})
			if one.doubtful = one.doubtful || r.perhaps; !r.perhaps {
				one.globs = append(one.globs, r.glob)
			}
		}
	}
	if s.NotResource {
		return []rule{one}
	}
	return all
}

// arn is what the ARNs of an API's requests with one method begin with, up to the slash before the path. See
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-control-access-using-iam-policies-to-invoke-api.html
type arn struct {
	api, stage, method string
	// place is where the API is; nil if that is not known.
	place *Place
	// others are the APIs of the template, by what Ref gives.
	others map[string]bool
}

func (a arn) String() string {
	return a.base() + "/" + a.stage + "/" + a.method + "/"
}

// base is the ARN of the API.
func (a arn) base() string {
	at := Place{Region: region, Account: account, Partition: partition}
	if a.place != nil {
		at = *a.place
	}
	return "arn:" + at.Partition + ":execute-api:" + at.Region + ":" + at.Account + ":" + a.api
}

// variable is a variable of a policy, whose value depends on the caller. See
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_variables.html
var variable = lazyregexp.New(`\$\{[^{}*?$]+\}`)

// reached is what a pattern says of the paths of requests. perhaps says that this depends on
// the caller, or on what only a deployment knows: a pattern may name a region, an account, an
// API or a stage that turns out to be the right one.
type reached struct {
	glob
	perhaps bool
}

// reach returns what a pattern says of the paths of requests; nothing if it is about none.
func (a arn) reach(pattern string) (all []reached) {
	perhaps := false
	add := func(pattern string) {
		if g, ok := begin(pattern, a.String()); ok {
			all = append(all, reached{g, perhaps})
		}
	}
	if short, is := strings.CutPrefix(pattern, "execute-api:/"); is {
		// What API Gateway makes of the short form in a resource policy.
		pattern = a.base() + "/" + short
	}
	if variable().MatchString(pattern) {
		pattern, perhaps = variable().ReplaceAllString(pattern, "*"), true
	}
	add(pattern)
	if a.place != nil {
		return all
	}
	fields := strings.SplitN(pattern, ":", 6)
	perhaps = true
	if len(fields) < 6 {
		// A * that spans fields: what follows may name anything of the API.
		if _, ok := begin(pattern, "arn:"+partition+":execute-api:"); ok && !strings.HasSuffix(pattern, "*") {
			add("*")
		}
		return all
	}
	rest := strings.SplitN(fields[5], "/", 3)
	assumed := a.assume(&fields[3], region)
	assumed = a.assume(&fields[4], account) || assumed
	assumed = a.assume(&rest[0], a.api) || assumed
	if len(rest) > 1 {
		assumed = a.assume(&rest[1], a.stage) || assumed
	}
	if assumed {
		fields[5] = strings.Join(rest, "/")
		add(strings.Join(fields, ":"))
	}
	return all
}

// assume puts what a deployment has into a field of a pattern that may turn out to be that:
// either of the two is not known. A name of another API of the template never does.
func (a arn) assume(field *string, has string) bool {
	open := strings.Contains(*field, "{") || strings.Contains(has, "{")
	if !open || a.others[*field] || cfn.MatchResource(*field, has) {
		return false
	}
	*field = has
	return true
}

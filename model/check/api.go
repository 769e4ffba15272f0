package check

import (
	"errors"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
)

// CheckAPI checks one API: its paths one by one, then against each other.
func (c *Checker) CheckAPI(api *access.API) []*model.Problem {
	problems := readName(model.Ref{Kind: model.KindAPI, Name: api.Label})
	if len(api.Paths) == 0 {
		problems = append(problems,
			&model.Problem{
				Of: model.Ref{Kind: model.KindAPI, Name: api.Label}, Pointer: "/paths", Text: "has no paths",
				Fix: "add one, or remove the API", Level: model.Warning,
			})
	}
	problems = append(append(problems, BinaryMediaTypes(api)...), c.CheckCORS(api)...)
	order, rules := access.Precedence(api, c.Groups), c.Rules(api)
	folded := make(map[string]string, len(api.Paths))
	for _, p := range api.Paths {
		var bad *access.PathError
		if _, err := access.ParsePath(p.Name); errors.As(err, &bad) && p.Name != access.ProxyPath {
			problems = append(problems, pathWarning(api, p, access.RulePathName, bad.Fix, "%s", bad.Text))
		}
		if first, ok := folded[strings.ToLower(p.Name)]; ok && first != p.Name {
			problems = append(problems,
				pathWarning(api, p, access.RulePathCase, "give one another name",
					"differs from %s only in case", phrase.Quote(first)))
		}
		folded[strings.ToLower(p.Name)] = p.Name
		problems = append(problems, c.checkPath(api, p)...)
		problems = append(problems, accessWarnings(api, p, rules.Lints(p, order))...)
		// Groups are of a pool, whose other answers may be missing.
		if p.Access.Setting != access.Open && c.Auth == nil && len(c.Groups) == 0 && !c.Defines(model.KindAuth) {
			problem := accessProblem(api, p, model.Warning, "/setting", "run: "+c.Adding(model.KindAuth),
				"grants access to users or guests, but the project has no user pool")
			problem.Rule = access.RuleNoUserPool
			problems = append(problems, problem)
		}
	}
	for _, c := range api.Conflicts() {
		problems = append(problems, Conflict(api, c))
	}
	return append(problems, checkTakeovers(api, rules.Terms())...)
}

// checkPath checks the function and the access of one path for errors. Its warnings are
// about things that do not exist, in a project of the Amplify CLI.
func (c *Checker) checkPath(api *access.API, p *access.Path) []*model.Problem {
	of, at := model.Ref{Kind: model.KindPath, API: api.Label, Name: p.Name}, "/paths/"+model.PointerSegment(p.Name)
	var problems []*model.Problem
	if p.Function == "" {
		problem := pathProblem(api, p, model.Error, "name one in lambdaFunction", "has no handler function")
		problem.Field = "function"
		problems = append(problems, problem)
	} else {
		problems = c.reference(of, at+"/lambdaFunction", model.KindFunction, p.Function)
	}
	for segment := range strings.SplitSeq(p.Name, "/") {
		if name, is := strings.CutPrefix(segment, ":"); is && name != "" {
			problems = append(problems, pathProblem(api, p, model.Warning, "write {"+name+"} for a variable",
				"has the segment %s, which is literal text, not a variable", phrase.Quote(segment)))
		}
	}
	rules := p.Access
	if !slices.Contains(access.Settings, rules.Setting) {
		problems = append(problems,
			accessProblem(api, p, model.Error, "/setting", "use open, private or protected", "%s is not a setting",
				phrase.Quote(string(rules.Setting))))
	}
	seen := make(map[access.Principal]bool, len(rules.Grants))
	for _, g := range rules.Grants {
		key := "/" + grantKey(g.To)
		if seen[g.To] {
			problems = append(problems, accessProblem(api, p, model.Error, key, "give it once", "has two entries for %s", g.To))
		}
		seen[g.To] = true
		if rules.Setting != access.Open && g.To.Kind == access.Group {
			problems = append(problems, c.reference(of, at+"/permissions"+key, model.KindGroup, g.To.Group)...)
		}
	}
	return problems
}

// pathWarning is pathProblem for a warning of a rule.
func pathWarning(api *access.API, p *access.Path, rule, fix, text string, args ...any) *model.Problem {
	problem := pathProblem(api, p, model.Warning, fix, text, args...)
	problem.Rule = rule
	return problem
}

// EntryPointer returns the JSON pointer of a principal's entry in the permissions of a path, in the file of its API.
func EntryPointer(path string, of access.Principal) string {
	return "/paths/" + model.PointerSegment(path) + "/permissions/" + grantKey(of)
}

// SettingPointer returns the JSON pointer of the setting of a path, in the file of its API.
func SettingPointer(path string) string {
	return "/paths/" + model.PointerSegment(path) + "/permissions/setting"
}

func accessProblem(api *access.API, p *access.Path, level model.Level, key, fix, text string,
	args ...any,
) *model.Problem {
	problem := pathProblem(api, p, level, fix, text, args...)
	problem.Pointer += "/permissions" + key
	problem.Field = "access"
	return problem
}

// grantKey returns the JSON pointer of a principal's entry below `permissions`, without its first slash.
func grantKey(p access.Principal) string {
	switch p.Kind {
	case access.Guest:
		return "guest"
	case access.Group:
		return "groups/" + model.PointerSegment(p.Group)
	}
	return "auth"
}

// checkTakeovers reports the paths that take requests from others, and the access that holds then.
func checkTakeovers(api *access.API, terms access.Terms) []*model.Problem {
	var problems []*model.Problem
	for _, t := range api.Takeovers() {
		problems = append(problems, TakeoverProblems(api, t, terms)...)
	}
	return problems
}

// TakeoverProblems reports what a takeover in an API changes: the function that serves the requests,
// and who may send them. It returns nil if it changes neither.
func TakeoverProblems(api *access.API, t access.Takeover, terms access.Terms) []*model.Problem {
	from, other, changes := phrase.Quote(t.Above.Name), t.Above.Function != t.Below.Function,
		access.Changes(t.Above.Access, t.Below.Access, terms)
	if t.Beside {
		if p := checkBeside(api, t, changes); p != nil {
			return []*model.Problem{p}
		}
		return nil
	}
	var problems []*model.Problem
	if t.All && other {
		verb := "go"
		if len(t.Examples) == 1 {
			verb = "goes"
		}
		problems = append(problems, pathWarning(api, t.Below, access.RuleTakesBelow, "leave it if that is meant",
			"serves everything below %s: %s %s to function %s, no longer to %s",
			from, examples(t), verb, phrase.Quote(t.Below.Function), phrase.Quote(t.Above.Function)))
	}
	if terms.Below && t.Below.Access.Setting != access.Open {
		return append(problems, alsoBelow(api, t, terms)...)
	}
	if len(changes) > 0 {
		where := "next to"
		if t.Above.Name == access.ProxyPath || strings.HasPrefix(t.Below.Name, t.Above.Name) {
			where = "below"
		}
		problems = append(problems, pathWarning(api, t.Below, access.RuleOtherRuleBelow, "leave it if that is meant",
			"has its own rule %s %s, and its own rule applies: %s", where, from, describeChanges(changes)))
	}
	return problems
}

// alsoBelow reports whom a path lets in because a path above does, whose roles cover it.
func alsoBelow(api *access.API, t access.Takeover, terms access.Terms) []*model.Problem {
	var also []string
	for _, c := range access.Changes(t.Below.Access, t.Above.Access, terms) {
		if c.Gained != 0 && t.Above.Access.Setting != access.Open {
			also = append(also, c.Who.String()+" may "+c.Gained.Verb())
		}
	}
	if also == nil {
		return nil
	}
	above := phrase.Quote(t.Above.Name)
	return []*model.Problem{pathWarning(api, t.Below, access.RuleOtherRuleBelow,
		"move it to a path that is not below "+above+", or leave it if that is meant",
		"can be called by the callers of %s too, because roles in this project cover everything below a path: %s", above,
		strings.Join(also, ", "))}
}

// checkBeside reports what a path takes from another that has a variable at the same place
// and goes on below it (Takeover.Beside), which surprises the authors of both.
func checkBeside(api *access.API, t access.Takeover, changes []access.Change) *model.Problem {
	var effects []string
	level := model.Note
	if t.Above.Function != t.Below.Function {
		level = model.Warning
		effects = append(effects, "function "+phrase.Quote(t.Below.Function)+" gets it, not "+phrase.Quote(t.Above.Function))
	}
	if len(changes) > 0 {
		effects = append(effects, describeChanges(changes))
	}
	for _, c := range changes {
		if c.Gained != 0 {
			level = model.Warning
		}
	}
	if effects == nil {
		return nil
	}
	fix := ""
	if level == model.Warning {
		fix = "add that path with its own rule, or leave it if that is meant"
	}
	p := pathWarning(api, t.Below, access.RuleTakesBeside, fix,
		"serves %s instead of %s, and its own rule applies: %s", examples(t),
		phrase.Quote(t.Above.Name), strings.Join(effects, ", "))
	p.Level = level
	return p
}

func examples(t access.Takeover) string {
	quoted := make([]string, len(t.Examples))
	for i, raw := range t.Examples {
		quoted[i] = phrase.Quote(raw)
	}
	return strings.Join(quoted, " and ")
}

func describeChanges(changes []access.Change) string {
	const most = 6
	var parts []string
	for i, c := range changes {
		if i == most {
			parts = append(parts, "...")
			break
		}
		if c.Gained != 0 {
			parts = append(parts, c.Who.String()+" gain "+c.Gained.String())
		}
		if c.Lost != 0 {
			parts = append(parts, c.Who.String()+" lose "+c.Lost.String())
		}
	}
	return strings.Join(parts, ", ")
}

// checkSharing warns of paths that are restricted to one group and share their function
// with others: whatever the function does for one path it can do for another.
func checkSharing(b *model.Backend) []*model.Problem {
	count, two := make(map[string]int), make(map[string][2]model.Ref)
	for _, api := range b.APIs {
		for _, p := range api.Paths {
			if n := count[p.Function]; n < 2 {
				served := two[p.Function]
				served[n] = model.Ref{Kind: model.KindPath, API: api.Label, Name: p.Name}
				two[p.Function] = served
			}
			count[p.Function]++
		}
	}
	var problems []*model.Problem
	for _, api := range b.APIs {
		for _, p := range api.Paths {
			if count[p.Function] < 2 || p.Access.Setting == access.Open || len(p.Access.Grants) != 1 ||
				p.Access.Grants[0].To.Kind != access.Group {
				continue
			}
			other := two[p.Function][0]
			if other == (model.Ref{Kind: model.KindPath, API: api.Label, Name: p.Name}) {
				other = two[p.Function][1]
			}
			with := phrase.Quote(other.Name)
			if other.API != api.Label {
				with = other.String()
			}
			if more := count[p.Function] - 2; more > 0 {
				with += " and " + phrase.Count(more, "other path")
			}
			problems = append(problems, pathWarning(api, p, access.RuleSharedFunction, "give it a function of its own",
				"is restricted to the group %s, but its function %s serves %s too", phrase.Quote(p.Access.Grants[0].To.Group),
				phrase.Quote(p.Function), with))
		}
	}
	return problems
}

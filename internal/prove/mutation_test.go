package prove_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gatewright/internal/cfn"
	"gatewright/internal/prove"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/render/policy/policytest"
	"gatewright/test/depth"
)

// oracle decides single requests on both sides, without the search.
type oracle struct {
	d      *prove.Deployment
	b      *model.Backend
	router *access.Router
	routes *access.Matcher
}

func newOracle(d *prove.Deployment, b *model.Backend) *oracle {
	o := &oracle{d: d, b: b, router: b.Gate().RouterOf(b.APIs[0]), routes: access.NewMatcher()}
	for i, r := range d.APIs[0].Resources {
		o.routes.Add(r.Path, i)
	}
	return o
}

// callers are the words of a report for callers, with how each side sees them.
func (o *oracle) callers() map[string]access.Caller {
	all := map[string]access.Caller{"anyone unsigned": {Stranger: true}, "guests": {}, "signed-in users": {SignedIn: true}}
	for _, g := range o.b.RoleOrder() {
		all["members of "+g] = access.Caller{SignedIn: true, Groups: []string{g}}
	}
	return all
}

// differs reports whether a caller may send a request to one side only.
func (o *oracle) differs(caller access.Caller, method, raw string) (project, deployed bool) {
	project = o.router.Decide(caller, method, raw).Allowed
	at := o.routes.Start()
	for segment := range strings.SplitSeq(raw[1:], "/") {
		at = o.routes.Next(at, segment)
	}
	i := o.routes.Resource(at)
	if i == access.NoResource {
		return project, false
	}
	methods := o.d.APIs[0].Resources[i].Methods
	kind, ok := methods[method]
	if !ok {
		kind, ok = methods["ANY"]
	}
	switch {
	case !ok:
		return project, false
	case kind == prove.Nothing:
		return project, true
	case caller.Stranger:
		return project, false
	}
	role := o.d.SignedIn
	if !caller.SignedIn {
		role = o.d.Guest
	}
	for _, g := range o.d.Groups {
		if len(caller.Groups) > 0 && g.Name == caller.Groups[0] {
			role = *g.Role
		}
	}
	arn := o.d.APIs[0].ARN(method) + raw[1:]
	matches := func(effect string) bool {
		return slices.ContainsFunc(role.Statements, func(s cfn.Statement) bool {
			return s.Effect == effect && slices.ContainsFunc(s.Resources, func(p string) bool { return cfn.MatchResource(p, arn) })
		})
	}
	return project, matches("Allow") && !matches("Deny")
}

// mutant is a template with one thing changed.
type mutant struct{ what, text string }

// mutants drops, widens and narrows each pattern of each policy and each method.
func mutants(t *testing.T, text []byte) []mutant {
	t.Helper()
	var all []mutant
	add := func(what string, change func(resources map[string]any)) {
		var root map[string]any
		if err := json.Unmarshal(text, &root); err != nil {
			t.Fatal(err)
		}
		change(root["Resources"].(map[string]any))
		changed, err := json.Marshal(root)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, mutant{what, string(changed)})
	}
	var root struct {
		Resources map[string]struct {
			Type       string
			Properties map[string]any
		}
	}
	if err := json.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	properties := func(resources map[string]any, id string) map[string]any {
		return resources[id].(map[string]any)["Properties"].(map[string]any)
	}
	for _, id := range slices.Sorted(maps.Keys(root.Resources)) {
		r := root.Resources[id]
		switch r.Type {
		case "AWS::ApiGateway::Method":
			add("without "+id, func(all map[string]any) { delete(all, id) })
			kinds := map[string]string{"AWS_IAM": "NONE", "NONE": "AWS_IAM"}
			add("other authorization of "+id, func(all map[string]any) {
				p := properties(all, id)
				p["AuthorizationType"] = kinds[p["AuthorizationType"].(string)]
			})
		case "AWS::IAM::Policy":
			inLists(r.Properties)
			statements := r.Properties["PolicyDocument"].(map[string]any)["Statement"].([]any)
			for i, s := range statements {
				statement := func(all map[string]any) map[string]any {
					inLists(properties(all, id))
					return properties(all, id)["PolicyDocument"].(map[string]any)["Statement"].([]any)[i].(map[string]any)
				}
				for j, p := range s.(map[string]any)["Resource"].([]any) {
					name := fmt.Sprintf("%s %s", id, p.(map[string]any)["Fn::Sub"])
					add("without "+name, func(all map[string]any) {
						s := statement(all)
						s["Resource"] = slices.Delete(s["Resource"].([]any), j, j+1)
					})
					edit := func(what string, change func(text string) string) {
						add(what+" "+name, func(all map[string]any) {
							sub := statement(all)["Resource"].([]any)[j].(map[string]any)
							sub["Fn::Sub"] = change(sub["Fn::Sub"].(string))
						})
					}
					edit("wider", func(text string) string { return strings.TrimSuffix(text, "/*") + "*" })
					edit("everything for", func(text string) string { return text[:strings.LastIndex(text, "/dev/")] + "/*" })
					edit("narrower", func(text string) string { return text + "/ab" })
					edit("other method for", func(text string) string {
						return strings.NewReplacer("/GET/", "/PUT/", "/PUT/", "/GET/", "/POST/", "/DELETE/", "/DELETE/", "/POST/").Replace(text)
					})
				}
				effects := map[string]string{"Allow": "Deny", "Deny": "Allow"}
				add("other effect in "+id, func(all map[string]any) {
					s := statement(all)
					s["Effect"] = effects[s["Effect"].(string)]
				})
				add(fmt.Sprintf("without statement %d of %s", i, id), func(all map[string]any) {
					document := properties(all, id)["PolicyDocument"].(map[string]any)
					document["Statement"] = slices.Delete(document["Statement"].([]any), i, i+1)
				})
			}
		}
	}
	return all
}

// inLists puts the resources of a policy's statements into lists.
func inLists(policy map[string]any) {
	for _, s := range policy["PolicyDocument"].(map[string]any)["Statement"].([]any) {
		statement := s.(map[string]any)
		if _, several := statement["Resource"].([]any); !several {
			statement["Resource"] = []any{statement["Resource"]}
		}
	}
}

func TestEveryChangeOfATemplateIsFound(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(9, 10))
	asked := policytest.Paths(4, false)
	found, same := 0, 0
	// It is no divisor of the five changes that each pattern of a statement has.
	distance := depth.Rounds(17, 3, 1)
	for range 2 {
		b := randomBackend(random)
		r := render(t, b)
		for i, m := range mutants(t, r.root.Root.JSON()) {
			if i%distance != 0 {
				continue
			}
			d, err := prove.Read(parse(t, []byte(m.text)), nil, nil)
			if err != nil {
				t.Fatalf("%s: %v", m.what, err)
			}
			o := newOracle(d, b)
			report := prove.Compare(d, b, prove.Options{Policies: r.policies})
			for _, difference := range report.Differences {
				for _, method := range difference.Methods {
					if project, deployed := o.differs(o.callers()[difference.Who], method, difference.Path); project == deployed {
						t.Fatalf("%s: %s is no difference\n%s", m.what, difference, describe(b))
					}
				}
			}
			if request := o.firstDifference(asked, r); request != "" && report.Equal() {
				t.Fatalf("%s: %s differs and is not found\n%s", m.what, request, describe(b))
			}
			if report.Equal() {
				same++
			} else {
				found++
			}
		}
	}
	t.Logf("%d changed templates differ, %d do not", found, same)
	if found < 300/distance {
		t.Errorf("only %d changed templates differ", found)
	}
}

// firstDifference returns a request that one side allows and the other refuses, and that
// was not announced.
func (o *oracle) firstDifference(paths []string, r rendered) string {
	for who, caller := range o.callers() {
		for _, method := range access.Methods {
			if method == "OPTIONS" && !caller.Stranger {
				continue
			}
			for _, raw := range paths {
				project, deployed := o.differs(caller, method, raw)
				if project == deployed {
					continue
				}
				principal := o.router.Decide(caller, method, raw).As
				if len(caller.Groups) > 0 {
					principal = access.Principal{Kind: access.Group, Group: caller.Groups[0]}
				}
				allow, deny := r.policies(o.b.APIs[0].Label, principal)
				matches := func(pattern string) bool { return cfn.MatchResource(pattern, method+raw) }
				refuses := !slices.ContainsFunc(allow, matches) || slices.ContainsFunc(deny, matches)
				open := o.router.Decide(caller, method, raw).Rule == access.OpenToAll
				if !caller.Stranger && project && refuses && !open {
					continue
				}
				return who + " " + method + " " + raw
			}
		}
	}
	return ""
}

package prove_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gatewright/internal/cfn"
	"gatewright/internal/prove"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/test/depth"
)

// drawn is a template of somebody else, made at random: resources that need not come in
// pairs, with their methods, and the statements of each role.
type drawn struct {
	resources []string
	// methods are the kinds of authorization by resource and method.
	methods []map[string]string
	roles   map[string][]drawnStatement
}

type drawnStatement struct {
	effect      string
	conditional bool
	// not says that it is about all resources but these.
	not       bool
	resources []string
}

// drawnRoles are the roles of guests, signed-in users and the members of two groups.
var drawnRoles = []string{"Guests", "Users", "Admins", "Readers"}

func one[T any](random *rand.Rand, of ...T) T { return of[random.IntN(len(of))] }

func drawTemplate(random *rand.Rand) drawn {
	d := drawn{roles: make(map[string][]drawnStatement)}
	for range 1 + random.IntN(5) {
		path := ""
		for range random.IntN(4) {
			path += one(random, "/a", "/ab", "/b", "/{x}")
		}
		if random.IntN(3) == 0 {
			path += "/{proxy+}"
		}
		if path == "" {
			path = "/"
		}
		if slices.Contains(d.resources, path) {
			continue
		}
		methods := map[string]string{one(random, "ANY", "ANY", "GET", "POST"): one(random, "AWS_IAM", "AWS_IAM", "AWS_IAM", "NONE", "COGNITO_USER_POOLS", "CUSTOM")}
		if random.IntN(3) > 0 {
			methods["OPTIONS"] = one(random, "NONE", "NONE", "NONE", "AWS_IAM")
		}
		d.resources, d.methods = append(d.resources, path), append(d.methods, methods)
	}
	for _, role := range drawnRoles {
		for range random.IntN(4) {
			s := drawnStatement{effect: one(random, "Allow", "Allow", "Deny"), conditional: random.IntN(6) == 0, not: random.IntN(8) == 0}
			for range 1 + random.IntN(3) {
				pattern := one(random, "*", "GET", "GET", "POST", "?ET")
				for range random.IntN(4) {
					pattern += one(random, "/a", "/ab", "/b", "/*", "/?", "/?*", "/a*", "/", "b", "*")
				}
				s.resources = append(s.resources, pattern)
			}
			d.roles[role] = append(d.roles[role], s)
		}
	}
	return d
}

// text writes the template.
func (d drawn) text() string {
	var all []string
	entry := func(id, kind, properties string) {
		all = append(all, fmt.Sprintf(`"%s": {"Type": "%s", "Properties": {%s}}`, id, kind, properties))
	}
	entry("Api", "AWS::ApiGateway::RestApi", `"Name": "polls"`)
	entry("Stage", "AWS::ApiGateway::Stage", `"RestApiId": {"Ref": "Api"}, "StageName": "dev"`)
	made := map[string]string{"": `{"Fn::GetAtt": ["Api", "RootResourceId"]}`}
	for i, path := range d.resources {
		at := ""
		for part := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
			if part == "" {
				continue
			}
			above := made[at]
			at += "/" + part
			if made[at] == "" {
				id := fmt.Sprintf("Resource%d", len(made))
				made[at] = `{"Ref": "` + id + `"}`
				entry(id, "AWS::ApiGateway::Resource", fmt.Sprintf(`"RestApiId": {"Ref": "Api"}, "ParentId": %s, "PathPart": "%s"`, above, part))
			}
		}
		for _, method := range sorted(d.methods[i]) {
			entry(fmt.Sprintf("Method%d%s", i, method), "AWS::ApiGateway::Method", fmt.Sprintf(
				`"RestApiId": {"Ref": "Api"}, "ResourceId": %s, "HttpMethod": "%s", "AuthorizationType": "%s"`, made[at], method, d.methods[i][method]))
		}
	}
	entry("Attached", "AWS::Cognito::IdentityPoolRoleAttachment", `"Roles": {"authenticated": {"Fn::GetAtt": ["Users", "Arn"]}, "unauthenticated": {"Fn::GetAtt": ["Guests", "Arn"]}}, "RoleMappings": {"Pool": {"Type": "Token", "AmbiguousRoleResolution": "AuthenticatedRole"}}`)
	for i, role := range drawnRoles {
		entry(role, "AWS::IAM::Role", "")
		if i > 1 {
			entry(role+"Group", "AWS::Cognito::UserPoolGroup", fmt.Sprintf(`"GroupName": "%s", "Precedence": %d, "RoleArn": {"Fn::GetAtt": ["%s", "Arn"]}`, role, i, role))
		}
		var statements []string
		for _, s := range d.roles[role] {
			var resources []string
			for _, p := range s.resources {
				resources = append(resources, `{"Fn::Sub": "arn:aws:execute-api:${AWS::Region}:${AWS::AccountId}:${Api}/dev/`+p+`"}`)
			}
			element, condition := "Resource", ""
			if s.not {
				element = "NotResource"
			}
			if s.conditional {
				condition = `, "Condition": {"Bool": {"aws:SecureTransport": "true"}}`
			}
			statements = append(statements, fmt.Sprintf(`{"Effect": "%s", "Action": "execute-api:Invoke", "%s": [%s]%s}`, s.effect, element, strings.Join(resources, ", "), condition))
		}
		entry(role+"Policy", "AWS::IAM::Policy", fmt.Sprintf(`"Roles": [{"Ref": "%s"}], "PolicyDocument": {"Statement": [%s]}`, role, strings.Join(statements, ", ")))
	}
	return `{"Resources": {` + strings.Join(all, ",\n") + "}}"
}

func sorted(of map[string]string) []string {
	var names []string
	for name := range of {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// route returns the number of the resource that serves a raw path, or -1: static text before
// a variable before a greedy one, segment by segment, as model.Router.Match says.
func (d drawn) route(raw string) int {
	raw = strings.Trim(raw, "/")
	var request []string
	if raw != "" {
		request = strings.Split(raw, "/")
	}
	return d.descend("", request)
}

func (d drawn) descend(at string, request []string) int {
	under := func(path string) bool {
		return slices.ContainsFunc(d.resources, func(r string) bool { return r == path || strings.HasPrefix(r, path+"/") })
	}
	if len(request) == 0 {
		return slices.Index(d.resources, max(at, "/"))
	}
	if request[0] != "" {
		for _, part := range []string{request[0], "{x}"} {
			if next := at + "/" + part; under(next) {
				if i := d.descend(next, request[1:]); i >= 0 {
					return i
				}
			}
		}
	}
	return slices.Index(d.resources, at+"/{proxy+}")
}

// may returns the deployment's decision, once as if all that is not certain allowed nothing
// and once as if it allowed all.
func (d drawn) may(role, method, raw string) (least, most bool) {
	i := d.route(raw)
	if i < 0 {
		return false, false
	}
	kind, ok := d.methods[i][method]
	if !ok {
		kind, ok = d.methods[i]["ANY"]
	}
	switch {
	case !ok:
		return false, false
	case kind == "NONE":
		return true, true
	case kind == "CUSTOM":
		return false, true
	case role == "":
		return false, false
	case kind == "COGNITO_USER_POOLS":
		return role != "Guests", role != "Guests"
	}
	var allow, perhaps, deny, might bool
	for _, s := range d.roles[role] {
		about := slices.ContainsFunc(s.resources, func(p string) bool { return cfn.MatchResource(p, method+raw) })
		if about == s.not {
			continue
		}
		switch {
		case s.effect == "Allow":
			perhaps, allow = true, allow || !s.conditional
		default:
			might, deny = true, deny || !s.conditional
		}
	}
	return allow && !might, perhaps && !deny
}

func drawProject(random *rand.Rand, like drawn) *model.Backend {
	b := &model.Backend{Groups: []string{"Admins", "Readers"}}
	guests := random.IntN(4) > 0
	b.Auth = &model.Auth{UnauthenticatedIdentitiesEnabled: &guests}
	api := &access.API{Label: "polls"}
	for range 1 + random.IntN(4) {
		name := strings.TrimSuffix(one(random, like.resources...), "/{proxy+}")
		if name == "" || random.IntN(4) == 0 {
			name = one(random, "/", "/a", "/a/b", "/{x}", "/ab/{x}")
		}
		if api.Path(name) != nil {
			continue
		}
		path := &access.Path{Name: name, Access: access.Access{Setting: one(random, access.Open, access.Private, access.Protected, access.Protected)}}
		for _, to := range []access.Principal{{Kind: access.Guest}, {Kind: access.Authenticated}, {Kind: access.Group, Group: "Admins"}} {
			if random.IntN(3) > 0 {
				path.Access = path.Access.With(to, access.Actions(random.IntN(16)))
			}
		}
		api.Paths = append(api.Paths, path)
	}
	b.APIs = []*access.API{api}
	return b
}

// requests are raw paths of up to three segments.
func requests() []string {
	all, last := []string{"/"}, []string{""}
	for range 3 {
		var next []string
		for _, raw := range last {
			for _, word := range []string{"a", "b", "ab", "z", "zz", "bb", ""} {
				next = append(next, raw+"/"+word)
			}
		}
		all, last = append(all, next...), next
	}
	return slices.Compact(append(all, "/a/a/a/a", "/z/z/z/z", "/a/b/a/b/a"))
}

// drawnCallers are the words of a report for callers, with their roles and what the project
// calls them.
var drawnCallers = map[string]struct {
	role string
	as   access.Caller
}{
	"anyone unsigned":    {"", access.Caller{Stranger: true}},
	"guests":             {"Guests", access.Caller{}},
	"signed-in users":    {"Users", access.Caller{SignedIn: true}},
	"members of Admins":  {"Admins", access.Caller{SignedIn: true, Groups: []string{"Admins"}}},
	"members of Readers": {"Readers", access.Caller{SignedIn: true, Groups: []string{"Readers"}}},
}

// TestRandomTemplatesOfOthersAreComparedAsSingleRequestsAre holds the search against single
// requests, which are decided by other means: each difference that one of them shows is in
// the report, and the shortest request of each difference shows it.
func TestRandomTemplatesOfOthersAreComparedAsSingleRequestsAre(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(11, 12))
	raws := requests()
	directions := make(map[prove.Direction]int)
	equal := 0
	rounds := depth.Rounds(60, 200, 1200)
	for round := range rounds {
		d := drawTemplate(random)
		b := drawProject(random, d)
		report := compareText(t, b, d.text(), nil)
		router := b.Router("polls")
		if len(report.Undecided) > 0 {
			t.Fatalf("round %d: %s", round, report.Undecided)
		}
		said := make(map[string]bool)
		for _, of := range report.Differences {
			for _, method := range of.Methods {
				directions[of.Direction]++
				said[of.Who+" "+method] = true
				who := drawnCallers[of.Who]
				wanted := router.Decide(who.as, method, of.Path).Allowed
				least, most := d.may(who.role, method, of.Path)
				ok := of.Direction == prove.More && !wanted && least || of.Direction == prove.Less && wanted && !most ||
					of.Direction == prove.Unknown && least != most
				if !ok {
					t.Fatalf("round %d: %q is said, but the project says %v and the template %v to %v\n%s\n%s", round, of, wanted, least, most, describe(b), d.text())
				}
			}
		}
		for name, who := range drawnCallers {
			for _, method := range access.Methods {
				if who.role != "" && method == "OPTIONS" {
					continue
				}
				for _, raw := range raws {
					wanted := router.Decide(who.as, method, raw).Allowed
					least, most := d.may(who.role, method, raw)
					odd := strings.Contains(raw, "//") || len(raw) > 1 && strings.HasSuffix(raw, "/")
					if wanted && (least || odd) || !wanted && (!most || method == "OPTIONS") {
						continue
					}
					if !said[name+" "+method] && !(said["anyone unsigned "+method] && !wanted) {
						t.Fatalf("round %d: %s %s %s: the project says %v and the template %v to %v, which the report lacks:\n%s\n%s\n%s", round, name, method, raw, wanted, least, most, sentences(report), describe(b), d.text())
					}
				}
			}
		}
		if report.Equal() {
			equal++
		}
	}
	t.Log(directions, equal)
	for _, d := range []prove.Direction{prove.More, prove.Less, prove.Unknown} {
		if directions[d] < rounds/4 {
			t.Errorf("only %d differences are %s", directions[d], d)
		}
	}
}

package openapi_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	document "gatewright/render/openapi"
	"gatewright/render/policy/policytest"
	"gatewright/render/rendertest"
	"gatewright/test/depth"
)

// openAPIDocuments are the documents that can be openAPIDocuments of an API.
var openAPIDocuments = []document.Options{
	{Flavour: document.Docs, Version: "3.0", Command: "again"},
	{Flavour: document.Docs, Version: "3.1", Command: "again"},
	{Flavour: document.Gateway, Version: "3.0", Command: "again", Environment: "prod"},
}

// documentOf writes the document of an API and reads it.
func documentOf(t *testing.T, b *model.Backend, api *access.API, options document.Options) *openapi.Document {
	t.Helper()
	text := nodeOf(t, b, api, options).JSON()
	d, err := openapi.Read("shop.json", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return d
}

// variable is a variable in a path.
var variable = regexp.MustCompile(`\{[^}]*\}`)

func TestDocumentsAreWrittenAsTheGoldensHaveThem(t *testing.T) {
	b, shop := rendertest.Bookshop()
	for _, tt := range []struct {
		golden  string
		options document.Options
		text    func(*cfn.Node) []byte
	}{
		{"openapi-docs.golden.yaml", document.Options{
			Flavour: document.Docs, Version: "3.1", Command: "gatewright generate openapi shop --openapi 3.1 --format yaml",
			Servers: []document.Server{
				{URL: "http://127.0.0.1:4280/abc/dev", Description: "Environment dev"},
				{URL: "https://{api}.execute-api.eu-west-1.amazonaws.com/prod", Description: "Environment prod", Variables: []document.Variable{{Name: "api", Default: "api-id"}}},
			},
		}, (*cfn.Node).YAML},
		{"openapi-gateway.golden.json", document.Options{
			Flavour: document.Gateway, Version: "3.0", Command: "gatewright generate openapi shop --for gateway --env prod", Environment: "prod",
		}, (*cfn.Node).JSON},
	} {
		t.Run(tt.golden, func(t *testing.T) {
			n, problem := document.Write(b, shop, tt.options)
			if problem != nil {
				t.Fatal(problem)
			}
			text := tt.text(n)
			rendertest.Golden(t, tt.golden, text)
		})
	}
}

// randomShop makes a backend with one API, in which guests may have no identity and the
// reserved path may stand.
func randomShop(random *rand.Rand) (*model.Backend, *access.API) {
	guests := random.IntN(4) > 0
	api := policytest.API(random, []string{"A", "B"})
	if random.IntN(4) == 0 {
		api.Paths = append(api.Paths, &access.Path{Name: access.ProxyPath, Function: policytest.Function, Access: api.Paths[0].Access})
	}
	return &model.Backend{APIs: []*access.API{api}, Groups: []string{"A", "B"}, Auth: &model.Auth{UnauthenticatedIdentitiesEnabled: &guests}}, api
}

// callers are everybody that a rule of a random shop can tell apart.
var callers = []access.Caller{
	{}, {SignedIn: true}, {SignedIn: true, Groups: []string{"A"}}, {SignedIn: true, Groups: []string{"B"}}, {SignedIn: true, Groups: []string{"B", "A"}},
}

// TestAnOperationIsWrittenForWhomTheRouterLetsIn compares a document with the router: the path
// item that a request falls under, whether it needs a signature, and whether somebody may send
// it at all.
func TestAnOperationIsWrittenForWhomTheRouterLetsIn(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range depth.Rounds(50, 300, 300) {
		b, api := randomShop(random)
		router := b.Router(api.Label)
		for _, options := range openAPIDocuments {
			d := documentOf(t, b, api, options)
			matcher := access.NewMatcher()
			for i, item := range d.Items {
				matcher.Add(strings.Replace(strings.TrimSuffix(item.Name, "/"), "{proxy}", "{proxy+}", 1), i)
			}
			for _, raw := range policytest.Paths(4, false) {
				item := itemFor(d, matcher, raw)
				for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
					checkOperation(t, router, d, item, method, raw)
				}
			}
		}
	}
}

// itemFor returns the path item that a raw path falls under; nil for none.
func itemFor(d *openapi.Document, matcher *access.Matcher, raw string) *openapi.Item {
	at := matcher.Start()
	for segment := range strings.SplitSeq(strings.Trim(raw, "/"), "/") {
		if segment != "" {
			at = matcher.Next(at, segment)
		}
	}
	if i := matcher.Resource(at); i != access.NoResource {
		return d.Items[i]
	}
	return nil
}

func checkOperation(t *testing.T, router *access.Router, d *openapi.Document, item *openapi.Item, method, raw string) {
	t.Helper()
	nobody := router.Decide(access.Caller{Stranger: true}, method, raw)
	somebody := slices.ContainsFunc(callers, func(c access.Caller) bool { return router.Decide(c, method, raw).Allowed })
	if item == nil {
		if nobody.Rule != access.NoRoute {
			t.Fatalf("%s %s has no path item, and the router says: %s", method, raw, nobody.Reason())
		}
		return
	}
	if nobody.Rule == access.NoRoute {
		t.Fatalf("%s %s has the path item %s, and no path serves it", method, raw, item.Name)
	}
	if of := d.Extension(item, openapi.ExtensionPath).Text; of != nobody.Route.Path.Name {
		t.Fatalf("%s %s is of the path %s, want %s", method, raw, of, nobody.Route.Path.Name)
	}
	i := slices.IndexFunc(item.Operations, func(o *openapi.Operation) bool { return o.Method == method })
	if i < 0 {
		i = slices.IndexFunc(item.Operations, func(o *openapi.Operation) bool { return o.Method == openapi.AnyMethod })
	}
	if i < 0 {
		if somebody {
			t.Fatalf("%s %s has no operation, and somebody may call it", method, raw)
		}
		return
	}
	o := item.Operations[i]
	if o.Method != openapi.AnyMethod && !somebody {
		t.Fatalf("%s %s has an operation, and nobody may call it", method, raw)
	}
	if o.Public != nobody.Allowed {
		t.Fatalf("%s %s: public is %v, and of a stranger the router says: %s", method, raw, o.Public, nobody.Reason())
	}
	if !o.Public && (len(o.Security) != 1 || len(o.Security[0].Schemes) != 1 || !d.Schemes[o.Security[0].Schemes[0]].Signed()) {
		t.Fatalf("%s %s is not asked for a signature: %+v", method, raw, o.Security)
	}
}

// TestADocumentHoldsTogether checks what the specification asks beyond its schema: references
// lead somewhere, the variables of a path are declared once and no others, names of operations
// and tags are unique and known (https://spec.openapis.org/oas/v3.0.3.html).
func TestADocumentHoldsTogether(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range depth.Rounds(50, 300, 300) {
		b, api := randomShop(random)
		api.Paths = append(api.Paths,
			&access.Path{Name: "/a-ab/x", Function: "f", Access: access.Access{Setting: access.Open}},
			&access.Path{Name: "/a/ab-x", Function: "f", Access: access.Access{Setting: access.Open}},
			&access.Path{Name: "/a.ab/x", Function: "f", Access: access.Access{Setting: access.Open}})
		for _, options := range openAPIDocuments {
			for _, text := range [][]byte{nodeOf(t, b, api, options).JSON(), nodeOf(t, b, api, options).YAML()} {
				d, err := openapi.Read("shop", text)
				if err != nil {
					t.Fatalf("%v\n%s", err, text)
				}
				checkDocument(t, d)
			}
		}
	}
}

func nodeOf(t *testing.T, b *model.Backend, api *access.API, options document.Options) *cfn.Node {
	t.Helper()
	n, problem := document.Write(b, api, options)
	if problem != nil {
		t.Fatal(problem)
	}
	return n
}

func checkDocument(t *testing.T, d *openapi.Document) {
	t.Helper()
	checkReferences(t, d, d.Root)
	tags := make(map[string]bool)
	if list := d.Root.Get("tags"); list != nil {
		for _, tag := range list.Items {
			if name := tag.Get("name").Text; tags[name] {
				t.Fatalf("the tag %q is there twice", name)
			} else {
				tags[name] = true
			}
		}
	}
	ids, shapes := make(map[string]bool), make(map[string]string)
	for _, item := range d.Items {
		shape := variable.ReplaceAllString(item.Name, "{}")
		if other := shapes[shape]; other != "" {
			t.Fatalf("%s and %s are one path", item.Name, other)
		}
		shapes[shape] = item.Name
		for _, o := range item.Operations {
			if want, got := variablesIn(item.Name), parametersOf(d, o); !slices.Equal(got, want) {
				t.Fatalf("%s %s declares %v, want %v", o.Method, item.Name, got, want)
			}
			if len(d.Answers(o)) == 0 && o.Method != openapi.AnyMethod {
				t.Fatalf("%s %s has no answer", o.Method, item.Name)
			}
			if o.Method == openapi.AnyMethod {
				continue
			}
			if o.ID == "" || ids[o.ID] {
				t.Fatalf("%s %s has the name %q, which is missing or taken", o.Method, item.Name, o.ID)
			}
			ids[o.ID] = true
			if list := o.Node.Get("tags"); list != nil && !tags[list.Items[0].Text] {
				t.Fatalf("%s %s has the tag %s, which is not declared", o.Method, item.Name, list.Items[0].Text)
			}
		}
	}
}

func checkReferences(t *testing.T, d *openapi.Document, n *cfn.Node) {
	t.Helper()
	if _, err := d.Resolve(n); err != nil {
		t.Fatal(err)
	}
	for _, item := range n.Items {
		checkReferences(t, d, item)
	}
	for _, m := range n.Members {
		checkReferences(t, d, m.Value)
	}
}

func parametersOf(d *openapi.Document, o *openapi.Operation) []string {
	names := []string{}
	for _, p := range d.Parameters(o) {
		if p.In == "path" && p.Required {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	return names
}

func variablesIn(path string) []string {
	names := []string{}
	for _, match := range variable.FindAllString(path, -1) {
		names = append(names, strings.Trim(match, "{+}"))
	}
	slices.Sort(names)
	return names
}

func TestAPathThatTheGatewayCannotHaveIsAProblem(t *testing.T) {
	api := &access.API{Label: "shop", Paths: []*access.Path{{Name: "/a/{x}", Access: access.Access{Setting: access.Open}}, {Name: "/a/{y}/b", Access: access.Access{Setting: access.Open}}}}
	_, problem := document.Write(&model.Backend{}, api, openAPIDocuments[0])
	if problem == nil || problem.Of.Name != "/a/{y}/b" {
		t.Errorf("got %v, want a problem of /a/{y}/b", problem)
	}
}

// BenchmarkOpenAPI writes an API of 10,000 paths.
func BenchmarkOpenAPI(b *testing.B) {
	api := &access.API{Label: "shop"}
	for i := range 10_000 {
		api.Paths = append(api.Paths, &access.Path{Name: fmt.Sprintf("/part-%d/{id}/of-%d", i%100, i), Function: fmt.Sprintf("f%d", i%1000), Access: access.Access{
			Setting: access.Private, Grants: []access.Grant{{To: access.Principal{Kind: access.Authenticated}, Actions: access.EveryAction}},
		}})
	}
	for _, options := range openAPIDocuments {
		for format, text := range map[string]func(*cfn.Node) []byte{"json": (*cfn.Node).JSON, "yaml": (*cfn.Node).YAML} {
			b.Run(fmt.Sprintf("%s/%s/%s", options.Flavour, options.Version, format), func(b *testing.B) {
				for b.Loop() {
					n, problem := document.Write(&model.Backend{}, api, options)
					if problem != nil {
						b.Fatal(problem)
					}
					b.SetBytes(int64(len(text(n))))
				}
			})
		}
	}
}

// A document of many paths takes several times the memory of its text.
func TestADocumentKeepsNoItemInMemory(t *testing.T) {
	t.Parallel()
	api := &access.API{Label: "shop", Paths: []*access.Path{accesstest.Open("/a", "f"), accesstest.Open("/b/{id}", "f")}}
	for _, options := range openAPIDocuments {
		n, problem := document.Write(&model.Backend{APIs: []*access.API{api}}, api, options)
		if problem != nil {
			t.Fatal(problem)
		}
		for _, m := range n.Get("paths").Members {
			if len(m.Value.Members) > 0 {
				t.Errorf("%s keeps %s", options.Flavour, m.Name)
			}
		}
		if !strings.Contains(string(n.JSON()), `"/b/{id}": {`) {
			t.Errorf("%s has no item of /b/{id}:\n%s", options.Flavour, n.JSON())
		}
	}
}

package live_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/deploy/deploytest"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/render/template"
	"gatewright/sandbox/function"
	"gatewright/sandbox/gateway"
	"gatewright/sandbox/traffic"
	"gatewright/test/await"
)

// page is what a page of an origin wants to send: its browser asks first.
type page struct {
	origin, method string
	headers        []string
	credentials    bool
}

// lets is what a browser makes of the answer to its preflight: sections 4.8, CORS-preflight fetch, step 7,
// and 4.10, CORS check, of https://fetch.spec.whatwg.org, which the settings of an API mean nothing to.
func (p page) lets(answer http.Header) bool {
	extract := func(name string) []string {
		return strings.FieldsFunc(answer.Get(name), func(r rune) bool { return r == ',' || r == ' ' })
	}
	has := func(list []string, name string, fold bool) bool {
		return slices.ContainsFunc(list, func(have string) bool { return have == name || fold && strings.EqualFold(have, name) })
	}
	origin := answer.Get("Access-Control-Allow-Origin")
	switch {
	case origin == "*" && !p.credentials:
	case origin != p.origin || p.credentials && answer.Get("Access-Control-Allow-Credentials") != "true":
		return false
	}
	methods, names := extract("Access-Control-Allow-Methods"), extract("Access-Control-Allow-Headers")
	wild := func(list []string) bool { return !p.credentials && has(list, "*", false) }
	if !has(methods, p.method, false) && !has([]string{"GET", "HEAD", "POST"}, p.method, false) && !wild(methods) {
		return false
	}
	for _, name := range p.headers {
		if !has(names, name, true) && (strings.EqualFold(name, "authorization") || !wild(names)) {
			return false
		}
	}
	return true
}

// meant is whether the settings of an API let a page send a request.
func meant(c access.CORS, p page) bool {
	usual := []string{"content-type", "x-amz-date", "authorization", "x-api-key", "x-amz-security-token", "x-amz-user-agent"}
	for _, name := range p.headers {
		own := slices.ContainsFunc(c.Headers, func(h string) bool { return strings.EqualFold(h, name) })
		if !own && !slices.Contains(usual, name) && !slices.Contains(c.Headers, "*") {
			return false
		}
	}
	method := len(c.Methods) == 0 || slices.Contains(c.Methods, p.method) || slices.Contains([]string{"GET", "HEAD", "POST"}, p.method)
	origin := len(c.Origins) == 0 && !p.credentials || slices.Contains(c.Origins, p.origin) || slices.Contains(c.Origins, "*")
	return origin && method && p.method == strings.ToUpper(p.method) && (!p.credentials || c.Credentials)
}

// echo is what the mapping template of a preflight may be: this reads no other.
var echo = regexp.MustCompile(`^#set\(\$origin = \$input\.params\(\)\.header\.get\("Origin"\)\)` +
	`#if\(!\$origin\)#set\(\$origin = \$input\.params\(\)\.header\.get\("origin"\)\)#end` +
	`#if\(((?:\$origin == "[a-z0-9:/.-]+"(?: \|\| )?)+)\)#set\(\$context\.responseOverride\.header\.Access-Control-Allow-Origin = \$origin\)#end$`)

// resource is a resource of a template.
type resource struct {
	Type       string
	Properties struct {
		HTTPMethod         string `json:"HttpMethod"`
		AuthorizationType  string
		ResponseType       string
		ResponseParameters map[string]string
		Integration        struct {
			Type                 string
			IntegrationResponses []struct{ ResponseParameters, ResponseTemplates map[string]string }
		}
		MethodResponses []struct{ ResponseParameters map[string]bool }
	}
}

// deployedAnswers are what a template answers to a preflight of an origin, and as an error.
func deployedAnswers(t *testing.T, made *template.Template) (preflight func(origin string) http.Header, refused http.Header) {
	t.Helper()
	var all struct{ Resources map[string]resource }
	deploytest.Must(t, json.Unmarshal(made.Body, &all))
	headers := func(mapped map[string]string) http.Header {
		h := http.Header{}
		for name, value := range mapped {
			h.Set(name[strings.LastIndexByte(name, '.')+1:], strings.Trim(value, "'"))
		}
		return h
	}
	for _, r := range all.Resources {
		switch p := r.Properties; {
		case p.ResponseType == "DEFAULT_4XX":
			refused = headers(p.ResponseParameters)
		case p.HTTPMethod == "OPTIONS" && p.Integration.Type == "MOCK":
			answer := p.Integration.IntegrationResponses[0]
			for name := range answer.ResponseParameters {
				if !p.MethodResponses[0].ResponseParameters[name] {
					t.Fatalf("API Gateway refuses %s, which the method does not declare", name)
				}
			}
			others := ""
			if text := answer.ResponseTemplates["application/json"]; text != "" {
				read := echo.FindStringSubmatch(text)
				if read == nil {
					t.Fatalf("the mapping template is\n%s", text)
				}
				others = read[1]
			}
			preflight = func(origin string) http.Header {
				h := headers(answer.ResponseParameters)
				if strings.Contains(others, `"`+origin+`"`) {
					h.Set("Access-Control-Allow-Origin", origin)
				}
				return h
			}
		}
	}
	return preflight, refused
}

type silent struct{}

func (silent) Invoke(context.Context, function.Call) (function.Answer, error) {
	return function.Answer{Payload: []byte(`{"statusCode":204,"headers":{"x-own":"yes","access-control-allow-origin":"*"}}`)}, nil
}

func (s silent) Begin(c function.Call, done func(function.Answer, error)) func() {
	go done(s.Invoke(context.Background(), c))
	return func() {}
}

func corsOf(h http.Header) http.Header {
	some := http.Header{}
	for name, values := range h {
		if strings.HasPrefix(name, "Access-Control-") || name == "Vary" {
			some[name] = values
		}
	}
	return some
}

// TestBrowsersAreToldTheSameByTheSandboxAndTheTemplate asks both as browsers do, for pages of each kind, and
// holds the answers against what the settings mean.
func TestBrowsersAreToldTheSameByTheSandboxAndTheTemplate(t *testing.T) {
	t.Parallel()
	const a, b, local = "https://a.example", "https://b.example", "http://localhost:5173"
	var pages []page
	for _, origin := range []string{a, b, local, "https://a.example.evil.example", "null"} {
		for _, method := range []string{"GET", "PUT", "patch", "DELETE"} {
			for _, headers := range []string{"", "authorization,x-amz-date", "x-tenant", "content-type,x-other"} {
				pages = append(pages, page{origin, method, strings.FieldsFunc(headers, func(r rune) bool { return r == ',' }), len(pages)%2 == 1})
			}
		}
	}
	for name, c := range map[string]access.CORS{
		"the default":    {},
		"one origin":     {Origins: []string{a}, MaxAge: 600},
		"two origins":    {Origins: []string{a, local}, Headers: []string{"X-Tenant"}},
		"credentials":    {Origins: []string{b, a, local}, Credentials: true, Headers: []string{"x-tenant"}, Exposed: []string{"x-total"}},
		"methods":        {Methods: []string{"GET", "PUT"}},
		"every header":   {Origins: []string{"*"}, Headers: []string{"*"}},
		"an environment": {Environments: []access.OriginsIn{{Environment: "dev", Origins: []string{b, local}}, {Environment: "prod", Origins: []string{a}}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			backend := deploytest.Shop(t)
			deploytest.Must(t, edit.SetCORS(backend, "shop", c))
			env := backend.Environment("dev")
			made, err := template.Render(backend, env, template.Options{})
			deploytest.Must(t, err)
			deployed, refused := deployedAnswers(t, made)
			backend = backend.For(env)
			c = backend.API("shop").CORS
			ask, calls := serveShop(t, backend.API("shop"))
			for _, p := range pages {
				answer := ask(http.MethodOptions, "/items", p)
				want := meant(c, p)
				if got := p.lets(answer.Header); got != want || answer.StatusCode != 200 {
					t.Errorf("%+v: the sandbox answers %d %v: lets it %t, want %t", p, answer.StatusCode, answer.Header, got, want)
				}
				if diff := cmp.Diff(deployed(p.origin), corsOf(answer.Header)); diff != "" {
					t.Errorf("%+v: (-template +sandbox):\n%s", p, diff)
				}
				last := calls()
				p.credentials = c.Credentials
				advised(t, c, p, last.Fix)
				if told := last.Why != ""; told == p.lets(answer.Header) || told != (last.Fix != "") {
					t.Errorf("%+v: the record says %q, %q", p, last.Why, last.Fix)
				}
			}
			for _, origin := range []string{a, local, ""} {
				if diff := cmp.Diff(refused, corsOf(ask("GET", "/nowhere", page{origin: origin}).Header)); diff != "" {
					t.Errorf("an error for %q (-template +sandbox):\n%s", origin, diff)
				}
			}
		})
	}
}

// advised follows what is advised about a preflight that was refused: the settings then let the page in. Only what no
// setting can allow has no line to run.
func advised(t *testing.T, c access.CORS, p page, fix string) {
	t.Helper()
	line, runs := strings.CutPrefix(fix, "run: gatewright update api shop --")
	if !runs {
		if fix != "" && p.origin != "null" && p.method != "patch" {
			t.Errorf("%+v: no line to run: %s", p, fix)
		}
		return
	}
	next := access.CORS{Origins: c.Origins, Methods: c.Methods, Headers: c.Headers, Credentials: c.Credentials}
	given := make(map[string][]string)
	for flag := range strings.SplitSeq(line, " --") {
		name, value, _ := strings.Cut(flag, " ")
		given[name] = append(given[name], value)
	}
	for name, into := range map[string]*[]string{"cors-origin": &next.Origins, "cors-method": &next.Methods, "cors-header": &next.Headers} {
		if values := given[name]; values != nil {
			*into = values
		}
	}
	if in := given["cors-environment"]; in != nil {
		next.Origins = strings.Split(strings.TrimPrefix(in[0], "dev="), ",")
	}
	deploytest.Must(t, edit.SetCORS(deploytest.Shop(t), "shop", next))
	if !meant(next, p) {
		t.Errorf("%+v: after %q the page is still kept out", p, fix)
	}
}

// serveShop serves an API; last is the last call that it answered.
func serveShop(t *testing.T, api *access.API) (ask func(method, path string, p page) *http.Response, last func() traffic.Call) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	deploytest.Must(t, err)
	store := traffic.New(time.Now())
	g := gateway.New(gateway.Options{Invoker: silent{}, Traffic: store, Address: listener.Addr().String(), Now: time.Now})
	g.Apply([]gateway.API{{ID: "a1b2c3", Environment: "dev", Label: "shop", Region: "eu-west-1", Definition: api}})
	ended := make(chan error, 1)
	go func() { ended <- g.Serve(listener) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), await.Limit(t))
		defer cancel()
		deploytest.Must(t, g.Shutdown(ctx))
		deploytest.Must(t, <-ended)
	})
	ask = func(method, path string, p page) *http.Response {
		r, err := http.NewRequestWithContext(t.Context(), method, "http://"+listener.Addr().String()+"/a1b2c3/dev"+path, nil)
		deploytest.Must(t, err)
		for name, value := range map[string]string{
			"Origin": p.origin, "Access-Control-Request-Method": p.method, "Access-Control-Request-Headers": strings.Join(p.headers, ","),
		} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		answer, err := http.DefaultClient.Do(r)
		deploytest.Must(t, err)
		_ = answer.Body.Close()
		return answer
	}
	return ask, func() traffic.Call { all := store.Calls(traffic.Query{}); return all[len(all)-1] }
}

// TestAnAPIWithAHandlerAnswersPreflightsItself has the function of a restricted path answer OPTIONS: the
// gateway asks for no signature and adds nothing, and so does the template.
func TestAnAPIWithAHandlerAnswersPreflightsItself(t *testing.T) {
	t.Parallel()
	b := deploytest.Shop(t)
	deploytest.Must(t, edit.AddPath(b, "shop", deploytest.SignedIn("/mine", "items")))
	deploytest.Must(t, edit.SetCORS(b, "shop", access.CORS{Handler: true, Origins: []string{"https://a.example"}}))
	ask, last := serveShop(t, b.API("shop"))
	answer := ask(http.MethodOptions, "/mine", page{origin: "https://a.example", method: "PUT"})
	want := http.Header{"Access-Control-Allow-Origin": {"*"}}
	if diff := cmp.Diff(want, corsOf(answer.Header)); answer.StatusCode != 204 || answer.Header.Get("X-Own") != "yes" || diff != "" {
		t.Errorf("%d (-want +got):\n%s", answer.StatusCode, diff)
	}
	if c := last(); c.Function != "items" || !strings.Contains(c.Why, "method PUT") || !strings.Contains(c.Fix, "function items") {
		t.Errorf("the record is %+v", c)
	}
	made, err := template.Render(b, b.Environment("dev"), template.Options{})
	deploytest.Must(t, err)
	var all struct{ Resources map[string]resource }
	deploytest.Must(t, json.Unmarshal(made.Body, &all))
	found := 0
	for id, r := range all.Resources {
		if p := r.Properties; p.HTTPMethod == "OPTIONS" {
			if found++; p.Integration.Type != "AWS_PROXY" || p.AuthorizationType != "NONE" || p.MethodResponses != nil {
				t.Error(id, fmt.Sprintf("%+v", p))
			}
		}
	}
	if found != 4 || bytes.Contains(made.Body, []byte("MOCK")) {
		t.Errorf("%d methods OPTIONS", found)
	}
}

package gateway

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/internal/openapi/check"
	"gatewright/sandbox/http1"
)

func TestATargetIsReadFromThePathOrTheHost(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		path, host string
		want       target
	}{
		{"/abc/dev/items/1", "127.0.0.1:4280", target{id: "abc", stage: "dev", path: "/items/1", fullPath: "/dev/items/1", query: "q"}},
		{"///abc///dev///items//1/", "", target{id: "abc", stage: "dev", path: "/items//1/", fullPath: "/dev///items//1/", query: "q"}},
		{"/abc/dev", "localhost", target{id: "abc", stage: "dev", path: "/", fullPath: "/dev", query: "q"}},
		{"/abc", "x", target{id: "abc", path: "/", fullPath: "/", query: "q"}},
		{"/", "", target{path: "/", fullPath: "/", query: "q"}},
		{"//dev//items", "ABC.localhost:4280", target{id: "abc", byHostName: true, stage: "dev", path: "/items", fullPath: "/dev//items", query: "q"}},
		{"/", "abc.LOCALHOST", target{id: "abc", byHostName: true, path: "/", fullPath: "/", query: "q"}},
	} {
		if diff := cmp.Diff(row.want, parseTarget(row.path, "q", row.host), cmp.AllowUnexported(target{})); diff != "" {
			t.Errorf("%s of %s (-want +got):\n%s", row.path, row.host, diff)
		}
	}
	for host, want := range map[string]string{
		"abc.localhost": "abc", "aBc.localhost:1": "abc", "localhost": "", ".localhost": "", "localhost:4280": "", "a.b.localhost": "", "[::1].localhost": "", "a:b.localhost:1": "",
		"abclocalhost": "", "abc.localhost.evil.example": "", "": "",
	} {
		if got := hostID(host); got != want {
			t.Errorf("the host %q is that of %q, want %q", host, got, want)
		}
	}
}

func TestAServiceIsFoundByThePathOrTheOperation(t *testing.T) {
	t.Parallel()
	g := New(Options{})
	for _, prefix := range []string{"/_one/", "/_one/two/", "/2015-03-31/", "/.well-known/", "Tables_1."} {
		g.Handle(prefix, named(prefix))
	}
	for _, row := range []struct{ path, operation, want string }{
		{"/_one/x", "", "/_one/"},
		{"/_one/two/x", "", "/_one/two/"}, // the one that was added last
		{"/_one", "", ""},
		{"/_two/x", "", ""},
		{"/2015-03-31/functions", "", "/2015-03-31/"},
		{"/2015-03-32/functions", "", ""},
		{"/2015-03-31", "", ""},
		{"/2015x03-31/functions", "", ""},
		{"/pool/.well-known/jwks.json", "", "/.well-known/"},
		{"/.well-known/jwks.json", "", ""},
		{"/a/b/.well-known/jwks.json", "", ""},
		{"/", "Tables_1.List", "Tables_1."},
		{"/x", "Tables_1.List", ""},
		{"/", "tables_1.List", ""},
		{"/", "/_one/", ""},
		{"/", "", ""},
	} {
		head := &http1.Head{}
		if row.operation != "" {
			head.Fields = []http1.Field{{Name: "X-Amz-Target", Value: row.operation}}
		}
		found, _ := g.service(row.path, head).(named)
		if string(found) != row.want {
			t.Errorf("%s %s is for %q, want %q", row.path, row.operation, found, row.want)
		}
	}
}

// named is a service by its prefix.
type named string

func (named) ServeHTTP(http.ResponseWriter, *http.Request) {}

func TestBreachesAreToldAndKeptUpToALimit(t *testing.T) {
	t.Parallel()
	var told []Breach
	g := New(Options{Breach: func(b Breach) { told = append(told, b) }})
	r, _ := contracted(t, never(t), checked)
	api := r.gateway.serving.Load().byID[testID]
	j := &judged{api: api, request: check.Request{Method: "GET", Path: "/open"}}
	kept := new(record)
	for i := range mostTold + 5 {
		text := fmt.Sprintf("breach %d", i)
		for range 2 {
			g.tellOnce(j, check.Finding{Where: "the query", Text: text}, ": "+text)
		}
		kept.keepBreach(text)
	}
	if len(told) != 100 || len(kept.call.Breaches) != 20 || kept.call.Breaches[19] != "breach 19" {
		t.Fatalf("%d are told, %q are kept", len(told), kept.call.Breaches)
	}
	for i, b := range told {
		want := Breach{Environment: "dev", API: "shop", Text: fmt.Sprintf("GET /open: breach %d", i)}
		if i == len(told)-1 {
			want.Text += "; further ones are in the log only"
		}
		if b != want {
			t.Errorf("told is %+v, want %+v", b, want)
		}
	}
}

func TestAFindingHasItsPlaceInTheDocument(t *testing.T) {
	t.Parallel()
	r, _ := contracted(t, never(t), checked)
	c := r.gateway.serving.Load().byID[testID].Contract
	for want, f := range map[string]check.Finding{
		"the query is wrong": {Where: "the query", Text: "is wrong"},
		"the query is wrong (backend/api/shop/openapi.json:7:3)": {Where: "the query", Text: "is wrong", Line: 7, Column: 3},
	} {
		if got := c.text(f); got != want {
			t.Errorf("it is %q, want %q", got, want)
		}
	}
	if texts := c.Unjudged(); len(texts) != 0 {
		t.Errorf("not judged are %q", texts)
	}
}

func TestTheRootOfATraceIsSentBackIfItIsHarmless(t *testing.T) {
	t.Parallel()
	most := strings.Repeat("a", 64)
	for sent, want := range map[string]string{
		"Root=1-6920305f-Az;Sampled=1": "1-6920305f-Az", "Sampled=1; root=b": "b", "Root=" + most: most, "Root=" + most + "a": "", "Root=" + most + "a;Root=c": "c",
		"Root=": "", "Root=a b": "", "Root=a\r\nX: y": "", "Root=é": "", "a": "", "": "", "Roots=a": "",
	} {
		if got := sentRoot(sent); got != want {
			t.Errorf("of %q it is %q, want %q", sent, got, want)
		}
	}
}

func TestTextsOfTheExecutionLogAreInTheFormOfAPIGateway(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 512)
	for got, want := range map[string]string{
		javaMap(nil): "{}",
		javaMap(map[string][]string{"b": {"2", "3"}, "a": {""}, "X-Amzn-Trace-Id": {"t"}, "Z": nil}): "{X-Amzn-Trace-Id=t, Z=, a=, b=2,3}",
		shorten(long):                           long,
		shorten("a" + long):                     "a" + strings.Repeat("é", 511) + " [TRUNCATED]",
		onOneLine("a\tb"):                       "a\tb",
		onOneLine("a\r\n\x1bé\u0085\t"):         `a\r\n\x1bé\u0085` + "\t",
		megabytes(6 << 20):                      "6 MB",
		megabytes(6<<20 + 1):                    "6291457 bytes",
		firstMediaType(" image/png ; q=1, */*"): "image/png",
		firstMediaType("a/b,c/d"):               "a/b",
		claimText("exp", []byte("1700000000")):  "Tue Nov 14 22:13:20 UTC 2023",
		claimText("auth_time", []byte("17")):    "17",
		claimText("x", []byte(`["a",1,true]`)):  "a,1,true",
		claimText("x", []byte(`{"a":[1]}`)):     `{"a":[1]}`,
		claimText("x", []byte("null")):          "null",
		claimText("exp", []byte(`"soon"`)):      "soon",
	} {
		if got != want {
			t.Errorf("it is %q, want %q", got, want)
		}
	}
}

package gateway

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"gatewright/model/access"
	"gatewright/sandbox/function"
	"gatewright/sandbox/traffic"
	"gatewright/test/await"
)

// recorded has the gateway remember what it answers.
func recorded(g *Gateway) { g.options.Traffic = traffic.New(testTime) }

// details waits until n requests are remembered, and returns them.
func (r *running) details(n int) []traffic.Detail {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), await.Limit(r.t))
	defer cancel()
	enough := errors.New("enough")
	got := 0
	err := r.gateway.options.Traffic.Follow(ctx, traffic.Query{}, func(calls []traffic.Call) error {
		if got += len(calls); got >= n {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || got != n {
		r.t.Fatalf("%d requests are remembered, want %d: %v", got, n, err)
	}
	all := make([]traffic.Detail, n)
	for i := range all {
		all[i], _ = r.gateway.options.Traffic.Detail(uint64(i + 1))
	}
	return all
}

func TestEveryAnswerIsRememberedWithItsCallerAndRule(t *testing.T) {
	t.Parallel()
	r := startRestricted(t, recorded)
	router := access.NewRouter(restrictedAPI().Definition, testPool.Groups, access.Terms{})
	type sent struct {
		name, method, path string
		caller             access.Caller
		by                 string
		status             int
	}
	var all []sent
	in := func(groups ...string) access.Caller { return access.Caller{SignedIn: true, Groups: groups} }
	for name, caller := range map[string]access.Caller{
		"guest": {}, "emma": in(), "edgar": in("Editors"), "ada": in("Admins", "Editors"), "editor": in("Editors"),
	} {
		for _, method := range access.Methods {
			for _, path := range []string{"/open", "/stall/1?a=b", "/books", "/vault", "/nowhere"} {
				all = append(all, sent{name, method, path, caller, "signature", r.send(r.signedAs(name, method, path, "{}")).status})
				switch name {
				case "editor":
				case "guest":
					all = append(all, sent{name, method, path, caller, "", r.call(method, path, "").status})
				default:
					all = append(all, sent{name, method, path, caller, "token", r.call(method, path, "", "Authorization: Bearer "+tokenOf(name, "")).status})
				}
			}
		}
	}
	for i, d := range r.details(len(all)) {
		s := all[i]
		raw, _, _ := strings.Cut(s.path, "?")
		decision := router.Decide(s.caller, s.method, raw)
		asked := router.Decide(access.Caller{Stranger: true}, s.method, raw)
		if decision.Rule == access.ByGroup || decision.Rule == access.ByAuthenticated || decision.Rule == access.ByGuest {
			if d.Who.As != decision.As.String() && !asked.Allowed {
				t.Errorf("%+v: the caller acts as %q, want %q", s, d.Who.As, decision.As)
			}
		}
		who := traffic.Who{Kind: traffic.User, Name: s.name, By: s.by, Allowed: decision.Allowed, Rule: decision.Reason()}
		switch {
		case asked.Allowed || asked.Rule == access.NoRoute:
			who = traffic.Who{Kind: traffic.Nobody, Allowed: asked.Allowed, Rule: asked.Reason()}
		case s.name == "guest":
			who.Kind, who.Name = traffic.Guest, ""
		case s.name == "editor":
			who.Kind, who.Name = traffic.Member, ""
		}
		w := d.Who
		if w.Kind != who.Kind || w.Name != who.Name || w.By != who.By || w.Allowed != who.Allowed || w.Rule != who.Rule {
			t.Errorf("%+v: the caller is %+v, want %+v", s, w, who)
		}
		path, function := "", ""
		if decision.Route.Path != nil {
			path = decision.Route.Path.Name
		}
		if decision.Allowed && s.method != "OPTIONS" {
			function = decision.Route.Path.Function
		}
		if d.Method != s.method || d.Target != s.path || d.Status != s.status || d.Path != path || d.Function != function || d.API != "shop" || d.Environment != "dev" || d.Failed || d.Request == "" {
			t.Errorf("%+v: it is remembered as %+v", s, d.Call)
		}
		if (d.Event == "") != (function == "") || (d.Why == "") != (s.status == 200) || len(d.Headers) == 0 {
			t.Errorf("%+v: event %.20q, why %q, headers %v", s, d.Event, d.Why, d.Headers)
		}
	}
}

func TestNoSecretOfARequestOrAnswerIsRemembered(t *testing.T) {
	t.Parallel()
	const cookie, password, key, parameter = "session-0123456789", "hunter2-hunter2", "api-key-0123456789", "parameter-012345"
	echoes := handler(func(ctx context.Context, c function.Call) (function.Answer, error) {
		answer, err := echo(ctx, c)
		answer.Payload = []byte(strings.Replace(string(answer.Payload), `"statusCode":200`, `"statusCode":200,"headers":{"Set-Cookie":"`+cookie+`","X-Seen":"`+key+`"}`, 1))
		return answer, err
	})
	for _, invoker := range []handler{echoes, returns(`{"token":"` + password + `"}`), func(context.Context, function.Call) (function.Answer, error) {
		return function.Answer{}, errors.New("the function said " + key)
	}} {
		r := start(t, restrictedAPI(), invoker, func(g *Gateway) {
			g.options.Identities = testPeople()
			recorded(g)
		})
		token := tokenOf("edgar", "")
		lines := []string{"Cookie: id=" + cookie, "X-Api-Key: " + key, "X-Copy: it was " + key, "Content-Type: application/json"}
		body := `{"title":"Emma","login":{"password":"` + password + `"},"again":"` + key + `"}`
		bearer := append([]string{"Authorization: Bearer " + token}, lines...)
		n := 0
		for _, method := range []string{"GET", "POST", "DELETE"} {
			for _, path := range []string{"/open", "/books/1", "/vault", "/nowhere", "/open?X-Amz-Signature=" + parameter + "&page=2", "/vault?accessToken=" + parameter, "/open?copy=" + key} {
				r.call(method, path, body, bearer...)
				r.send(r.signedAs("edgar", method, path, body, lines...))
				r.call(method, path, "user=emma&password="+password, bearer...)
				n += 3
			}
		}
		r.gateway.Test(t.Context(), Request{Environment: "dev", Label: "shop", Method: "POST", Path: "/vault", Query: "token=" + parameter, Headers: http.Header{"Authorization": {token}, "Cookie": {cookie}, "X-Api-Key": {key}}, Body: []byte(body)})
		for _, d := range r.details(n + 1) {
			text, err := json.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			for _, secret := range []string{token, cookie, password, key, parameter, "c2lnbmF0dXJl"} {
				if at := strings.Index(string(text), secret); at >= 0 {
					t.Errorf("%s %s keeps %s: ...%s...", d.Method, d.Target, secret, text[max(0, at-80):min(len(text), at+80)])
				}
			}
			if len(d.Left) == 0 || d.Path != "" && !strings.Contains(d.Body, "redacted") {
				t.Errorf("%s %s: left out is %q, the body is %q", d.Method, d.Target, d.Left, d.Body)
			}
		}
	}
}

func TestNoSecretInAPathOrInAnotherValueIsRemembered(t *testing.T) {
	t.Parallel()
	const parameter = "parameter-012345"
	token := "eyJhbGciOiJub25lIn0.eyJzdWIiOiJlbW1hIn0.c2lnbmF0dXJl"
	long := "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ" + strings.Repeat("lbW1h", 60) + "In0.c2lnbmF0dXJl"
	encoded := base64.StdEncoding.EncodeToString([]byte(`{"password":"` + parameter + `","page":2}`))
	headers := []string{"X-Session: " + token, "Referer: https://example.com/back?page=2&token=" + parameter, "X-State: v1/" + encoded}
	r := startRestricted(t, recorded)
	paths := []string{"/open?state=" + url.QueryEscape(encoded), "/open/confirm/" + token + "/now", "/open?to=" + token, "/open?pass%77ord=" + parameter, "/open?a=1&to=https%3A%2F%2Fexample.com%3Ftoken%3D" + parameter, "/books/" + token, "/nowhere/" + token, "/nowhere/" + long}
	for _, path := range paths {
		r.call("GET", path, "", headers...)
	}
	for i, d := range r.details(len(paths)) {
		text, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{token, long[:40], parameter, encoded, encoded[len(encoded)/2:], url.QueryEscape(encoded)} {
			if at := strings.Index(string(text), secret); at >= 0 {
				t.Errorf("GET %s keeps %s: ...%s...", paths[i], secret, text[max(0, at-80):min(len(text), at+80)])
			}
		}
		if left := strings.Join(d.Left, "\n"); !strings.Contains(left, "Referer") || !strings.Contains(left, "X-Session") {
			t.Errorf("GET %s: left out is %q", paths[i], d.Left)
		}
		if strings.Contains(paths[i], "pass%77ord") && !slices.Contains(d.Left, "the value of the parameter password") {
			t.Errorf("GET %s: left out is %q", paths[i], d.Left)
		}
		if !strings.Contains(string(text), "example.com/back?page=2") {
			t.Errorf("GET %s: the rest of the Referer is gone", paths[i])
		}
	}
	if log := r.logText(".gateway"); log == "" || strings.Contains(log, token) || strings.Contains(log, long[:40]) {
		t.Errorf("the log of the gateway is %q", log)
	}
}

func TestWhatHasNoSecretIsRememberedAsItWas(t *testing.T) {
	t.Parallel()
	var event string
	result := `{"statusCode":201,"headers":{"X-A":"1"},"body":"{\"n\": 1}"}`
	r := start(t, restrictedAPI(), handler(func(_ context.Context, c function.Call) (function.Answer, error) {
		event = string(c.Payload)
		return function.Answer{RequestID: c.RequestID, Payload: []byte(result), Init: 80 * time.Millisecond, Duration: 3 * time.Millisecond}, nil
	}), recorded)
	const body = `{"title": "Emma"}`
	answer := r.call("POST", "/open/1?page=2&page=3", body, "X-Trace: a", "X-Trace: b")
	d := r.details(1)[0]
	if d.Event != event || d.Result != result || d.Body != body || d.AnswerBody != answer.body || d.Status != 201 || len(d.Left) > 0 {
		t.Errorf("it is remembered as %+v", d)
	}
	if d.Started != 80*time.Millisecond || d.Ran != 3*time.Millisecond || d.Took <= 0 || !d.Time.Equal(testTime) {
		t.Errorf("started in %v, ran %v, took %v at %v", d.Started, d.Ran, d.Took, d.Time)
	}
	traces, answered := 0, map[string]string{}
	for _, h := range d.Headers {
		if h.Name == "X-Trace" {
			traces++
		}
	}
	for _, h := range d.AnswerHeaders {
		answered[h.Name] = h.Value
	}
	if traces != 2 || answered["X-A"] != "1" || answered["x-amzn-RequestId"] != d.Request {
		t.Errorf("the headers are %v and %v", d.Headers, d.AnswerHeaders)
	}
}

func TestLongBodiesAreCutAndThatIsSaid(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 100<<10)
	r := start(t, restrictedAPI(), returns(`{"body":"`+long+`"}`), recorded)
	r.call("POST", "/open", long)
	r.call("POST", "/vault", long)
	for _, d := range r.details(2) {
		if len(d.Body) > traffic.MostKept || !strings.HasPrefix(long, d.Body) || len(d.Body) < traffic.MostKept-4 {
			t.Errorf("%d bytes of the body are kept", len(d.Body))
		}
		text := strings.Join(d.Left, "\n")
		if !strings.Contains(text, "the end of the body: 64 KB of 200 KB are kept") {
			t.Errorf("what is left out is %q", text)
		}
		if d.Function == "open" && !strings.Contains(text, "the end of the answer") {
			t.Errorf("what is left out of the answer is not said: %q", text)
		}
	}
}

func TestACallFailedIfItsAnswerIs5xx(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		invoker handler
		status  int
		failed  bool
	}{
		"an own 500":    {returns(`{"statusCode":500}`), 500, true},
		"an own 404":    {returns(`{"statusCode":404}`), 404, false},
		"nonsense":      {returns(`nonsense`), 502, true},
		"an error":      {failing, 502, true},
		"a dead worker": {broken, 502, true},
		"a good answer": {returns(`{"statusCode":200}`), 200, false},
	} {
		r := start(t, restrictedAPI(), c.invoker, recorded)
		r.call("GET", "/open", "")
		d := r.details(1)[0]
		if d.Status != c.status || d.Failed != c.failed || (d.Why != "") != c.failed || d.Function != "open" || d.Ran <= 0 {
			t.Errorf("%s is remembered as %+v", name, d.Call)
		}
		report := r.gateway.options.Traffic.Report(traffic.All, testTime)
		for _, counts := range [][]traffic.Counts{report.Functions, report.Paths, report.Whole} {
			if len(counts) != 1 || counts[0].Calls != 1 || counts[0].Failed != map[bool]int{true: 1}[c.failed] || counts[0].Refused != 0 {
				t.Errorf("%s is counted as %+v", name, counts)
			}
		}
	}
}

func failing(context.Context, function.Call) (function.Answer, error) {
	return function.Answer{Failed: true, Payload: []byte(`{"errorType":"Error","errorMessage":"no"}`)}, nil
}

func broken(context.Context, function.Call) (function.Answer, error) {
	return function.Answer{}, &function.Error{Kind: function.Crashed, Function: "open", Text: "its process ended"}
}

func TestACallThatTakesTooLongIsRememberedOnce(t *testing.T) {
	t.Parallel()
	free := make(chan struct{})
	r := start(t, restrictedAPI(), handler(func(_ context.Context, c function.Call) (function.Answer, error) {
		<-free
		return function.Answer{RequestID: c.RequestID, Payload: []byte(`{}`)}, nil
	}), func(g *Gateway) {
		recorded(g)
		g.limits.integration = 20 * time.Millisecond
	})
	r.call("GET", "/open", "")
	close(free)
	r.call("GET", "/nowhere", "")
	all := r.details(2)
	if d := all[0]; d.Status != 504 || !d.Failed || d.Function != "open" || d.Ran < 20*time.Millisecond || d.Result != "" {
		t.Errorf("it is remembered as %+v", d)
	}
}

func TestRequestsToNoAPIAreRemembered(t *testing.T) {
	t.Parallel()
	r := start(t, restrictedAPI(), handler(echo), recorded)
	r.raw("GET", request("GET", "/favicon.ico", ""))
	r.raw("GET", request("GET", "/"+testID+"/prod/open", ""))
	all := r.details(2)
	if d := all[0]; d.Environment != "" || d.API != "" || d.Target != "/favicon.ico" || d.Status != 404 || !d.Refused() {
		t.Errorf("it is remembered as %+v", d.Call)
	}
	if d := all[1]; d.API != "" || d.Status != 403 || d.Why == "" {
		t.Errorf("it is remembered as %+v", d.Call)
	}
}

func TestASecretInAHeaderOfAnAnswerIsNotRemembered(t *testing.T) {
	t.Parallel()
	r := start(t, shop(), returns(`{"statusCode":302,"headers":{"Location":"https://x.example/?a=1&token=hunter2-hunter2","X-Plain":"a","Set-Cookie":"s=0123456789abcdef"}}`), recorded)
	if answer := r.call("GET", "/items", ""); answer.status != 302 || http.Header(answer.header).Get("Location") != "https://x.example/?a=1&token=hunter2-hunter2" {
		t.Fatalf("the answer is %+v", answer)
	}
	d := r.details(1)[0]
	got := make(map[string]string)
	for _, h := range d.AnswerHeaders {
		got[h.Name] = h.Value
	}
	for name, want := range map[string]string{"Location": "https://x.example/?a=1&token=<redacted>", "X-Plain": "a", "Set-Cookie": "<redacted>"} {
		if got[name] != want {
			t.Errorf("%s is remembered as %q, want %q", name, got[name], want)
		}
	}
	left := strings.Join(d.Left, "\n")
	for _, want := range []string{"token in the header Location", "the value of the header Set-Cookie"} {
		if !strings.Contains(left, want) {
			t.Errorf("left are %q, without %q", d.Left, want)
		}
	}
}

func TestOnlySoManyConnectionsAreToldThatThereAreTooMany(t *testing.T) {
	t.Parallel()
	s := new(server)
	for n := range maxRejecting {
		if !s.mayReject() {
			t.Fatalf("of %d connections one gets no answer", n+1)
		}
	}
	for range 2 {
		if s.mayReject() {
			t.Error("one more is answered")
		}
	}
	s.rejected.Add(-1)
	if !s.mayReject() || s.mayReject() {
		t.Error("the place of one that has its answer is not taken by one")
	}
}

func TestATextThatWentApartIsRememberedAtItsPlace(t *testing.T) {
	t.Parallel()
	const password = "hunter2-hunter2"
	long := `{"title":"` + strings.Repeat("Emma ", 2000) + `","password":"` + password + `"}`
	var event []byte
	r := start(t, restrictedAPI(), handler(func(_ context.Context, c function.Call) (function.Answer, error) {
		if c.Body.Text == nil {
			t.Error("a long body does not go apart")
		}
		event = c.Body.Into(c.Payload)
		payload := `{"statusCode":200,"body":"","headers":{"X-A":"1"}}`
		return function.Answer{Payload: []byte(payload), Body: function.Apart{Text: []byte(long), At: strings.Index(payload, `""`)}}, nil
	}), recorded)
	answer := r.call("POST", "/open", long)
	if answer.status != 200 || answer.body != long {
		t.Fatalf("%d, the answer is %.60s", answer.status, answer.body)
	}
	d := r.details(1)[0]
	clean := strings.ReplaceAll(long, password, "<redacted>")
	quoted, _ := json.Marshal(long)
	hidden := strings.ReplaceAll(string(quoted), password, "<redacted>")
	if d.Body != clean || d.AnswerBody != clean {
		t.Errorf("the body is %.60s...%s, the answer %.60s", d.Body, d.Body[len(d.Body)-40:], d.AnswerBody)
	}
	if want := strings.ReplaceAll(string(event), string(quoted), hidden); d.Event != want {
		t.Errorf("the event is %s", d.Event)
	}
	if want := `{"statusCode":200,"body":` + hidden + `,"headers":{"X-A":"1"}}`; d.Result != want {
		t.Errorf("the result is %s", d.Result)
	}
}

func TestABodyThatCameApartCountsAmongWhatIsHeld(t *testing.T) {
	t.Parallel()
	g := New(Options{Traffic: traffic.New(testTime)})
	// More than a store holds, and nothing else is long: the answers to HEAD have no body.
	body := []byte(strings.Repeat("a", 200<<10))
	for range 400 {
		r := g.beginRecord(traffic.Request, testTime, "", http.MethodHead, "/items", "")
		r.keepRun(function.Answer{Payload: []byte(`{"body":""}`), Body: function.Apart{Text: body, At: len(`{"body":`)}})
		r.end(http.StatusOK, nil, "")
	}
	if d, kept := g.options.Traffic.Detail(1); !kept || !d.Gone {
		t.Errorf("the first of 400 long results is still there: %v", kept)
	}
	if d, kept := g.options.Traffic.Detail(400); !kept || d.Gone || !strings.Contains(d.Result, "aaa") {
		t.Errorf("the last of 400 long results is gone: %v", kept)
	}
}

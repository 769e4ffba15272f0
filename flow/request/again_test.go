package request

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/sandbox"
	"gatewright/sandbox/call"
	"gatewright/sandbox/traffic"
)

// remembered is a call with what a gateway adds to it.
func remembered(change func(*traffic.Detail)) traffic.Detail {
	d := traffic.Detail{
		Call:    traffic.Call{Kind: traffic.Request, Environment: "dev", API: "shop", Method: "PUT", Target: "/books/1?limit=3", Path: "/books", Function: "books", Status: 200, Who: traffic.Who{Kind: traffic.Guest}},
		Headers: []traffic.Header{{Name: "Host", Value: "x"}, {Name: "X-Forwarded-For", Value: "127.0.0.1"}, {Name: "X-Trace", Value: "1"}, {Name: "content-type", Value: "application/json"}},
		Body:    `{"a":1}`, Event: `{"httpMethod":"PUT","path":"/books/1"}`,
	}
	change(&d)
	return d
}

func TestARememberedRequestIsSentAsItWas(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change           func(*traffic.Detail)
		as, caller, lack string
	}{
		"guest":  {func(*traffic.Detail) {}, "", "", ""},
		"signed": {func(d *traffic.Detail) { d.Who.By = "signature" }, "guest", "", ""},
		"user": {func(d *traffic.Detail) {
			d.Who = traffic.Who{Kind: traffic.User, Name: "emma", By: "token"}
			d.Headers = append(d.Headers, traffic.Header{Name: "Authorization", Value: model.Redacted})
		}, "user:emma", "", ""},
		"member":  {func(d *traffic.Detail) { d.Who = traffic.Who{Kind: traffic.Member, Groups: []string{"Editors"}} }, "group:Editors", "", ""},
		"members": {func(d *traffic.Detail) { d.Who = traffic.Who{Kind: traffic.Member, Groups: []string{"A", "B"}} }, "group:A", "a member of A alone", ""},
		"anybody": {func(d *traffic.Detail) { d.Who = traffic.Who{Kind: traffic.Member} }, "authenticated", "", ""},
		"tested":  {func(d *traffic.Detail) { d.Kind, d.Who = traffic.Test, traffic.Who{Kind: traffic.User, Name: "emma"} }, "", "", ""},
		"proved to nobody": {func(d *traffic.Detail) {
			d.Who.Kind = traffic.Nobody
			d.Headers = append(d.Headers, traffic.Header{Name: "authorization", Value: model.Redacted})
		}, "", "nobody: its credentials are not kept, and did not matter for this path", ""},
		"unknown": {func(d *traffic.Detail) { d.Who.Kind = traffic.Unknown }, "", "nobody: its credentials are not kept", ""},
		"cookie": {func(d *traffic.Detail) {
			d.Headers = append(d.Headers, traffic.Header{Name: "Cookie", Value: model.Redacted})
		}, "", "", "the header Cookie of it is not kept"},
		"body":  {func(d *traffic.Detail) { d.Body = `{"password":"` + model.Redacted + `"}` }, "", "", "a secret in the body"},
		"path":  {func(d *traffic.Detail) { d.Target = "/verify/" + model.Redacted }, "", "", "a token in the path"},
		"query": {func(d *traffic.Detail) { d.Target = "/books?token=" + model.Redacted }, "", "", "a parameter with a secret"},
		"end":   {func(d *traffic.Detail) { d.Left = []string{"the end of the body: 64 KB of 70 KB are kept"} }, "", "", "the end of the body"},
		"answer": {func(d *traffic.Detail) {
			d.Left = []string{"the end of the answer: 64 KB of 70 KB are kept", "the value of the header Set-Cookie"}
		}, "", "", ""},
	} {
		r, err := Remember(remembered(test.change))
		if err != nil || r.As != test.as || !strings.HasPrefix(r.Caller, test.caller) || test.caller == "" && r.Caller != "" {
			t.Errorf("%s goes as %q (%q), want %q (%q), %v", name, r.As, r.Caller, test.as, test.caller, err)
		}
		if got := r.CannotAgain(); test.lack == "" && got != "" || !strings.Contains(got, test.lack) {
			t.Errorf("of %s it says %q, want %q", name, got, test.lack)
		}
		if len(r.Headers) != 2 || r.Headers["X-Trace"] == nil || r.Path != "/books/1" && name != "query" && name != "path" || r.Method != "PUT" {
			t.Errorf("%s sends %+v", name, r.Request)
		}
	}
	whole := remembered(func(d *traffic.Detail) {
		d.Kind, d.Body, d.Base64 = traffic.Test, "/wA=", true
		d.Headers = append(d.Headers, traffic.Header{Name: "X-Trace", Value: "2"})
	})
	r, err := Remember(whole)
	want := Remembered{Request: call.Request{
		Method: "PUT", Path: "/books/1", Query: "limit=3", Headers: http.Header{"X-Trace": {"1", "2"}, "content-type": {"application/json"}}, Body: []byte("\xff\x00"), Test: true, Function: "books",
	}}
	if diff := cmp.Diff(want, r); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for what, change := range map[string]func(*traffic.Detail){
		"its body cannot be read": func(d *traffic.Detail) { d.Body, d.Base64 = "?", true },
		"schedule":                func(d *traffic.Detail) { d.Kind = traffic.Schedule }, "memory": func(d *traffic.Detail) { d.Gone = true },
		"aws lambda invoke, or gatewright mock function books": func(d *traffic.Detail) { d.Kind, d.Function = traffic.Invoke, "books" },
	} {
		if _, err := Remember(remembered(change)); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("the error is %v, want one about %s", err, what)
		}
	}
}

func TestACommandOfARememberedRequestHasPlaceholdersForSecrets(t *testing.T) {
	t.Parallel()
	d := remembered(func(d *traffic.Detail) {
		d.Who = traffic.Who{Kind: traffic.User, Name: "emma", By: "signature"}
		d.Headers = append(d.Headers, traffic.Header{Name: "Authorization", Value: model.Redacted}, traffic.Header{Name: "x-api-key", Value: model.Redacted})
	})
	r, err := Remember(d)
	if err != nil {
		t.Fatal(err)
	}
	command, note := r.Curl(d, sandbox.ServedAPI{Environment: "dev", Label: "shop", Endpoint: "http://127.0.0.1:4280/x/dev"})
	for _, want := range []string{"-X PUT", "'http://127.0.0.1:4280/x/dev/books/1?limit=3'", "$(gatewright token --env dev -- emma)", "'x-api-key: <redacted>'", `'{"a":1}'`} {
		if !strings.Contains(command, want) {
			t.Errorf("there is no %s in %s", want, command)
		}
	}
	if !strings.Contains(note, "the header x-api-key of it is not kept") || strings.Contains(command, "X-Forwarded") {
		t.Errorf("the note is %q of %s", note, command)
	}
}

func TestAnEventIsNamedForItsRequest(t *testing.T) {
	t.Parallel()
	for target, want := range map[string]string{"/books/1?limit=3": "put-books-1", "/": "put", "/Ünï/%2F..": "put-n-2f", "/" + strings.Repeat("a", 90): "put-" + strings.Repeat("a", 36)} {
		name := EventName(remembered(func(d *traffic.Detail) { d.Target = target }))
		if name != want || CheckEventName(name) != nil {
			t.Errorf("for %q it is %q, want %q, %v", target, name, want, CheckEventName(name))
		}
	}
	for _, name := range []string{"", "../x", "a b", "é", "a/b", strings.Repeat("a", 90)} {
		if CheckEventName(name) == nil {
			t.Errorf("the name %q is taken", name)
		}
	}
	if text, err := EventText(remembered(func(*traffic.Detail) {})); err != nil || !strings.Contains(string(text), "\n  \"httpMethod\": \"PUT\"") {
		t.Errorf("the event is %s, %v", text, err)
	}
	for want, change := range map[string]func(*traffic.Detail){
		"it called no function, so it has no event":                           func(d *traffic.Detail) { d.Event = "" },
		"the event of this request was dropped to free memory for later ones": func(d *traffic.Detail) { d.Gone = true },
		"its event is not valid JSON":                                         func(d *traffic.Detail) { d.Event = `{"cut` },
	} {
		if _, err := EventText(remembered(change)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

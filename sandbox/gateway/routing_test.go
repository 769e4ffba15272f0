package gateway

import (
	"context"
	"net"
	"strings"
	"testing"

	"gatewright/sandbox/function"
)

func TestRequestsAreRoutedAsByAPIGateway(t *testing.T) {
	t.Parallel()
	which := handler(func(_ context.Context, c function.Call) (function.Answer, error) {
		return function.Answer{Payload: []byte(`{"body":"` + c.Function + `"}`)}, nil
	})
	for _, c := range []struct{ name, path, function string }{
		{"the main resource", "/items", "items"},
		{"its proxy resource", "/items/1/2/3", "items"},
		{"a static segment before a proxy", "/items/special", "special"},
		{"below it", "/items/special/x", "special"},
		{"a longer segment goes to the proxy", "/items/specials", "items"},
		{"a variable", "/book/1", "book"},
		{"below a variable", "/book/1/x", "book"},
		{"a variable needs a value", "/book", ""},
		{"a trailing slash does not count", "/items/", "items"},
		{"nor do slashes at the beginning", "//items", "items"},
		{"an empty segment inside is the proxy's", "/items//special", "items"},
		{"segments are compared without decoding", "/%69tems", ""},
		{"an encoded slash does not divide segments", "/items%2Fspecial", ""},
		{"segments are case-sensitive", "/Items", ""},
		{"a query does not belong to the path", "/items?/special", "items"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := start(t, shop(), which, nil)
			answer := r.call("GET", c.path, "")
			if c.function == "" {
				if answer.status != 403 || !strings.Contains(answer.body, "Missing Authentication Token") {
					t.Errorf("%+v", answer)
				}
				return
			}
			if answer.status != 200 || answer.body != c.function {
				t.Errorf("%d %q", answer.status, answer.body)
			}
		})
	}
}

func TestEachEnvironmentHasItsOwnAPI(t *testing.T) {
	t.Parallel()
	r := start(t, shop(), handler(func(_ context.Context, c function.Call) (function.Answer, error) {
		return function.Answer{Payload: []byte(`{"body":"` + c.Environment + `"}`)}, nil
	}), nil)
	dev, prod := shop(), shop()
	prod.ID, prod.Environment = "f6g7h8", "prod"
	r.gateway.Apply([]API{dev, prod})
	for target, want := range map[string]string{
		"/" + testID + "/dev/items": "dev", "/f6g7h8/prod/items": "prod",
		"/" + testID + "/prod/items": `{"message":"Forbidden"}`, "/f6g7h8/dev/items": `{"message":"Forbidden"}`,
	} {
		if answer := r.raw("GET", request("GET", target, "")); answer.body != want {
			t.Errorf("%s: %+v", target, answer)
		}
	}
}

func TestOnlyLoopbackIsServed(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Skip("this machine allows no listener on all addresses: ", err)
	}
	defer listener.Close()
	if err := New(Options{}).Serve(listener); err == nil || !strings.Contains(err.Error(), "listen on 127.0.0.1") {
		t.Errorf("%v", err)
	}
}

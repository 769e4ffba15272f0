package adopt_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/internal/openapi/adopt"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/modeltest"
	document "gatewright/render/openapi"
)

// mock is an operation OPTIONS that the gateway answers with headers, each NAME: VALUE.
func mock(headers ...string) string {
	text := "{x-amazon-apigateway-integration: {type: mock, responses: {default: {responseParameters: {"
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		text += "method.response.header.Access-Control-" + name + ": \"'" + value + "'\", "
	}
	return text + "}}}}}"
}

func TestADocumentSaysWhichPagesMayCall(t *testing.T) {
	t.Parallel()
	const get = "paths: {/a: {get: {}"
	for name, tt := range map[string]struct {
		text string
		want access.CORS
		lost string
	}{
		"nothing": {get + "}}", access.CORS{}, ""},
		"the extension of HTTP APIs": {
			get + "}}\nx-amazon-apigateway-cors: {allowOrigins: ['https://app.example', 'http://localhost:3000/'], allowMethods: [POST, GET], " +
				"allowHeaders: [X-Tenant, authorization], exposeHeaders: [x-total, date], maxAge: 300, allowCredentials: true}",
			access.CORS{
				Origins: []string{"https://app.example", "http://localhost:3000"}, Methods: []string{"GET", "POST"}, Headers: []string{"X-Tenant"},
				Exposed: []string{"x-total"}, MaxAge: 300, Credentials: true,
			},
			"",
		},
		"all of it": {get + "}}\nx-amazon-apigateway-cors: {allowOrigins: ['*'], allowMethods: ['*'], allowHeaders: ['*'], maxAge: 9999999}", access.CORS{Headers: []string{"*"}, MaxAge: 86400}, ""},
		"what cannot be": {
			get + "}}\nx-amazon-apigateway-cors: {allowOrigins: ['https://*.a.example'], allowCredentials: true}",
			access.CORS{},
			"https://*.a.example is not an origin that an API can name|pages send no credentials, since every origin may call",
		},
		"mocks of REST APIs": {
			get + ", options: " + mock("Allow-Origin: https://a.example", "Allow-Methods: GET,OPTIONS", "Allow-Headers: Content-Type,x-one") + "}, /b: {put: {}, options: " +
				mock("Allow-Origin: https://b.example", "Allow-Methods: PUT,OPTIONS", "Allow-Headers: X-One,x-two") + "}}",
			access.CORS{Origins: []string{"https://a.example", "https://b.example"}, Methods: []string{"GET", "OPTIONS", "PUT"}, Headers: []string{"x-one", "x-two"}},
			"pages that may call /b may call all paths",
		},
	} {
		made := adopted(t, "openapi: 3.0.0\n"+tt.text, adopt.Options{})
		if diff := cmp.Diff(tt.want, made.API.CORS); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		var lost []string
		for _, l := range made.Losses {
			if l.Rule == adopt.Preflight {
				lost = append(lost, l.Text)
			}
		}
		if got := strings.Join(lost, "|"); got != tt.lost {
			t.Errorf("%s loses %s, want %s", name, got, tt.lost)
		}
	}
}

// TestADocumentForTheGatewaySaysItAgain writes and reads the settings of an API.
func TestADocumentForTheGatewaySaysItAgain(t *testing.T) {
	t.Parallel()
	for _, c := range []access.CORS{
		{},
		{Methods: []string{"GET", "PUT"}, Headers: []string{"x-tenant"}, MaxAge: 60},
		{Origins: []string{"https://a.example", "http://localhost:5173", "https://b.example"}, Exposed: []string{"x-total"}, Credentials: true},
	} {
		api := &access.API{Label: "shop", CORS: c, Paths: []*access.Path{accesstest.Open("/items", "items")}}
		b := &model.Backend{Layout: modeltest.Kept, APIs: []*access.API{api}}
		root, problem := document.Write(b, api, document.Options{Flavour: document.Gateway, Version: "3.0", Environment: "dev"})
		if problem != nil {
			t.Fatal(problem)
		}
		if diff := cmp.Diff(c, adopted(t, string(root.JSON()), adopt.Options{}).API.CORS); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

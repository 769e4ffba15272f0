package adopt

import (
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
)

// corsHeaders are the names of CORS headers, without what they begin with, by the members of the extension of HTTP APIs
// that say the same, see
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions-cors-configuration.html
var corsHeaders = map[string]string{
	"allowOrigins": "origin", "allowMethods": "methods", "allowHeaders": "headers", "allowCredentials": "credentials",
	"exposeHeaders": "expose-headers", "maxAge": "max-age",
}

// said has the values of CORS headers, each once, by their names in corsHeaders.
type said map[string][]string

func (s said) add(header string, values ...string) {
	for _, value := range values {
		if value = strings.TrimSpace(value); value != "" && !slices.Contains(s[header], value) {
			s[header] = append(s[header], value)
		}
	}
}

// parameters adds the headers that an answer of the gateway sets to texts.
func (s said) parameters(answer *cfn.Node, only string) {
	for _, p := range openapi.MembersOf(answer.Get("responseParameters")) {
		name := strings.ToLower(p.Name)
		_, header, is := strings.Cut(name, ".header.access-control-")
		header = strings.TrimPrefix(header, "allow-")
		text, fixed := strings.CutPrefix(openapi.TextOf(p.Value), "'")
		if is && fixed && (only == "" || header == only) {
			s.add(header, strings.Split(strings.TrimSuffix(text, "'"), ",")...)
		}
	}
}

// cors reads which pages of other origins may use the API: from the extension of HTTP APIs, and from what the gateway
// answers to OPTIONS. What the paths allow is allowed for the whole API.
func (a *adoption) cors() (c access.CORS) {
	all, at := make(said), a.placeOf(openapi.ExtensionCORS, "paths")
	for _, m := range openapi.MembersOf(a.document.Root.Get(openapi.ExtensionCORS)) {
		all.add(corsHeaders[m.Name], m.Value.Text)
		for _, item := range openapi.ItemsOf(m.Value) {
			all.add(corsHeaders[m.Name], item.Text)
		}
	}
	for _, item := range a.document.Items {
		for _, o := range item.Operations {
			if o.Method != "OPTIONS" || o.Integration == nil || o.Integration.Type != "mock" {
				continue
			}
			before := len(all["origin"])
			for _, answer := range openapi.MembersOf(o.Node.Get(openapi.ExtensionIntegration, "responses")) {
				all.parameters(answer.Value, "")
				for _, t := range openapi.MembersOf(answer.Value.Get("responseTemplates")) {
					// Of several origins, the template names the one that asks.
					for _, part := range strings.Split(openapi.TextOf(t.Value), `"`) {
						if part != "" && access.SentOrigin(part) == part {
							all.add("origin", part)
						}
					}
				}
			}
			if before > 0 && len(all["origin"]) > before {
				a.lose(Preflight, o.Place, "", "pages that may call %s may call all paths", phrase.Quote(item.Name))
			}
		}
	}
	for _, answer := range openapi.MembersOf(a.document.Root.Get("x-amazon-apigateway-gateway-responses")) {
		all.parameters(answer.Value, "expose-headers")
	}
	every := slices.Contains(all["origin"], access.AllOrigins)
	for _, origin := range all["origin"] {
		switch sent := access.SentOrigin(origin); {
		case origin != access.AllOrigins && sent == "":
			a.lose(Preflight, at, "name origins with: gatewright update api", "%s is not an origin that an API can name",
				phrase.Quote(origin))
		case !every && !slices.Contains(c.Origins, sent):
			c.Origins = append(c.Origins, sent)
		}
	}
	for _, method := range access.Methods {
		if slices.Contains(all["methods"], method) {
			c.Methods = append(c.Methods, method)
		}
	}
	if len(c.Methods) == len(access.Methods) || slices.Contains(all["methods"], "*") {
		c.Methods = nil
	}
	c.Headers = beyond(access.CORSPreflight, all["headers"])
	c.Exposed = beyond(access.CORSExposed, all["expose-headers"])
	c.MaxAge, _ = strconv.Atoi(strings.Join(all["max-age"], ""))
	c.MaxAge = max(min(c.MaxAge, 86400), 0)
	if c.Credentials = slices.Contains(all["credentials"], "true"); c.Credentials && len(c.Origins) == 0 {
		c.Credentials = false
		a.lose(Preflight, at, "name origins with: gatewright update api",
			"pages send no credentials, since every origin may call")
	}
	return c
}

// beyond are the names that a list has not.
func beyond(list string, names []string) (more []string) {
	for _, name := range names {
		same := func(have string) bool { return strings.EqualFold(have, name) }
		if !slices.ContainsFunc(model.SplitList(list), same) && !slices.ContainsFunc(more, same) {
			more = append(more, name)
		}
	}
	return more
}

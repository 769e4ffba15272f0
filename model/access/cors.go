package access

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"gatewright/model/field"
)

// CORS says which pages of other origins may use an API (https://fetch.spec.whatwg.org/#http-cors-protocol).
// The zero value is what the Amplify CLI configures: every origin, method and usual header.
type CORS struct {
	// Origins are those whose pages may call; none is every origin. Environments have others.
	Origins      []string
	Environments []OriginsIn
	// Methods replace CORSMethods. Headers and Exposed are next to CORSPreflight and CORSExposed.
	Methods, Headers, Exposed []string
	// Credentials lets pages send cookies and read the answers.
	Credentials bool
	// MaxAge is for how many seconds a browser may remember the answer to a preflight.
	MaxAge int
	// Handler has the function of a path answer OPTIONS, and the gateway adds nothing.
	Handler bool
	// Overridden is the environment whose Origins these are; "" for the API's own. No file has it.
	Overridden string
}

// OriginsIn are the origins of an API in an environment.
type OriginsIn struct {
	Environment string
	Origins     []string
}

// The values of the CORS headers, as the Amplify CLI configures them in the REST APIs that it deploys
// (https://github.com/aws-amplify/amplify-category-api). CORSHeaders and CORSExposed are on the answers that the
// gateway gives itself, CORSPreflight is on the answer to a preflight.
const (
	CORSMethods   = "DELETE,GET,HEAD,OPTIONS,PATCH,POST,PUT"
	CORSHeaders   = "Content-Type,X-Amz-Date,Authorization,X-Api-Key,X-Amz-Security-Token"
	CORSPreflight = CORSHeaders + ",X-Amz-User-Agent"
	CORSExposed   = "Date,X-Amzn-ErrorType"
)

// AllOrigins stands for every origin, and in other lists for every name.
const AllOrigins = "*"

// SentOrigin is an origin as browsers send it (https://fetch.spec.whatwg.org/#origin-header), such as
// https://app.example; "" for a text that is not one.
func SentOrigin(text string) string {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789-.:[]"
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" || u.Host == "" || strings.Trim(strings.ToLower(u.Host), letters) != "" {
		return ""
	}
	port := map[string]string{"http": ":80", "https": ":443"}[u.Scheme]
	return u.Scheme + "://" + strings.TrimSuffix(strings.ToLower(u.Host), port)
}

// Fields are the fields of cors in settings.json. Without a max age browsers remember an answer for
// 5 seconds (https://fetch.spec.whatwg.org/#cors-preflight-fetch); none takes more than a day
// (https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Access-Control-Max-Age).
func (c *CORS) Fields() []field.Row {
	return []field.Row{
		{Name: "origins", Flag: "cors-origin", Noun: "CORS origin", Value: &c.Origins, Ordered: true},
		{Name: "environments", Flag: "cors-environment", Value: &c.Environments},
		{Name: "methods", Flag: "cors-method", Noun: "CORS method", Value: &c.Methods},
		{Name: "headers", Flag: "cors-header", Noun: "CORS header", Value: &c.Headers},
		{Name: "exposedHeaders", Flag: "cors-expose", Noun: "exposed CORS header", Value: &c.Exposed},
		{Name: "credentials", Flag: "cors-credentials", Noun: "CORS credentials", Value: &c.Credentials},
		{
			Name: "maxAge", Flag: "cors-max-age", Noun: "CORS max age", Value: &c.MaxAge,
			Range: field.Range{Min: 1, Default: 5, Max: 86400, Unit: "second", Sign: "s"},
		},
		{Name: "handler", Flag: "cors-handler", Noun: "preflights by the function", Value: &c.Handler},
	}
}

// Fields are the fields of an entry of the origins of environments.
func (o *OriginsIn) Fields() []field.Row {
	return []field.Row{
		{Name: "environment", Value: &o.Environment, Written: true},
		{Name: "origins", Value: &o.Origins, Written: true},
	}
}

// IsDefault reports whether nothing is set.
func (c *CORS) IsDefault() bool {
	return !slices.ContainsFunc(c.Fields(), func(r field.Row) bool { return !r.Empty() })
}

// In returns what holds in an environment.
func (c CORS) In(environment string) CORS {
	for _, in := range c.Environments {
		if in.Environment == environment {
			c.Origins, c.Overridden = in.Origins, environment
		}
	}
	c.Environments = nil
	return c
}

// Header is a header of an answer.
type Header struct{ Name, Value string }

// Preflight are the headers of the gateway's answer to a preflight of a page. One of an origin that may
// not call, or of "", gets the first that may, so that its browser refuses.
func (c *CORS) Preflight(origin string) []Header {
	all := c.headers(origin, CORSPreflight)
	if c.MaxAge > 0 {
		all = append(all, Header{"Access-Control-Max-Age", strconv.Itoa(c.MaxAge)})
	}
	if len(c.Origins) > 1 {
		all = append(all, Header{"Vary", "Origin"})
	}
	return all
}

// Answer are the headers of the other answers that the gateway gives itself. In AWS they are the same
// for every page, those of "": a gateway response has no list to look an origin up in
// (https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-gatewayResponse-definition.html),
// and it would name whatever origin asks if it took the header of the request.
func (c *CORS) Answer(origin string) []Header {
	return append(c.headers(origin, CORSHeaders), Header{"Access-Control-Expose-Headers", joined(CORSExposed, c.Exposed)})
}

func (c *CORS) headers(origin, usual string) []Header {
	methods := CORSMethods
	if len(c.Methods) > 0 {
		methods = strings.Join(c.Methods, ",")
	}
	switch {
	case len(c.Origins) == 0:
		origin = AllOrigins
	case !slices.Contains(c.Origins, origin):
		origin = c.Origins[0]
	}
	all := []Header{
		{"Access-Control-Allow-Origin", origin},
		{"Access-Control-Allow-Headers", joined(usual, c.Headers)},
		{"Access-Control-Allow-Methods", methods},
	}
	if c.Credentials {
		all = append(all, Header{"Access-Control-Allow-Credentials", "true"})
	}
	return all
}

// joined adds names to a list that has some.
func joined(list string, names []string) string {
	have := strings.Split(list, ",")
	for _, name := range names {
		if !slices.ContainsFunc(have, func(h string) bool { return strings.EqualFold(h, name) }) {
			have = append(have, name)
		}
	}
	return strings.Join(have, ",")
}

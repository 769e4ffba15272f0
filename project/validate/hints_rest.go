package validate

import (
	"net/url"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project/document"
	"gatewright/project/read"
)

// restAPIs warns of entries of custom.API that client code cannot pass to
// Amplify.configure: each must be an API name with an endpoint and a region.
func (h *hinter) restAPIs(at string, apis document.Node) {
	for name, api := range apis.Members() {
		entry := at + "/" + model.PointerSegment(name)
		if api.Kind() != document.Object {
			h.warn(entry, `write {"endpoint": "https://...", "region": "..."}`,
				"is %s, but client code needs objects with an endpoint and a region", read.KindOf(api))
			continue
		}
		if host, has := h.endpoint(entry, api); has {
			h.region(entry, api, host)
		}
		if own, has := api.Get("apiName"); has && own.Text() != name {
			h.warn(entry+"/apiName", "use the same value in "+
				"both", "is %s, but the key is %s, and clients find the API by its key",
				shownNode(own), phrase.Quote(name))
		}
	}
}

// endpoint checks the endpoint of an API and reports whether there is one. host is ""
// if the endpoint is not an address.
func (h *hinter) endpoint(entry string, api document.Node) (host string, has bool) {
	const like = "write it like https://host/stage"
	at := entry + "/endpoint"
	n, has := api.Get("endpoint")
	text := n.Text()
	switch {
	case !has:
		h.warn(entry, `add "endpoint"`, "has no endpoint, so clients cannot send requests")
	case n.Kind() != document.String:
		h.warn(at, like, "expected a string, found %s", read.KindOf(n))
	case !isAddress(text):
		h.warn(at, like, "is not an address that a request can be sent to")
	case strings.ContainsAny(text, "?#"):
		h.warn(at, "remove what follows the path",
			"has a query or a fragment, but clients append the path of a request to it")
	case strings.HasSuffix(text, "/"):
		h.warn(at, "remove the / and start each path with one",
			"ends with /, but clients append the path of a request to it, so /items becomes //items")
	}
	address, err := url.Parse(text)
	if err != nil {
		return "", has
	}
	return address.Hostname(), has
}

// region checks the region that requests to an API are signed for. The JavaScript
// client takes it from the host of an API Gateway endpoint, else from the field, else
// us-east-1.
func (h *hinter) region(entry string, api document.Node, host string) {
	at, hosted := entry+"/region", regionOfHost(host)
	n, has := api.Get("region")
	switch {
	case !has && hosted != "":
		h.add(model.Note, at, "write "+phrase.Quote(hosted),
			"is missing: the JavaScript client takes it from the endpoint, but client code that reads it finds none")
	case !has, n.Kind() == document.String && n.Text() == "":
		h.warn(at, "write the region of the endpoint",
			"is missing, and the JavaScript client then signs requests for us-east-1")
	case n.Kind() != document.String:
		h.warn(at, "write the region of the endpoint", "expected a string, found %s", read.KindOf(n))
	case hosted != "" && hosted != n.Text():
		h.warn(at, "write "+phrase.Quote(hosted),
			"is %s, but the endpoint is in %s, for which the JavaScript client signs requests", phrase.Quote(n.Text()),
			phrase.Quote(hosted))
	}
}

// regionOfHost returns the region in the host of an API Gateway endpoint, such as
// abc123.execute-api.eu-west-1.amazonaws.com; "" for any other host.
func regionOfHost(host string) string {
	_, behind, found := strings.Cut(host, ".execute-api.")
	region, domain, _ := strings.Cut(behind, ".")
	if !found || !strings.HasPrefix(domain, "amazonaws.com") {
		return ""
	}
	return region
}

// isAddress reports whether a text is an HTTP address.
func isAddress(text string) bool {
	address, err := url.Parse(text)
	return err == nil && (address.Scheme == "https" || address.Scheme == "http") && address.Hostname() != "" &&
		!strings.ContainsAny(text, " \t\r\n")
}

// shownNode returns a value in a sentence.
func shownNode(n document.Node) string {
	if n.Kind() == document.String {
		return phrase.Quote(n.Text())
	}
	return read.KindOf(n)
}

package project

import (
	"net/url"
	"strings"

	"gatewright/model"
	"gatewright/project/document"
)

// restAPIs warns of entries of custom.API that client code cannot register as
// they are: each is an API name with an endpoint and a region (specification,
// "Consumption"; research/outputs-file.md 4.2 and 5.2).
func (h *hinter) restAPIs(at string, apis document.Node) {
	for name, api := range apis.Members() {
		entry := at + "/" + model.PointerToken(name)
		if api.Kind() != document.Object {
			h.warn(entry, `write {"endpoint": "https://...", "region": "..."}`, "is %s, and client code registers objects with an endpoint and a region", kindOf(api))
			continue
		}
		if host, has := h.endpoint(entry, api); has {
			h.region(entry, api, host)
		}
		if own, has := api.Get("apiName"); has && own.Text() != name {
			h.warn(entry+"/apiName", "write the same in both", "is %s, and the key is %s: clients find the API by its key alone", shownNode(own), model.Quote(name))
		}
	}
}

// endpoint looks at where requests of an API go and says whether there is an
// endpoint. The host is "" where it names none.
func (h *hinter) endpoint(entry string, api document.Node) (host string, has bool) {
	const like = "write it like https://host/stage"
	at := entry + "/endpoint"
	n, has := api.Get("endpoint")
	text := n.Text()
	switch {
	case !has:
		h.warn(entry, `add "endpoint"`, "has no endpoint, so clients have nowhere to send a request")
	case n.Kind() != document.String:
		h.warn(at, like, "expected a string, found %s", kindOf(n))
	case !isAddress(text):
		h.warn(at, like, "is no address that a request can be sent to")
	case strings.ContainsAny(text, "?#"):
		h.warn(at, "end it with the path", "has more behind its path, and clients put the path of a request right behind it")
	case strings.HasSuffix(text, "/"):
		h.warn(at, "leave the / out and begin each path with one", "ends with /: clients put the path of a request right behind it, and /items becomes //items")
	}
	address, err := url.Parse(text)
	if err != nil {
		return "", has
	}
	return address.Hostname(), has
}

// region looks at the region that requests of an API are signed for. The
// JavaScript client takes it from the host of an API gateway, else from the
// field, else us-east-1.
func (h *hinter) region(entry string, api document.Node, host string) {
	at, hosted := entry+"/region", regionOfHost(host)
	n, has := api.Get("region")
	switch {
	case !has && hosted != "":
		h.add(model.Note, at, "write "+model.Quote(hosted), "is not there: the JavaScript client takes it from the endpoint, client code that reads it finds none")
	case !has, n.Kind() == document.String && n.Text() == "":
		h.warn(at, "write the region of the endpoint", "is not there, and the JavaScript client then signs requests for us-east-1")
	case n.Kind() != document.String:
		h.warn(at, "write the region of the endpoint", "expected a string, found %s", kindOf(n))
	case hosted != "" && hosted != n.Text():
		h.warn(at, "write "+model.Quote(hosted), "is %s, and the endpoint is in %s, for which the JavaScript client signs requests", model.Quote(n.Text()), model.Quote(hosted))
	}
}

// regionOfHost is the region in the host of an API gateway, such as
// abc123.execute-api.eu-west-1.amazonaws.com; "" in any other host.
func regionOfHost(host string) string {
	_, behind, found := strings.Cut(host, ".execute-api.")
	region, domain, _ := strings.Cut(behind, ".")
	if !found || !strings.HasPrefix(domain, "amazonaws.com") {
		return ""
	}
	return region
}

// isAddress says whether a request can be sent to an address.
func isAddress(text string) bool {
	address, err := url.Parse(text)
	return err == nil && (address.Scheme == "https" || address.Scheme == "http") && address.Hostname() != "" && !strings.ContainsAny(text, " \t\r\n")
}

// shownNode is a value as a sentence shows it.
func shownNode(n document.Node) string {
	if n.Kind() == document.String {
		return model.Quote(n.Text())
	}
	return kindOf(n)
}

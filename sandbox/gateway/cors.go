package gateway

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/sandbox/logs"
)

// cors is what holds for the API of the exchange.
func (e *exchange) cors() *access.CORS {
	if e.api == nil {
		return new(access.CORS)
	}
	return &e.api.Definition.CORS
}

// judgeCORS tells of an answer that keeps the page of another origin from what it wants: of a preflight
// that refuses, and once for each path of answers that pages cannot read. It judges as a browser
// that sends no credentials, unless the API asks for them. by is the function that answers; "" for the gateway.
func (e *exchange) judgeCORS(by string, status int, answer []namedValues) {
	// Once a function is called, the head may be that of the next request, and the record has it.
	e.record.keepHead(e.conn.head.Fields, nil)
	asked, cors := e.record.headers, e.cors()
	origin, method := all(asked, "Origin"), all(asked, "Access-Control-Request-Method")
	if origin == "" {
		return
	}
	allowed := all(answer, "Access-Control-Allow-Origin")
	reads := allowed == origin || allowed == access.AllOrigins && !cors.Credentials
	reads = reads && (!cors.Credentials || all(answer, "Access-Control-Allow-Credentials") == "true")
	if e.method != http.MethodOptions || method == "" {
		who := "API Gateway answers this itself, and names only the first of the origins"
		if by != "" {
			who = "function " + phrase.Quote(by) + " itself has to set Access-Control-Allow-Origin, and here it is " +
				phrase.Quote(cmp.Or(allowed, "missing")) + corsCredentials[cors.Credentials]
		}
		if path := e.route.Path; !reads && path != nil && by+allowed != "" {
			e.noteOnce("cors "+by+" "+path.Name, "a page of "+phrase.Quote(origin)+" cannot read the response: "+who)
		}
		return
	}
	var why []string
	flags, fix := "", ""
	if status < 200 || status > 299 {
		why = append(why, "gets a status other than 200 to 299")
	}
	if !reads {
		text := "asks for the origin " + phrase.Quote(origin)
		if allowed != "" {
			text += ", and " + phrase.Quote(allowed) + " may call"
		}
		why, flags = append(why, text), allowing("cors-origin", cors.Origins, origin)
		if cors.Overridden != "" {
			origins := strings.Join(append(slices.Clip(cors.Origins), origin), ",")
			flags = allowing("cors-environment", nil, cors.Overridden+"="+origins)
		}
		if access.SentOrigin(origin) != origin {
			fix = "no setting allows it: serve the page from an origin such as https://app.example"
		}
	}
	if !slices.Contains([]string{"GET", "HEAD", "POST"}, method) && !listed(all(answer, "Access-Control-Allow-Methods"),
		method, cors.Credentials, func(a, b string) bool { return a == b }) {
		why = append(why, "asks for the method "+phrase.Quote(method))
		flags += allowing("cors-method", cors.Methods, method)
		if !slices.Contains(access.Methods, method) {
			fix = "no setting allows it: send one of " + strings.Join(access.Methods, ", ")
		}
	}
	if lacking := lackingHeaders(asked, all(answer, "Access-Control-Allow-Headers"), cors.Credentials); len(lacking) > 0 {
		noun := map[bool]string{true: "header", false: "headers"}[len(lacking) == 1]
		why = append(why, "asks for the "+noun+" "+phrase.QuoteList(lacking))
		flags += allowing("cors-header", cors.Headers, lacking...)
	}
	switch {
	case why == nil:
		return
	case cors.Handler:
		fix = "have function " + phrase.Quote(e.route.Path.Function) + " answer OPTIONS with it"
	case e.api.Terms.Below:
		fix = "the template of the Amplify CLI has the headers: amplify override api"
	case fix == "" && flags != "":
		fix = "run: gatewright update api " + model.ShellWord(e.api.Label) + flags
	}
	text := "a browser refuses this response: the page " + strings.Join(why, ", and it ")
	e.record.keepRefusal(text, fix)
	e.note(status, logs.Warn, text+"; "+fix)
}

var corsCredentials = map[bool]string{true: ", and with credentials Access-Control-Allow-Credentials has to be true"}

// all are the values of a header as one list.
func all(headers []namedValues, name string) string {
	if at := find(headers, name); at >= 0 {
		return strings.Join(headers[at].values, ",")
	}
	return ""
}

// lackingHeaders are the headers that a preflight asks for and the answer does not allow. A * allows all
// but Authorization (https://fetch.spec.whatwg.org/#cors-preflight-fetch).
func lackingHeaders(asked []namedValues, allowed string, credentials bool) []string {
	names := model.SplitList(all(asked, "Access-Control-Request-Headers"))
	return slices.DeleteFunc(names, func(name string) bool {
		return listed(allowed, name, credentials || strings.EqualFold(name, "Authorization"), strings.EqualFold)
	})
}

// listed reports whether a list has a name, or * where that counts.
func listed(list, name string, exactly bool, same func(a, b string) bool) bool {
	return slices.ContainsFunc(model.SplitList(list), func(have string) bool {
		return same(have, name) || have == "*" && !exactly
	})
}

// allowing are the flags that add names to a list.
func allowing(flag string, have []string, names ...string) (flags string) {
	for _, name := range append(slices.Clip(have), names...) {
		flags += " --" + flag + " " + model.ShellWord(name)
	}
	return flags
}

package check

import (
	"fmt"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
)

// MostOrigins bounds the origins of an API: the response of each of its resources to a preflight has them all.
const MostOrigins = 50

const letters = "abcdefghijklmnopqrstuvwxyz0123456789"

// CheckCORS checks which pages of other origins may use an API.
func (c *Checker) CheckCORS(api *access.API) []*model.Problem {
	found, of := findings{of: model.Ref{Kind: model.KindSettings, Name: api.Label}}, &api.CORS
	if of.IsDefault() {
		return nil
	}
	found.ranges("/cors", of)
	found.origins("/cors/origins", of.Origins)
	every := len(of.Origins) == 0 || slices.Contains(of.Origins, access.AllOrigins)
	for i, in := range of.Environments {
		pointer := fmt.Sprintf("/cors/environments/%d", i)
		found.add(c.reference(found.of, pointer+"/environment", model.KindEnvironment, in.Environment)...)
		same := func(other access.OriginsIn) bool { return other.Environment == in.Environment }
		if slices.IndexFunc(of.Environments, same) < i {
			found.say(pointer+"/environment", "list it once", "%s is listed twice", phrase.Quote(in.Environment))
		}
		if len(in.Origins) == 0 {
			found.say(pointer+"/origins", "name one, or leave the entry out", "has no origin")
		}
		found.origins(pointer+"/origins", in.Origins)
		every = every || slices.Contains(in.Origins, access.AllOrigins)
	}
	for i, method := range of.Methods {
		if !slices.Contains(access.Methods, method) {
			found.say(fmt.Sprintf("/cors/methods/%d", i), "use "+phrase.Enumerated(access.Methods),
				"%s is not a method of a path", phrase.Quote(method))
		}
	}
	found.headers("/cors/headers", of.Headers, of.Credentials)
	found.headers("/cors/exposedHeaders", of.Exposed, of.Credentials)
	if of.Credentials && every {
		// https://fetch.spec.whatwg.org/#cors-protocol-and-credentials
		found.say("/cors/credentials", "name the origins, such as https://app.example, or remove credentials",
			"browsers refuse credentials if every origin may call (*)")
	}
	return found.problems
}

// origins checks origins as browsers send them (https://fetch.spec.whatwg.org/#origin-header).
func (f *findings) origins(pointer string, origins []string) {
	if len(origins) > MostOrigins {
		f.say(pointer, fmt.Sprintf("use at most %d", MostOrigins), "has %d origins", len(origins))
	}
	if len(origins) > 1 {
		f.sayAt(model.Note, pointer, "", "only pages of %s can read the responses of API Gateway itself, such as 403: they "+
			"name a single origin", phrase.Quote(origins[0]))
	}
	for i, origin := range origins {
		at, shown := fmt.Sprintf("%s/%d", pointer, i), phrase.Quote(origin)
		switch sent := access.SentOrigin(origin); {
		case slices.Index(origins, origin) < i:
			f.say(at, "remove one", "the origin %s is listed twice", shown)
		case origin == access.AllOrigins && len(origins) > 1:
			f.say(at, "use it alone, or remove it", "the origin * means every origin, but others are listed with it")
		case origin == access.AllOrigins:
		case origin == "null":
			f.say(at, "name the origin of the page", "the origin null stands for any page in a sandboxed frame")
		case sent == "":
			f.say(at, "write one such as https://app.example, or * for all", "%s is not one origin", shown)
		case origin != sent:
			f.say(at, "write "+phrase.Quote(sent), "the origin %s is not written as browsers send it", shown)
		}
	}
}

// headers checks names of headers; * stands for all if pages send no credentials.
func (f *findings) headers(pointer string, names []string, credentials bool) {
	for i, name := range names {
		at, shown, folded := fmt.Sprintf("%s/%d", pointer, i), phrase.Quote(name), strings.ToLower(name)
		switch {
		case name == "*" && credentials:
			f.say(at, "name the headers, or remove credentials", "browsers read * as a name if pages send credentials")
		case name != "*" && (name == "" || strings.Trim(folded, letters+"-_.") != ""):
			f.say(at, "use letters, digits, - . and _, such as x-tenant", "%s is not a name for a header", shown)
		case slices.IndexFunc(names, func(other string) bool { return strings.ToLower(other) == folded }) < i:
			f.say(at, "remove one", "the header %s is listed twice", shown)
		}
	}
}

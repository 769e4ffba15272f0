package access

import (
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/text/phrase"
)

// Words returns the difference as a sentence, without the API: "guests may now update under /books (PUT /books)".
func (d Difference) Words() string {
	return d.Sentence() + " (" + d.Example() + ")"
}

// Sentence is Words without the example of a request: "guests may now update under /books".
func (d Difference) Sentence() string { return d.who() + " " + d.Where() }

// who says who may do what, and not where: "guests may now update".
func (d Difference) who() string {
	may, what := " may no longer ", d.Actions.words()
	if d.Gained {
		may = " may now "
	}
	if d.Gained && d.Anybody {
		what = d.Actions.Verb()
	}
	switch {
	case d.Actions == 0:
		what = "send HEAD"
	case d.headAlone():
		what += ", and send HEAD"
	}
	return d.Callers() + may + what
}

// headAlone reports whether HEAD differs and read does not.
func (d Difference) headAlone() bool {
	return !d.Actions.Has(Read) && slices.Contains(d.Methods, "HEAD")
}

// Callers names the callers: "guests", "everybody", "members of both Admins and Editors".
func (d Difference) Callers() string {
	switch {
	case d.Anybody && d.Gained:
		return "everybody"
	case d.Anybody:
		return "callers without credentials"
	case d.AlsoIn != "":
		return "members of both " + phrase.Quote(d.Who.Group) + " and " + phrase.Quote(d.AlsoIn)
	}
	return d.Who.String()
}

// Between is the difference as a sentence about two places instead of two times, without the API: "guests may update
// under /books in prod and not in dev (PUT /books)". The names are printable.
func (d Difference) Between(before, after string) string {
	in, not := after, before
	if !d.Gained {
		in, not = before, after
	}
	who := strings.NewReplacer(" may now ", " may ", " may no longer ", " may ").Replace(d.who())
	return who + " " + d.Where() + " in " + in + " and not in " + not + " (" + d.Example() + ")"
}

// Effect says what happens to the example of a request: "PUT /books by a guest: 403 before, served by books now".
func (d Difference) Effect() string {
	served := "served"
	if d.Function != "" {
		served += " by " + phrase.Quote(d.Function)
	}
	text := d.Example() + " by " + d.ByWhom() + ": "
	if d.Gained {
		return text + "403 before, " + served + " now"
	}
	return text + served + " before, 403 now"
}

// ByWhom names one of the callers in a sentence: "a guest", "a member of Editors".
func (d Difference) ByWhom() string {
	switch {
	case d.Anybody && d.Gained:
		return "anybody"
	case d.Anybody:
		return "a caller without credentials"
	case d.AlsoIn != "":
		return "a member of both " + phrase.Quote(d.Who.Group) + " and " + phrase.Quote(d.AlsoIn)
	case d.Who.Kind == Guest:
		return "a guest"
	case d.Who.Kind == Group:
		return "a member of " + phrase.Quote(d.Who.Group)
	}
	return "a signed-in user"
}

// String returns the difference as a sentence that names the API: "API shop: guests may now
// update under /books (PUT /books)".
func (d Difference) String() string { return "API " + phrase.Quote(d.API) + ": " + d.Words() }

// Example returns the shortest example of a request: "PUT /books".
func (d Difference) Example() string {
	method := ""
	if len(d.Methods) > 0 {
		method = d.Methods[0] + " "
	}
	return method + phrase.Quote(d.Raw)
}

// Where says which requests are meant: "under /books", "at /books", "below /books". Under a path is
// at the path and below it.
func (d Difference) Where() string {
	above, proxied := strings.CutSuffix(d.Path, ProxyPath)
	switch {
	case proxied && above == "":
		return "below /"
	case proxied:
		return "below " + phrase.Quote(above)
	case d.Below:
		return "under " + phrase.Quote(d.Path)
	}
	return "at " + phrase.Quote(d.Path)
}

// More is what a screen says after differences of which Compare left some out.
const More = "there is more: the paths or groups cross in too many ways to list every difference; ask for one " +
	"request with: gatewright can WHO METHOD PATH"

// Sentences returns a sentence for each difference. They name the API if the backend,
// which has that many APIs, or the differences have more than one.
func Sentences(differences []Difference, apis int) []string {
	several := apis > 1 ||
		slices.ContainsFunc(differences, func(d Difference) bool { return d.API != differences[0].API })
	sentences := make([]string, len(differences))
	for i, d := range differences {
		sentences[i] = d.Words()
		if several {
			sentences[i] = d.String()
		}
	}
	return sentences
}

// Count sums up differences: "2 more open, 1 less open"; "" if there are none.
func Count(differences []Difference) string {
	gained := 0
	for _, d := range differences {
		if d.Gained {
			gained++
		}
	}
	var parts []string
	if gained > 0 {
		parts = append(parts, strconv.Itoa(gained)+" more open")
	}
	if lost := len(differences) - gained; lost > 0 {
		parts = append(parts, strconv.Itoa(lost)+" less open")
	}
	return strings.Join(parts, ", ")
}

// OfServed returns the differences whose requests a path of the backend before the change
// served: the others are of new paths and new APIs.
func OfServed(differences []Difference, was Gate) []Difference {
	router := was.Routers()
	var kept []Difference
	for _, d := range differences {
		of := router(d.API)
		if of == nil {
			continue
		}
		if _, served := of.Match(d.Methods[0], d.Raw); served {
			kept = append(kept, d)
		}
	}
	return kept
}

package saved

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project/jsonpath"
)

// Finding is something wrong with a saved request, at a JSON pointer of its file.
type Finding struct {
	Pointer, Text, Fix string
	Level              model.Level
}

// way is what to do about a secret in a file that is committed.
const way = "write ${NAME} instead, an environment variable of the process that sends the request, or name the " +
	"caller in \"as\""

// Secrets finds what may be a secret in a request, which is committed with the project.
func (r Request) Secrets() []Finding {
	var all []Finding
	found := func(pointer, text string) {
		all = append(all, Finding{Pointer: pointer, Text: text, Fix: way})
	}
	for i, line := range r.Headers {
		name, value, _ := strings.Cut(line, ":")
		if value = strings.TrimSpace(value); IsSecret(name) && value != "" && !hasVariable(value) || hide(value) != value {
			found("/headers/"+strconv.Itoa(i), "the header "+phrase.Quote(strings.TrimSpace(name))+" may hold a secret")
		}
	}
	for _, name := range sorted(secretParameters(r.Query)) {
		found("/query", "the parameter "+phrase.Quote(name)+" may hold a secret")
	}
	named := slices.ContainsFunc(all, func(f Finding) bool { return f.Pointer == "/query" })
	if HideQuery(r.Query) != r.Query && !named {
		found("/query", "the query holds a token or key")
	}
	if hide(r.Below) != r.Below {
		found("/below", "the path holds a token or key")
	}
	body := func(pointer, text string) {
		for _, name := range sorted(SecretsIn(text)) {
			found(pointer, "the body has "+phrase.Quote(name)+", which may be a secret")
		}
	}
	body("/json", string(r.JSON))
	body("/body", r.Body)
	for name, value := range r.Parameters {
		if IsSecret(name) && value != "" && !hasVariable(value) || hide(value) != value {
			found("/parameters/"+segment(name), "the parameter "+phrase.Quote(name)+" may hold a secret")
		}
	}
	return all
}

// Check finds what is wrong with a request by itself: its headers, its secrets, the paths
// and the pattern of its answer.
func (r Request) Check() []Finding {
	all := r.Secrets()
	if len(r.JSON) > 0 && r.Body != "" {
		all = append(all, Finding{Pointer: "/body", Text: "is a second body next to json", Fix: "keep one of the two"})
	}
	if r.Expect == nil {
		return all
	}
	for i, text := range r.Expect.Ignore {
		if _, err := jsonpath.Parse(text); err != nil {
			all = append(all, Finding{Pointer: "/expect/ignore/" + strconv.Itoa(i), Text: err.Error()})
		}
	}
	if _, err := regexp.Compile(r.Expect.Pattern); err != nil {
		all = append(all,
			Finding{
				Pointer: "/expect/pattern", Text: fmt.Sprintf("is not a regular expression: %s", err),
				Fix: "write one like ^ok",
			})
	}
	if len(SecretsIn(string(r.Expect.JSON))) > 0 {
		all = append(all,
			Finding{
				Pointer: "/expect/json", Level: model.Warning, Text: "the expected response may hold a secret",
				Fix: "write \"" + Hidden + "\" in its place, and its path into ignore",
			})
	}
	return all
}

// CheckIn finds what a request names and the backend does not have. An API without paths is
// one that could not be read.
func (r Request) CheckIn(b *model.Backend) []Finding {
	api := b.API(r.API)
	switch {
	case api == nil:
		return []Finding{{
			Pointer: "/api", Level: model.Warning,
			Text: "names the API " + phrase.Quote(r.API) + ", which does not exist", Fix: "name another one, or remove the file",
		}}
	case len(api.Paths) > 0 && api.Path(r.Path) == nil:
		return []Finding{{
			Pointer: "/path", Level: model.Warning,
			Text: "names the path " + phrase.Quote(r.Path) + ", which the API " + phrase.Quote(r.API) + " does not have",
			Fix:  "name another one, or remove the file",
		}}
	}
	return nil
}

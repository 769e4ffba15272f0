package adopt_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/internal/openapi"
	"gatewright/internal/openapi/adopt"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
)

// drawDocument draws a document whose paths cross each other, with public and other
// operations.
func drawDocument(t *rapid.T) string {
	segment := rapid.SampledFrom([]string{"a", "b", "c", "{x}", "{y}", "{x}.json", "a-{y}", "$b", "{proxy+}"})
	security := rapid.SampledFrom([]string{"", "[]", "[{}]", "[{key: []}]", "[{unknown: []}]", "[{key: []}, {}]", "[{key: [], unknown: []}]"})
	var b strings.Builder
	b.WriteString("openapi: 3.0.0\n")
	if all := security.Draw(t, "security of all"); all != "" {
		fmt.Fprintf(&b, "security: %s\n", all)
	}
	b.WriteString("components: {securitySchemes: {key: {type: apiKey}}}\npaths:\n")
	names := make(map[string]bool)
	for range rapid.IntRange(1, 8).Draw(t, "paths") {
		name := "/" + strings.Join(rapid.SliceOfN(segment, 0, 4).Draw(t, "path"), "/") + rapid.SampledFrom([]string{"", "", "", "/", "#x", "?q=1"}).Draw(t, "end")
		if names[name] {
			continue
		}
		names[name] = true
		fmt.Fprintf(&b, "  '%s':\n", name)
		methods := rapid.SampledFrom([]string{"get", "head", "post", "put", "patch", "delete", "options", "trace", openapi.ExtensionAnyMethod})
		for _, method := range rapid.SliceOfNDistinct(methods, 1, 4, rapid.ID).Draw(t, "methods") {
			own := security.Draw(t, "security")
			if own != "" {
				own = "security: " + own
			}
			fmt.Fprintf(&b, "    %s: {%s}\n", method, own)
		}
	}
	return b.String()
}

// matches reports whether a request is one of a path of a document, and with which rank: of
// two that match, the one whose rank is less is meant. A segment with a variable in it takes
// any text that it may stand for.
func matches(name, raw string) (rank string, ok bool) {
	name, _, _ = strings.Cut(name, "?")
	name, _, _ = strings.Cut(name, "#")
	wanted, given := segments(name), segments(raw)
	for i, w := range wanted {
		if w == "{proxy+}" {
			return rank + "3", i < len(given)
		}
		if i >= len(given) {
			return "", false
		}
		open, end := strings.IndexByte(w, '{'), strings.IndexByte(w, '}')
		switch {
		case open < 0:
			if w != given[i] {
				return "", false
			}
			rank += "1"
		case !strings.HasPrefix(given[i], w[:open]) || !strings.HasSuffix(given[i], w[end+1:]) || len(given[i]) <= open+len(w)-end-1:
			return "", false
		default:
			rank += "2"
		}
	}
	return rank, len(wanted) == len(given)
}

func segments(path string) []string {
	path = strings.Trim(path, "/")
	if path == "" {
		return nil
	}
	return strings.Split(path, "/")
}

// meant returns the operations that a request of a document is one of: several where paths
// match it in the same way.
func meant(d *openapi.Document, method, raw string) []*openapi.Operation {
	best := "9"
	var items []*openapi.Item
	for _, item := range d.Items {
		rank, ok := matches(item.Name, raw)
		switch {
		case !ok || rank > best:
		case rank < best:
			best, items = rank, []*openapi.Item{item}
		default:
			items = append(items, item)
		}
	}
	var operations []*openapi.Operation
	for _, item := range items {
		at := make(map[string]*openapi.Operation)
		for _, o := range item.Operations {
			at[o.Method] = o
		}
		if o := at[method]; o != nil {
			operations = append(operations, o)
		} else if o := at[openapi.AnyMethod]; o != nil && !(method == "HEAD" && at["GET"] != nil) {
			operations = append(operations, o)
		}
	}
	return operations
}

func TestAnAPIIsNeverMoreOpenThanItsDocument(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := drawDocument(t)
		d, err := openapi.Read("api.yaml", []byte(text))
		if err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
		grouping := rapid.SampledFrom(adopt.Groupings).Draw(t, "grouping")
		adopted, err := adopt.Adopt(d, adopt.Options{Label: "api", Grouping: grouping})
		if err != nil {
			return
		}
		var b model.Backend
		for _, name := range adopted.API.Functions() {
			b.Functions = append(b.Functions, &model.Function{Name: name})
		}
		if err := edit.AddAPI(&b, adopted.API); err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
		router := b.Router("api")
		for range 60 {
			parts := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "d", "1.json", "a-1", "$b", "a.json"}), 0, 4).Draw(t, "request")
			raw := "/" + strings.Join(parts, "/")
			method := rapid.SampledFrom([]string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}).Draw(t, "method")
			for _, o := range meant(d, method, raw) {
				guest, user := router.Decide(access.Caller{}, method, raw), router.Decide(access.Caller{SignedIn: true}, method, raw)
				if guest.Allowed && !o.Public {
					t.Fatalf("%s\nguests may send %s %s, which is not public\n%s", text, method, raw, describe(adopted))
				}
				if guest.Rule == access.NoRoute {
					t.Fatalf("%s\n%s %s is served by no path\n%s", text, method, raw, describe(adopted))
				}
				if (!user.Allowed || !guest.Allowed && o.Public) && !isLost(adopted, o) {
					t.Fatalf("%s\n%s %s is closed, and nothing says so\n%s", text, method, raw, describe(adopted))
				}
			}
		}
	})
}

// isLost reports whether it is said that an operation is not allowed to all whom the document
// allows it.
func isLost(adopted *adopt.Adopted, o *openapi.Operation) bool {
	return slices.ContainsFunc(adopted.Losses, func(l adopt.Loss) bool { return l.Rule == adopt.Closed && l.Place == o.Place })
}

func describe(adopted *adopt.Adopted) string {
	var lines []string
	for _, p := range adopted.Paths {
		lines = append(lines, fmt.Sprintf("%s -> %s: %s (%d paths, %d operations)", p.Name, p.Function, p.Access, p.Items, p.Operations))
	}
	for _, l := range adopted.Losses {
		lines = append(lines, fmt.Sprintf("%s %d:%d %s", l.Rule, l.Line, l.Column, l.Text))
	}
	return strings.Join(lines, "\n")
}

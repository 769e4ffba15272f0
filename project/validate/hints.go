package validate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
	"gatewright/model"
	"gatewright/project/document"
	"gatewright/project/read"
	"gatewright/render"
)

// hinter warns of what the schema of a client configuration file allows and client libraries misread: the sources of
// aws-amplify/amplify-js, amplify-swift and amplify-android say how they read each field.
type hinter struct {
	file *read.File
	// schema is the name of the file's schema.
	schema string
	// generated says that this program writes the file, ignored that .gitignore excludes it.
	generated, ignored bool

	v *validation
	// reported and omitted count the problems of the current row of clientHints.
	reported, omitted int
}

// clientHints are the checks of a hinter, by the pointer of the value that they
// check, which is the same in both dialects and all versions.
var clientHints = []struct {
	at    string
	check func(h *hinter, at string, n document.Node)
}{
	{"", (*hinter).placeholder},
	{"/$schema", (*hinter).otherSchema},
	{"/auth", (*hinter).guests},
	{"/auth/user_pool_id", (*hinter).userPool},
	{"/auth/identity_pool_id", (*hinter).identityPool},
	{"/auth/password_policy", (*hinter).passwordPolicy},
	{"/auth/oauth/domain", (*hinter).signInDomain},
	{"/auth/username_attributes", (*hinter).usernames},
	{"/auth/user_verification_types", (*hinter).repeats},
	{"/auth/mfa_methods", (*hinter).repeats},
	{"/data/url", (*hinter).dataAddress},
	{"/data/api_key", (*hinter).apiKey},
	{"/data/authorization_types", (*hinter).repeats},
	{"/geo/maps", (*hinter).defaultItem},
	{"/geo/maps/items", (*hinter).styles},
	{"/geo/search_indices", (*hinter).defaultItem},
	{"/geo/geofence_collections", (*hinter).defaultItem},
	{"/notifications/channels", (*hinter).channels},
	{"/storage/buckets", (*hinter).bucketNames},
	{"/custom/API", (*hinter).restAPIs},
}

// hints adds the problems that a hinter finds.
func (v *validation) hints(h hinter) {
	h.v = v
	for _, row := range clientHints {
		n, there := h.file.Doc.Find(row.at)
		if !there {
			continue
		}
		h.reported, h.omitted = 0, 0
		row.check(&h, row.at, n)
		if h.omitted > 0 {
			v.add(byRules, h.file.Problem(model.Note, row.at, "", "has %d more problems like the last", h.omitted))
		}
	}
}

// mostAlike is how many problems of one check are reported; a file may have a hundred thousand.
const mostAlike = 20

func (h *hinter) add(level model.Level, at, fix, text string, args ...any) {
	if h.reported == mostAlike {
		h.omitted++
		return
	}
	h.reported++
	h.v.add(byRules, h.file.Problem(level, at, fix, text, args...))
}

func (h *hinter) warn(at, fix, text string, args ...any) {
	h.add(model.Warning, at, fix, text, args...)
}

// word returns the name of a section's field in the file's dialect.
func (h *hinter) word(section, neutral string) string {
	translated := render.Translate(model.Outputs{section: map[string]any{neutral: nil}}, model.Neutral,
		dialectOfSchema(h.schema))
	fields, _ := translated[section].(map[string]any)
	for name := range fields {
		return name
	}
	return neutral
}

// placeholder notes a file without sections, as the public generator writes it before
// the first deployment, so that imports find a file. It notes none in the neutral
// dialect, where this program writes such a file and status lists the missing fields.
func (h *hinter) placeholder(_ string, root document.Node) {
	for name := range root.Members() {
		if name != "$schema" && name != "version" {
			return
		}
	}
	if !h.generated && dialectOfSchema(h.schema) == model.Amplify {
		h.add(model.Note, "", "generate it once there is a deployment", "configures nothing, since it has no section")
	}
}

// otherSchema warns of a file that names another schema, which editors use, than that
// of its version. All public versions share one identifier.
func (h *hinter) otherSchema(at string, n document.Node) {
	declared := declaredSchema(h.file.Doc.Root())
	if declared == "" || declared == h.schema || isPublicID(n.Text()) && dialectOfSchema(h.schema) == model.Amplify {
		return
	}
	version, _ := h.file.Doc.Find("/version")
	h.warn(at, "name the schema of the version, or none",
		"names the schema %s, but is checked with %s, because it is version %s in the dialect %s",
		declared, h.schema, version.Text(), dialectOfSchema(h.schema))
}

// repeats warns of words that are in a list more than once, one warning a word.
func (h *hinter) repeats(at string, list document.Node) {
	first := make(map[string]int)
	warned := make(map[string]bool)
	for i, item := range list.Elements() {
		word := item.Text()
		earlier, repeated := first[word]
		switch {
		case item.Kind() != document.String || warned[word]:
		case repeated:
			warned[word] = true
			h.warn(at+"/"+strconv.Itoa(i), "leave one of them out", "repeats %s, which is also entry %d",
				phrase.Quote(word), earlier)
		default:
			first[word] = i
		}
	}
}

// defaultItem warns of a default that is not among the items.
func (h *hinter) defaultItem(at string, n document.Node) {
	named, _ := n.Get("default")
	list, _ := n.Get("items")
	var items []string
	for name := range list.Members() {
		items = append(items, name)
	}
	for _, item := range list.Elements() {
		items = append(items, item.Text())
	}
	if named.Kind() != document.String || list.Kind() != document.Object && list.Kind() != document.Array {
		return
	}
	if slices.Contains(items, named.Text()) {
		return
	}
	fix := "add it to the items, or name one of them"
	if near := spelling.Nearest(named.Text(), items); near != "" {
		fix = "did you mean " + phrase.Quote(near) + "?"
	}
	h.warn(at+"/default", fix,
		"is not one of the items: if client code names none, the clients ask for %s, which is not configured",
		phrase.Quote(named.Text()))
}

// styles warns of maps that the Swift client cannot read.
func (h *hinter) styles(at string, items document.Node) {
	for name, item := range items.Members() {
		if _, has := item.Get("style"); !has {
			h.warn(at+"/"+model.PointerSegment(name), `add "style", such as "VectorEsriNavigation"`,
				"has no style, %s", swiftFails)
		}
	}
}

// swiftFails is what the Swift client does with a file that has an unknown word or lacks a field, such as one of a
// password policy (https://github.com/aws-amplify/amplify-swift/issues/3781).
const swiftFails = "and the Swift client then cannot read the file"

// channels warns if the JavaScript client sets up none of the channels.
func (h *hinter) channels(at string, list document.Node) {
	if _, other := h.file.Doc.Find("/notifications/amazon_connect"); other {
		return
	}
	for _, item := range list.Elements() {
		if word := item.Text(); word != "EMAIL" && word != "SMS" {
			return
		}
	}
	h.warn(at, "add the channel that client code uses, or leave notifications out",
		"has only EMAIL and SMS, for which the JavaScript client sets up nothing")
}

// bucketNames warns of buckets that client code cannot tell apart.
func (h *hinter) bucketNames(at string, list document.Node) {
	first := make(map[string]int)
	for i, bucket := range list.Elements() {
		name, _ := bucket.Get("name")
		if name.Kind() != document.String {
			continue
		}
		if earlier, taken := first[name.Text()]; taken {
			h.warn(fmt.Sprintf("%s/%d/name", at, i), "give each bucket a name of its own",
				"is %s, as is the name of bucket %d: the JavaScript client fails with Duplicate friendly name found",
				phrase.Quote(name.Text()), earlier)
			continue
		}
		first[name.Text()] = i
	}
}

// dataAddress warns of an invalid address of a data API.
func (h *hinter) dataAddress(at string, n document.Node) {
	if n.Kind() == document.String && !isAddress(n.Text()) {
		h.warn(at, "write it like https://host/graphql", "is not an address that a request can be sent to")
	}
}

// apiKey warns of an API key in a file under version control. The warning does not contain the key.
func (h *hinter) apiKey(at string, n document.Node) {
	if key := strings.TrimSpace(n.Text()); key == "" || key == model.APIKeyPlaceholder || h.ignored {
		return
	}
	h.warn(at, "write "+model.APIKeyPlaceholder+" in a file that is committed, or keep the file out of version control",
		"has an API key: anyone who reads this file can use the data API")
}

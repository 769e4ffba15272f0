package project

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gatewright/model"
	"gatewright/project/document"
	"gatewright/render"
	"gatewright/spelling"
)

// hinter looks for what the schema of a client configuration file allows and the
// client libraries that exist trip over (research/outputs-file.md 1.4, 4.2 and 5).
type hinter struct {
	file *file
	// schema is the one that the file was judged by.
	schema string
	// generated says that this program writes the file, ignored that version
	// control leaves it out.
	generated, ignored bool

	v *validation
	// said and unsaid count what the row of the table that is looked at found.
	said, unsaid int
}

// clientHints are places of a client configuration file, which both dialects and
// all versions call the same, and what is looked at there. A look is made where
// the place is in the file.
var clientHints = []struct {
	at   string
	look func(h *hinter, at string, n document.Node)
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

// hints adds what a hinter finds to what the schema said.
func (v *validation) hints(h hinter) {
	h.v = v
	for _, row := range clientHints {
		n, there := h.file.doc.Find(row.at)
		if !there {
			continue
		}
		h.said, h.unsaid = 0, 0
		row.look(&h, row.at, n)
		if h.unsaid > 0 {
			v.add(byRules, h.file.problem(model.Note, row.at, "", "has %d more that are like the last", h.unsaid))
		}
	}
}

// mostAlike is how many problems of a kind are said; a file may have a hundred
// thousand.
const mostAlike = 20

func (h *hinter) say(level model.Level, at, fix, text string, args ...any) {
	if h.said == mostAlike {
		h.unsaid++
		return
	}
	h.said++
	h.v.add(byRules, h.file.problem(level, at, fix, text, args...))
}

func (h *hinter) warn(at, fix, text string, args ...any) {
	h.say(model.Warning, at, fix, text, args...)
}

// word is the name that a field of a section has in the file's dialect.
func (h *hinter) word(section, neutral string) string {
	translated := render.Translate(model.Outputs{section: map[string]any{neutral: nil}}, model.Neutral, dialectOfSchema(h.schema))
	fields, _ := translated[section].(map[string]any)
	for name := range fields {
		return name
	}
	return neutral
}

// placeholder notes a file that the public generator writes before there is a
// deployment, so that imports find something. In the neutral dialect it is this
// program that writes one, until the first push, and status says what waits.
func (h *hinter) placeholder(_ string, root document.Node) {
	for name := range root.Members() {
		if name != "$schema" && name != "version" {
			return
		}
	}
	if !h.generated && dialectOfSchema(h.schema) == model.Amplify {
		h.say(model.Note, "", "generate it once there is a deployment", "configures nothing: it has no section")
	}
}

// otherSchema warns of a file that editors check by another schema than clients
// go by. The public identifier is that of all public versions.
func (h *hinter) otherSchema(at string, n document.Node) {
	declared := declaredSchema(h.file.doc.Root())
	if declared == "" || declared == h.schema || isPublicID(n.Text()) && dialectOfSchema(h.schema) == model.Amplify {
		return
	}
	version, _ := h.file.doc.Find("/version")
	h.warn(at, "name the schema that belongs to the version, or none", "names the schema %s, and the file is checked by %s because it is version %s in the dialect %s",
		declared, h.schema, version.Text(), dialectOfSchema(h.schema))
}

// repeats warns of words that stand in a list twice; each word once.
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
			h.warn(at+"/"+strconv.Itoa(i), "leave one of them out", "repeats %s, which is entry %d too", model.Quote(word), earlier)
		default:
			first[word] = i
		}
	}
}

// defaultItem warns of a default that is none of the things it is the default of.
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
		fix = "did you mean " + model.Quote(near) + "?"
	}
	h.warn(at+"/default", fix, "is none of the items: where client code names none, the clients ask for %s, which is not configured", model.Quote(named.Text()))
}

// styles warns of maps that the Swift client cannot read.
func (h *hinter) styles(at string, items document.Node) {
	for name, item := range items.Members() {
		if _, has := item.Get("style"); !has {
			h.warn(at+"/"+model.PointerToken(name), `add "style", such as "VectorEsriNavigation"`, "has no style, %s", swiftFails)
		}
	}
}

// swiftFails is what the Swift client does with a file that lacks something or
// has a word that it does not know.
const swiftFails = "and the Swift client then reads nothing of the file"

// channels warns of channels that the JavaScript client does not set up.
func (h *hinter) channels(at string, list document.Node) {
	if _, other := h.file.doc.Find("/notifications/amazon_connect"); other {
		return
	}
	for _, item := range list.Elements() {
		if word := item.Text(); word != "EMAIL" && word != "SMS" {
			return
		}
	}
	h.warn(at, "add the channel that client code uses, or leave notifications out", "has only EMAIL and SMS, for which the JavaScript client sets up nothing")
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
				"is %s, as of bucket %d, and the JavaScript client then fails: Duplicate friendly name found", model.Quote(name.Text()), earlier)
			continue
		}
		first[name.Text()] = i
	}
}

// dataAddress warns of a data API that no request can be sent to.
func (h *hinter) dataAddress(at string, n document.Node) {
	if n.Kind() == document.String && !isAddress(n.Text()) {
		h.warn(at, "write it like https://host/graphql", "is no address that a request can be sent to")
	}
}

// apiKey warns of a key that comes into version control with the file. It is
// never repeated.
func (h *hinter) apiKey(at string, n document.Node) {
	if key := strings.TrimSpace(n.Text()); key == "" || key == model.APIKeyPlaceholder || h.ignored {
		return
	}
	h.warn(at, "write "+model.APIKeyPlaceholder+" in a file that is committed, or keep the file out of version control",
		"holds a key: who reads this file can use the data API with it")
}

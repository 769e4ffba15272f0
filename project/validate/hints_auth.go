package validate

import (
	"strconv"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project/document"
)

// guests warns if the file does not say whether guests are let in: by the schema the
// default is true, but the JavaScript client lets them in only if the file says so.
// Without an identity pool guests get no credentials, and the warning is a note.
func (h *hinter) guests(at string, auth document.Node) {
	const field = "unauthenticated_identities_enabled"
	if _, said := auth.Get(field); said || auth.Kind() != document.Object {
		return
	}
	level := model.Note
	if _, pool := auth.Get("identity_pool_id"); pool {
		level = model.Warning
	}
	h.add(level, at+"/"+field, "write true or false",
		"is missing: the JavaScript client then refuses guests, and the other clients let them in")
}

func (h *hinter) userPool(at string, n document.Node) {
	h.poolRegion(at, n, "_", "Invalid user pool id provided.")
}

func (h *hinter) identityPool(at string, n document.Node) {
	h.poolRegion(at, n, ":", "Invalid identity pool id provided.")
}

// poolRegion warns of a pool id that does not begin with the region of the section:
// the JavaScript client takes the region from the id, other clients from the field.
func (h *hinter) poolRegion(at string, n document.Node, separator, failure string) {
	if n.Kind() != document.String {
		return
	}
	field := h.word("auth", "cloud_region")
	region, _ := h.file.Doc.Find("/auth/" + field)
	example := region.Text()
	if example == "" {
		example = "eu-west-1"
	}
	prefix, _, found := strings.Cut(n.Text(), separator)
	switch {
	case !found || prefix == "":
		h.warn(at, "write the whole id, which begins with "+phrase.Quote(example+separator),
			"has no region before a %s, and the JavaScript client then fails: %s", separator, failure)
	case region.Kind() == document.String && region.Text() != prefix:
		h.warn(at, "write the same region in both",
			"begins with the region %s, and %s is %s: the JavaScript client takes the first, other clients the second",
			phrase.Quote(prefix), field, phrase.Quote(region.Text()))
	}
}

// passwordPolicy warns of a policy that the Swift client cannot read.
func (h *hinter) passwordPolicy(at string, policy document.Node) {
	auth, _ := model.ClientFile.Field("auth")
	whole, _ := auth.Field("password_policy")
	var missing []string
	for _, field := range whole.Fields {
		if _, has := policy.Get(field.Name); !has {
			missing = append(missing, field.Name)
		}
	}
	if len(missing) > 0 {
		h.warn(at, "write all five fields", "lacks %s, %s", strings.Join(missing, ", "), swiftFails)
	}
}

// signInDomain warns of a domain that is no valid address between https:// and /oauth2/authorize, which clients add.
func (h *hinter) signInDomain(at string, n document.Node) {
	const fix = "write only the domain of the sign-in pages, such as auth.example.org"
	switch domain := n.Text(); {
	case n.Kind() != document.String:
	case domain == "":
		h.warn(at, fix+", or leave oauth out", "is empty, so a client opens the sign-in page at https:///oauth2/authorize")
	case strings.ContainsAny(domain, "/ ?#"):
		h.warn(at, fix, "is more than a domain: clients put https:// before it and /oauth2/authorize after it")
	}
}

// usernames warns of the one attribute that the Swift client does not know.
func (h *hinter) usernames(at string, list document.Node) {
	for i, item := range list.Elements() {
		if item.Text() == "username" {
			h.warn(at+"/"+strconv.Itoa(i), "leave it out if apps for Apple devices read the file",
				"the Swift client does not know username, and cannot read the file")
		}
	}
}

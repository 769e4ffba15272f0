package read

import (
	"fmt"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project/document"
)

// LegacyFile is the file that older versions of the Amplify CLI write instead of
// cli-inputs.json.
const LegacyFile = "api-params.json"

// LegacyAPI reads an api-params.json.
func (r *Reader) LegacyAPI(label string) *access.API {
	api := &access.API{Label: label}
	paths, ok := r.Root().Get("paths")
	switch {
	case !ok || paths.Kind() != document.Array:
		r.fail("/paths", `write "paths": [...]`, "has no list of paths")
		return api
	case paths.Len() == 0:
		r.fail("/paths", "add one, or remove the file, which the Amplify CLI refuses", "has no paths")
	}
	seen := make(map[string]*access.Path)
	for i, item := range paths.Elements() {
		pointer := fmt.Sprintf("/paths/%d", i)
		if item.Kind() != document.Object {
			r.WrongKind(pointer, "an object", item)
			continue
		}
		p := &access.Path{
			Name: r.Text(item, pointer, "name"), Function: r.Text(item, pointer, "lambdaFunction"),
			Access: r.legacyAccess(item, pointer),
		}
		if _, named := item.Get("lambdaFunction"); !named {
			r.fail(pointer, `name one in "lambdaFunction"`, "has no handler function")
		}
		if first := seen[p.Name]; first != nil {
			r.warn(pointer+"/name", "remove one of them", "the path %s is listed twice, and the last entry counts",
				phrase.Quote(p.Name))
			*first = *p
			continue
		}
		seen[p.Name] = p
		api.Paths = append(api.Paths, p)
	}
	return api
}

// legacyAccess reads a path's privacy: open, private, or else protected. As for the
// Amplify CLI, a key that is missing or null grants nothing.
func (r *Reader) legacyAccess(item document.Node, pointer string) access.Access {
	rules := access.Access{Setting: access.Protected}
	if isMissingOrNull(item, "privacy") {
		r.warn(pointer, `write "privacy": {"open": true}, or restrict it`, "has no privacy, so nobody may call it")
		return rules
	}
	privacy, ok := r.object(item, pointer, "privacy")
	if !ok {
		return rules
	}
	pointer += "/privacy"
	switch {
	case isTrue(privacy, "open"):
		return access.Access{Setting: access.Open}
	case isTrue(privacy, "private"):
		rules.Setting = access.Private
	}
	if auth, ok := privacy.Get("auth"); ok && !isMissingOrNull(privacy, "auth") {
		rules = rules.With(access.Principal{Kind: access.Authenticated}, r.legacyActions(auth, pointer+"/auth"))
	}
	if guest, ok := privacy.Get("unauth"); ok && !isMissingOrNull(privacy, "unauth") {
		rules = rules.With(access.Principal{Kind: access.Guest}, r.legacyActions(guest, pointer+"/unauth"))
	}
	if isMissingOrNull(privacy, "userPoolGroups") {
		return rules
	}
	if groups, ok := r.object(privacy, pointer, "userPoolGroups"); ok {
		for group, actions := range groups.Members() {
			at := pointer + "/userPoolGroups/" + model.PointerSegment(group)
			rules = rules.With(access.Principal{Kind: access.Group, Group: group}, r.legacyActions(actions, at))
		}
	}
	return rules
}

// isMissingOrNull reports whether a key is missing or null.
func isMissingOrNull(n document.Node, key string) bool {
	v, ok := n.Get(key)
	return !ok || v.Kind() == document.Null
}

func isTrue(n document.Node, key string) bool {
	v, ok := n.Get(key)
	return ok && v.Bool()
}

// legacyActions reads "r", "rw", or a list of methods such as "/POST".
func (r *Reader) legacyActions(n document.Node, pointer string) access.Actions {
	switch {
	case n.Kind() == document.String && n.Text() == "r":
		return access.ActionSet(access.Read)
	case n.Kind() == document.String && n.Text() == "rw":
		return access.EveryAction
	case n.Kind() != document.Array:
		r.warn(pointer, `write "r", "rw" or a list such as ["/GET"]`,
			"is not \"r\", \"rw\" or a list of methods, so it grants nothing")
		return 0
	}
	var set access.Actions
	for i, item := range n.Elements() {
		at := fmt.Sprintf("%s/%d", pointer, i)
		if item.Kind() != document.String {
			r.WrongKind(at, "a string", item)
			continue
		}
		word := item.Text()
		if action, ok := access.ParseAction(word); ok {
			set |= access.Actions(action)
			continue
		}
		action, ok := access.Terms{}.ActionOf(strings.TrimPrefix(word, "/"))
		if !ok {
			r.fail(at, "use /POST, /GET, /PUT, /PATCH or /DELETE", "%s is not a method", phrase.Quote(word))
			continue
		}
		set |= access.Actions(action)
	}
	return set
}

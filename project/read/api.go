package read

import (
	"slices"
	"strconv"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project/document"
)

// API reads a cli-inputs.json. Unknown settings and actions are problems; they are
// not in the result, and stay in the file.
func (r *Reader) API(label string) *access.API {
	api := &access.API{Label: label}
	root := r.Root()
	if root.Kind() != document.Object {
		r.WrongKind("", "an object", root)
		return api
	}
	r.version(root)
	known := []string{"$schema", "version", "paths"}
	for _, row := range api.Fields() {
		known = append(known, row.Name)
	}
	for key := range root.Members() {
		if !slices.Contains(known, key) {
			r.unused("/" + model.PointerSegment(key))
		}
	}
	r.fields(root, "", api)
	paths, ok := r.object(root, "", "paths")
	if !ok {
		if _, there := root.Get("paths"); !there {
			r.fail("", "write \"paths\": {}", "has no paths")
		}
		return api
	}
	api.Paths = make([]*access.Path, 0, paths.Len())
	block := make([]access.Path, paths.Len())
	for name, entry := range paths.Members() {
		p := &block[len(api.Paths)]
		p.Name = name
		r.path(entry, p)
		api.Paths = append(api.Paths, p)
	}
	return api
}

// Settings reads the settings.json of an API.
func (r *Reader) Settings(api *access.API) {
	root, _ := r.Start()
	if cors, ok := r.object(root, "", "cors"); ok {
		r.fields(cors, "/cors", &api.CORS)
	}
}

// path reads one entry into p. It makes pointers only for problems, for speed.
func (r *Reader) path(entry document.Node, p *access.Path) {
	at := func(rest string) string { return "/paths/" + model.PointerSegment(p.Name) + rest }
	if entry.Kind() != document.Object {
		r.WrongKind(at(""), "an object", entry)
		return
	}
	permitted := false
	for key, value := range entry.Members() {
		switch key {
		case "lambdaFunction":
			if value.Kind() != document.String {
				r.WrongKind(at("/lambdaFunction"), "a string", value)
				continue
			}
			p.Function = value.Text()
		case "permissions":
			permitted = true
			if value.Kind() != document.Object {
				r.WrongKind(at("/permissions"), "an object", value)
				continue
			}
			r.access(value, p, at)
		case "name":
			if value.Kind() == document.String && value.Text() != p.Name {
				*r.Problems = append(*r.Problems, r.File.Problem(model.Warning, at("/name"), "write "+phrase.Quote(p.Name),
					"%s is ignored: the key says %s", phrase.Quote(value.Text()), phrase.Quote(p.Name)))
			}
		default:
			r.unused(at("/" + model.PointerSegment(key)))
		}
	}
	if !permitted {
		r.fail(at(""), `write "permissions": {"setting": "open"}, or restrict it`, "has no permissions")
		p.Access.Setting = access.Private
	}
}

func (r *Reader) access(n document.Node, p *access.Path, at func(string) string) {
	rules := &p.Access
	for key, value := range n.Members() {
		switch key {
		case "setting":
			if value.Kind() != document.String {
				r.WrongKind(at("/permissions/setting"), "a string", value)
				continue
			}
			rules.Setting = access.Setting(value.Text())
		case "auth":
			r.grant(rules, access.Principal{Kind: access.Authenticated}, value, at, "/permissions/auth")
		case "guest":
			r.grant(rules, access.Principal{Kind: access.Guest}, value, at, "/permissions/guest")
		case "groups":
			if value.Kind() != document.Object {
				r.WrongKind(at("/permissions/groups"), "an object", value)
				continue
			}
			for group, actions := range value.Members() {
				r.grant(rules, access.Principal{Kind: access.Group, Group: group}, actions, at,
					"/permissions/groups/"+model.PointerSegment(group))
			}
		default:
			r.unused(at("/permissions/" + model.PointerSegment(key)))
		}
	}
	switch rules.Setting {
	case access.Open, access.Private, access.Protected:
	default:
		r.fail(at("/permissions/setting"), "use open, private or protected", "%s is not a setting",
			phrase.Quote(string(rules.Setting)))
		rules.Setting = access.Private
	}
}

func (r *Reader) grant(
	rules *access.Access, to access.Principal, n document.Node, at func(string) string, pointer string,
) {
	if n.Kind() != document.Array {
		r.WrongKind(at(pointer), "an array", n)
		return
	}
	actions := r.actions(n, func() string { return at(pointer) })
	rules.Grants = append(rules.Grants, access.Grant{To: to, Actions: actions})
}

// actions reads a list of actions; it calls pointer only for problems.
func (r *Reader) actions(n document.Node, pointer func() string) access.Actions {
	var set access.Actions
	for i, item := range n.Elements() {
		here := func() string { return pointer() + "/" + strconv.Itoa(i) }
		if item.Kind() != document.String {
			r.WrongKind(here(), "a string", item)
			continue
		}
		action, ok := access.ParseAction(item.Text())
		switch {
		case !ok:
			r.fail(here(), "use create, read, update or delete", "%s is not an action", phrase.Quote(item.Text()))
		case set.Has(action):
			*r.Problems = append(*r.Problems, r.File.Problem(model.Warning, here(), "remove one", "%s is listed twice", action))
		}
		set |= access.Actions(action)
	}
	return set
}

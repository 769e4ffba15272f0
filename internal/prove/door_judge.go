package prove

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/model/access"
)

// permission is a statement of the policy of a function. A "?" stands for what a template does not tell. See
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-permission.html
type permission struct {
	by, of, action, principal, source, account, organization, auth, token, viaURL, depends string
	// to is the function of the template that of names, nil for another; finish sets it.
	to *function
}

func (s *stack) permission(of *cfn.Resource) permission {
	text := func(name string) string {
		n := of.Properties.Get(name)
		if text, ok := s.text(n); n == nil || ok && s.chooses(n) == "" {
			return text
		}
		return "?"
	}
	return permission{
		by: "the permission " + s.name(of), of: text("FunctionName"), action: text("Action"), principal: text("Principal"),
		source: text("SourceArn"), account: text("SourceAccount"), organization: text("PrincipalOrgID"),
		auth: text("FunctionUrlAuthType"), token: text("EventSourceToken"), viaURL: text("InvokedViaFunctionUrl"),
		depends: s.sometimes(of),
	}
}

// permit notes that API Gateway calls a function for an API by a role, or by a permission that SAM makes.
func (r *reader) permit(api, of string) {
	if r.apis[api] != nil {
		r.permissions = append(r.permissions,
			permission{of: of, action: "lambda:InvokeFunction", principal: "apigateway.amazonaws.com", source: api})
	}
}

// failing marks the methods of a resource whose function no permission lets API Gateway call: it answers
// 500 then (https://docs.aws.amazon.com/lambda/latest/dg/services-apigateway.html). What is in force is
// not judged.
func (r *reader) failing(at *resource) {
	for method, to := range at.calls {
		f := r.functionIn(to)
		opens := func(p permission) bool { return r.opens(p, at.api, f) }
		if f != nil && r.d.place == nil && !slices.ContainsFunc(r.permissions, opens) {
			at.methods[method] = Failing
		}
	}
}

// opens reports whether a permission may let API Gateway call a function for an API.
func (r *reader) opens(p permission, api string, f *function) bool {
	other := func(key string) bool { return key != api && strings.Contains(p.source, key) }
	gateway := strings.HasPrefix(p.principal, "apigateway.") || strings.ContainsAny(p.principal, "*?{")
	return gateway && (p.to == nil || p.to == f) &&
		(p.action == "?" || cfn.MatchAction(p.action, "lambda:InvokeFunction")) &&
		(strings.Contains(p.source, api) || !slices.ContainsFunc(r.order, other))
}

// forURL reports whether a permission is for function URLs alone.
func (p permission) forURL() bool {
	return p.action == "lambda:InvokeFunctionUrl" || p.viaURL == "true"
}

// doors judges what was found.
func (r *reader) doors() {
	r.holders()
	for _, u := range r.urls {
		r.urlDoor(u)
	}
	for _, way := range r.routes {
		r.routeDoor(way)
	}
	for _, p := range r.permissions {
		if !cfn.MatchAction("lambda:Get*", p.action) && !cfn.MatchAction("lambda:List*", p.action) {
			r.permissionDoor(p)
		}
	}
	r.each(r.mention)
	for _, f := range r.functions {
		r.widened(f)
		// What the code of a project may do lets nobody call it; so a role elsewhere leaves the rest equal.
		if _, known := r.trusts[f.roleName()]; f.role != "" && !known {
			r.notice("the role of " + f.words() + " is not in " + r.d.name() + ": what it may do and whom it trusts is not read")
		}
	}
	r.trustDoors()
	r.rights()
}

func (r *reader) urlDoor(u functionURL) {
	words, id := r.leadsTo(u.of)
	d := Door{Of: words, function: id, Who: "anyone unsigned", By: u.by, Direction: More, Why: "it asks for no sign-in"}
	switch {
	case u.auth == "AWS_IAM":
		r.notice(words + " has a function URL, for anyone with the right to lambda:InvokeFunctionUrl")
		return
	case u.auth != "NONE":
		d.Direction, d.Why = Unknown, "what it asks for (AuthType) is not known"
	case !u.opened && !slices.ContainsFunc(r.permissions, func(p permission) bool {
		_, to := r.leadsTo(p.of)
		return to == id && p.forURL() && p.auth != "AWS_IAM"
	}):
		d.Direction, d.Why = Unknown, "it asks for no sign-in, and "+r.d.name()+" has no permission for it"
	}
	r.door(d, u.depends)
}

// hasURL reports whether a function has an address of its own.
func (r *reader) hasURL(id string, asks func(auth string) bool) bool {
	return slices.ContainsFunc(r.urls, func(u functionURL) bool {
		_, of := r.leadsTo(u.of)
		return of == id && asks(u.auth)
	})
}

// own reports whether a text names the account itself, whose policies say who may.
func (r *reader) own(principal string) bool {
	mine := account
	if r.d.place != nil {
		mine = r.d.place.Account
	}
	return principal == mine || strings.HasSuffix(principal, "::"+mine+":root")
}

// permissionDoor judges a permission. What names an API of the template, or a source of events in
// it, is no door: it is judged there, or is as the template has it.
func (r *reader) permissionDoor(p permission) {
	words, id := r.leadsTo(p.of)
	d := Door{Of: words, function: id, By: p.by, Direction: More}
	service := strings.Contains(p.principal, ".amazon") && !strings.Contains(p.principal, ":")
	switch {
	case strings.Contains(p.principal, "?"), strings.HasPrefix(p.principal, "{") && !r.own(p.principal):
		d.Direction, d.Who, d.Why = Unknown, "somebody", "whom it names is not known"
	case service:
		if !r.serviceDoor(p, &d) {
			return
		}
	case r.own(p.principal):
		return
	case p.principal != "*":
		who := r.inAccount(p.principal)
		for _, h := range r.held[who.of] {
			d.Why = "it names them"
			r.give(h, d)
		}
		if d.Who, d.Why = who.words, "it names them"; who.of != "" {
			return
		}
	case p.forURL() && p.auth != "AWS_IAM":
		if r.hasURL(id, func(auth string) bool { return auth != "AWS_IAM" }) {
			return
		}
		d.Who, d.Direction, d.Why = "anyone unsigned", Unknown, "it is for a function URL, which "+r.d.name()+" does not have"
	case p.organization != "":
		d.Who, d.Why = "every account of the organization "+p.organization, "it names them"
	default:
		d.Who, d.Why = "anyone with an AWS account", "it names everybody (*)"
		signed := func(auth string) bool { return auth == "AWS_IAM" }
		if p.source != "" || p.account != "" || p.forURL() && !r.hasURL(id, signed) {
			d.Direction, d.Why = Unknown, "it names everybody (*) under a condition"
		}
	}
	r.door(d, p.depends)
}

// serviceDoor judges a permission of a service; false is for none.
func (r *reader) serviceDoor(p permission, d *Door) bool {
	service, fields := p.principal, strings.SplitN(p.source, ":", 6)
	source := fields[len(fields)-1]
	gateway := strings.HasPrefix(service, "apigateway.")
	names := func(key string) bool { return strings.Contains(p.source, key) }
	known := slices.ContainsFunc(slices.Concat(r.order, slices.Collect(maps.Keys(r.others))), names)
	d.Who, d.Why = "anyone through "+service, "it names no source"
	switch {
	case p.source == "" || strings.HasPrefix(source, "*"):
		if p.account != "" && p.account != "?" || len(fields) == 6 && fields[4] != "*" && fields[4] != "" {
			d.Who, d.Why = "anyone who reaches "+service+" in the account", "it names only the account"
			return gateway || !r.own(cmp.Or(p.account, fields[min(4, len(fields)-1)])) || r.quiet(p, d)
		}
		if p.token != "" || p.account == "?" {
			d.Direction, d.Why = Unknown, "it has a condition that is not read"
		}
	case strings.Contains(p.source, "?"):
		d.Direction, d.Why = Unknown, "its source is not known"
	case gateway && known:
		return false
	case gateway || strings.HasPrefix(service, "elasticloadbalancing."):
		name, _, _ := strings.Cut(source, "/")
		d.Direction, d.Who, d.Why = Unknown, "a caller of "+strings.Trim(name, "{}"), "who may call that is not read"
	case r.d.place == nil && strings.Contains(source, "{") && !r.open(source):
		return false
	default:
		return r.quiet(p, d)
	}
	return true
}

// inside are services that call a function for the account alone.
var inside = strings.Fields("events scheduler logs config secretsmanager cloudformation codepipeline codecommit lambda")

// quiet says what a source of events is that the template does not have: one of the account is what
// somebody wrote in a template, and in force what nobody pushed.
func (r *reader) quiet(p permission, d *Door) bool {
	if r.d.place == nil && (slices.Contains(inside, strings.Split(p.principal, ".")[0]) || !r.behindAPI(d.function)) {
		r.notice(d.Of + " is also called by " + p.principal + " (" + p.by + ")")
		return false
	}
	d.Direction, d.Who, d.Why = Unknown, "anyone who causes an event of "+cmp.Or(p.source, p.principal),
		"what causes it is not in "+r.d.name()
	return true
}

// principalWords names who a policy is for.
func principalWords(principal string) string {
	id := principal
	if fields := strings.Split(principal, ":"); len(fields) == 6 && fields[5] == "root" {
		id = fields[4]
	}
	if len(id) == 12 && strings.Trim(id, "0123456789") == "" {
		return "the account " + id
	}
	return strings.ReplaceAll(strings.TrimPrefix(principal, rolePrefix), account, "the account")
}

// routeDoor judges what an API calls a function for. One of the project is left out later.
func (r *reader) routeDoor(way route) {
	if to, is := r.integrations[way.of]; is {
		way.of = to
	}
	f, api, by := r.functionIn(way.of), r.apis[way.api], r.others[way.api]
	if f == nil {
		return
	}
	if slices.Contains(r.sockets, way.api) {
		way.kind = cmp.Or(r.connects[way.api], Nothing)
	}
	d := Door{Of: f.words(), function: f.id, By: by, Direction: More, api: api, Who: "anyone unsigned"}
	d.Why = "it asks for no sign-in"
	if api != nil {
		d.By = "the API " + api.Name
		if !slices.Contains(api.functions, f.id) {
			api.functions = append(api.functions, f.id)
		}
	}
	switch {
	case by == "" && api == nil:
		d.By, d.Direction, d.Why = "another API", Unknown, "that API is not in the template"
	case way.kind == Signed:
		d.Direction, d.Who, d.Why = Unknown, "anyone who signs requests", "the policies of callers are not compared for it"
	case way.kind != Nothing || api != nil && api.policy != nil:
		d.Direction, d.Who, d.Why = Unknown, "somebody", "who may use it is not read"
	}
	r.door(d, way.depends)
}

// callerRole is a kind of caller with its role.
type callerRole struct {
	as   access.Principal
	role *Role
}

// callersOf are the callers of the project with their roles, each role once.
func (r *reader) callersOf() []callerRole {
	guest, user := access.Principal{Kind: access.Guest}, access.Principal{Kind: access.Authenticated}
	all := []callerRole{{guest, &r.d.Guest}, {user, &r.d.SignedIn}}
	for _, g := range r.d.Groups {
		if g.Role != nil && !slices.ContainsFunc(all, func(c callerRole) bool { return c.role.Name == g.Role.Name }) {
			all = append(all, callerRole{access.Principal{Kind: access.Group, Group: g.Name}, g.Role})
		}
	}
	return slices.DeleteFunc(all, func(c callerRole) bool { return c.role.Name == "" })
}

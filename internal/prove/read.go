package prove

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gatewright/internal/cfn"
)

// ErrNoAPI is the error of Read for a template without a REST API.
var ErrNoAPI = errors.New("there is no REST API in it (AWS::ApiGateway::RestApi or AWS::Serverless::Api): name the " +
	"template that has it")

// Read reads what a template and the stacks nested in it say about access. parameters are values that it is
// deployed with; one without a value gets its own name as value. others are templates of other stacks that
// belong to it, whose parameters have the names of what they refer to.
func Read(t *cfn.Template, parameters map[string]string, open Open, others ...*cfn.Template) (*Deployment, error) {
	return read(t, parameters, open, nil, others...)
}

// Place is where a template is deployed.
type Place struct {
	Region, Account, Partition string
	// IDs are the ids of APIs by their logical ids in the template.
	IDs map[string]string
	// Foreign says that its APIs do not have the labels of the project as names.
	Foreign bool
}

// ReadAt is Read of a template without nested ones that says what is in force at a place: what its policies
// say of other regions, accounts and APIs is then known to be about others. All APIs may be gone there.
func ReadAt(t *cfn.Template, place Place) (*Deployment, error) {
	return read(t, nil, nil, &place)
}

func read(
	t *cfn.Template, parameters map[string]string, open Open, place *Place, others ...*cfn.Template,
) (*Deployment, error) {
	r := &reader{
		d: &Deployment{place: place}, apis: make(map[string]*API), resources: make(map[string]*resource),
		ids: make(map[string]string), trusts: make(map[string][]holder), held: make(map[string][]holder),
		roles: make(map[string]*Role), managed: make(map[string][]cfn.Statement), outside: make(map[string][]string),
		found: found{
			aliases: make(map[string]string), others: make(map[string]string), integrations: make(map[string]string),
			connects: make(map[string]Authorization),
		},
	}
	given := make(map[string]cfn.Value)
	for name, value := range parameters {
		given[name] = cfn.Text(value)
	}
	for _, p := range t.Parameters() {
		if _, has := given[p.Name]; !has && p.Default == nil && p.Name != "env" {
			r.d.unset = append(r.d.unset, p.Name)
		}
	}
	root := newStack("", t, withNames(t, given), open, 0, &r.d.Unread, place)
	r.stacks = root.all()
	for _, other := range others {
		r.stacks = append(r.stacks, newStack("", other, withNames(other, given), open, 0, &r.d.Unread, place).all()...)
	}
	for _, s := range r.stacks {
		r.transforms(s)
	}
	r.each(func(s *stack, of *cfn.Resource) {
		name, _ := s.reference(of)
		r.ids[strings.Trim(name, "{}")] = s.name(of)
	})
	r.ofType("AWS::ApiGateway::RestApi", r.api)
	r.each(r.serverless)
	r.ofType("AWS::Serverless::Function", r.events)
	r.addPreflights()
	r.ofType("AWS::ApiGateway::Resource", r.resource)
	r.ofType("AWS::ApiGateway::Method", r.method)
	r.each(r.stage)
	r.ofType("AWS::IAM::ManagedPolicy", r.managedPolicy)
	r.each(r.policy)
	r.who()
	r.each(r.ways)
	r.doors()
	if len(r.d.APIs) == 0 && place == nil {
		if len(r.d.Unread) > 0 {
			return nil, fmt.Errorf("%w; %s", ErrNoAPI, r.d.Unread[0])
		}
		return nil, ErrNoAPI
	}
	r.finish()
	if r.d.SignedIn.Name == "" && r.d.Guest.Name == "" && r.asksForSignatures() {
		r.unread("the template has no roles of an identity pool, so it does not say what signed-in users and guests " +
			"may do: name the template around it")
	}
	return r.d, nil
}

// reader collects the facts of all stacks. apis and resources are by what Ref gives, roles
// by their names.
type reader struct {
	d         *Deployment
	stacks    []*stack
	apis      map[string]*API
	order     []string
	resources map[string]*resource
	keys      []string
	roles     map[string]*Role
	managed   map[string][]cfn.Statement
	// outside are the policies of a role that the template does not have.
	outside map[string][]string
	// ids are the logical ids of all resources by what Ref gives, pools the identity pools that give callers
	// their roles; noGuests says that they refuse guests.
	ids      map[string]string
	pools    []string
	noGuests bool
	// trusts are those whom roles name, and held those who have a role or are a user of IAM.
	trusts, held map[string][]holder
	found
}

// resource is one of an API's resources, under the one above it.
type resource struct {
	api, above, part string
	// path is known at once for one that a whole definition names.
	path    string
	methods map[string]Authorization
	// calls are the addresses of what its methods call.
	calls map[string]string
}

// each calls f for each resource that is made, or may be.
func (r *reader) each(f func(s *stack, of *cfn.Resource)) {
	for _, s := range r.stacks {
		for _, of := range s.resources {
			if s.made(&of) {
				f(s, &of)
			}
		}
	}
}

// ofType is each for the resources of one type.
func (r *reader) ofType(kind string, f func(s *stack, of *cfn.Resource)) {
	r.each(func(s *stack, of *cfn.Resource) {
		if of.Type == kind {
			f(s, of)
		}
	})
}

func (r *reader) notice(text string) {
	if !slices.Contains(r.d.Notices, text) {
		r.d.Notices = append(r.d.Notices, text)
	}
}

func (r *reader) unread(text string) {
	if !slices.Contains(r.d.Unread, text) {
		r.d.Unread = append(r.d.Unread, text)
	}
}

func (r *reader) api(s *stack, of *cfn.Resource) {
	id, _ := s.reference(of)
	r.addAPI(id, of.ID, s.textOr(of.Properties.Get("Name"), ""))
	r.settled(s, of)
	r.apis[id].closed = s.place != nil && s.textOr(of.Properties.Get("DisableExecuteApiEndpoint"), "") == "true"
	if of.Properties.Get("Body") != nil {
		r.document(s, of, id, "Body", nil)
	}
	for _, unread := range []string{"BodyS3Location", "CloneFrom"} {
		if of.Properties.Get(unread) != nil {
			r.pathless(id, "the paths of "+s.name(of)+" are in "+unread+", which is not read")
		}
	}
	if base := of.Properties.Get("Parameters", "basepath"); base != nil && s.textOr(base, "") != "ignore" {
		r.unread("the paths of " + of.ID + " begin with a base path, which is not read")
	}
	if policy := of.Properties.Get("Policy"); policy != nil {
		r.apis[id].restrict(s.resourcePolicy(of, policy, s.resolver.Resolve(policy)))
	}
}

// pathless notes that not all paths of an API are known, and why.
func (r *reader) pathless(api, text string) {
	r.apis[api].unread = text
	r.unread(text)
}

func (r *reader) addAPI(id, logical, name string) {
	a := &API{Name: cmp.Or(name, logical), ID: logical}
	r.apis[id] = a
	r.order = append(r.order, id)
	r.d.APIs = append(r.d.APIs, a)
	r.resources[rootOf(id)] = &resource{api: id, path: "/"}
	r.keys = append(r.keys, rootOf(id))
}

// rootOf is what the attribute RootResourceId of an API gives.
func rootOf(api string) string { return strings.TrimSuffix(api, "}") + ".RootResourceId}" }

func (r *reader) resource(s *stack, of *cfn.Resource) {
	r.settled(s, of, "PathPart", "ParentId")
	if part := of.Properties.Get("PathPart"); part != nil && part.Kind != cfn.String &&
		strings.Contains(s.resolver.Resolve(part).Pattern(), "{") {
		r.unread("the path of " + s.name(of) + " is not in the template")
	}
	key, _ := s.reference(of)
	r.resources[key] = &resource{
		api: s.textOr(of.Properties.Get("RestApiId"), ""), above: s.textOr(of.Properties.Get("ParentId"), ""),
		part: s.textOr(of.Properties.Get("PathPart"), ""),
	}
	r.keys = append(r.keys, key)
}

func (r *reader) method(s *stack, of *cfn.Resource) {
	at := r.resources[s.textOr(of.Properties.Get("ResourceId"), "")]
	r.settled(s, of, "ResourceId", "HttpMethod", "AuthorizationType")
	if at == nil {
		r.unread("the method " + of.ID + " is of a resource that is not in the template")
		return
	}
	kind := Nothing
	if n := of.Properties.Get("AuthorizationType"); n != nil {
		if kind = Authorization(s.textOr(n, "")); !slices.Contains([]Authorization{Nothing, Signed, UserPool}, kind) {
			kind = Unjudged
		}
	}
	method, ok := s.text(of.Properties.Get("HttpMethod"))
	if !ok {
		r.unread("the template does not say which method " + of.ID + " is")
		return
	}
	calls := s.textOr(of.Properties.Get("Integration", "Uri"), "")
	at.set(method, kind, calls)
	if of.Properties.Get("Integration", "Credentials") != nil {
		r.permit(at.api, calls)
	}
	r.route(at.api, s.sometimes(of), calls, kind)
	if required, _ := s.text(of.Properties.Get("ApiKeyRequired")); required == "true" {
		r.notice("some methods ask for an API key, which is not about access")
	}
}

func (at *resource) set(method string, kind Authorization, calls string) {
	if at.methods == nil {
		at.methods, at.calls = make(map[string]Authorization), make(map[string]string)
	}
	at.methods[strings.ToUpper(method)], at.calls[strings.ToUpper(method)] = kind, calls
}

// stage notes the stage of an API, which is part of the ARNs of its requests.
func (r *reader) stage(s *stack, of *cfn.Resource) {
	if of.Type != "AWS::ApiGateway::Stage" && of.Type != "AWS::ApiGateway::Deployment" {
		return
	}
	api := r.apis[s.textOr(of.Properties.Get("RestApiId"), "")]
	named := of.Properties.Get("StageName")
	if api == nil || named == nil {
		return
	}
	name := s.textOr(named, unnamedStage)
	if of.Type == "AWS::ApiGateway::Stage" && api.stage != "" && api.stage != name {
		r.unread("the API " + api.ID + " has several stages, of which " + name + " is compared: policies may tell them apart")
	}
	if api.stage == "" || of.Type == "AWS::ApiGateway::Stage" {
		api.stage = name
	}
}

// unnamedStage stands for a stage whose name the template does not have.
const unnamedStage = "{stage}"

// finish puts together what was collected.
func (r *reader) finish() {
	r.d.refs, r.d.functions, r.d.functionIn, r.d.reader = make(map[string]bool), r.functions, r.functionIn, r
	for id := range r.ids {
		r.d.refs["{"+id+"}"] = true
	}
	for _, id := range r.order {
		api := r.apis[id]
		api.ref, api.stage = id, cmp.Or(api.stage, unnamedStage)
		r.d.refs[id] = true
	}
	for i := range r.permissions {
		r.permissions[i].to = r.functionIn(r.permissions[i].of)
	}
	for _, key := range r.keys {
		at := r.resources[key]
		path, ok := r.pathOf(at, 0)
		api := r.apis[at.api]
		switch {
		case len(at.methods) == 0:
		case !ok || api == nil:
			r.unread("the resource " + strings.Trim(key, "{}") + " belongs to an API that is not in the template")
		default:
			r.failing(at)
			api.Resources = append(api.Resources, Resource{Path: path, Methods: at.methods, calls: at.calls})
		}
	}
}

// asksForSignatures reports whether a method of some API leaves the decision to roles.
func (r *reader) asksForSignatures() bool {
	for _, api := range r.d.APIs {
		for _, of := range api.Resources {
			if slices.Contains(slices.Collect(maps.Values(of.Methods)), Signed) {
				return true
			}
		}
	}
	return false
}

// pathOf returns the path of a resource from the root of its API.
func (r *reader) pathOf(at *resource, depth int) (path string, ok bool) {
	switch {
	case at.path != "":
		return at.path, true
	case depth > 100 || r.resources[at.above] == nil:
		return "", false
	}
	above, ok := r.pathOf(r.resources[at.above], depth+1)
	return strings.TrimSuffix(above, "/") + "/" + at.part, ok
}

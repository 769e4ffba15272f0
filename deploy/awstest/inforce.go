package awstest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"gatewright/internal/cfn"
)

// InForce is what tests change by hand in what ServeInForce answers.
type InForce struct {
	// Policies are more inline policies of roles, as JSON by their names, by the physical name
	// of the role. One with the name of a policy of the stack replaces it; "" removes it.
	Policies map[string]map[string]string
	// Attached are the managed policies of roles, as JSON by their ARNs, by the physical name of
	// the role. Lost are roles that are removed.
	Attached map[string]map[string]string
	Lost     []string
	// Boundaries are permissions boundaries of roles.
	Boundaries map[string]string
	// Methods are what methods ask for, by path and method: "/books ANY". They are served at
	// once, but those in Waiting only after the next deployment.
	Methods, Waiting map[string]string
	// Keyed are methods that ask for an API key, as in Methods.
	Keyed map[string]bool
	// ResourcePolicy is that of all APIs, as JSON.
	ResourcePolicy string
	// Closed says that the own addresses of the APIs are closed. Gone are the ids of APIs that are removed.
	Closed bool
	Gone   []string
	// Unstaged says that the stages of the APIs are removed, Poolless that the pools are.
	Unstaged, Poolless bool
	// Code is the code of functions, by their names.
	Code map[string][]byte
	// URLs are what the URLs of functions ask for (AuthType), Permissions more statements of their
	// policies, as JSON, by their names.
	URLs, Permissions map[string][]string
	// APIs are more APIs of the account.
	APIs []HandMade
	// Trust are the trust policies of roles, as JSON by their physical names, instead of the stacks'.
	Trust map[string]string
}

// ServeInForce answers the calls that read who may do what and which code runs, for the resources of all stacks: of
// IAM, API Gateway, both services of Cognito and Lambda. Changes of the answer's fields count from the next call on,
// and belong to the test's goroutine while no call is made.
func (s *Server) ServeInForce() *InForce {
	f := &InForce{
		Policies: make(map[string]map[string]string), Boundaries: make(map[string]string), Methods: make(map[string]string),
		Waiting: make(map[string]string),
		Code:    make(map[string][]byte), Keyed: make(map[string]bool),
	}
	s.Serve("iam", func(r Request) (any, error) { return s.iamInForce(f, r) })
	s.Serve("apigateway", func(r Request) (any, error) { return s.apiInForce(f, r) })
	s.Serve("lambda", func(r Request) (any, error) { return s.codeInForce(f, r) })
	missing := &Refusal{"ResourceNotFoundException", "It does not exist."}
	s.Serve("cognito-identity", func(r Request) (any, error) {
		if f.Poolless {
			return nil, missing
		}
		if strings.HasSuffix(r.Action, "Roles") {
			return s.only(r, "AWS::Cognito::IdentityPoolRoleAttachment"), nil
		}
		return s.only(r, "AWS::Cognito::IdentityPool"), nil
	})
	s.Serve("cognito-idp", func(r Request) (any, error) {
		if f.Poolless {
			return nil, missing
		}
		groups := []any{}
		s.each(r, "AWS::Cognito::UserPoolGroup", func(_ *resource, p map[string]any) { groups = append(groups, p) })
		return map[string]any{"Groups": groups}, nil
	})
	return f
}

// each calls f for all resources of a type in the account and the region that a call is for, with
// their properties. Those of IAM have no region.
func (s *Server) each(q Request, kind string, f func(r *resource, properties map[string]any)) {
	for _, st := range s.stacks {
		if st.deployed.template == nil || st.account != q.Account || st.region != q.Region &&
			!strings.HasPrefix(kind, "AWS::IAM::") {
			continue
		}
		for _, r := range st.resources {
			if entry := st.deployed.template.Resource(r.id); r.kind == kind && entry != nil {
				f(r, detailOf(st.given(st.deployed), st.deployed, entry))
			}
		}
	}
}

// only are the properties of the resource of a type that is, or is for, an identity pool.
func (s *Server) only(q Request, kind string) (found map[string]any) {
	var of struct{ IdentityPoolID string }
	_ = q.Read(&of)
	s.each(q, kind, func(r *resource, p map[string]any) {
		if r.physical == of.IdentityPoolID || p["IdentityPoolId"] == of.IdentityPoolID {
			found = p
		}
	})
	return found
}

// plain is a value as JSON has it.
func plain(v cfn.Value) any {
	switch v.Kind {
	case cfn.List:
		list := []any{}
		for _, item := range v.List {
			list = append(list, plain(item))
		}
		return list
	case cfn.Map:
		members := make(map[string]any)
		for _, m := range v.Members {
			members[m.Name] = plain(m.Value)
		}
		return members
	case cfn.Bool, cfn.Number:
		return json.RawMessage(v.Text)
	case cfn.Null:
		return nil
	}
	return v.Text
}

// policiesOf are the inline policies of a role; nil if there is no such role.
func (s *Server) policiesOf(f *InForce, q Request, role string) map[string]string {
	var all map[string]string
	text := func(document any) string {
		body, _ := json.Marshal(document)
		return string(body)
	}
	s.each(q, "AWS::IAM::Role", func(r *resource, p map[string]any) {
		if r.physical != role {
			return
		}
		all = make(map[string]string)
		own, _ := p["Policies"].([]any)
		for _, policy := range own {
			one, _ := policy.(map[string]any)
			all[one["PolicyName"].(string)] = text(one["PolicyDocument"])
		}
	})
	if all == nil {
		return nil
	}
	for _, kind := range []string{"AWS::IAM::Policy", "AWS::IAM::ManagedPolicy"} {
		s.each(q, kind, func(r *resource, p map[string]any) {
			if roles, _ := p["Roles"].([]any); slices.Contains(roles, any(role)) {
				all[r.id] = text(p["PolicyDocument"])
			}
		})
	}
	for name, document := range f.Policies[role] {
		if all[name] = document; document == "" {
			delete(all, name)
		}
	}
	return all
}

func (s *Server) iamInForce(f *InForce, r Request) (any, error) {
	role, arn := r.Parameters["RoleName"], r.Parameters["PolicyArn"]
	const version = "v7"
	switch r.Action {
	case "GetPolicy":
		return []byte(el("GetPolicyResponse",
			el("GetPolicyResult", el("Policy", tx("Arn", arn)+tx("DefaultVersionId", version))))), nil
	case "GetPolicyVersion":
		for _, of := range f.Attached {
			if document, has := of[arn]; has && r.Parameters["VersionId"] == version {
				return []byte(el("GetPolicyVersionResponse",
					el("GetPolicyVersionResult", el("PolicyVersion", tx("Document", url.PathEscape(document)))))), nil
			}
		}
		return nil, &Refusal{"NoSuchEntity", "Policy " + arn + " does not exist or is not attachable."}
	}
	policies := s.policiesOf(f, r, role)
	if policies == nil || slices.Contains(f.Lost, role) {
		return nil, &Refusal{"NoSuchEntity", "The role with name " + role + " cannot be found."}
	}
	inner := ""
	switch r.Action {
	case "GetRole":
		boundary := ""
		if arn := f.Boundaries[role]; arn != "" {
			boundary = el("PermissionsBoundary", tx("PermissionsBoundaryArn", arn))
		}
		trust := f.Trust[role]
		s.each(r, "AWS::IAM::Role", func(x *resource, p map[string]any) {
			if x.physical == role && trust == "" {
				text, _ := json.Marshal(p["AssumeRolePolicyDocument"])
				trust = string(text)
			}
		})
		inner = el("Role", tx("RoleName", role)+boundary+tx("AssumeRolePolicyDocument", url.PathEscape(trust)))
	case "ListRolePolicies":
		var names []string
		for name := range policies {
			names = append(names, name)
		}
		slices.Sort(names)
		// One on each page.
		part, next, _ := page(names, r.Parameters["Marker"], 1)
		inner = members("PolicyNames", part, escaped) + yes("IsTruncated", next != "") + tx("Marker", next)
	case "GetRolePolicy":
		inner = tx("PolicyDocument", url.PathEscape(policies[r.Parameters["PolicyName"]]))
	case "ListAttachedRolePolicies":
		// One on each page, as the others.
		part, next, _ := page(slices.Sorted(maps.Keys(f.Attached[role])), r.Parameters["Marker"], 1)
		inner = members("AttachedPolicies", part, func(arn string) string { return tx("PolicyArn", arn) }) +
			yes("IsTruncated", next != "") + tx("Marker", next)
	}
	return []byte(el(r.Action+"Response", el(r.Action+"Result", inner))), nil
}

func (s *Server) codeInForce(f *InForce, r Request) (any, error) {
	_, after, _ := strings.Cut(r.Path, "/functions/")
	name, what, _ := strings.Cut(after, "/")
	sum, role := "", any(nil)
	s.each(r, "AWS::Lambda::Function", func(x *resource, p map[string]any) {
		if x.physical == name {
			role = p["Role"]
		}
		if code, _ := p["Code"].(map[string]any); x.physical == name && !x.gone {
			key, _ := code["S3Key"].(string)
			bytes, _ := hex.DecodeString(strings.TrimSuffix(strings.TrimPrefix(key, "functions/"), ".zip"))
			sum = base64.StdEncoding.EncodeToString(bytes)
		}
	})
	if sum == "" {
		return nil, &Refusal{"ResourceNotFoundException", "Function not found: " + name}
	}
	switch what {
	case "urls":
		urls := []any{}
		for _, asks := range f.URLs[name] {
			urls = append(urls, map[string]any{"AuthType": asks, "FunctionArn": functionARN(name)})
		}
		return map[string]any{"FunctionUrlConfigs": urls}, nil
	case "policy":
		return s.functionPolicy(f, r, name)
	}
	if code, ok := f.Code[name]; ok {
		own := sha256.Sum256(code)
		sum = base64.StdEncoding.EncodeToString(own[:])
	}
	return map[string]any{"CodeSha256": sum, "State": "Active", "Role": role}, nil
}

func (s *Server) apiInForce(f *InForce, r Request) (any, error) {
	parts := strings.Split(strings.Trim(r.Path, "/"), "/")
	if answer := s.handMade(f, r, parts); answer != nil {
		return answer, nil
	}
	if slices.Contains(f.Gone, parts[1]) {
		return nil, &Refusal{"NotFoundException", "Invalid API identifier specified 123456789012:" + parts[1]}
	}
	if len(parts) == 2 {
		escaped, _ := json.Marshal(f.ResourcePolicy)
		name := any(nil)
		s.each(r, "AWS::ApiGateway::RestApi", func(x *resource, p map[string]any) {
			if x.physical == parts[1] {
				name = p["Name"]
			}
		})
		return map[string]any{
			"id": parts[1], "name": name, "policy": string(escaped[1 : len(escaped)-1]),
			"disableExecuteApiEndpoint": f.Closed,
		}, nil
	}
	paths := map[string]string{letters(lower, 10, "root", parts[1]): "/"}
	above, names := make(map[string]string), make(map[string]string)
	s.each(r, "AWS::ApiGateway::Resource", func(x *resource, p map[string]any) {
		above[x.physical], _ = p["ParentId"].(string)
		names[x.physical], _ = p["PathPart"].(string)
	})
	var pathOf func(id string) string
	pathOf = func(id string) string {
		if paths[id] == "" && above[id] != "" {
			paths[id] = strings.TrimSuffix(pathOf(above[id]), "/") + "/" + names[id]
		}
		return paths[id]
	}
	now, served := make(map[string]map[string]any), make(map[string]map[string]any)
	s.each(r, "AWS::ApiGateway::Method", func(_ *resource, p map[string]any) {
		path, method := pathOf(p["ResourceId"].(string)), p["HttpMethod"].(string)
		if p["RestApiId"] != any(parts[1]) {
			return
		}
		kind := p["AuthorizationType"].(string)
		if by := f.Methods[path+" "+method]; by != "" {
			kind = by
		}
		put := func(to map[string]map[string]any, kind string) {
			if to[path] == nil {
				to[path] = make(map[string]any)
			}
			to[path][method] = map[string]any{
				"authorizationType": kind, "httpMethod": method,
				"apiKeyRequired": f.Keyed[path+" "+method],
			}
		}
		put(served, kind)
		if by := f.Waiting[path+" "+method]; by != "" {
			kind = by
		}
		put(now, kind)
	})
	switch parts[2] {
	case "stages":
		stages := []any{}
		if f.Unstaged {
			return map[string]any{"item": stages}, nil
		}
		s.each(r, "AWS::ApiGateway::Stage", func(_ *resource, p map[string]any) {
			if p["RestApiId"] == any(parts[1]) {
				stages = append(stages, map[string]any{"stageName": p["StageName"], "deploymentId": "d1"})
			}
		})
		return map[string]any{"item": stages}, nil
	case "deployments":
		return map[string]any{"id": "d1", "apiSummary": served}, nil
	}
	var all []string
	for path := range now {
		all = append(all, path)
	}
	slices.Sort(all)
	part, next, _ := page(all, r.Query.Get("position"), 2)
	items := []any{}
	for _, path := range part {
		items = append(items, map[string]any{"path": path, "resourceMethods": now[path]})
	}
	answer := map[string]any{"item": items}
	if next != "" {
		answer["position"] = next
	}
	return answer, nil
}

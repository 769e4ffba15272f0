package aws

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"gatewright/deploy/account"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// methods are what the methods of an API ask of a caller, by path and method.
type methods map[string]map[string]asks

// asks is what a method asks for, as in
// https://docs.aws.amazon.com/apigateway/latest/api/API_MethodSnapshot.html
type asks struct {
	AuthorizationType string
	APIKeyRequired    bool
}

// api reads an API: what its stage serves, and its resource policy.
func (x *accessReading) api(ctx context.Context, number int, of *apiItem) error {
	id, at := of.ID, "/restapis/"+url.PathEscape(of.ID)
	var api struct {
		Name, Policy string
		Closed       bool `json:"disableExecuteApiEndpoint"`
	}
	err := x.ask(ctx, account.APIs, "GetRestApi", at, nil, &api)
	if account.Code(err) == "NotFoundException" {
		return nil
	}
	if err != nil {
		return err
	}
	label := cmp.Or(of.Name, api.Name)
	of.Name = label
	if api.Closed {
		x.unread = append(x.unread,
			"the default endpoint of the API "+phrase.Quote(label)+" is disabled in AWS, and custom domains are not read")
	}
	served, err := x.served(ctx, of, at)
	if err != nil {
		return err
	}
	if keyed := served.names(func(_, _ string, asked asks) bool { return asked.APIKeyRequired }); len(keyed) > 0 {
		x.unread = append(x.unread,
			"methods of the API "+phrase.Quote(label)+" require an API key, but who has one is not read: "+someNames(keyed))
	}
	paths := make(map[string]any)
	for path, of := range served {
		operations := make(map[string]any)
		for method, asked := range of {
			name := strings.ToLower(method)
			if method == "ANY" {
				name = "x-amazon-apigateway-any-method"
			}
			operations[name] = map[string]any{"x-amazon-apigateway-auth": map[string]any{"type": asked.AuthorizationType}}
		}
		paths[path] = operations
	}
	properties := map[string]any{
		"Name": label, "DisableExecuteApiEndpoint": api.Closed,
		"Body": map[string]any{"paths": paths},
	}
	if api.Policy != "" {
		if properties["Policy"], err = resourcePolicy(api.Policy); err != nil {
			return &model.Problem{
				Of:   model.Ref{Kind: model.KindAPI, Name: label},
				Text: "has a resource policy in AWS that is not JSON", Cause: err,
			}
		}
	}
	logical := fmt.Sprintf("Api%d", number)
	x.ids[logical] = id
	x.put(logical, apiType, properties)
	x.put(fmt.Sprintf("Stage%d", number), stageType,
		map[string]any{"RestApiId": map[string]any{"Ref": logical}, "StageName": of.StageName})
	return nil
}

// ask reads something of API Gateway or Lambda
// (https://docs.aws.amazon.com/apigateway/latest/api/API_Operations.html).
func (x *accessReading) ask(
	ctx context.Context, of account.Service, operation, path string, query url.Values, into any,
) error {
	return x.Send(ctx, of, account.Call{Operation: operation, Method: http.MethodGet, Path: path, Query: query}, into)
}

// resourcePolicy reads the policy of an API, in which the service escapes the quotes.
func resourcePolicy(text string) (document any, err error) {
	if json.Unmarshal([]byte(text), &document) == nil {
		return document, nil
	}
	var inner string
	if err := json.Unmarshal([]byte(`"`+text+`"`), &inner); err != nil {
		return nil, err
	}
	return document, json.Unmarshal([]byte(inner), &document)
}

// served returns what the stage of an API serves: the methods as they were when its deployment
// was made, or as they are now if that is not said. A change of a method is not served before
// the next deployment (https://docs.aws.amazon.com/apigateway/latest/api/API_GetDeployment.html).
func (x *accessReading) served(ctx context.Context, of *apiItem, at string) (methods, error) {
	label := of.Name
	now, _, err := x.methods(ctx, at)
	if err != nil {
		return nil, err
	}
	stages, err := x.items(ctx, "GetStages", at+"/stages")
	if err != nil {
		return nil, err
	}
	var stage apiItem
	for _, one := range stages {
		of.StageName = cmp.Or(of.StageName, one.StageName)
		words := "the stage " + phrase.Quote(one.StageName) + " of the API " + phrase.Quote(label)
		if one.StageName != of.StageName {
			x.unread = append(x.unread, words+" is not compared: it may serve something else")
			continue
		}
		if stage = one; stage.CanarySettings != nil {
			x.unread = append(x.unread, words+" has a canary, which is not compared: it may serve something else")
		}
	}
	if stage.StageName == "" {
		x.unread = append(x.unread,
			"the stage "+phrase.Quote(of.StageName)+" of the API "+phrase.Quote(label)+" no longer exists in AWS")
		return methods{}, nil
	}
	var deployment struct {
		APISummary methods
	}
	err = x.ask(ctx, account.APIs, "GetDeployment", at+"/deployments/"+url.PathEscape(stage.DeploymentID),
		url.Values{"embed": {"apisummary"}}, &deployment)
	if err != nil {
		return nil, err
	}
	then := deployment.APISummary
	unsaid := then.names(func(_, _ string, asked asks) bool { return asked.AuthorizationType == "" })
	if len(then) == 0 || len(unsaid) > 0 {
		return now, nil
	}
	if !maps.EqualFunc(then, now, maps.Equal) {
		x.note("methods of the API " + phrase.Quote(label) +
			" were changed in AWS, but the changes take effect only after its next deployment: " +
			someNames(changedMethods(then, now)))
	}
	return then, nil
}

// names are the methods with something, such as "GET /books", sorted.
func (m methods) names(with func(path, method string, asked asks) bool) []string {
	var names []string
	for path, of := range m {
		for method, asked := range of {
			if with(path, method, asked) {
				names = append(names, method+" "+phrase.Quote(path))
			}
		}
	}
	slices.Sort(names)
	return names
}

// changedMethods names the methods that differ.
func changedMethods(then, now methods) []string {
	names := append(
		then.names(func(path, method string, asked asks) bool { return now[path][method] != asked }),
		now.names(func(path, method string, asked asks) bool { return then[path][method] != asked })...)
	slices.Sort(names)
	return slices.Compact(names)
}

// someNames lists names, only a few if there are many.
func someNames(names []string) string {
	const most = 5
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

// methods returns what the methods of an API ask for now, and what they call
// (https://docs.aws.amazon.com/apigateway/latest/api/API_GetResources.html).
func (x *accessReading) methods(ctx context.Context, at string) (all methods, calls []apiItem, err error) {
	type resource struct {
		Path            string
		ResourceMethods map[string]struct {
			asks
			MethodIntegration struct{ URI string }
		}
	}
	list, err := pages[resource](ctx, x, account.APIs, "GetResources", at+"/resources",
		url.Values{"embed": {"methods"}, "limit": {"500"}})
	if err != nil {
		return nil, nil, err
	}
	all = methods{}
	for _, resource := range list {
		for method, of := range resource.ResourceMethods {
			if all[resource.Path] == nil {
				all[resource.Path] = make(map[string]asks)
			}
			all[resource.Path][method] = of.asks
			calls = append(calls, apiItem{AuthorizationType: of.AuthorizationType, Target: of.MethodIntegration.URI})
		}
	}
	return all, calls, nil
}

package aws

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strings"

	"gatewright/deploy/account"
	"gatewright/internal/prove"
	"gatewright/internal/text/phrase"
)

// NotLookedAt says what nobody asks AWS about when it is compared who may do what.
const NotLookedAt = "other roles of the account, whom roles trust, aliases and versions of functions without an " +
	"address, load balancers, AppSync, custom domains, and what an organization denies"

// refused reports whether AWS answered that it does not let something be read; that is then said,
// once for each operation.
func (x *accessReading) refused(what, operation string, err error) bool {
	if err == nil || account.Code(err) == "" || account.Passes(err) {
		return false
	}
	if !x.denied[operation] {
		x.denied[operation] = true
		x.unread = append(x.unread, what+" is not known: "+err.Error())
	}
	return true
}

// function reads what else may call a function than the APIs, and what its role may do. name is that
// of the function in AWS.
func (x *accessReading) function(ctx context.Context, id, name string) error {
	var state struct{ Role string }
	err := x.lambda(ctx, "GetFunctionConfiguration", functionPath(name, "configuration"), nil, &state)
	if account.Code(err) == "ResourceNotFoundException" {
		return nil
	}
	if err != nil && !x.refused("what the roles of functions may do", "GetFunctionConfiguration", err) {
		return err
	}
	role := ""
	if state.Role != "" {
		role, err = x.role(ctx, state.Role)
		if err != nil && !x.refused("what the roles of functions may do", "GetRole", err) {
			return err
		}
		x.foreign(id, role)
	}
	x.put(id, functionType, map[string]any{"FunctionName": name, "Role": role})
	var urls struct {
		FunctionURLConfigs []struct{ FunctionArn, AuthType string }
	}
	err = x.lambda(ctx, "ListFunctionUrlConfigs", "/2021-10-31/functions/"+url.PathEscape(name)+"/urls", nil, &urls)
	if err != nil && !x.refused("which functions have a URL", "ListFunctionUrlConfigs", err) {
		return err
	}
	qualifiers := []string{""}
	for n, u := range urls.FunctionURLConfigs {
		x.put(fmt.Sprintf("%d of %s", n+1, id), "AWS::Lambda::Url",
			map[string]any{"TargetFunctionArn": name, "AuthType": u.AuthType})
		if _, qualifier, is := strings.Cut(u.FunctionArn, ":function:"+name+":"); is {
			qualifiers = append(qualifiers, qualifier)
		}
	}
	for _, qualifier := range qualifiers {
		if err := x.functionPolicy(ctx, name, qualifier); err != nil {
			return err
		}
	}
	return nil
}

func (x *accessReading) lambda(ctx context.Context, operation, path string, query url.Values, into any) error {
	return x.Send(ctx, account.Functions,
		account.Call{Operation: operation, Method: http.MethodGet, Path: path, Query: query}, into)
}

// foreign tells the policies of a function's role that no push gave it: a push gives one.
func (x *accessReading) foreign(id, role string) {
	of, _ := x.resources["Role"+role].(map[string]any)
	properties, _ := of["Properties"].(map[string]any)
	policies, _ := properties["Policies"].([]any)
	for _, policy := range policies {
		name, _ := policy.(map[string]any)["PolicyName"].(string)
		if x.pushed && name != "function" {
			x.doors = append(x.doors, prove.Door{
				Of: "the function " + phrase.Quote(id), Direction: prove.More,
				Why: "its role has the policy " + phrase.Quote(path.Base(name)) + ", which no push gave it",
			})
		}
	}
}

// functionPolicy reads the policy of a function or of an alias
// (https://docs.aws.amazon.com/lambda/latest/api/API_GetPolicy.html).
func (x *accessReading) functionPolicy(ctx context.Context, name, qualifier string) error {
	var answer struct{ Policy string }
	query := url.Values{}
	if qualifier != "" {
		query.Set("Qualifier", qualifier)
	}
	err := x.lambda(ctx, "GetPolicy", functionPath(name, "policy"), query, &answer)
	if account.Code(err) == "ResourceNotFoundException" ||
		x.refused("who may call functions by their policies", "GetPolicy", err) {
		return nil
	}
	if err != nil {
		return err
	}
	var policy struct {
		Statement []struct {
			Sid               string
			Principal, Action any
			Condition         map[string]map[string]any
		}
	}
	if err := json.Unmarshal([]byte(answer.Policy), &policy); err != nil {
		x.unread = append(x.unread, "the policy of the function "+phrase.Quote(name)+" is no policy")
		return nil
	}
	for n, one := range policy.Statement {
		properties := map[string]any{"FunctionName": name, "Action": one.Action, "Principal": one.Principal}
		if of, is := one.Principal.(map[string]any); is {
			properties["Principal"] = cmp.Or(of["Service"], of["AWS"])
		}
		for _, of := range one.Condition {
			for key, value := range of {
				property := conditions[strings.ToLower(key)]
				if property == "" {
					x.unread = append(x.unread,
						"a condition of the permission "+phrase.Quote(one.Sid)+" is not read: "+phrase.Quote(key))
					continue
				}
				properties[property] = value
			}
		}
		source, _ := properties["SourceArn"].(string)
		if !x.own[source[strings.LastIndexByte(source, '/')+1:]] {
			x.put(cmp.Or(one.Sid, fmt.Sprintf("%s %d", name, n+1)), "AWS::Lambda::Permission", properties)
		}
	}
	return nil
}

// conditions are those that a permission of a function may have, as a template has them
// (https://docs.aws.amazon.com/lambda/latest/api/API_AddPermission.html).
var conditions = map[string]string{
	"aws:sourcearn": "SourceArn", "aws:sourceaccount": "SourceAccount", "aws:principalorgid": "PrincipalOrgID",
	"lambda:functionurlauthtype": "FunctionUrlAuthType", "lambda:eventsourcetoken": "EventSourceToken",
	"lambda:invokedviafunctionurl": "InvokedViaFunctionUrl",
}

// apiItem is an API of the account, or a part of one, in both versions of API Gateway
// (https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/api-reference.html).
type apiItem struct {
	ID, APIID, Name, StageName, ProtocolType, RouteKey, AuthorizationType, Target, IntegrationID, IntegrationURI string
}

// items reads a list of API Gateway.
func (x *accessReading) items(ctx context.Context, operation, path string) ([]apiItem, error) {
	return pages[apiItem](ctx, x, operation, path, url.Values{})
}

// pages reads all pages of a list of API Gateway.
func pages[T any](
	ctx context.Context, x *accessReading, operation, path string, query url.Values,
) (all []T, err error) {
	for {
		// Item is what the first version itself calls them; stand-ins have the name of the SDKs.
		var page struct {
			Items, Item         []T
			Position, NextToken string
		}
		if err := x.get(ctx, operation, path, query, &page); err != nil {
			return all, err
		}
		all = append(append(all, page.Items...), page.Item...)
		next := cmp.Or(page.Position, page.NextToken)
		if next == "" || next == query.Get("position")+query.Get("nextToken") {
			return all, nil
		}
		if page.Position != "" {
			query.Set("position", next)
		} else {
			query.Set("nextToken", next)
		}
	}
}

// otherAPIs finds the APIs of the account that call one of the functions and are not those of the
// stack.
func (x *accessReading) otherAPIs(ctx context.Context) error {
	const most = 100
	for _, kind := range []struct{ operation, path string }{{"GetRestApis", "/restapis"}, {"GetApis", "/v2/apis"}} {
		apis, err := x.items(ctx, kind.operation, kind.path)
		if err != nil && !x.refused("which other APIs call the functions", kind.operation, err) {
			return err
		}
		for n, api := range apis {
			id := cmp.Or(api.APIID, api.ID)
			if n == most {
				x.unread = append(x.unread, fmt.Sprintf("of %d APIs of the account %d are not read, which may call the functions",
					len(apis), len(apis)-most))
				break
			}
			if x.own[id] {
				continue
			}
			routes, err := x.routes(ctx, kind.path+"/"+url.PathEscape(id), api.APIID != "")
			if err != nil && !x.refused("what other APIs call", kind.operation+" routes", err) {
				return err
			}
			x.otherAPI(id, api, routes)
		}
	}
	return nil
}

// otherAPI adds an API with those of its routes that call one of the functions.
func (x *accessReading) otherAPI(id string, api apiItem, routes []apiItem) {
	for n, route := range routes {
		for name := range x.functions {
			if !strings.Contains(route.Target, ":function:"+name) {
				continue
			}
			x.ids["API "+id] = id
			x.put("API "+id, "AWS::ApiGatewayV2::Api",
				map[string]any{"Name": cmp.Or(api.Name, id), "ProtocolType": api.ProtocolType})
			x.put(fmt.Sprintf("Route %s %d", id, n), "AWS::ApiGatewayV2::Route", map[string]any{
				"ApiId": id, "RouteKey": route.RouteKey, "AuthorizationType": route.AuthorizationType, "Target": route.Target,
			})
		}
	}
}

// routes are the routes of an API, with what they call as target.
func (x *accessReading) routes(ctx context.Context, at string, second bool) (all []apiItem, err error) {
	if !second {
		_, calls, err := x.methods(ctx, at)
		return calls, err
	}
	integrations, err := x.items(ctx, "GetIntegrations", at+"/integrations")
	if err != nil {
		return nil, err
	}
	if all, err = x.items(ctx, "GetRoutes", at+"/routes"); err != nil {
		return nil, err
	}
	for i := range all {
		for _, to := range integrations {
			if all[i].Target == "integrations/"+to.IntegrationID {
				all[i].Target = to.IntegrationURI
			}
		}
	}
	return all, nil
}

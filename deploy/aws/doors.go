package aws

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"gatewright/deploy/account"
	"gatewright/internal/text/phrase"
)

// NotLookedAt says what nobody asks AWS about when it is compared who may do what. A load balancer, a bucket, a topic
// and a rule need a permission in the policy of a function, which is read. A custom domain leads to what is compared.
const NotLookedAt = "users and roles outside the stack, services that call functions through such a role (AppSync, " +
	"Step Functions, schedules), queues and streams, table policies, a user pool that no push created, settings of the " +
	"user pool other than sign-up, passwords, factors, triggers and clients, and denials by an organization"

// denied reports whether an error is an answer of AWS that asking again would not change.
func denied(err error) bool { return account.Code(err) != "" && !account.Passes(err) }

// refused reports whether AWS answered that it does not let something be read; that is then said,
// once for each operation.
func (x *accessReading) refused(what, operation string, err error) bool {
	if !denied(err) {
		return false
	}
	if !x.denied[operation] {
		x.denied[operation] = true
		x.unread = append(x.unread, what+" could not be read: "+err.Error())
	}
	return true
}

// function reads what else may call a function than the APIs, and what its role may do. name is that
// of the function in AWS.
func (x *accessReading) function(ctx context.Context, id, name string) error {
	var state struct{ Role string }
	err := x.ask(ctx, account.Functions, "GetFunctionConfiguration", functionPath(name, "configuration"), nil, &state)
	if account.Code(err) == "ResourceNotFoundException" {
		return nil
	}
	if err != nil && !x.refused("the roles of functions", "GetFunctionConfiguration", err) {
		return err
	}
	role := ""
	if state.Role != "" {
		role, err = x.role(ctx, state.Role)
		if err != nil && !x.refused("the roles of functions", "GetRole", err) {
			return err
		}
		x.judge("the function "+phrase.Quote(id), role, "")
	}
	x.put(id, functionType, map[string]any{"FunctionName": name, "Role": role})
	qualifiers := []string{""}
	for _, list := range []struct{ operation, at, what string }{
		{"ListFunctionUrlConfigs", "/2021-10-31/functions/" + url.PathEscape(name) + "/urls", "function URLs"},
		{"ListAliases", functionPath(name, "aliases"), "function aliases"},
		{"ListVersionsByFunction", functionPath(name, "versions"), "function versions"},
	} {
		all, err := pages[functionItem](ctx, x, account.Functions, list.operation, list.at, url.Values{})
		if err != nil && !x.refused(list.what, list.operation, err) {
			return err
		}
		for n, one := range all {
			if one.AuthType != "" {
				x.put(fmt.Sprintf("%d of %s", n+1, id), "AWS::Lambda::Url",
					map[string]any{"TargetFunctionArn": name, "AuthType": one.AuthType})
			}
			_, qualifier, is := strings.Cut(cmp.Or(one.AliasArn, one.FunctionArn), ":function:"+name+":")
			if is && qualifier != "$LATEST" && !slices.Contains(qualifiers, qualifier) {
				qualifiers = append(qualifiers, qualifier)
			}
		}
	}
	for _, qualifier := range qualifiers {
		if err := x.functionPolicy(ctx, name, qualifier); err != nil {
			return err
		}
	}
	return nil
}

// functionItem is a URL, an alias or a version of a function
// (https://docs.aws.amazon.com/lambda/latest/api/API_Types.html).
type functionItem struct{ FunctionArn, AliasArn, AuthType string }

// functionPolicy reads the policy of a function or of an alias
// (https://docs.aws.amazon.com/lambda/latest/api/API_GetPolicy.html).
func (x *accessReading) functionPolicy(ctx context.Context, name, qualifier string) error {
	var answer struct{ Policy string }
	query := url.Values{}
	if qualifier != "" {
		query.Set("Qualifier", qualifier)
	}
	err := x.ask(ctx, account.Functions, "GetPolicy", functionPath(name, "policy"), query, &answer)
	if account.Code(err) == "ResourceNotFoundException" ||
		x.refused("the policies of functions", "GetPolicy", err) {
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
		x.unread = append(x.unread, "the policy of the function "+phrase.Quote(name)+" is not a policy")
		return nil
	}
	for n, one := range policy.Statement {
		properties := map[string]any{"FunctionName": name, "Action": one.Action, "Principal": one.Principal}
		of, _ := one.Principal.(map[string]any)
		if of != nil {
			properties["Principal"] = cmp.Or(of["Service"], of["AWS"])
		}
		for operator, of := range one.Condition {
			for key, value := range of {
				property := conditions[strings.ToLower(key)]
				if property == "" || strings.Contains(operator, "Not") || strings.Contains(operator, ":") {
					x.unread = append(x.unread,
						"a condition of the permission "+phrase.Quote(one.Sid)+" is not read: "+phrase.Quote(key))
					continue
				}
				properties[property] = value
			}
		}
		source, _ := properties["SourceArn"].(string)
		if of["Service"] != nil && x.own[source[strings.LastIndexByte(source, '/')+1:]] {
			continue
		}
		id := cmp.Or(one.Sid, fmt.Sprintf("%s %d", name, n+1))
		if qualifier != "" || x.resources[id] != nil {
			id += " of " + strings.TrimSuffix(name+":"+qualifier, ":")
		}
		x.put(id, "AWS::Lambda::Permission", properties)
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
	ID, APIID, Name, Policy, ProtocolType, RouteKey, AuthorizationType, Target, IntegrationID, IntegrationURI string
	StageName, DeploymentID                                                                                   string
	CanarySettings                                                                                            any
}

// items reads a list of API Gateway.
func (x *accessReading) items(ctx context.Context, operation, path string) ([]apiItem, error) {
	return pages[apiItem](ctx, x, account.APIs, operation, path, url.Values{})
}

// pages reads all pages of a list of API Gateway or Lambda.
func pages[T any](
	ctx context.Context, x *accessReading, of account.Service, operation, path string, query url.Values,
) (all []T, err error) {
	for {
		// Item is what API Gateway calls them in its first version; stand-ins have the name of the SDKs.
		var page struct {
			Items, Item, FunctionURLConfigs, Aliases, Versions []T
			Position, NextToken, NextMarker                    string
		}
		if err := x.ask(ctx, of, operation, path, query, &page); err != nil {
			return all, err
		}
		all = slices.Concat(all, page.Items, page.Item, page.FunctionURLConfigs, page.Aliases, page.Versions)
		more := false
		for name, next := range map[string]string{
			"position": page.Position, "nextToken": page.NextToken, "Marker": page.NextMarker,
		} {
			if next != "" && next != query.Get(name) {
				query.Set(name, next)
				more = true
			}
		}
		if !more {
			return all, nil
		}
	}
}

// otherAPIs finds the APIs of the account that call one of the functions and are not compared.
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
				x.unread = append(x.unread, fmt.Sprintf("%[2]d of %[1]d APIs of the account are not read, and may call the "+
					"functions",
					len(apis), len(apis)-most))
				break
			}
			if slices.ContainsFunc(x.apis, func(own apiItem) bool { return own.ID == id }) {
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
		if api.Policy != "" {
			route.AuthorizationType = "CUSTOM"
		}
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

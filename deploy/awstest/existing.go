package awstest

import (
	"fmt"
	"maps"
	"net/url"
	"strings"

	"gatewright/internal/cfn"
)

// detailOf are the values of a resource's properties.
func detailOf(g cfn.Given, rev revision, r *cfn.Resource) map[string]any {
	m, _ := plain(rev.template.With(g).Resolve(r.Properties)).(map[string]any)
	return m
}

// describeExisting answers what describes resources, for services that no test serves.
func (s *Server) describeExisting(r Request) (any, error) {
	var in struct{ TableName, LogGroupNamePrefix, UserPoolID, IdentityPoolID string }
	if len(r.Body) > 0 && r.Read(&in) != nil {
		return nil, &Refusal{"SerializationException", "the input is not JSON"}
	}
	missing := &Refusal{"ResourceNotFoundException", "Requested resource not found"}
	find := func(kind, physical string) *resource { return s.existing(r.Account, r.Region, kind, physical, "") }
	switch r.Action {
	case "DescribeTable", "Scan":
		t := find("AWS::DynamoDB::Table", in.TableName)
		if t == nil {
			return nil, missing
		}
		if r.Action == "Scan" {
			return map[string]any{"Count": t.items}, nil
		}
		return map[string]any{"Table": t.table(r.Call)}, nil
	case "DescribeTimeToLive", "DescribeContinuousBackups":
		t := find("AWS::DynamoDB::Table", in.TableName)
		if t == nil {
			return nil, missing
		}
		return t.keeping(), nil
	case "ListTagsOfResource":
		return map[string]any{}, nil
	case "DescribeLogGroups":
		groups := []any{}
		for _, g := range s.all(r.Account, r.Region, "AWS::Logs::LogGroup") {
			if strings.HasPrefix(g.physical, in.LogGroupNamePrefix) {
				groups = append(groups,
					map[string]any{"logGroupName": g.physical, "storedBytes": 0, "creationTime": g.made.UnixMilli()})
			}
		}
		return map[string]any{"logGroups": groups}, nil
	case "ListUserPools":
		pools := []any{}
		for _, p := range s.all(r.Account, r.Region, "AWS::Cognito::UserPool") {
			pools = append(pools, map[string]any{"Id": p.physical, "Name": p.detail["UserPoolName"]})
		}
		return map[string]any{"UserPools": pools}, nil
	case "DescribeUserPool":
		p := find("AWS::Cognito::UserPool", in.UserPoolID)
		if p == nil {
			return nil, missing
		}
		return map[string]any{"UserPool": p.pool()}, nil
	case "ListGroups":
		groups := []any{}
		for _, g := range s.all(r.Account, r.Region, "AWS::Cognito::UserPoolGroup") {
			if g.properties["UserPoolId"] == in.UserPoolID {
				groups = append(groups, map[string]any{"GroupName": g.physical, "Description": g.detail["Description"]})
			}
		}
		return map[string]any{"Groups": groups}, nil
	case "ListIdentityPools":
		pools := []any{}
		for _, p := range s.all(r.Account, r.Region, "AWS::Cognito::IdentityPool") {
			pools = append(pools, map[string]any{"IdentityPoolId": p.physical, "IdentityPoolName": p.detail["IdentityPoolName"]})
		}
		return map[string]any{"IdentityPools": pools}, nil
	case "DescribeIdentityPool":
		p := find("AWS::Cognito::IdentityPool", in.IdentityPoolID)
		if p == nil {
			return nil, missing
		}
		return map[string]any{
			"IdentityPoolId": p.physical, "IdentityPoolName": p.detail["IdentityPoolName"],
			"AllowUnauthenticatedIdentities": p.detail["AllowUnauthenticatedIdentities"],
			"CognitoIdentityProviders":       p.detail["CognitoIdentityProviders"],
		}, nil
	case "DescribeRule":
		return nil, missing
	}
	if name, is := strings.CutPrefix(r.Path, "/2015-03-31/functions/"); is && r.Method == "GET" {
		name, _ = url.PathUnescape(strings.TrimSuffix(name, "/configuration"))
		if find("AWS::Lambda::Function", name) == nil {
			return nil, missing
		}
		return map[string]any{"FunctionName": name}, nil
	}
	return nil, &Refusal{"UnknownOperationException", "no test serves " + r.Service}
}

// table is a table as DescribeTable answers it.
func (r *resource) table(c Call) map[string]any {
	t := map[string]any{
		"TableName": r.physical, "TableId": r.instance,
		"TableArn": "arn:aws:dynamodb:" + c.Region + ":" + c.Account + ":table/" + r.physical, "TableStatus": "ACTIVE",
		"CreationDateTime": r.made.Unix(), "ItemCount": r.items,
	}
	for _, name := range []string{
		"KeySchema", "AttributeDefinitions", "GlobalSecondaryIndexes", "LocalSecondaryIndexes",
		"Replicas", "SSEDescription", "ProvisionedThroughput", "DeletionProtectionEnabled",
	} {
		if value := r.detail[name]; value != nil {
			t[name] = value
		}
	}
	if mode := r.detail["BillingMode"]; mode != nil {
		t["BillingModeSummary"] = map[string]any{"BillingMode": mode}
	}
	if stream, is := r.detail["StreamSpecification"].(map[string]any); is {
		t["StreamSpecification"] = map[string]any{"StreamEnabled": true, "StreamViewType": stream["StreamViewType"]}
	}
	return t
}

// keeping is what DescribeTimeToLive and DescribeContinuousBackups answer of a table.
func (r *resource) keeping() map[string]any {
	status := map[bool]string{true: "ENABLED", false: "DISABLED"}
	ttl, expires := r.detail["TimeToLiveSpecification"].(map[string]any)
	of := map[string]any{"TimeToLiveStatus": status[expires]}
	if expires {
		of["AttributeName"] = ttl["AttributeName"]
	}
	return map[string]any{
		"TimeToLiveDescription": of,
		"ContinuousBackupsDescription": map[string]any{"PointInTimeRecoveryDescription": map[string]any{
			"PointInTimeRecoveryStatus": status[r.detail["PointInTimeRecoverySpecification"] != nil],
		}},
	}
}

// pool is a user pool as DescribeUserPool answers it.
func (r *resource) pool() map[string]any {
	p := map[string]any{
		"Id": r.physical, "Name": r.detail["UserPoolName"], "CreationDate": r.made.Unix(),
		"EstimatedNumberOfUsers": r.items,
	}
	for _, name := range []string{"UsernameAttributes", "AliasAttributes", "UsernameConfiguration", "UserPoolTags"} {
		if value := r.detail[name]; value != nil {
			p[name] = value
		}
	}
	schema := []any{map[string]any{"Name": "sub", "Required": true}}
	own, _ := r.detail["Schema"].([]any)
	for _, a := range own {
		described := maps.Clone(a.(map[string]any))
		if described["Required"] != true {
			described["Name"] = fmt.Sprint("custom:", described["Name"])
		}
		schema = append(schema, described)
	}
	p["SchemaAttributes"] = schema
	return p
}

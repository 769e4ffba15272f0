// Package rights says what a function may do: its access to resources and its policies, as the
// statements of its role. A template writes them, the sandbox obeys them, and proofs compare them.
package rights

import (
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/text/lazyregexp"
	"gatewright/internal/text/spelling"
	"gatewright/model"
	"gatewright/model/access"
)

// operations are what an action of a definition allows with a kind of resource. With a table that is
// all that a function does with items, with the statements of PartiQL for the same. See
// https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html,
// .../list_amazoncognitouserpools.html, .../list_awssystemsmanager.html,
// .../list_awssecretsmanager.html, .../list_amazonses.html and .../list_amazons3.html.
var operations = map[model.Kind]map[access.Action][]string{
	model.KindTable: {
		access.Create: {"dynamodb:PutItem", "dynamodb:BatchWriteItem", "dynamodb:PartiQLInsert"},
		access.Read: {
			"dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query", "dynamodb:Scan", "dynamodb:DescribeTable",
			"dynamodb:ConditionCheckItem", "dynamodb:PartiQLSelect",
		},
		access.Update: {"dynamodb:UpdateItem", "dynamodb:PartiQLUpdate"},
		access.Delete: {"dynamodb:DeleteItem", "dynamodb:PartiQLDelete"},
	},
	// Groups and clients are the definition's: no action makes or removes them.
	model.KindPool: {
		access.Create: {"cognito-idp:AdminCreateUser"},
		access.Read: {
			"cognito-idp:AdminGetUser", "cognito-idp:AdminListGroupsForUser", "cognito-idp:DescribeUserPool",
			"cognito-idp:DescribeUserPoolClient", "cognito-idp:GetGroup", "cognito-idp:ListGroups",
			"cognito-idp:ListUserPoolClients", "cognito-idp:ListUsers", "cognito-idp:ListUsersInGroup",
		},
		access.Update: {
			"cognito-idp:AdminAddUserToGroup", "cognito-idp:AdminConfirmSignUp", "cognito-idp:AdminDeleteUserAttributes",
			"cognito-idp:AdminDisableUser", "cognito-idp:AdminEnableUser", "cognito-idp:AdminInitiateAuth",
			"cognito-idp:AdminRemoveUserFromGroup", "cognito-idp:AdminResetUserPassword",
			"cognito-idp:AdminRespondToAuthChallenge", "cognito-idp:AdminSetUserMFAPreference",
			"cognito-idp:AdminSetUserPassword", "cognito-idp:AdminUpdateUserAttributes",
			"cognito-idp:AdminUserGlobalSignOut",
		},
		access.Delete: {"cognito-idp:AdminDeleteUser"},
	},
	model.KindParameter: {
		access.Read: {"ssm:GetParameter", "ssm:GetParameters", "ssm:GetParametersByPath"},
	},
	model.KindSecret:   {access.Read: {"secretsmanager:GetSecretValue", "secretsmanager:DescribeSecret"}},
	model.KindFunction: {access.Read: {InvokeFunction}},
	model.KindMail:     {access.Create: {"ses:SendEmail", "ses:SendRawEmail"}},
	model.KindStorage: {
		access.Create: {"s3:PutObject"}, access.Read: {"s3:GetObject"}, access.Update: {"s3:PutObject"},
		access.Delete: {"s3:DeleteObject"},
	},
}

// Operations lists the operations that an action allows with a kind of resource, such as dynamodb:PutItem.
func Operations(kind model.Kind, action access.Action) []string {
	return slices.Clone(operations[kind][action])
}

// All lists the operations that access allows with a kind of resource.
func All(kind model.Kind) []string { return allowed(kind, access.EveryAction) }

// For is the access that allows an operation; the zero value if none of its kind does.
func For(operation string) (kind model.Kind, action access.Action) {
	for _, kind := range model.ResourceKinds {
		for _, action := range access.AllActions {
			if slices.Contains(operations[kind][action], operation) {
				return kind, action
			}
		}
	}
	return "", 0
}

// Meant is the operation of a definition's actions that a mistyped one was meant to be; "" if it is none.
// No action of AWS is one slip away from one of these, or the beginning of one.
func Meant(action string) string {
	action, meant := strings.ToLower(action), ""
	for _, of := range operations {
		for _, all := range of {
			for _, known := range all {
				switch lower := strings.ToLower(known); {
				case lower == action:
					return ""
				case spelling.Distance(lower, action) == 1 || strings.HasPrefix(lower, action):
					meant = known
				}
			}
		}
	}
	return meant
}

// InvokeFunction is the operation that calls a function.
const InvokeFunction = "lambda:InvokeFunction"

// Of lists the statements that a function's access, its policies and the tables that call it give its
// role, in the environment that the backend is for (model.Backend.For). Resources have references.
func Of(b *model.Backend, f *model.Function) []model.Statement {
	var all []model.Statement
	allow := func(operations []string, resources ...string) {
		if len(operations) > 0 && len(resources) > 0 {
			all = append(all, model.Statement{Effect: model.Allow, Action: operations, Resource: resources})
		}
	}
	if f.Table != "" {
		allow(allowed(model.KindTable, access.EveryAction), onTable(f.Table)...)
	}
	for _, a := range f.Access {
		kind, name, _ := model.ResourceOf(a.Resource)
		switch kind {
		case model.KindTable:
			// A function of the template crud does everything with its table already.
			if name != f.Table {
				allow(allowed(kind, a.Actions), onTable(name)...)
			}
		case model.KindFunction:
			// A call that names a version, such as $LATEST, needs the ARN with it
			// (https://docs.aws.amazon.com/lambda/latest/dg/lambda-api-permissions-ref.html).
			allow([]string{InvokeFunction}, "${function/"+name+"}", "${function/"+name+"}:*")
		case model.KindAPI:
			if b.API(name) != nil {
				allow([]string{"execute-api:Invoke"}, onAPI(b, name, a.Actions)...)
			}
		case model.KindStorage:
			if b.Storage == nil || b.Storage.BucketName == "" {
				continue
			}
			writes := a.Actions & access.ActionSet(access.Create, access.Update)
			allow(slices.Concat(allowed(kind, a.Actions&access.ActionSet(access.Read)), allowed(kind, writes),
				allowed(kind, a.Actions&access.ActionSet(access.Delete))), "${storage}/*")
			if a.Actions.Has(access.Read) {
				allow([]string{"s3:ListBucket"}, "${storage}")
			}
		case model.KindPool:
			allow(allowed(kind, a.Actions), "${pool}")
		case model.KindParameter:
			allow(allowed(kind, a.Actions), here("ssm", "parameter/"+name))
		case model.KindSecret:
			// The ARN of a secret ends with six more characters
			// (https://docs.aws.amazon.com/secretsmanager/latest/userguide/reference_iam-permissions.html).
			allow(allowed(kind, a.Actions), here("secretsmanager", "secret:"+name+"-??????"))
		case model.KindMail:
			allow(allowed(kind, a.Actions), "*")
		}
	}
	return append(slices.Concat(all, streams(b, f)), f.Policies...)
}

// streams are the statements that let a function be called with the changes of tables, see
// https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-eventsourcemapping.html
func streams(b *model.Backend, f *model.Function) []model.Statement {
	var streams []string
	for _, t := range b.Tables {
		if t.Trigger(f.Name) != nil {
			streams = append(streams, "${stream/"+t.Name+"}")
		}
	}
	if len(streams) == 0 {
		return nil
	}
	return []model.Statement{
		{
			Effect: model.Allow, Resource: streams,
			Action: []string{"dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"},
		},
		{Effect: model.Allow, Action: []string{"dynamodb:ListStreams"}, Resource: []string{"*"}},
	}
}

// allowed are the operations that actions allow with a kind of resource, each once.
func allowed(kind model.Kind, actions access.Actions) []string {
	var all []string
	for _, action := range actions.List() {
		for _, operation := range operations[kind][action] {
			if !slices.Contains(all, operation) {
				all = append(all, operation)
			}
		}
	}
	return all
}

// onTable are a table and its indexes.
func onTable(name string) []string {
	return []string{"${table/" + name + "}", "${table/" + name + "}/index/*"}
}

// onAPI are the requests of actions to an API.
func onAPI(b *model.Backend, name string, actions access.Actions) []string {
	var arns []string
	for _, action := range actions.List() {
		for _, method := range b.Terms().Methods(action) {
			arns = append(arns, "${api/"+name+"}/${ENV}/"+method+"/*")
		}
	}
	return arns
}

// ARN is what a reference of a statement stands for in the environment that the backend is for, with the
// region, the account and the partition as references; "" for what gets its id when it is deployed.
func ARN(b *model.Backend, name string) string {
	environment := ""
	if len(b.Environments) > 0 {
		environment = b.Environments[0].Name
	}
	kind, of, _ := strings.Cut(name, "/")
	switch model.Kind(kind) {
	case model.KindTable, "stream":
		t, end := b.Table(of), ""
		if t == nil {
			t = &model.Table{Name: of}
		}
		if kind == "stream" {
			end = "/stream/*"
		}
		return here("dynamodb", "table/"+t.DeployedName(environment)+end)
	case model.KindFunction:
		if f := b.Function(of); f != nil {
			of = f.DeployedName()
		}
		return here("lambda", "function:"+of+"-"+environment)
	case model.KindStorage:
		if b.Storage != nil {
			return "arn:${AWS::Partition}:s3:::" + b.Storage.BucketName
		}
	}
	return ""
}

// here is the ARN of a resource in the account and region of the environment.
func here(service, resource string) string {
	return "arn:${AWS::Partition}:" + service + ":${AWS::Region}:${AWS::AccountId}:" + resource
}

// Parts divides a resource of a statement into texts and the names of references, such as
// table/items for ${table/items}.
func Parts(resource string) []model.ValuePart {
	var parts []model.ValuePart
	for resource != "" {
		text, rest, found := strings.Cut(resource, "${")
		name, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			return append(parts, model.ValuePart{Text: resource})
		}
		if text != "" {
			parts = append(parts, model.ValuePart{Text: text})
		}
		parts, resource = append(parts, model.ValuePart{Name: name}), after
	}
	return parts
}

// Expand puts values in the place of the references of a resource.
func Expand(resource string, value func(name string) string) string {
	var b strings.Builder
	for _, part := range Parts(resource) {
		if part.Name != "" {
			part.Text = value(part.Name)
		}
		b.WriteString(part.Text)
	}
	return b.String()
}

// Judged are the statements of Of as cfn.Judge takes them, with values in the place of references.
func Judged(b *model.Backend, f *model.Function, value func(name string) string) (all []cfn.Statement) {
	for _, s := range Of(b, f) {
		of := cfn.Statement{Effect: s.Effect, Actions: s.Action, Conditional: s.Condition != ""}
		for _, resource := range s.Resource {
			of.Resources = append(of.Resources, Expand(resource, value))
		}
		all = append(all, of)
	}
	return all
}

// secretEnd matches the end of the ARN of a secret, which only AWS knows: see Of.
var secretEnd = lazyregexp.New(`-[A-Za-z0-9]{6}$`)

// Anywhere opens what statements name that is not known of the environment that the backend is for: the
// account and the region, for which these stand, if it says neither, and the end of the ARN of a secret.
func Anywhere(b *model.Backend, all []cfn.Statement, region, account string) []cfn.Statement {
	for _, env := range b.Environments {
		if env.Region != "" || b.Project.Region != "" {
			region = ""
		}
		if env.Account != "" {
			account = ""
		}
	}
	const service, ofRegion, ofAccount, name = 2, 3, 4, 5
	for i := range all {
		all[i].Resources = slices.Clone(all[i].Resources)
		for j, resource := range all[i].Resources {
			parts := strings.SplitN(resource, ":", name+1)
			if len(parts) <= name {
				continue
			}
			if region != "" && parts[ofRegion] != "" && parts[ofRegion] != region {
				parts[ofRegion] = "*"
			}
			if account != "" && parts[ofAccount] != "" && parts[ofAccount] != account {
				parts[ofAccount] = "*"
			}
			if parts[service] == "secretsmanager" {
				parts[name] = secretEnd().ReplaceAllString(parts[name], "-??????")
			}
			all[i].Resources[j] = strings.Join(parts, ":")
			all[i].Partly = all[i].Partly || all[i].Resources[j] != resource
		}
	}
	return all
}

// Refers reports whether a resource of a statement refers to a name.
func Refers(s model.Statement, name string) bool {
	return slices.ContainsFunc(s.Resource, func(r string) bool { return strings.Contains(r, model.Refer(name)) })
}

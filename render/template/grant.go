package template

import (
	"strings"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/render/openapi"
)

func functionRoleID(name string) string { return logicalID("Role", "function "+name) }

// functionRole makes the role of a function: it writes its own log, and does with other
// resources what the definition says.
func (r *renderer) functionRole(f *model.Function) {
	statements := []*cfn.Node{
		statement("Allow", []string{"logs:CreateLogStream", "logs:PutLogEvents"}, cfn.GetAtt(r.logGroupID(f.Name), "Arn")),
	}
	if f.Table != "" {
		statements = append(statements, r.onTable(f.Table, access.EveryAction))
	}
	for _, a := range f.Access {
		// A function of the template crud does everything with its table already.
		if f.Table == "" || a.Resource != string(model.KindTable)+"/"+f.Table {
			statements = append(statements, r.grant(a)...)
		}
	}
	statements = append(statements, r.readsStreams(f)...)
	document := policyDocument(statements...)
	r.grantsTooLarge(f, document)
	r.root.add(resource{
		id: functionRoleID(f.Name), kind: "AWS::IAM::Role", of: model.Ref{Kind: model.KindFunction, Name: f.Name},
		is: "the role of the function " + f.Name,
		properties: cfn.MapNode().
			With("AssumeRolePolicyDocument", trustService("lambda.amazonaws.com")).
			With("Policies", cfn.ListNode(cfn.MapNode().
				WithText("PolicyName", "function").With("PolicyDocument", document))),
	})
}

// grant makes the statements for a function's access to a resource.
func (r *renderer) grant(a model.ResourceAccess) []*cfn.Node {
	kind, name, _ := strings.Cut(a.Resource, "/")
	switch model.Kind(kind) {
	case model.KindTable:
		if a.Actions&access.EveryAction != 0 {
			return []*cfn.Node{r.onTable(name, a.Actions)}
		}
	case model.KindFunction:
		// A call that names a version, such as $LATEST, needs the ARN with it
		// (https://docs.aws.amazon.com/lambda/latest/dg/lambda-api-permissions-ref.html).
		// Functions that call each other cannot refer to each other.
		arn := openapi.FunctionARN(r.deployed(name))
		return []*cfn.Node{statement("Allow", []string{"lambda:InvokeFunction"}, cfn.Sub(arn), cfn.Sub(arn+":*"))}
	case model.KindAPI:
		if s := r.onAPI(name, a.Actions); s != nil {
			return []*cfn.Node{s}
		}
	case model.KindStorage:
		return r.onStorage(a.Actions)
	}
	return nil
}

// onTable allows actions with a table and its indexes.
func (r *renderer) onTable(name string, actions access.Actions) *cfn.Node {
	var operations []string
	for _, a := range actions.List() {
		operations = append(operations, tableActions[a]...)
	}
	if r.b.Table(name) == nil {
		arn := r.tableARN(name)
		return statement("Allow", operations, cfn.Sub(arn), cfn.Sub(arn+"/index/*"))
	}
	return statement("Allow", operations, cfn.GetAtt(tableID(name), "Arn"), cfn.Sub("${"+tableID(name)+".Arn}/index/*"))
}

// tableARN is the ARN of a table that is not in the project, for Fn::Sub.
func (r *renderer) tableARN(name string) string {
	return "arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table/" + r.suffixed(name)
}

// onAPI allows the methods of actions on an API.
func (r *renderer) onAPI(label string, actions access.Actions) *cfn.Node {
	var arns []*cfn.Node
	for _, a := range r.apis {
		if a.api.Label != label {
			continue
		}
		for _, action := range actions.List() {
			for _, method := range r.b.Terms().Methods(action) {
				arns = append(arns, cfn.Sub(executeARN(a.id)+"/"+r.env.Name+"/"+method+"/*"))
			}
		}
	}
	if len(arns) == 0 {
		return nil
	}
	return statement("Allow", []string{"execute-api:Invoke"}, arns...)
}

// onStorage allows actions with the objects of the bucket, see
// https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3.html
func (r *renderer) onStorage(actions access.Actions) []*cfn.Node {
	storage := r.b.Storage
	if storage == nil || storage.BucketName == "" {
		return nil
	}
	var operations []string
	if actions.Has(access.Read) {
		operations = append(operations, "s3:GetObject")
	}
	if actions.Has(access.Create) || actions.Has(access.Update) {
		operations = append(operations, "s3:PutObject")
	}
	if actions.Has(access.Delete) {
		operations = append(operations, "s3:DeleteObject")
	}
	if len(operations) == 0 {
		return nil
	}
	bucket := "arn:${AWS::Partition}:s3:::" + storage.BucketName
	statements := []*cfn.Node{statement("Allow", operations, cfn.Sub(bucket+"/*"))}
	if actions.Has(access.Read) {
		statements = append(statements, statement("Allow", []string{"s3:ListBucket"}, cfn.Sub(bucket)))
	}
	return statements
}

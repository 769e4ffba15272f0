package template

import (
	"cmp"
	"slices"

	"gatewright/internal/cfn"
	"gatewright/model"
)

// lambdaConfig names the functions that the user pool calls, see
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-cognito-userpool-lambdaconfig.html
func (r *renderer) lambdaConfig() *cfn.Node {
	if len(r.b.Triggers) == 0 {
		return nil
	}
	calls := cfn.MapNode()
	for _, t := range r.b.Triggers {
		arn := cfn.GetAtt(r.functionID(t.Function), "Arn")
		if t.At == model.PreTokenGenerationV2 {
			calls.With("PreTokenGenerationConfig", cfn.MapNode().With("LambdaArn", arn).WithText("LambdaVersion", "V2_0"))
			continue
		}
		calls.With(t.At.Title(), arn)
	}
	return calls
}

// triggerFunctions are the functions that the user pool calls, each once.
func (p *plan) triggerFunctions() []string {
	var names []string
	for _, t := range p.b.Triggers {
		if !slices.Contains(names, t.Function) {
			names = append(names, t.Function)
		}
	}
	return names
}

// triggerPermissions let the user pool call its functions.
func (r *renderer) triggerPermissions() {
	for _, name := range r.triggerFunctions() {
		r.root.add(resource{
			id: logicalID("PoolPermission", name), kind: "AWS::Lambda::Permission", of: model.Ref{Kind: model.KindAuth},
			is: "the permission of the user pool to call the function " + name,
			properties: cfn.MapNode().
				WithText("Action", "lambda:InvokeFunction").
				With("FunctionName", cfn.Ref(r.functionID(name))).
				WithText("Principal", "cognito-idp.amazonaws.com").
				With("SourceArn", cfn.GetAtt(userPoolID, "Arn")),
		})
	}
}

// mappings call functions with the changes of tables, see
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-eventsourcemapping.html
func (r *renderer) mappings() {
	for _, t := range r.b.Tables {
		for _, each := range t.Triggers {
			properties := cfn.MapNode().
				With("EventSourceArn", cfn.GetAtt(tableID(t.Name), "StreamArn")).
				With("FunctionName", cfn.Ref(r.functionID(each.Function))).
				WithText("StartingPosition", cmp.Or(each.From, model.FromLatest)).
				WithNumber("BatchSize", cmp.Or(each.BatchSize, model.DefaultBatchSize)).
				WithBool("BisectBatchOnFunctionError", each.Bisect).
				// There, retries are counted and not attempts; -1 is until the changes expire.
				WithNumber("MaximumRetryAttempts", each.Attempts-1)
			if each.BatchWindow > 0 {
				properties.WithNumber("MaximumBatchingWindowInSeconds", each.BatchWindow)
			}
			if each.ReportFailures {
				properties.WithTexts("FunctionResponseTypes", "ReportBatchItemFailures")
			}
			r.root.add(resource{
				id: logicalID("StreamTrigger", t.Name, each.Function), kind: "AWS::Lambda::EventSourceMapping",
				of:         model.Ref{Kind: model.KindTable, Name: t.Name},
				is:         "the calls of the function " + each.Function + " with the changes of the table " + t.Name,
				properties: properties,
			})
		}
	}
}

package prove

import (
	"slices"
	"strings"

	"gatewright/internal/cfn"
)

// harmless begin the types of resources that let nobody call a function whose name they have, or are
// read elsewhere. Who puts something into a topic, a queue, a bucket, a stream or a bus, or starts a
// workflow, is not read.
var harmless = strings.Fields("IAM Lambda ApiGateway ApiGatewayV2 Serverless Logs CloudWatch Cognito CodeDeploy SSM " +
	"CloudFormation ApplicationAutoScaling Scheduler SecretsManager DynamoDB ECS EC2 KMS WAFv2 CDK Events")

// mention finds what else refers to a function behind an API, and may pass on what somebody sends.
func (r *reader) mention(s *stack, of *cfn.Resource) {
	table := func(key string) bool {
		id, _, _ := strings.Cut(strings.Trim(key, "{}"), ".")
		of := s.resource(strings.TrimPrefix(id, s.path))
		return of.Type == "AWS::DynamoDB::Table" || strings.Contains(key, ":dynamodb:")
	}
	custom := strings.HasPrefix(of.Type, "Custom::") || of.Type == "AWS::CloudFormation::CustomResource"
	switch service := strings.Split(of.Type, "::"); {
	case custom:
		r.custom(s, of)
		return
	case of.Type == "AWS::Serverless::Function":
		r.otherEvents(s, of)
		return
	case of.Type == "AWS::Lambda::EventSourceMapping" && !table(s.textOr(of.Properties.Get("EventSourceArn"), "")):
	case of.Type == "AWS::Serverless::StateMachine":
	case of.Type == "AWS::Events::Rule" && of.Properties.Get("ScheduleExpression") == nil && r.busPolicy:
	case len(service) < 2 || slices.Contains(harmless, service[1]):
		return
	}
	for _, text := range textsOf(s.resolver.Resolve(of.Properties)) {
		if f := r.functionIn(text); f != nil && text != f.name {
			r.passes(f, s.name(of)+" ("+of.Type+")", s.sometimes(of))
		}
	}
}

// passes adds a door of a function behind an API: something that calls it with what somebody sends.
func (r *reader) passes(f *function, by, depends string) {
	if r.behindAPI(f.id) {
		r.door(Door{
			Of: f.words(), function: f.id, Who: "somebody", By: by, Direction: Unknown, Why: "who may send to that is not read",
		}, depends)
	}
}

func (r *reader) behindAPI(id string) bool {
	return slices.ContainsFunc(r.d.APIs, func(api *API) bool { return slices.Contains(api.functions, id) })
}

// otherEvents finds the events of a function of SAM that are of no API. See
// https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-property-function-eventsource.html
func (r *reader) otherEvents(s *stack, of *cfn.Resource) {
	own := strings.Fields(
		"Api HttpApi Schedule ScheduleV2 EventBridgeRule CloudWatchEvent CloudWatchLogs Cognito DynamoDB ?",
	)
	events := of.Properties.Get("Events")
	if f := r.functionIn("{" + s.name(of) + "}"); f != nil && events != nil && !isCall(events) {
		for _, m := range events.Members {
			if kind := s.known(m.Value.Get("Type")); !slices.Contains(own, kind) {
				r.passes(f, "its event "+m.Name+" ("+kind+")", s.sometimes(of))
			}
		}
	}
}

// custom judges a resource that a function makes when the stack is deployed: with rights to do so, it may
// change any other.
func (r *reader) custom(s *stack, of *cfn.Resource) {
	f, why := r.functionIn(s.textOr(of.Properties.Get("ServiceToken"), "")), "its function is not in the template"
	if of.Type == "Custom::LambdaCallout" {
		r.notice("what " + s.name(of) + " of the Amplify CLI changes is not read")
		return
	}
	if f != nil && (f.role == "" || r.trusts[f.roleName()] != nil || r.roles[f.roleName()] != nil) {
		statements := f.statements
		for _, one := range r.functions {
			_, calls := r.direct(r.role(f.roleName()).Statements, invocations[:1], one.target())
			if one == f || calls == More {
				statements = slices.Concat(statements, r.role(one.roleName()).Statements)
			}
		}
		why = ""
		for _, c := range r.controls() {
			calls := func(action string) bool { return strings.Contains(action, ":Invoke") }
			if action, _ := r.direct(statements, slices.DeleteFunc(c.actions, calls), c.target); action != "" {
				why = "its function may do " + action + " with " + c.words
			}
		}
	}
	if why != "" {
		r.unread("what the custom resource " + s.name(of) + " changes is not read: " + why)
	}
}

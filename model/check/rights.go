package check

import (
	"fmt"
	"slices"
	"strings"

	"gatewright/internal/text/lazyregexp"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/rights"
)

// checkAccess checks what a function may use.
func (c *Checker) checkAccess(found *findings, f *model.Function) {
	for i, a := range f.Access {
		pointer := fmt.Sprintf("/access/%d", i)
		kind, name, actions := model.ResourceOf(a.Resource)
		if actions == 0 {
			found.say(pointer+"/resource",
				"write table/NAME, api/NAME, function/NAME, storage/NAME, pool, parameter/NAME, secret/NAME or mail",
				"%s is not a resource", phrase.Quote(a.Resource))
			continue
		}
		switch more := a.Actions.Without(actions); {
		case a.Actions&access.EveryAction == 0:
			found.say(pointer+"/actions", "choose at least one of "+actions.String(),
				"has access to %s without an action", phrase.Quote(a.Resource))
		case more&access.EveryAction != 0:
			found.say(pointer+"/actions", "write "+actions.String(), "nobody can %s %s", more&access.EveryAction,
				phrase.Quote(a.Resource))
		}
		switch kind {
		case model.KindTable, model.KindAPI, model.KindFunction:
			found.add(c.reference(found.of, pointer+"/resource", kind, name)...)
		case model.KindPool, model.KindParameter, model.KindSecret:
			for _, s := range rights.Of(c.Backend, &model.Function{Access: f.Access[i : i+1]}) {
				c.checkResources(found, pointer+"/resource", s.Resource)
			}
		}
	}
}

// The forms of the elements of a statement, see
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_grammar.html
var (
	actionForm   = lazyregexp.New(`^([A-Za-z0-9-]+):[A-Za-z0-9*?]+$`)
	resourceForm = lazyregexp.New(`^arn:[^:]+:[^:]+:[^:]*:[^:]*:[^{}]+$`)
	sidForm      = lazyregexp.New(`^[A-Za-z0-9]*$`)
)

// checkPolicies checks the statements of a function's policies.
func (c *Checker) checkPolicies(found *findings, f *model.Function) {
	for i, s := range f.Policies {
		pointer := fmt.Sprintf("/policies/%d", i)
		if s.Effect != model.Allow && s.Effect != model.Deny {
			found.say(pointer+"/Effect", "write Allow or Deny", "%s is not an effect", phrase.Quote(s.Effect))
		}
		same := func(other model.Statement) bool { return other.Sid == s.Sid && s.Sid != "" }
		if !sidForm().MatchString(s.Sid) || slices.ContainsFunc(f.Policies[:i], same) {
			found.say(pointer+"/Sid", "leave it out, or use letters and digits, another one in each statement",
				"the Sid %s is not allowed", phrase.Quote(s.Sid))
		}
		if len(s.Action) == 0 || len(s.Resource) == 0 || slices.Contains(s.Resource, "") {
			found.say(pointer, `write "Action" and "Resource", each a text or a list`, "a statement has no actions or resources")
		}
		for _, action := range s.Action {
			c.checkAction(found, pointer+"/Action", s.Effect, action)
		}
		c.checkResources(found, pointer+"/Resource", s.Resource)
	}
}

func (c *Checker) checkAction(found *findings, pointer, effect, action string) {
	form := actionForm().FindStringSubmatch(action)
	switch {
	case action == "*" && effect == model.Allow:
		found.sayAt(model.Warning, pointer, "name the actions that it needs", "the function may do everything in the account")
	case action == "*":
	case form == nil:
		found.say(pointer, "write SERVICE:Action, such as ses:SendEmail", "%s is not an action", phrase.Quote(action))
	case !slices.Contains(services, strings.ToLower(form[1])):
		near, longer := spelling.Nearest(form[1], services), func(s string) bool { return strings.HasPrefix(s, form[1]+"-") }
		if at := slices.IndexFunc(services, longer); near == "" && at >= 0 {
			near = services[at]
		}
		if near != "" {
			found.sayAt(model.Warning, pointer, "did you mean "+near+"?", "%s names no known service",
				phrase.Quote(action))
		}
	default:
		if near := rights.Meant(action); near != "" {
			found.sayAt(model.Warning, pointer, "did you mean "+near+"?", "no service has the action %s", phrase.Quote(action))
		}
	}
}

// services are the prefixes of the actions of services that functions often use, for the spelling; of two
// that begin alike the more usual one is first. See
// https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
var services = []string{
	"apigateway", "appconfig", "appsync", "athena", "bedrock", "cloudformation", "cloudfront", "cloudwatch",
	"cognito-idp", "cognito-identity", "comprehend", "dynamodb", "ec2", "ecs", "es", "events", "execute-api", "firehose",
	"geo", "glue", "iam", "iot",
	"kinesis", "kms", "lambda", "lex", "logs", "mediaconvert", "mobiletargeting", "polly", "rds", "rds-data", "rds-db",
	"redshift", "rekognition", "route53", "s3", "scheduler", "secretsmanager", "ses", "sns", "sqs", "ssm", "states", "sts",
	"textract", "transcribe", "translate", "xray",
}

// checkResources checks the ARNs of a statement, and what they refer to.
func (c *Checker) checkResources(found *findings, pointer string, resources []string) {
	for _, resource := range resources {
		unknown := false
		arn := rights.Expand(resource, func(name string) string {
			kind, of, _ := strings.Cut(name, "/")
			switch {
			case name == "AWS::Region", name == "AWS::AccountId", name == "AWS::Partition", name == model.EnvVariable:
				return "x"
			case name == "pool" && !c.UsesUserPool() && c.Defines(model.KindAuth):
				found.sayAt(model.Warning, pointer, "define one with: gatewright update auth", "the project has no user pool")
			case name == "pool", name == "storage" && c.Storage != nil:
			case slices.Contains([]string{"table", "function", "api"}, kind) && of != "":
				found.add(c.reference(found.of, pointer, model.Kind(kind), of)...)
			case kind == "stream" && of != "":
				found.add(c.reference(found.of, pointer, model.KindTable, of)...)
			default:
				unknown = true
			}
			return "arn:aws:x:x:x:x"
		})
		const names = "refer to table/NAME, function/NAME, api/NAME, pool, storage, ENV, AWS::Region, AWS::AccountId or " +
			"AWS::Partition in ${}"
		switch {
		case unknown:
			found.say(pointer, names, "%s refers to something that no deployment provides", phrase.Quote(resource))
		case resource != "*" && !resourceForm().MatchString(arn):
			found.say(pointer, "write *, an ARN, or a reference such as ${table/items}", "%s is not a resource",
				phrase.Quote(resource))
		}
	}
}

// AccessFlags are the flags for the access that a function has, and for more: together they replace
// the list.
func AccessFlags(f *model.Function, more model.ResourceAccess) string {
	list := slices.Clone(f.Access)
	if at := slices.IndexFunc(list, func(a model.ResourceAccess) bool { return a.Resource == more.Resource }); at >= 0 {
		list[at].Actions |= more.Actions
	} else {
		list = append(list, more)
	}
	var flags strings.Builder
	for _, a := range list {
		flags.WriteString(" --access " + model.ShellWord(a.Resource+"="+strings.ReplaceAll(a.Actions.String(), ", ", ",")))
	}
	return flags.String()
}

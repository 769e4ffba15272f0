package amplify

import (
	"encoding/json"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/text/lazyregexp"
	"gatewright/model"
)

// emptyOverride is an override as the Amplify CLI makes it, without its spaces; mediaTypes sets binary media
// types.
var (
	emptyOverride = lazyregexp.New(`^(import\{[^}]*\}from["'][^"']*["'];?)*exportfunctionoverride\([^{}]*\)\{\}$`)
	mediaTypes    = lazyregexp.New(`resources\.restApi(\.binaryMediaTypes=\[[^\]]*\]|` +
		`\.addPropertyOverride\(["'\x60]BinaryMediaTypes["'\x60],\[[^\]]*\]\));?`)
)

func codeMeaning(source string) string {
	code := strings.Join(strings.Fields(withoutComments(source)), "")
	if emptyOverride().MatchString(mediaTypes().ReplaceAllString(code, "")) {
		return ""
	}
	return code
}

// jsonFacts are what a JSON text has of a value, to which it points.
func jsonFacts(file, text string, value any) []Fact {
	if json.Unmarshal([]byte(text), value) != nil {
		return []Fact{{File: file, Word: strings.Join(strings.Fields(text), " ")}}
	}
	again, _ := json.Marshal(value)
	return []Fact{{File: file, Word: string(again)}}
}

// The parts of a schema: what says nothing of access, lists of arguments, where a type begins, types with
// operations, and fields that are for anyone who may have their type.
var (
	besideSchema = lazyregexp.New(`(?s)""".*?"""|#[^\n]*|,|` +
		`@(index|hasMany|hasOne|belongsTo|manyToMany|connection|default|primaryKey|key)\b(\([^()]*\))?`)
	arguments  = lazyregexp.New(`\([^()]*\)`)
	schemaType = lazyregexp.New(`\b(type|interface|input|enum|union|scalar|schema) (\w|{)`)
	operations = lazyregexp.New(`type\s+(Query|Mutation|Subscription)\b[^{]*\{[^}]*\}`)
	plainField = lazyregexp.New(`(?m)^[ \t]*\w+([ \t]*:[ \t]*[\[\]!\w]+)?[ \t\r]*$`)
)

// schemaFacts are the types of a schema that directives say something of, and those with operations.
func schemaFacts(file, text string) (facts []Fact) {
	text = arguments().ReplaceAllStringFunc(besideSchema().ReplaceAllString(text, ""), func(list string) string {
		return strings.Join(strings.Fields(list), " ")
	})
	text = plainField().ReplaceAllString(text, "") + strings.Join(operations().FindAllString(text, -1), "\n")
	text = strings.Join(strings.Fields(text), " ")
	for word := range strings.SplitSeq(schemaType().ReplaceAllString(text, "\n$1 $2"), "\n") {
		if strings.Contains(word, "@") || operations().MatchString(word) {
			facts = append(facts, Fact{File: file, Word: strings.TrimSpace(word)})
		}
	}
	return facts
}

// readTypes are the resources of a template that open nothing by themselves, readOfFunctions those of a function
// that are compared.
var (
	readTypes = lazyregexp.New(`^AWS::(Lambda::(EventSourceMapping|Version|Alias|LayerVersion)|Events::Rule|` +
		`Logs::LogGroup|SQS::Queue|DynamoDB::Table|CloudWatch::Alarm|CloudFormation::Wait.*|Amplify::Branch)$`)
	readOfFunctions = lazyregexp.New(`^AWS::(IAM::(Role|Policy|ManagedPolicy|RolePolicy)|` +
		`Lambda::(Permission|Url))$`)
)

// templateFacts are the resources of a template that are not read. AllowAdminCreateUserOnly is in
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-properties-cognito-userpool-admincreateuserconfig.html
func (p *Project) templateFacts(category, resource, file, text string) (facts []Fact) {
	template, err := cfn.Parse(file, []byte(text))
	if err != nil {
		return []Fact{{File: file, Word: text}}
	}
	if n := template.Root.Get("Transform"); n != nil {
		facts = append(facts, Fact{File: file, Word: string(n.Minified())})
	}
	if n := template.Root.Get("Resources"); n != nil {
		for _, m := range n.Members {
			if strings.HasPrefix(m.Name, "Fn::") {
				facts = append(facts, Fact{File: file, Word: m.Name + string(m.Value.Minified())})
			}
		}
	}
	for _, e := range append([]*model.Environment{{}}, p.Backend.Environments...) {
		given := cfn.Given{Parameters: make(map[string]cfn.Value)}
		for parameter, value := range p.Parameters(category, resource, e.Name) {
			given.Parameters[parameter] = cfn.Text(value)
		}
		facts = append(facts, resourceFacts(category, file, template, given)...)
	}
	return facts
}

func resourceFacts(category, file string, template *cfn.Template, given cfn.Given) (facts []Fact) {
	for _, r := range template.Resources() {
		only := template.With(given).Resolve(r.Properties.Get("AdminCreateUserConfig", "AllowAdminCreateUserOnly"))
		if r.Type == "AWS::Cognito::UserPool" && (!only.Known() || only.Text != "true") {
			facts = append(facts, Fact{File: file, Frame: "anyone may now sign up to the user pool; before, only " +
				"administrators could create users"})
		}
		properties := r.Properties
		if r.Type == "AWS::Lambda::Function" {
			// What a role of the same template may do is compared by itself.
			if properties = properties.Get("Role"); properties.Get("Fn::GetAtt") != nil {
				properties = nil
			}
		}
		if readTypes().MatchString(r.Type) || category == "function" && readOfFunctions().MatchString(r.Type) {
			properties = properties.Get("ResourcePolicy")
		}
		if properties != nil {
			facts = append(facts, Fact{File: file, Word: r.Type + template.Exact(template.With(given).Resolve(properties)) +
				r.Condition + template.Definitions(r.Condition)})
		}
	}
	return facts
}

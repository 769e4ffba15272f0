package deploy

import (
	"strings"

	"gatewright/cfn"
	"gatewright/model"
)

// amplifyValues are the values that an Amplify CLI project's templates get in a
// deployment, with the local things in place of the cloud's. A parameter of a function's
// template is named after what it comes from: category, resource and attribute, such as
// storagetodosName.
type amplifyValues struct {
	x      *specMaker
	byName map[string]string
}

// amplifyValues collects the values of all local things of the project.
func (x *specMaker) amplifyValues() *amplifyValues {
	v := &amplifyValues{x: x, byName: make(map[string]string)}
	region, account, env := x.environment.Region, x.environment.AccountID, x.environment.Name
	put := func(category, resource, attribute, value string) {
		if value != "" {
			v.byName[category+resource+attribute] = value
		}
	}
	arn := func(service, resource string) string {
		return strings.Join([]string{"arn:aws", service, region, account, resource}, ":")
	}
	for _, t := range x.backend.Tables {
		name := t.DeployedName(env)
		put("storage", t.Name, "Name", name)
		put("storage", t.Name, "Arn", arn("dynamodb", "table/"+name))
		put("storage", t.Name, "StreamArn", arn("dynamodb", "table/"+name+"/stream/local"))
		put("storage", t.Name, "Region", region)
		put("storage", t.Name, "PartitionKeyName", t.PartitionKey.Name)
		put("storage", t.Name, "PartitionKeyType", keyLetter(t.PartitionKey.Type))
		put("storage", t.Name, "SortKeyName", t.SortKey.Name)
		put("storage", t.Name, "SortKeyType", keyLetter(t.SortKey.Type))
	}
	for _, f := range x.backend.Functions {
		name := x.amplifyFunctionName(f)
		put("function", f.Name, "Name", name)
		put("function", f.Name, "Arn", arn("lambda", "function:"+name))
		put("function", f.Name, "Region", region)
		put("function", f.Name, "LambdaExecutionRole", name+"-role")
		put("function", f.Name, "LambdaExecutionRoleArn", "arn:aws:iam::"+account+":role/"+name+"-role")
	}
	for _, name := range x.project.AmplifyLayers() {
		put("function", name, "Arn", arn("lambda", "layer:"+name))
	}
	for _, endpoint := range x.record.APIs {
		put("api", endpoint.API, "ApiId", endpoint.ID)
		put("api", endpoint.API, "ApiName", endpoint.API)
		put("api", endpoint.API, "RootUrl", endpoint.URL)
	}
	if p := x.environment.Pool; p != nil {
		for _, name := range x.project.AmplifyResources("auth") {
			put("auth", name, "UserPoolId", p.UserPoolID)
			put("auth", name, "UserPoolArn", arn("cognito-idp", "userpool/"+p.UserPoolID))
			put("auth", name, "UserPoolName", name+"-"+env)
			put("auth", name, "AppClientID", p.ClientID)
			put("auth", name, "AppClientIDWeb", p.ClientID)
			put("auth", name, "IdentityPoolId", p.IdentityPoolID)
			put("auth", name, "IdentityPoolName", name+"-"+env)
		}
	}
	v.addCloudThings(put)
	return v
}

// addCloudThings adds the names of buckets and GraphQL APIs, which the sandbox does not
// serve: code that only passes them on works, and a request to them is refused by name.
func (v *amplifyValues) addCloudThings(put func(category, resource, attribute, value string)) {
	x := v.x
	for _, bucket := range x.project.AmplifyBuckets() {
		name := bucket.Name + x.project.AmplifyStackNumber(x.environment.Name) + "-" + x.environment.Name
		put("storage", bucket.Resource, "BucketName", name)
		put("storage", bucket.Resource, "Region", x.environment.Region)
	}
	for _, name := range x.project.AmplifyGraphQLAPIs() {
		id := strings.ToLower(name)
		put("api", name, "GraphQLAPIIdOutput", id)
		put("api", name, "GraphQLAPIEndpointOutput", "https://"+id+".appsync-api."+x.environment.Region+".amazonaws.com/graphql")
		put("api", name, "GraphQLAPIKeyOutput", "da2-local")
	}
}

func keyLetter(t model.KeyType) string {
	if t == "" {
		return ""
	}
	return strings.ToUpper(string(t[:1]))
}

// given returns what a function's template is resolved against: the values of the
// deployment, those of the user, and pseudo parameters
// (https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/pseudo-parameter-reference.html).
func (v *amplifyValues) given(function string) cfn.Given {
	x := v.x
	parameters := make(map[string]cfn.Value)
	put := func(name, value string) { parameters[name] = cfn.Text(value) }
	for name, value := range v.byName {
		put(name, value)
	}
	put("env", x.environment.Name)
	put("deploymentBucketName", "local")
	put("s3Key", "local")
	put("secretsPathAmplifyAppId", firstText(x.project.Backend.Project.ApplicationID, "local"))
	for name, value := range x.project.AmplifyParameters("function", function, x.environment.Name) {
		put(name, value)
	}
	for name, value := range x.secrets.values {
		if _, known := parameters[name]; !known {
			put(name, value)
		}
	}
	for name, value := range x.set {
		put(name, value)
	}
	return cfn.Given{
		Parameters: parameters,
		Pseudo: map[string]string{
			"AWS::Region": x.environment.Region, "AWS::AccountId": x.environment.AccountID, "AWS::Partition": "aws", "AWS::URLSuffix": "amazonaws.com",
			"AWS::StackName": firstText(x.project.AmplifyStack(x.environment.Name), "local"),
		},
		Reference: func(r *cfn.Resource) (string, bool) {
			if isFunction(r) {
				return v.byName["function"+function+"Name"], true
			}
			return "", false
		},
		Attribute: func(r *cfn.Resource, attribute string) (string, bool) {
			if isFunction(r) && attribute == "Arn" {
				return v.byName["function"+function+"Arn"], true
			}
			return "", false
		},
		Import: func(name string) (string, bool) { return v.graphQLTable(name) },
	}
}

// graphQLTable returns the name that a table of a GraphQL API has in the cloud, for the
// name of its export, such as API:GetAtt:TodoTable:Name.
func (v *amplifyValues) graphQLTable(export string) (string, bool) {
	parts := strings.Split(export, ":")
	if len(parts) != 4 || parts[1] != "GetAtt" || parts[3] != "Name" {
		return "", false
	}
	table, ok := strings.CutSuffix(parts[2], "Table")
	if !ok {
		return "", false
	}
	return table + "-" + parts[0] + "-" + v.x.environment.Name, true
}

func firstText(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// amplifyFunctionName returns the name of a deployed function.
func (x *specMaker) amplifyFunctionName(f *model.Function) string {
	template := x.project.AmplifyTemplate("function", f.Name)
	if template == nil {
		return f.DeployedName()
	}
	for _, r := range template.Resources() {
		if !isFunction(&r) {
			continue
		}
		given := cfn.Given{Parameters: map[string]cfn.Value{"env": cfn.Text(x.environment.Name)}}
		if name, known := template.With(given).Resolve(r.Properties.Get("FunctionName")).String(); known && name != "" {
			return name
		}
	}
	return f.DeployedName() + "-" + x.environment.Name
}

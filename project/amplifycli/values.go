package amplifycli

import (
	"cmp"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
)

// Deployment is what templates are worked out for: an environment, and what the things of the
// project are called in it.
type Deployment struct {
	// Environment is the name of the environment, for its parameters.
	Environment string
	// Name, Region and Account are what the values have of it. Name is Environment, except for a
	// caller that looks for its place in values; without one, what it decides is unknown.
	Name, Region, Account string
	APIs                  []API
	// Pool is nil if there is no user pool.
	Pool *Pool
	// WithoutSecrets leaves out the values of parameters that a template marks as secret
	// (NoEcho, https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/parameters-section-structure.html).
	WithoutSecrets bool
	// Symbols lets what only a deployment knows stand as ${NAME} in texts, also its name if Name is "".
	Symbols bool
	// Given are values for parameters without any, Set values for parameters and those before all others.
	Given, Set map[string]string
}

// environmentSymbol is the parameter that has the name of an environment.
const environmentSymbol = "${env}"

// API is a REST API as it is deployed.
type API struct{ Label, ID, URL string }

// Pool are the ids of the user pool, of its client, and of the identity pool.
type Pool struct{ UserPoolID, ClientID, NativeClientID, IdentityPoolID string }

// Values are the values that the templates of a project get in a deployment. A parameter of a function's template is
// named after what it comes from: category, resource and attribute, such as storagetodosName.
type Values struct {
	// ByName are the values of the things of the project.
	ByName map[string]string

	project    *project.Project
	deployment Deployment
	functions  map[string]*Function
}

// ValuesOf collects the values of the things of a project. backend is what the environment has
// of it (model.Backend.For).
func ValuesOf(p *project.Project, backend *model.Backend, d Deployment) *Values {
	v := &Values{ByName: make(map[string]string), project: p, deployment: d, functions: make(map[string]*Function)}
	put := func(category, resource, attribute, value string) {
		if value != "" {
			v.ByName[category+resource+attribute] = value
		}
	}
	if d.Symbols {
		d.Name = cmp.Or(d.Name, environmentSymbol)
		d.Region, d.Account = "${AWS::Region}", "${AWS::AccountId}"
		v.deployment = d
	}
	arn := func(service, resource string) string {
		return strings.Join([]string{"arn:aws", service, d.Region, d.Account, resource}, ":")
	}
	for _, t := range backend.Tables {
		name := t.DeployedName(d.Name)
		put("storage", t.Name, "Name", name)
		put("storage", t.Name, "Arn", arn("dynamodb", "table/"+name))
		put("storage", t.Name, "StreamArn", arn("dynamodb", "table/"+name+"/stream/local"))
		put("storage", t.Name, "Region", d.Region)
		put("storage", t.Name, "PartitionKeyName", t.PartitionKey.Name)
		put("storage", t.Name, "PartitionKeyType", keyLetter(t.PartitionKey.Type))
		put("storage", t.Name, "SortKeyName", t.SortKey.Name)
		put("storage", t.Name, "SortKeyType", keyLetter(t.SortKey.Type))
	}
	for _, f := range backend.Functions {
		name := v.functionName(f)
		put("function", f.Name, "Name", name)
		put("function", f.Name, "Arn", arn("lambda", "function:"+name))
		put("function", f.Name, "Region", d.Region)
		put("function", f.Name, "LambdaExecutionRole", name+"-role")
		put("function", f.Name, "LambdaExecutionRoleArn", "arn:aws:iam::"+d.Account+":role/"+name+"-role")
	}
	for _, name := range p.Amplify.Layers() {
		put("function", name, "Arn", arn("lambda", "layer:"+name))
	}
	for _, api := range d.APIs {
		put("api", api.Label, "ApiId", api.ID)
		put("api", api.Label, "ApiName", api.Label)
		put("api", api.Label, "RootUrl", api.URL)
	}
	if pool := d.Pool; pool != nil {
		for _, name := range p.Amplify.Resources("auth") {
			put("auth", name, "UserPoolId", pool.UserPoolID)
			put("auth", name, "UserPoolArn", arn("cognito-idp", "userpool/"+pool.UserPoolID))
			put("auth", name, "UserPoolName", name+"-"+d.Name)
			put("auth", name, "AppClientID", pool.NativeClientID)
			put("auth", name, "AppClientIDWeb", pool.ClientID)
			put("auth", name, "IdentityPoolId", pool.IdentityPoolID)
			put("auth", name, "IdentityPoolName", name+"-"+d.Name)
		}
	}
	v.addCloudThings(put)
	return v
}

// addCloudThings adds the names of buckets and GraphQL APIs, which the sandbox does not
// serve: code that only passes them on works, and a request to them is refused by name.
func (v *Values) addCloudThings(put func(category, resource, attribute, value string)) {
	d := v.deployment
	for _, bucket := range v.project.Amplify.Buckets() {
		number := ""
		if !d.Symbols {
			number = v.project.Amplify.StackNumber(d.Environment)
		}
		put("storage", bucket.Resource, "BucketName", bucket.Name+number+"-"+d.Name)
		put("storage", bucket.Resource, "Region", d.Region)
	}
	for _, name := range v.project.Amplify.GraphQLAPIs() {
		id := strings.ToLower(name)
		put("api", name, "GraphQLAPIIdOutput", id)
		put("api", name, "GraphQLAPIEndpointOutput", "https://"+id+".appsync-api."+d.Region+".amazonaws.com/graphql")
		put("api", name, "GraphQLAPIKeyOutput", "da2-local")
	}
}

func keyLetter(t model.KeyType) string {
	if t == "" {
		return ""
	}
	return strings.ToUpper(string(t[:1]))
}

// given returns what a function's template is resolved against: the values of the deployment, those of the user, and
// pseudo parameters (https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/pseudo-parameter-reference.html).
func (v *Values) given(function string) cfn.Given {
	d := v.deployment
	parameters := make(map[string]cfn.Value)
	put := func(name, value string) { parameters[name] = cfn.Text(value) }
	for name, value := range v.ByName {
		put(name, value)
	}
	if d.Name != "" && d.Name != environmentSymbol {
		put("env", d.Name)
	}
	put("deploymentBucketName", "local")
	put("s3Key", "local")
	put("secretsPathAmplifyAppId", cmp.Or(v.project.Backend.Project.ApplicationID, "local"))
	for name, value := range v.project.Amplify.Parameters("function", function, d.Environment) {
		put(name, value)
	}
	for name, value := range d.Given {
		if _, known := parameters[name]; !known {
			put(name, value)
		}
	}
	for name, value := range d.Set {
		put(name, value)
	}
	if template := v.project.Amplify.Template("function", function); template != nil {
		for _, p := range template.Parameters() {
			why := ""
			if _, known := parameters[p.Name]; !known && p.Default != nil && p.Default.Text == p.Name {
				// The CLI gives it what another resource has. Such a default stands for nothing.
				why = " has no value"
			}
			if d.WithoutSecrets && p.NoEcho {
				// Even a default is not for a definition.
				why = " is a secret"
			}
			if why != "" {
				parameters[p.Name] = cfn.Value{
					Kind: cfn.String, Text: "*", Unknown: []cfn.Unknown{{What: "the parameter " + phrase.Quote(p.Name) + why}},
				}
			}
		}
	}
	pseudo := map[string]string{"AWS::Partition": "aws", "AWS::URLSuffix": "amazonaws.com"}
	if !d.Symbols {
		pseudo["AWS::Region"], pseudo["AWS::AccountId"] = d.Region, d.Account
		pseudo["AWS::StackName"] = cmp.Or(v.project.Amplify.Stack(d.Environment), "local")
	}
	return cfn.Given{
		Parameters: parameters, Pseudo: pseudo, Symbols: d.Symbols,
		Reference: func(r *cfn.Resource) (string, bool) {
			if isFunction(r) {
				return v.ByName["function"+function+"Name"], true
			}
			return "", false
		},
		Attribute: func(r *cfn.Resource, attribute string) (string, bool) {
			if isFunction(r) && attribute == "Arn" {
				return v.ByName["function"+function+"Arn"], true
			}
			return "", false
		},
		Import: func(name string) (string, bool) { return v.graphQLTable(name) },
	}
}

// graphQLTable returns the name that a table of a GraphQL API has in the cloud, for the
// name of its export, such as API:GetAtt:TodoTable:Name.
func (v *Values) graphQLTable(export string) (string, bool) {
	parts := strings.Split(export, ":")
	if len(parts) != 4 || parts[1] != "GetAtt" || parts[3] != "Name" {
		return "", false
	}
	table, ok := strings.CutSuffix(parts[2], "Table")
	if !ok {
		return "", false
	}
	return table + "-" + parts[0] + "-" + v.deployment.Name, true
}

// functionName returns the name of a deployed function.
func (v *Values) functionName(f *model.Function) string {
	template := v.project.Amplify.Template("function", f.Name)
	if template == nil {
		return f.DeployedName()
	}
	for _, r := range template.Resources() {
		if !isFunction(&r) {
			continue
		}
		given := cfn.Given{Parameters: map[string]cfn.Value{"env": cfn.Text(v.deployment.Name)}}
		if name, known := template.With(given).Resolve(r.Properties.Get("FunctionName")).String(); known && name != "" {
			return name
		}
	}
	return f.DeployedName() + "-" + v.deployment.Name
}

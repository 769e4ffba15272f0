package deploy

import (
	"strings"

	"gatewright/model"
)

// TableName returns the deployed name of a table of a backend in an environment.
func TableName(b *model.Backend, table, environment string) string {
	if t := b.Table(table); t != nil {
		return t.DeployedName(environment)
	}
	return (&model.Table{Name: table}).DeployedName(environment)
}

// resources returns the variables that describe the resources which a function may use
// (ResourceAccess). Their names are KIND_RESOURCE_WHAT in capitals, such as
// TABLE_ITEMS_NAME, similar to those of the Amplify CLI; WHAT is
//
//	table     NAME (the table's as deployed), ARN, REGION
//	api       NAME (the label), ID, URL, ARN, REGION
//	function  NAME (the deployed function's), ARN, REGION
//	storage   NAME (the bucket's), ARN, REGION
//
// The function of a table also has TABLE_NAME and TABLE_REGION, which its
// template reads (render/handler).
func (x *specMaker) resources(f *model.Function) map[string]string {
	variables := make(map[string]string)
	region, account, environment := x.environment.Region, x.environment.AccountID, x.environment.Name
	if f.Table != "" {
		variables["TABLE_NAME"], variables["TABLE_REGION"] = TableName(x.backend, f.Table, environment), region
	}
	for _, a := range f.Access {
		kind, name, _ := strings.Cut(a.Resource, "/")
		prefix := variableName(kind) + "_" + variableName(name) + "_"
		put := func(what, value string) {
			if value != "" {
				variables[prefix+what] = value
			}
		}
		arn := func(service, account, resource string) {
			put("ARN", strings.Join([]string{"arn:aws", service, region, account, resource}, ":"))
			put("REGION", region)
		}
		switch model.Kind(kind) {
		case model.KindTable:
			put("NAME", TableName(x.backend, name, environment))
			arn("dynamodb", account, "table/"+TableName(x.backend, name, environment))
		case model.KindFunction:
			deployed := name
			if other := x.backend.Function(name); other != nil {
				deployed = other.DeployedName()
			}
			put("NAME", deployed)
			arn("lambda", account, "function:"+deployed)
		case model.KindAPI:
			for _, endpoint := range x.record.APIs {
				if endpoint.API == name {
					put("NAME", name)
					put("ID", endpoint.ID)
					put("URL", endpoint.URL)
					arn("execute-api", account, endpoint.ID+"/"+environment)
				}
			}
		case model.KindStorage:
			if s := x.backend.Storage; s != nil && s.BucketName != "" {
				put("NAME", s.BucketName)
				put("ARN", "arn:aws:s3:::"+s.BucketName)
				put("REGION", s.Region)
			}
		}
	}
	return variables
}

// variableName returns a name as a part of a variable's name: "my-items.old" becomes
// MY_ITEMS_OLD.
func variableName(name string) string {
	return strings.Map(func(r rune) rune {
		if isPlain(r) {
			return r
		}
		return '_'
	}, strings.ToUpper(name))
}

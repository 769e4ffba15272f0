package live

import (
	"strings"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/model/rights"
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
	region, environment := x.environment.Region, x.environment.Name
	if f.Table != "" {
		variables[model.TableNameVariable],
			variables[model.TableRegionVariable] = TableName(x.backend, f.Table, environment), region
	}
	for _, a := range f.Access {
		kind, name, _ := strings.Cut(a.Resource, "/")
		prefix := model.ResourcePrefix(a.Resource)
		put := func(what, value string) {
			if value != "" {
				variables[prefix+what] = value
			}
		}
		arn := x.arnOf(a.Resource)
		switch model.Kind(kind) {
		case model.KindTable:
			put("NAME", TableName(x.backend, name, environment))
		case model.KindFunction:
			put("NAME", x.deployedName(name))
			arn = strings.TrimSuffix(arn, "-"+environment)
		case model.KindAPI:
			for _, endpoint := range x.record.APIs {
				if endpoint.API == name {
					put("NAME", name)
					put("ID", endpoint.ID)
					put("URL", endpoint.URL)
					put("ARN", arn+"/"+environment)
					put("REGION", region)
				}
			}
			continue
		case model.KindStorage:
			if s := x.backend.Storage; s != nil && s.BucketName != "" {
				put("NAME", s.BucketName)
				put("ARN", arn)
				put("REGION", s.Region)
			}
			continue
		default:
			continue
		}
		put("ARN", arn)
		put("REGION", region)
	}
	return variables
}

// grants are the statements of the role of a function: what its definition says, or in an Amplify CLI
// project the policies of its template, with all of a service that the sandbox has and of which they
// allow nothing. That, and what else they leave open, is told when it is used.
func (x *specMaker) grants(f *model.Function) (all []cfn.Statement) {
	if a := x.amplifyFunction(f); a != nil {
		all = x.amplifyGrants(a)
	} else {
		all = rights.Judged(x.backend, f, x.arnOf)
	}
	account := x.environment.AccountID
	if x.project.Amplify.Account(x.environment.Name) != "" {
		account = "" // it is known
	}
	return rights.Anywhere(x.backend, all, x.environment.Region, account)
}

// arnOf is what a reference of a statement stands for here; the reference itself if there is no such
// thing.
func (x *specMaker) arnOf(name string) string {
	kind, of, _ := strings.Cut(name, "/")
	arn := func(service, resource string) string {
		return model.ARN(service, x.environment.Region, x.environment.AccountID, resource)
	}
	switch kind {
	case "AWS::Partition":
		return "aws"
	case "AWS::Region":
		return x.environment.Region
	case "AWS::AccountId":
		return x.environment.AccountID
	case model.EnvVariable:
		return x.environment.Name
	case "api":
		for _, endpoint := range x.record.APIs {
			if endpoint.API == of {
				return arn("execute-api", endpoint.ID)
			}
		}
	case "pool":
		if x.environment.Pool != nil {
			return x.pools()[model.UserPoolARNVariable]
		}
	}
	if known := rights.ARN(x.backend, name); known != "" {
		return rights.Expand(known, x.arnOf)
	}
	return model.Refer(name)
}

// deployedName returns the name of a deployed function by its resource name.
func (x *specMaker) deployedName(name string) string {
	if other := x.backend.Function(name); other != nil {
		return other.DeployedName()
	}
	return name
}

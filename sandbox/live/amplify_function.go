package live

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"gatewright/deploy/secretfile"
	"gatewright/internal/cfn"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project/amplifycli"
	"gatewright/sandbox/cloud"
)

// amplifyFunction is a function of an Amplify CLI project as its template makes it; nil if it
// has none.
func (x *specMaker) amplifyFunction(f *model.Function) *amplifycli.Function {
	if x.backend.Defines(model.KindFunction) {
		return nil
	}
	if x.amplify == nil {
		x.amplify = x.amplifyValues()
	}
	return x.amplify.Function(f.Name)
}

// amplifyValues are the values of templates, with the local things instead of the cloud's.
func (x *specMaker) amplifyValues() *amplifycli.Values {
	d := amplifycli.Deployment{
		Environment: x.environment.Name, Name: x.environment.Name, Region: x.environment.Region,
		Account: x.environment.AccountID,
		Given:   x.secrets.Values, Set: x.set,
	}
	for _, endpoint := range x.record.APIs {
		d.APIs = append(d.APIs, amplifycli.API{Label: endpoint.API, ID: endpoint.ID, URL: endpoint.URL})
	}
	if p := x.environment.Pool; p != nil {
		d.Pool = &amplifycli.Pool{
			UserPoolID: p.UserPoolID, ClientID: p.ClientID, NativeClientID: cmp.Or(p.NativeClientID, p.ClientID),
			IdentityPoolID: p.IdentityPoolID,
		}
	}
	return amplifycli.ValuesOf(x.project, x.backend, d)
}

// amplifyMissing returns the warnings about variables without a value, and about secrets
// without one: a variable has the name of such a secret's parameter.
func amplifyMissing(a *amplifycli.Function, given map[string]string, s secretfile.Secrets) []string {
	return append(missingVariables(a, given, s), missingAmplifySecrets(a, s)...)
}

func missingAmplifySecrets(a *amplifycli.Function, s secretfile.Secrets) []string {
	var names []string
	for _, value := range a.Variables {
		if name, is := cloud.AmplifySecret(a.Name, value); is && s.Values[name] == "" && s.Values[value] == "" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	return []string{fmt.Sprintf("reads the %s %s, which has no local value; write it into %s as {\"%s\": \"value\"}",
		plural(len(names), "secret", "secrets"), phrase.QuoteList(names), s.File, names[0])}
}

func missingVariables(a *amplifycli.Function, given map[string]string, s secretfile.Secrets) []string {
	var names []string
	why := ""
	for _, u := range a.Unknown {
		if _, known := given[u.Name]; !known {
			names = append(names, u.Name)
			if why == "" {
				why = u.Why
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("runs without the %s %s (%s); write it into %s as {\"%s\": \"value\"}, or give "+
		"--set %s=VALUE",
		plural(len(names), "variable", "variables"), phrase.QuoteList(names), why, s.File, names[0], names[0])}
}

// layers returns the folders of a function's layers: those of the project's own layers,
// and the ARNs of others.
func (x *specMaker) amplifyLayers(a *amplifycli.Function) []string {
	node := a.Resource.Properties.Get("Layers")
	if node == nil {
		return nil
	}
	var layers []string
	for i := range node.Items {
		value := a.Resolver.Resolve(node.Items[i])
		text := value.Pattern()
		name := x.amplify.Layer(text)
		if name == "" {
			layers = append(layers, text)
			continue
		}
		folder := filepath.Join(functionFolder(x.project), name)
		// Lambda merges both below /opt.
		for _, part := range []string{"lib", "opt"} {
			place := filepath.Join(folder, part)
			if info, err := os.Stat(place); err == nil && info.IsDir() && isInside(x.project.Root, place) {
				layers = append(layers, place)
			}
		}
	}
	return layers
}

// amplifyGrants are the statements of the policies of a function's template and its custom policies. What
// they leave open, such as a service of which they say nothing, is allowed, and told when it is used.
func (x *specMaker) amplifyGrants(a *amplifycli.Function) []cfn.Statement {
	grants := slices.Clone(a.Statements)
	if a.Beyond != "" {
		grants = append(grants,
			cfn.Statement{Effect: model.Allow, Actions: []string{"*"}, Resources: []string{"*"}, Partly: true})
	}
	for _, service := range []string{"dynamodb", "lambda", "cognito-idp", "ssm", "secretsmanager"} {
		if cfn.Speaks(a.Statements, service) {
			continue
		}
		open := cfn.Statement{Effect: model.Allow, Actions: []string{service + ":*"}, Resources: []string{"*"}, Partly: true}
		if service == "dynamodb" {
			open.Resources = nil
			for _, t := range x.backend.Tables {
				arn := x.arnOf("table/" + t.Name)
				open.Resources = append(open.Resources, arn, arn+"/index/*")
			}
		}
		grants = append(grants, open)
	}
	return grants
}

package live

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"gatewright/deploy/secretfile"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project/amplifycli"
	"gatewright/sandbox"
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

// amplifyValues are the values of templates, with the local things in place of the cloud's.
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
		d.Pool = &amplifycli.Pool{UserPoolID: p.UserPoolID, ClientID: p.ClientID, IdentityPoolID: p.IdentityPoolID}
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
	return []string{fmt.Sprintf("reads the %s %s, without a value here; write it into %s as {\"%s\": \"value\"}",
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

// amplifyGrants returns what a function may do with the project's tables, by the policies
// of its template and its custom policies. What they leave open, such as a policy that
// names no table, is allowed, and told when it is used.
func (x *specMaker) amplifyGrants(a *amplifycli.Function) []sandbox.Grant {
	grants, said := ruleGrants(a, "dynamodb")
	if said {
		return grants
	}
	for _, t := range x.backend.Tables {
		grants = append(grants,
			sandbox.Grant{Table: t.DeployedName(x.environment.Name), Actions: access.EveryAction, Assumed: true})
	}
	return grants
}

// amplifyCallGrants returns which functions a function may call, as amplifyGrants does for
// tables.
func amplifyCallGrants(a *amplifycli.Function) []sandbox.Grant {
	grants, said := ruleGrants(a, "lambda")
	if said {
		return grants
	}
	return append(grants,
		sandbox.Grant{Operations: []string{sandbox.InvokeFunction}, Resources: []string{"*"}, Assumed: true})
}

// ruleGrants returns the grants of the policies of a function for a service. said reports
// whether they allow anything of it.
func ruleGrants(a *amplifycli.Function, service string) (grants []sandbox.Grant, said bool) {
	rules, said := a.Rules(service)
	for _, r := range rules {
		grants = append(grants,
			sandbox.Grant{Operations: r.Operations, Resources: r.Resources, Denied: r.Denied, Assumed: r.Assumed})
	}
	return grants, said
}

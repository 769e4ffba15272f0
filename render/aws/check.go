package aws

import (
	"fmt"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
	"gatewright/model"
	"gatewright/model/access"
)

// Check finds what AWS would not accept in an environment, whatever its provider, and what
// it would treat in another way than this machine does.
func Check(b *model.Backend, env *model.Environment) []*model.Problem {
	c := &checker{b: b.For(env), env: env, region: b.Region(env)}
	c.place()
	for _, f := range c.b.Functions {
		c.function(f)
	}
	for _, t := range c.b.Tables {
		c.table(t)
	}
	for _, api := range c.b.APIs {
		c.api(api)
	}
	c.auth()
	return c.problems
}

type checker struct {
	b        *model.Backend
	env      *model.Environment
	region   string
	problems []*model.Problem
}

func (c *checker) say(level model.Level, of model.Ref, pointer, text, fix string) {
	c.problems = append(c.problems, &model.Problem{Of: of, Pointer: pointer, Text: text, Fix: fix, Level: level})
}

// place checks region and account.
func (c *checker) place() {
	of, pointer := model.Ref{Kind: model.KindEnvironment, Name: c.env.Name}, "/region"
	if c.env.Region == "" && c.b.Project.Region != "" {
		of = model.Ref{}
		pointer = ""
	}
	if !knownRegion(c.region) {
		fix := "use one such as eu-central-1 or us-east-1"
		if near := spelling.Nearest(c.region, regions); near != "" {
			fix = "did you mean " + near + "?"
		}
		c.say(model.Error, of, pointer,
			"the region "+phrase.Quote(c.region)+" of the environment "+phrase.Quote(c.env.Name)+" is not a region of AWS", fix)
	}
	if !hasUserPools(c.region) && c.b.UsesUserPool() {
		c.say(model.Error, of, pointer,
			"the region "+phrase.Quote(c.region)+" has no user pools, and paths are restricted or groups defined",
			"deploy to a region outside China, or open every path")
	}
	account := c.env.Account
	digits := strings.Trim(account, "0123456789") == ""
	if account != "" && (len(account) != 12 || !digits) {
		c.say(model.Error, model.Ref{Kind: model.KindEnvironment, Name: c.env.Name}, "/account",
			phrase.Quote(account)+" is not an AWS account", "write its 12 digits")
	}
}

// The limits of names. See https://docs.aws.amazon.com/lambda/latest/api/API_CreateFunction.html and
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html
const (
	maxFunctionName = 64
	maxTableName    = 255
)

// gatewaySeconds is how long a REST API waits for a function. See
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
const gatewaySeconds = 29

func (c *checker) function(f *model.Function) {
	of := model.Ref{Kind: model.KindFunction, Name: f.Name}
	if name := f.DeployedName() + "-" + c.env.Name; len(name) > maxFunctionName {
		c.say(model.Error, of, "/functionName",
			fmt.Sprintf("its name in the environment %s, %s, has %d characters, but a function name may have at most %d",
				phrase.Quote(c.env.Name), phrase.Quote(name), len(name), maxFunctionName),
			"shorten the function's name or the environment's")
	}
	serves := slices.ContainsFunc(c.b.APIs, func(api *access.API) bool { return slices.Contains(api.Functions(), f.Name) })
	if serves && f.Timeout > gatewaySeconds {
		c.say(model.Warning, of, "/timeout",
			fmt.Sprintf("has a timeout of %d seconds, but a REST API ends a call after %d", f.Timeout, gatewaySeconds),
			"respond sooner, or do long work in a scheduled function")
	}
	for i, layer := range f.Layers {
		parts := strings.Split(layer, ":")
		if !strings.HasPrefix(layer, "arn:") || len(parts) < 4 {
			continue
		}
		if parts[1] != Partition(c.region) || parts[3] != c.region {
			c.say(model.Error, of, fmt.Sprintf("/layers/%d", i), "the layer "+phrase.Quote(layer)+" is not in the region "+
				phrase.Quote(c.region)+" of the environment "+phrase.Quote(c.env.Name), "use the layer's ARN of that region")
		}
	}
}

// mostIndexes is how many global secondary indexes a table may have. See
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html
const mostIndexes = 20

func (c *checker) table(t *model.Table) {
	of := model.Ref{Kind: model.KindTable, Name: t.Name}
	if name := t.DeployedName(c.env.Name); len(name) > maxTableName {
		c.say(model.Error, of, "",
			fmt.Sprintf("its name in the environment %s has %d characters, but a table name may have at most %d",
				phrase.Quote(c.env.Name),
				len(name), maxTableName), "shorten the table's name")
	}
	if n := len(t.Indexes); n > mostIndexes {
		c.say(model.Error, of, "/indexes", fmt.Sprintf("has %d indexes, but a table may have at most %d", n, mostIndexes),
			"remove some, or ask AWS for a higher quota")
	}
	for i, index := range t.Indexes {
		if len(index.Name) < 3 || len(index.Name) > maxTableName {
			c.say(model.Error, of, fmt.Sprintf("/indexes/%d/name", i),
				"the index "+phrase.Quote(index.Name)+" has a name that AWS does not accept", "use 3 to 255 characters")
		}
	}
}

// usualResources is the quota of resources of a REST API, which AWS raises when asked. See
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
const usualResources = 300

func (c *checker) api(api *access.API) {
	places := make(map[string]bool)
	for _, p := range api.Paths {
		at := ""
		for _, s := range access.ReadSegments(p.Name) {
			at += "/" + s.Text
			places[at] = true
		}
		places[at+"/{proxy+}"] = true
	}
	if n := len(places) + 1; n > usualResources {
		c.say(model.Warning, model.Ref{Kind: model.KindAPI, Name: api.Label}, "",
			fmt.Sprintf("needs %d resources, but a REST API may have at most %d", n, usualResources),
			"ask AWS for a higher quota of resources per API, or split the API")
	}
}

// The limits of passwords. See
// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_PasswordPolicyType.html
const minPassword, maxPassword = 6, 99

func (c *checker) auth() {
	auth := c.b.Auth
	if auth == nil {
		return
	}
	of := model.Ref{Kind: model.KindAuth}
	if p := auth.PasswordPolicy; p != nil && p.MinLength != nil &&
		(*p.MinLength < minPassword || *p.MinLength > maxPassword) {
		c.say(model.Error, of, "/password_policy/min_length",
			fmt.Sprintf("is %d, but AWS accepts %d to %d", *p.MinLength, minPassword, maxPassword), "change it")
	}
	if slices.Contains(auth.StandardRequiredAttributes, "sub") {
		c.say(model.Error, of, "/standard_required_attributes",
			"requires sub, which the user pool sets itself", "leave it out")
	}
	if auth.OAuth == nil {
		return
	}
	prefix, _, _ := strings.Cut(auth.OAuth.Domain, ".")
	for _, word := range []string{"aws", "amazon", "cognito"} {
		if strings.Contains(prefix, word) {
			c.say(model.Error, of, "/oauth/domain",
				"has the prefix "+phrase.Quote(prefix)+", and AWS accepts none with "+word+" in it", "choose another prefix")
		}
	}
	for _, list := range []struct {
		name string
		uris []string
	}{{"redirect_sign_in_uri", auth.OAuth.RedirectSignInURI}, {"redirect_sign_out_uri", auth.OAuth.RedirectSignOutURI}} {
		for i, uri := range list.uris {
			if strings.HasPrefix(uri, "http://") && !strings.HasPrefix(uri, "http://localhost") {
				c.say(model.Error, of, fmt.Sprintf("/oauth/%s/%d", list.name, i),
					phrase.Quote(uri)+" is not encrypted, and AWS accepts http only for localhost", "use https")
			}
		}
	}
}

package amplifycli

import (
	"slices"
	"strings"

	"gatewright/internal/text/lazyregexp"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/check"
)

// variable is an environment variable of a function in each environment.
type variable struct {
	name string
	// values are by environment. One without a value is not there, and why says why.
	values map[string]string
	why    string
}

// everywhere returns the value that the variable has in all places, if it has one.
func (v *variable) everywhere(places []*place) (string, bool) {
	first, known := v.values[places[0].environment.Name]
	for _, p := range places {
		value, has := v.values[p.environment.Name]
		known = known && has && value == first
	}
	return first, known
}

// variablesOf works out the variables of a function, in the order of its template. Values refer
// to what the new project gives the function (model.Backend.Given).
func (c *converter) variablesOf(f *model.Function) []*variable {
	given := c.to.Given(f)
	if c.calledByPool(f.Name) {
		// CloudFormation cannot make the pool before the function and the function before the pool.
		for name, of := range given {
			if of == string(model.KindAuth) {
				delete(given, name)
			}
		}
	}
	var all []*variable
	for _, p := range c.places {
		here, anywhere := p.here.Function(f.Name), p.anywhere.Function(f.Name)
		if here == nil || anywhere == nil {
			continue
		}
		for _, name := range here.Names {
			at := slices.IndexFunc(all, func(v *variable) bool { return v.name == name })
			if at < 0 {
				at = len(all)
				all = append(all, &variable{name: name, values: make(map[string]string)})
			}
			v := all[at]
			text, known := here.Variables[name]
			if !known {
				v.why = here.why(name)
				continue
			}
			if other, known := anywhere.Variables[name]; known &&
				strings.ReplaceAll(other, markEnvironment, p.environment.Name) == text {
				text = other
			}
			value, unknown := written(c.referring(p, f, text), given)
			if unknown != "" {
				v.why = unknown
				continue
			}
			v.values[p.environment.Name] = value
		}
	}
	return all
}

// why is why a variable has no value.
func (f *Function) why(name string) string {
	for _, u := range f.Unknown {
		if u.Name == name {
			return u.Why
		}
	}
	return ""
}

// calledByPool reports whether the user pool calls a function.
func (c *converter) calledByPool(name string) bool {
	return slices.ContainsFunc(c.from.Backend.Triggers, func(t model.Trigger) bool { return t.Function == name })
}

// referring puts marks of variables into a value instead of the names and ARNs of what the function may use.
func (c *converter) referring(p *place, f *model.Function, value string) string {
	value = strings.ReplaceAll(value,
		strings.Join([]string{"arn:aws:cognito-idp", markRegion, markAccount, "userpool/" + markPool}, ":"), markPoolARN)
	for _, a := range f.Access {
		kind, name, _ := strings.Cut(a.Resource, "/")
		prefix := model.ResourcePrefix(a.Resource)
		category := ""
		switch model.Kind(kind) {
		case model.KindTable:
			category, name = "storage", c.tableResources[name]
		case model.KindFunction:
			category = "function"
		}
		for _, values := range []*Values{p.here, p.anywhere} {
			if deployed, arn := values.ByName[category+name+"Name"], values.ByName[category+name+"Arn"]; category != "" &&
				deployed != "" {
				if value == deployed {
					return mark(prefix + "NAME")
				}
				// An ARN may go on, as that of an index does.
				if rest, found := strings.CutPrefix(value, arn); found && (rest == "" || rest[0] == '/') {
					return mark(prefix+"ARN") + rest
				}
			}
		}
	}
	return value
}

// reference is what refers to a variable in a value.
func reference(name string) string { return "${" + name + "}" }

var anyMark = lazyregexp.New(markBegin + "([^" + markEnd + "]*)" + markEnd)

// written writes a value with references instead of marks. unknown says which of them the
// function is not given; "" if it is given all.
func written(value string, given map[string]string) (text, unknown string) {
	var b strings.Builder
	for {
		at := anyMark().FindStringSubmatchIndex(value)
		if at == nil {
			b.WriteString(model.EscapeValue(value))
			return b.String(), ""
		}
		before, name := value[:at[0]], value[at[2]:at[3]]
		switch {
		case given[name] == "":
			return "", "it is " + name + ", which only a deployment knows"
		case strings.HasSuffix(before, "$"):
			// $${ would be a text.
			return "", "it has a $ before " + name
		}
		b.WriteString(model.EscapeValue(before) + reference(name))
		value = value[at[1]:]
	}
}

// setVariables gives a function the variables that are the same in all environments, and each environment those that
// are not. A variable without a value anywhere becomes a secret, whose value a person gives.
func (c *converter) setVariables(f *model.Function, old *Function) {
	for _, name := range old.Misnamed {
		c.warn(f.Name, "the variable "+phrase.Quote(name)+" was not imported: it is not a valid name for an environment "+
			"variable",
			"give it another name")
	}
	given := c.to.Given(f)
	for _, v := range c.variablesOf(f) {
		value, same := v.everywhere(c.places)
		switch {
		case check.ReservedVariable(v.name):
			c.leaveAt(f.Name, v.name, "the variable "+phrase.Quote(v.name)+" was not imported, because AWS sets it itself",
				"rename it in the source if the function needs a different value")
		case same && value == reference(v.name) && given[v.name] != "":
			// The program gives it already.
		case same:
			f.Environment = append(f.Environment, model.Variable{Name: v.name, Value: value})
		case len(v.values) == 0:
			f.Secrets = append(f.Secrets, v.name)
			c.leaveAt(f.Name, v.name, "the value of the variable "+phrase.Quote(v.name)+" was not imported ("+v.why+
				"), so it is now a secret of the function",
				"write it into .gatewright/secrets/ENVIRONMENT.json of the new project; a push to AWS asks for it")
		default:
			for _, p := range c.places {
				c.setVariableIn(p, f, v)
			}
		}
	}
}

// setVariableIn gives a place its own value of a variable.
func (c *converter) setVariableIn(p *place, f *model.Function, v *variable) {
	value, known := v.values[p.environment.Name]
	if !known {
		c.leaveAt(f.Name, v.name, "the variable "+phrase.Quote(v.name)+" has no value in the environment "+
			phrase.Quote(p.environment.Name)+" ("+v.why+")",
			"give it one with: gatewright update env "+model.ShellWord(p.environment.Name)+" --variable "+
				model.ShellWord(f.Name+"."+v.name+"=VALUE"))
		return
	}
	last := len(p.variables) - 1
	if last < 0 || p.variables[last].Function != f.Name {
		p.variables = append(p.variables, model.FunctionVariables{Function: f.Name})
		last++
	}
	p.variables[last].Values = append(p.variables[last].Values, model.Variable{Name: v.name, Value: value})
}

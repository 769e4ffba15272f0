package flow

import (
	"strconv"
	"strings"

	"gatewright/model"
)

// advancedStep asks for a new function's other settings.
var advancedStep = &step{
	kind: "advanced", short: "settings",
	applies: func(f *Flow, at ID) bool {
		return makesFunction(f, at) && f.now.Paths[at.Path].Function.Advanced == Yes
	},
	ask: func(f *Flow, at ID) Question {
		a := f.now.Paths[at.Path].Function
		access := Field{Key: "access", Label: "Access to resources", Kind: Several, Chosen: a.Access, Help: "what the function may do with other resources of the project"}
		for _, table := range f.tables(at.Path) {
			for _, action := range model.AllActions {
				access.Options = append(access.Options, Option{Key: "table/" + table + ":" + action.String(), Title: "table " + table + ": " + action.String()})
			}
		}
		if len(access.Options) == 0 {
			access.Options = []Option{{Key: "none", Title: "tables", Disabled: "there is no table yet"}}
		}
		return Question{
			Title: "Settings of " + model.Quote(f.now.Paths[at.Path].functionName()), Help: "All of them may stay empty.",
			Fields: []Field{
				{Key: "timeout", Label: "Timeout", Value: a.Timeout, Placeholder: strconv.Itoa(model.DefaultTimeout), Help: "seconds, 1 to 900"},
				{Key: "memory", Label: "Memory", Value: a.Memory, Placeholder: strconv.Itoa(model.DefaultMemory), Help: "megabytes, 128 to 10240"},
				{Key: "schedule", Label: "Schedule", Value: a.Schedule, Placeholder: "none", Help: "rate(5 minutes) or cron(0 12 * * ? *)"},
				{Key: "layers", Label: "Layers", Value: a.Layers, Placeholder: "none", Help: "folders or identifiers, separated by commas, at most 5"},
				{Key: "environment", Label: "Environment variables", Value: a.Environment, Placeholder: "none", Help: "NAME=value, separated by commas"},
				{Key: "secrets", Label: "Secrets", Value: a.Secrets, Placeholder: "none", Help: "names only, separated by commas; values never stand in the project's files"},
				access,
			},
		}
	},
	set: func(a *Answers, at ID, field, value string, chosen []string) {
		fn := &a.Paths[at.Path].Function
		if field == "access" {
			fn.Access = chosen
			return
		}
		put(field, value, map[string]*string{
			"timeout": &fn.Timeout, "memory": &fn.Memory, "schedule": &fn.Schedule,
			"layers": &fn.Layers, "environment": &fn.Environment, "secrets": &fn.Secrets,
		})
	},
	check: func(f *Flow, at ID) error {
		fn, err := f.now.Paths[at.Path].function()
		if err != nil {
			return err
		}
		trial, err := f.trial(at.Path)
		if err != nil {
			return err
		}
		return trial.addFunction(f.now.Paths[at.Path].Function, fn)
	},
}

// function is the function that the answers make.
func (p PathAnswer) function() (*model.Function, error) {
	a := p.Function
	fn := &model.Function{Name: p.functionName(), FunctionName: a.Deployed, Runtime: model.Runtime(a.Runtime), Template: model.Template(a.Template)}
	fn.Handler = fn.Runtime.Handler()
	if fn.Template == model.CRUD {
		fn.Table = a.Table.Name
		if fn.Table == NewTable {
			fn.Table = a.Table.New
		}
		fn.Access = []model.ResourceAccess{{Resource: "table/" + fn.Table, Actions: model.EveryAction}}
	}
	if a.Advanced != Yes {
		return fn, nil
	}
	var err error
	if fn.Timeout, err = number("timeout", a.Timeout); err != nil {
		return nil, err
	}
	if fn.Memory, err = number("memory", a.Memory); err != nil {
		return nil, err
	}
	fn.Schedule = strings.TrimSpace(a.Schedule)
	fn.Layers, fn.Secrets = split(a.Layers), split(a.Secrets)
	for _, pair := range split(a.Environment) {
		name, value, ok := strings.Cut(pair, "=")
		if !ok {
			return nil, &model.Problem{Field: "environment variables", Text: model.Quote(pair) + " has no =", Fix: "write NAME=value"}
		}
		fn.Environment = append(fn.Environment, model.Variable{Name: strings.TrimSpace(name), Value: strings.TrimSpace(value)})
	}
	fn.Access = withAccess(fn.Access, a.Access)
	return fn, nil
}

// withAccess joins chosen entries such as "table/items:read".
func withAccess(have []model.ResourceAccess, chosen []string) []model.ResourceAccess {
	for _, entry := range chosen {
		resource, word, _ := strings.Cut(entry, ":")
		action, ok := model.ParseAction(word)
		if !ok {
			continue
		}
		at := -1
		for i := range have {
			if have[i].Resource == resource {
				at = i
			}
		}
		if at < 0 {
			have = append(have, model.ResourceAccess{Resource: resource})
			at = len(have) - 1
		}
		have[at].Actions |= model.Actions(action)
	}
	return have
}

func number(field, text string) (int, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n == 0 {
		return 0, &model.Problem{Field: field, Text: model.Quote(text) + " is not a whole number above zero", Fix: "give one, or leave it empty"}
	}
	return n, nil
}

// split takes a list apart that is separated by commas.
func split(text string) []string {
	var list []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

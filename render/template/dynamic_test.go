package template_test

import (
	"strings"
	"testing"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/render/template"
)

// TestNoTextOfTheDefinitionIsReplacedByTheService: what the service would replace refuses the
// template, wherever it comes from.
func TestNoTextOfTheDefinitionIsReplacedByTheService(t *testing.T) {
	t.Parallel()
	const value = "{{resolve:ssm:/shop/key}}"
	variable := func(text string) func(*model.Backend) {
		return func(b *model.Backend) {
			b.Functions[0].Environment = append(b.Functions[0].Environment, model.Variable{Name: "KEY", Value: text})
		}
	}
	for name, row := range map[string]struct {
		change func(*model.Backend)
		of     string
	}{
		"a variable": {variable("x" + value), "function " + shop().Functions[0].Name + ": the variable KEY has a dynamic reference"},
		"a variable of an environment": {func(b *model.Backend) {
			b.Environments[0].Variables = []model.FunctionVariables{{Function: b.Functions[0].Name, Values: []model.Variable{{Name: "KEY", Value: value}}}}
		}, "environment dev: the variable KEY of the function " + shop().Functions[0].Name + " has a dynamic reference"},
		"a variable that is joined": {func(b *model.Backend) {
			b.Environments[0].Name = "resolve"
			variable("{{${ENV}:ssm:/shop/${REGION}}}")(b)
		}, "function " + shop().Functions[0].Name + ": has a dynamic reference"},
		"a bucket": {func(b *model.Backend) {
			b.Storage = &model.Storage{Region: "eu-west-1", BucketName: value}
			b.Functions[0].Access = append(b.Functions[0].Access, model.ResourceAccess{Resource: "storage/files", Actions: access.EveryAction})
		}, "function " + shop().Functions[0].Name + ": has a dynamic reference"},
		"a key of a table": {func(b *model.Backend) { b.Tables[0].PartitionKey.Name = value }, "table " + shop().Tables[0].Name + ": has a dynamic reference"},
		"a group":          {func(b *model.Backend) { b.Groups = append(b.Groups, value) }, "group " + phrase.Quote(value) + ": has a dynamic reference"},
	} {
		b := shop()
		row.change(b)
		_, err := template.Render(b, b.Environments[0], template.Options{})
		if err == nil || !strings.HasPrefix(err.Error(), row.of) {
			t.Errorf("%s is refused with %v", name, err)
		}
	}
	for _, change := range map[string]func(*model.Backend){
		"braces":            variable("{{name}} {{resolve:"),
		"an unknown name":   variable("{{${RESOLVE}:ssm:/shop/key}}"),
		"another reference": variable("{{${ENV}:ssm:/shop/key}}"),
		"an output": func(b *model.Backend) {
			b.Outputs = []*model.Output{{Name: "map", Values: model.Outputs{"custom": map[string]any{"key": value}}}}
		},
	} {
		b := shop()
		change(b)
		rendered(t, b, "dev")
	}
}

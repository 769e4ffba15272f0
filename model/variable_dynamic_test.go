package model_test

import (
	"slices"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/model/check"
	"gatewright/model/edit"
	"gatewright/model/modeltest"
)

func TestAValueThatCloudFormationWouldReplaceIsAnError(t *testing.T) {
	t.Parallel()
	for value, dynamic := range map[string]bool{
		"{{resolve:ssm:/shop/key}}":                               true,
		"{{resolve:ssm-secure:/shop/key:1}}":                      true,
		"{{resolve:secretsmanager:shop:SecretString:password::}}": true,
		"postgres://shop:{{resolve:ssm:/shop/key}}@db":            true,
		"{{resolve:ssm:/shop/${ENV}/key}}":                        true,
		"{{resolve:ssm:/shop/$${ENV}/key}}":                       true,
		"{{resolve:ssm:${TABLE_MY_NOTES_NAME}}}":                  true,
		"{{a}} {{resolve:ssm:/shop/key}}":                         true,
		"{{resolve:ssm:/shop/key":                                 false,
		"{{resolve:ssm:${ENV}":                                    false,
		"}} {{resolve:":                                           false,
		"{resolve:ssm:/shop/key}":                                 false,
		"{{name}} {{ resolve }}":                                  false,
		"{{Resolve:ssm:/shop/key}}":                               false,
		"resolve:ssm:/shop/key":                                   false,
		"{{ resolve:ssm:/shop/key}}":                              false,
	} {
		b := referring(t)
		f := *b.Function("mail")
		f.Environment = []model.Variable{{Name: "KEY", Value: value}}
		err := edit.UpdateFunction(b, &f)
		if dynamic != (err != nil) {
			t.Errorf("%s is refused with %v", value, err)
		}
		const want = "function mail: the variable KEY has a dynamic reference ({{resolve:...}}), which AWS CloudFormation would replace, while the sandbox passes it unchanged; make the variable a secret of the function, or let the function read the value with the AWS SDK"
		if err != nil && err.Error() != want {
			t.Errorf("%s is refused with\n%v", value, err)
		}
	}
}

func TestAValueOfAnEnvironmentThatCloudFormationWouldReplaceIsAnErrorThere(t *testing.T) {
	t.Parallel()
	const value = "{{resolve:ssm:/shop/key}}"
	b := referring(t, model.Variable{Name: "KEY", Value: "none"})
	set := []model.FunctionVariables{{Function: "mail", Values: []model.Variable{{Name: "KEY", Value: value}}}}
	err := edit.AddEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local, Variables: set})
	if err == nil || !strings.HasPrefix(err.Error(), "environment dev: the variable KEY of the function mail has a dynamic reference ({{resolve:...}})") {
		t.Errorf("it is refused with %v", err)
	}
	// Parameters are not deployed.
	modeltest.Must(t, edit.AddEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local, Parameters: []model.Variable{{Name: "KEY", Value: value}}}))

	// An environment that gives the function another value does not deploy its own.
	b = &model.Backend{Functions: []*model.Function{{Name: "mail", Runtime: model.NodeJS, Environment: []model.Variable{{Name: "KEY", Value: value}}}}}
	places := func(problems []*model.Problem) (all []string) {
		for _, p := range problems {
			all = append(all, p.Of.String()+" "+p.Pointer)
		}
		return all
	}
	dev, own := &model.Environment{Name: "dev"}, &model.Environment{Name: "own", Variables: set}
	if got, want := places(check.DynamicReferences(b, dev)), []string{"function mail /environment/KEY"}; !slices.Equal(got, want) {
		t.Errorf("in dev the problems are at %q", got)
	}
	if got, want := places(check.DynamicReferences(b, own)), []string{"environment own /variables/mail/KEY"}; !slices.Equal(got, want) {
		t.Errorf("in own the problems are at %q", got)
	}
	b.Layout = modeltest.Kept
	if got := append(check.Backend(b), check.DynamicReferences(b, dev)...); slices.ContainsFunc(got, func(p *model.Problem) bool { return strings.Contains(p.Text, "dynamic") }) {
		t.Errorf("in a project of the Amplify CLI the problems are %v", got)
	}
}

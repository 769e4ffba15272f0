package check_test

import (
	"slices"
	"testing"

	"gatewright/model"
	"gatewright/model/check"
	"gatewright/model/modeltest"
)

func TestNamesOfVariablesThatAWSSetsAreErrorsAtTheirPlace(t *testing.T) {
	t.Parallel()
	f := modeltest.Function("mail")
	f.Environment = []model.Variable{
		{Name: "AWS_LAMBDA_FUNCTION_NAME", Value: "x"},
		// None of these is reserved.
		{Name: "AWS_ENDPOINT_URL", Value: "x"},
		{Name: "AWS_NODEJS_CONNECTION_REUSE_ENABLED", Value: "1"},
		{Name: "AWS_LAMBDA_EXEC_WRAPPER", Value: "/opt/run"},
		{Name: "TZ", Value: "Europe/Berlin"},
		{Name: "NODE_OPTIONS", Value: "--no-warnings"},
		{Name: "PATH", Value: "/opt"},
		{Name: "REGION", Value: "x"},
		{Name: "aws_region", Value: "x"},
	}
	f.Secrets = []string{"MAIL_KEY", "AWS_SESSION_TOKEN"}
	b := &model.Backend{Functions: []*model.Function{f}, Environments: []*model.Environment{{
		Name: "dev", Provider: model.Local, Variables: []model.FunctionVariables{{Function: "mail", Values: []model.Variable{{Name: "AWS_REGION", Value: "x"}}}},
	}}}
	at := func(level model.Level) (places []string) {
		for _, p := range check.Backend(b) {
			if p.Level == level {
				places = append(places, p.Of.String()+" "+p.Pointer)
			}
		}
		return places
	}
	want := []string{"environment dev /variables/mail/AWS_REGION", "function mail /environment/AWS_LAMBDA_FUNCTION_NAME", "function mail /secrets/1"}
	if got := at(model.Error); !slices.Equal(got, want) {
		t.Errorf("the errors are at %q, want %q", got, want)
	}
	b.Layout = modeltest.Kept
	if got := at(model.Error); got != nil {
		t.Errorf("in a project of the Amplify CLI there are errors at %q", got)
	}
	if got := at(model.Warning); !slices.Equal(got, want) {
		t.Errorf("in a project of the Amplify CLI the warnings are at %q, want %q", got, want)
	}
}

package aws

import (
	"strings"
	"testing"

	"gatewright/deploy/stack"
	"gatewright/model"
)

func TestAReasonOfTheServiceIsAPartOfOneLine(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reason, want string }{
		{"", "AWS gives no reason"},
		{" . ", "AWS gives no reason"},
		{"orders already exists", "orders already exists"},
		{
			`Resource handler returned message: "Layer version arn:aws:lambda:eu-west-1:123456789012:layer:x:1 does not exist. (Service: Lambda, Status Code: 400, Request ID: 1-2)" (RequestToken: 3-4, HandlerErrorCode: InvalidRequest)`,
			"Layer version arn:aws:lambda:eu-west-1:123456789012:layer:x:1 does not exist",
		},
		{`Resource handler returned message: "cut off`, `Resource handler returned message: "cut off`},
		{"two\n lines\tand \x1b[31ma colour", "two lines and ␛[31ma colour"},
	} {
		if got := shortly(tt.reason); got != tt.want {
			t.Errorf("%q becomes %q, want %q", tt.reason, got, tt.want)
		}
	}
	if got := shortly(strings.Repeat("ü", 1000)); len(got) > 410 || !strings.HasSuffix(got, "ü...") {
		t.Errorf("a long reason becomes %q", got)
	}
}

func TestAFailureNamesThePartOfTheBackendOnceAndWhy(t *testing.T) {
	t.Parallel()
	books := model.Ref{Kind: model.KindFunction, Name: "books"}
	w := words{
		names: map[string]string{"Books": "the function books", "BooksRole": "the role of the function books"},
		of:    map[string]model.Ref{"Books": books, "BooksRole": books},
	}
	for _, tt := range []struct{ id, status, want string }{
		{"Books", "UPDATE_FAILED", "function books: could not be changed: the layer is gone; everything is as before; fix it and push again"},
		{"BooksRole", "CREATE_FAILED", "function books: the role of the function books could not be made: the layer is gone; everything is as before; fix it and push again"},
		{"Other", "DELETE_FAILED", "environment dev: Other (AWS::X::Y) could not be removed: the layer is gone; everything is as before; fix it and push again"},
	} {
		failure := stack.Event{Logical: tt.id, Type: "AWS::X::Y", Status: stack.Status(tt.status), Reason: "the layer is gone."}
		err := pushFailed(w, model.Ref{Kind: model.KindEnvironment, Name: "dev"}, &stack.Stack{Status: stack.UpdateRolledBack}, []stack.Event{failure})
		if err.Error() != tt.want {
			t.Errorf("the failure of %s is %q, want %q", tt.id, err, tt.want)
		}
	}
}

package model_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/check"
	"gatewright/model/edit"
	"gatewright/model/modeltest"
)

func TestAValueIsTextsAndReferences(t *testing.T) {
	t.Parallel()
	known := func(name string) bool { return name == "ENV" || name == "TABLE_A_NAME" }
	text := func(text string) model.ValuePart { return model.ValuePart{Text: text} }
	name := func(name string) model.ValuePart { return model.ValuePart{Name: name} }
	for value, want := range map[string][]model.ValuePart{
		"":                              nil,
		"info":                          {text("info")},
		"${ENV}":                        {name("ENV")},
		"/d1/${ENV}/key":                {text("/d1/"), name("ENV"), text("/key")},
		"${ENV}${TABLE_A_NAME}":         {name("ENV"), name("TABLE_A_NAME")},
		"$${ENV}":                       {text("${ENV}")},
		"$$${ENV}":                      {text("$${ENV}")},
		"$${ENV}${ENV}":                 {text("${ENV}"), name("ENV")},
		"${OTHER} and ${env}":           {text("${OTHER} and ${env}")},
		"$ENV ${ENV ${} ${A-B} $ ${ENV": {text("$ENV ${ENV ${} ${A-B} $ ${ENV")},
		"${${ENV}}":                     {text("${"), name("ENV"), text("}")},
		"€$${x}":                        {text("€${x}")},
	} {
		if diff := cmp.Diff(want, model.ValueParts(value, known)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", value, diff)
		}
	}
}

func TestAnEscapedTextRefersToNothing(t *testing.T) {
	t.Parallel()
	everything := func(string) bool { return true }
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("${}A_é"))).Draw(t, "text")
		var read strings.Builder
		for _, part := range model.ValueParts(model.EscapeValue(text), everything) {
			if part.Name != "" {
				t.Fatalf("%q refers to %s", text, part.Name)
			}
			read.WriteString(part.Text)
		}
		if read.String() != text {
			t.Errorf("%q is read as %q", text, read.String())
		}
	})
}

// referring is a backend whose function mail may use the table my-notes, and has variables.
func referring(t *testing.T, variables ...model.Variable) *model.Backend {
	t.Helper()
	b := &model.Backend{}
	for _, name := range []string{"my-notes", "books"} {
		modeltest.Must(t, edit.AddTable(b, &model.Table{Name: name, PartitionKey: model.Key{Name: "id", Type: model.StringKey}}))
	}
	f := modeltest.Function("mail")
	f.Access = []model.ResourceAccess{{Resource: "table/my-notes", Actions: access.ActionSet(access.Create, access.Read)}}
	f.Environment = variables
	modeltest.Must(t, edit.AddFunction(b, f))
	return b
}

func TestAReferenceToWhatAFunctionIsNotGivenIsAWarningWithTheWayToGiveIt(t *testing.T) {
	t.Parallel()
	const text = ", or write $${NAME} for the text itself"
	for value, want := range map[string]string{
		"${TABLE_MY_NOTES_NAME} ${ENV}-${REGION} $${NAME} ${a-b}": "",
		"${TABLE_BOOKS_ARN}":   "let it use table/books with: gatewright update function mail --access table/my-notes=create,read --access table/books=read",
		"${TABLE_BOOKS_URL}":   "refer to ENV, REGION or a variable of a resource that it may use",
		"${env}":               "write ${ENV} if that is meant",
		"${TABLE_MYNOTES_NAM}": "write ${TABLE_MY_NOTES_NAME} if that is meant",
		"${OTHER}":             "put the function's own variables and secrets together in its source",
		"${USER_POOL_ID}":      "define a user pool",
		"${TABLE_NAME}":        "refer to ENV, REGION or a variable of a resource that it may use",
	} {
		b := referring(t, model.Variable{Name: "OTHER", Value: "x"}, model.Variable{Name: "LIST", Value: value})
		got := modeltest.Texts(check.Backend(b), model.Warning)
		if want != "" {
			name := strings.TrimSuffix(strings.TrimPrefix(value, "${"), "}")
			want = "function mail: the variable LIST refers to " + name + ", which the function does not get; " + want + strings.Replace(text, "NAME", name, 1)
		}
		if want == "" && len(got) > 0 || want != "" && !slices.Equal(got, []string{want}) {
			t.Errorf("%s:\n%q\nwant\n%q", value, got, want)
		}
	}
}

func TestTheValuesOfAnEnvironmentAreCheckedAtTheirPlace(t *testing.T) {
	t.Parallel()
	b := referring(t, model.Variable{Name: "URL", Value: "${ENV}"})
	modeltest.Must(t, edit.AddEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local, Variables: []model.FunctionVariables{
		{Function: "mail", Values: []model.Variable{{Name: "A", Value: "${TABLE_MY_NOTES_NAME}"}, {Name: "URL", Value: "${API_SHOP_URL}"}}},
	}}))
	problems := check.Backend(b)
	if len(problems) != 1 || problems[0].Pointer != "/variables/mail/URL" || problems[0].Level != model.Warning ||
		!strings.Contains(problems[0].Error(), "environment dev: the variable URL of the function mail refers to API_SHOP_URL, which the function does not get") {
		t.Errorf("the problems are %v", problems)
	}
}

func TestAReferenceToWhatAnEnvironmentLacksIsAWarning(t *testing.T) {
	t.Parallel()
	b := referring(t, model.Variable{Name: "URL", Value: "${API_SHOP_URL}"}, model.Variable{Name: "POOL", Value: "${USER_POOL_ID}"})
	modeltest.Must(t, edit.AddAPI(b, &access.API{Label: "shop", Paths: []*access.Path{accesstest.Restricted("/x", "mail", accesstest.ToUsers(access.Read))}}))
	f := *b.Function("mail")
	f.Access = append(slices.Clone(f.Access), model.ResourceAccess{Resource: "api/shop", Actions: access.EveryAction})
	modeltest.Must(t, edit.UpdateFunction(b, &f))
	modeltest.Must(t, edit.AddEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local}))
	if problems := check.Backend(b); len(problems) > 0 {
		t.Errorf("an environment with everything has %v", problems)
	}
	modeltest.Must(t, edit.AddEnvironment(b, &model.Environment{Name: "qa", Provider: model.Local, APIs: []string{}, Variables: []model.FunctionVariables{
		{Function: "mail", Values: []model.Variable{{Name: "POOL", Value: "none"}}},
	}}))
	want := []string{"function mail: the variable URL refers to API_SHOP_URL, but environment qa has no API shop: ${API_SHOP_URL} is not replaced there; " +
		"give the function another value there, with: gatewright update env qa --variable mail.NAME=VALUE"}
	if got := modeltest.Texts(check.Backend(b), model.Warning); !slices.Equal(got, want) {
		t.Errorf("warnings are\n%q\nwant\n%q", got, want)
	}
}

func TestAFunctionThatItsUserPoolCallsCannotReferToThePool(t *testing.T) {
	t.Parallel()
	b := referring(t, model.Variable{Name: "POOL", Value: "x-${USER_POOL_ARN}"})
	refused := func(err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), "refers to USER_POOL_ARN, and the user pool calls the function") || !strings.Contains(err.Error(), "userPoolId") {
			t.Errorf("it is refused with %v", err)
		}
	}
	refused(edit.SetTrigger(b, model.PreSignUp, "mail"))
	f := *b.Function("mail")
	f.Environment = nil
	modeltest.Must(t, edit.UpdateFunction(b, &f))
	modeltest.Must(t, edit.SetTrigger(b, model.PreSignUp, "mail"))
	f.Environment = []model.Variable{{Name: "CLIENT", Value: "${USER_POOL_ARN}"}}
	refused(edit.UpdateFunction(b, &f))
	refused(edit.AddEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local, Variables: []model.FunctionVariables{{Function: "mail", Values: f.Environment}}}))
	// A pool that exists already does not wait for its functions.
	modeltest.Must(t, edit.SetAuth(b, &model.Auth{Region: "eu-west-1", UserPoolID: "eu-west-1_a", UserPoolClientID: "c"}))
	modeltest.Must(t, edit.UpdateFunction(b, &f))
}

func TestOnlyTheKnownIdsOfAPoolThatExistsAreGiven(t *testing.T) {
	t.Parallel()
	b := referring(t, model.Variable{Name: "POOLS", Value: "${USER_POOL_ID} ${USER_POOL_ARN} ${USER_POOL_CLIENT_ID} ${IDENTITY_POOL_ID}"})
	modeltest.Must(t, edit.SetAuth(b, &model.Auth{Region: "eu-west-1", UserPoolID: "eu-west-1_a", UserPoolClientID: "c"}))
	got := modeltest.Texts(check.Backend(b), model.Warning)
	if len(got) != 1 || !strings.Contains(got[0], "refers to IDENTITY_POOL_ID, which the function does not get; write the id of the existing pool") {
		t.Errorf("the warnings are %q", got)
	}
}

func TestValuesOfTheAmplifyCLIAreTexts(t *testing.T) {
	t.Parallel()
	b := referring(t, model.Variable{Name: "TEXT", Value: "${OTHER} ${ENV}"})
	b.Layout = modeltest.Kept
	for _, p := range check.Backend(b) {
		if strings.Contains(p.Text, "refers to") {
			t.Errorf("%v", p)
		}
	}
}

func TestRenamingRewritesReferencesInValues(t *testing.T) {
	t.Parallel()
	b := referring(t, model.Variable{Name: "A", Value: "${TABLE_MY_NOTES_NAME},$${TABLE_MY_NOTES_NAME},${x-y},${FUNCTION_MAIL_ARN},${TABLE_BOOKS_NAME},${ENV}"})
	f := *b.Function("mail")
	f.Access = append(slices.Clone(f.Access), model.ResourceAccess{Resource: "api/shop", Actions: access.EveryAction}, model.ResourceAccess{Resource: "function/mail", Actions: access.EveryAction})
	f.Environment = append(slices.Clone(f.Environment), model.Variable{Name: "B", Value: "${API_SHOP_URL}/x"})
	modeltest.Must(t, edit.AddAPI(b, &access.API{Label: "shop", Paths: []*access.Path{accesstest.Restricted("/x", "mail", accesstest.ToUsers(access.Read))}}))
	modeltest.Must(t, edit.UpdateFunction(b, &f))
	modeltest.Must(t, edit.AddEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local, Guarded: true, Variables: []model.FunctionVariables{
		{Function: "mail", Values: []model.Variable{{Name: "C", Value: "${FUNCTION_MAIL_NAME} ${TABLE_MY_NOTES_ARN} ${API_SHOP_ID}"}}},
	}}))
	before := *b
	modeltest.Must(t, edit.Rename(b, model.Ref{Kind: model.KindTable, Name: "my-notes"}, "notes.new"))
	modeltest.Must(t, edit.Rename(b, model.Ref{Kind: model.KindAPI, Name: "shop"}, "store"))
	modeltest.Must(t, edit.Rename(b, model.Ref{Kind: model.KindFunction, Name: "mail"}, "post"))
	// The function has no access to the table books, so that this name refers to nothing.
	modeltest.Must(t, edit.Rename(b, model.Ref{Kind: model.KindTable, Name: "books"}, "novels"))
	want := []model.Variable{
		{Name: "A", Value: "${TABLE_NOTES_NEW_NAME},$${TABLE_MY_NOTES_NAME},${x-y},${FUNCTION_POST_ARN},${TABLE_BOOKS_NAME},${ENV}"},
		{Name: "B", Value: "${API_STORE_URL}/x"},
	}
	if diff := cmp.Diff(want, b.Function("post").Environment); diff != "" {
		t.Errorf("the function's variables (-want +got):\n%s", diff)
	}
	if got := b.Environment("dev").Variables[0].Values[0].Value; got != "${FUNCTION_POST_NAME} ${TABLE_NOTES_NEW_ARN} ${API_STORE_ID}" {
		t.Errorf("the environment's variable is %s", got)
	}
	if before.Function("mail").Environment[1].Value != "${API_SHOP_URL}/x" || before.Environment("dev").Variables[0].Values[0].Value != "${FUNCTION_MAIL_NAME} ${TABLE_MY_NOTES_ARN} ${API_SHOP_ID}" {
		t.Error("the backend before the renames has changed")
	}
}

func TestTwoTablesOfOneVariableNameAreToldApartByARename(t *testing.T) {
	t.Parallel()
	b := referring(t, model.Variable{Name: "A", Value: "${TABLE_MY_NOTES_NAME}"})
	modeltest.Must(t, edit.AddTable(b, &model.Table{Name: "my.notes", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}))
	modeltest.Must(t, edit.Rename(b, model.Ref{Kind: model.KindTable, Name: "my.notes"}, "others"))
	if got := b.Functions[0].Environment[0].Value; got != "${TABLE_MY_NOTES_NAME}" {
		t.Errorf("the reference to the other table is %s", got)
	}
}

func TestALongValueIsReadOnce(t *testing.T) {
	t.Parallel()
	value := strings.Repeat("${", 1<<19)
	if parts := model.ValueParts(value, func(string) bool { return true }); len(parts) != 1 || parts[0].Text != value {
		t.Errorf("it has %d parts", len(parts))
	}
}

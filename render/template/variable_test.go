package template_test

import (
	"slices"
	"strings"
	"testing"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/model/accesstest"
	"gatewright/model/edit"
)

// withVariables is a backend whose function orders has variables.
func withVariables(b *model.Backend, values ...string) *model.Backend {
	f := *b.Function("orders")
	f.Environment = nil
	for i, value := range values {
		f.Environment = append(f.Environment, model.Variable{Name: "V" + string(rune('A'+i)), Value: value})
	}
	if err := edit.UpdateFunction(b, &f); err != nil {
		panic(err)
	}
	return b
}

// variablesOf returns the variables of a function in a template.
func variablesOf(root *cfn.Node, function string) *cfn.Node {
	for _, f := range ofType(root, "AWS::Lambda::Function") {
		if f.node.Get("Properties", "FunctionName").Text == function {
			return f.node.Get("Properties", "Environment", "Variables")
		}
	}
	return nil
}

func TestValuesReferToWhatAFunctionIsGiven(t *testing.T) {
	t.Parallel()
	rows := []struct{ value, want string }{
		{"${TABLE_ORDERS_NAME}", `{"Ref":"OrdersTable820bcc"}`},
		{"/d1/${ENV}/key", `"/d1/dev/key"`},
		{"${ENV}", `"dev"`},
		{"arn:${REGION}:${TABLE_ORDERS_NAME}-${ENV}", `{"Fn::Join":["",["arn:",{"Ref":"AWS::Region"},":",{"Ref":"OrdersTable820bcc"},"-dev"]]}`},
		{"${USER_POOL_ID}", `{"Ref":"UserPool"}`},
		{"${USER_POOL_ARN}", `{"Fn::GetAtt":["UserPool","Arn"]}`},
		{"${USER_POOL_CLIENT_ID}", `{"Ref":"UserPoolClient"}`},
		{"id=${IDENTITY_POOL_ID}", `{"Fn::Join":["",["id=",{"Ref":"IdentityPool"}]]}`},
		// Nothing else is a reference, least of all one of the service's own.
		{"$${ENV} ${TABLE_ITEMS_NAME} ${AWS::Region} ${UserPool} ${API_KEY}", `"${ENV} ${TABLE_ITEMS_NAME} ${AWS::Region} ${UserPool} ${API_KEY}"`},
		{"${AWS::AccountId}${!x}${REGION}", `{"Fn::Join":["",["${AWS::AccountId}${!x}",{"Ref":"AWS::Region"}]]}`},
		{"", `""`},
	}
	var values []string
	for _, row := range rows {
		values = append(values, row.value)
	}
	made := rendered(t, withVariables(shop(), values...), "dev")
	holdsTogether(t, made.Root)
	variables := variablesOf(made.Root, "order-desk-dev")
	for i, row := range rows {
		if got := string(variables.Get("V" + string(rune('A'+i))).Minified()); got != row.want {
			t.Errorf("%s is %s, want %s", row.value, got, row.want)
		}
	}
}

func TestTheIdsOfAPoolThatExistsAreTexts(t *testing.T) {
	t.Parallel()
	b := backend(api("shop", accesstest.Open("/orders", "orders")))
	b.Auth = &model.Auth{Region: "eu-central-1", UserPoolID: "eu-central-1_${x}", UserPoolClientID: "client"}
	made := rendered(t, withVariables(b, "${USER_POOL_ID}", "${USER_POOL_ARN}", "${USER_POOL_CLIENT_ID}", "${IDENTITY_POOL_ID}"), "dev")
	variables := variablesOf(made.Root, "orders-dev")
	for name, want := range map[string]string{
		"VA": `"eu-central-1_${x}"`, "VC": `"client"`, "VD": `"${IDENTITY_POOL_ID}"`,
		"VB": `{"Fn::Join":["",["arn:",{"Ref":"AWS::Partition"},":cognito-idp:eu-central-1:",{"Ref":"AWS::AccountId"},":userpool/eu-central-1_${x}"]]}`,
	} {
		if got := string(variables.Get(name).Minified()); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

func TestAnAPIThatTheEnvironmentLacksStaysAText(t *testing.T) {
	t.Parallel()
	b := shop()
	b.Environments[0].APIs = []string{}
	b.Groups = nil
	made := rendered(t, withVariables(b, "${API_SHOP_URL}-${ENV}", "${USER_POOL_ID}"), "dev")
	variables := variablesOf(made.Root, "order-desk-dev")
	if url, pool := variables.Get("VA").Text, variables.Get("VB").Text; url != "${API_SHOP_URL}-dev" || pool != "${USER_POOL_ID}" {
		t.Errorf("they are %q and %q", url, pool)
	}
}

// A function may refer to the pool, which calls another function, and to the API that calls it.
func TestReferencesMakeNoCircle(t *testing.T) {
	t.Parallel()
	b := triggered()
	if err := edit.SetTrigger(b, model.PreSignUp, ""); err != nil {
		t.Fatal(err)
	}
	value := "${USER_POOL_ID} ${USER_POOL_ARN} ${USER_POOL_CLIENT_ID} ${IDENTITY_POOL_ID} ${API_SHOP_URL} ${API_SHOP_ARN} ${TABLE_ORDERS_ARN} ${FUNCTION_ITEMS_ARN}"
	made := rendered(t, withVariables(b, value), "prod")
	holdsTogether(t, made.Root)
	joined := variablesOf(made.Root, "order-desk-prod").Get("VA")
	names := references(t, joined)
	for _, want := range []string{"UserPool", "UserPoolClient", "IdentityPool", "OrdersTable820bcc"} {
		if !slices.Contains(names, want) {
			t.Errorf("%s does not refer to %s", joined.Minified(), want)
		}
	}
}

func TestTheLengthOfVariablesIsThatOfWhatTheyReferTo(t *testing.T) {
	t.Parallel()
	// An ARN has 74 characters, and its reference 16; the other variables have about 700.
	rendered(t, withVariables(shop(), strings.Repeat("${USER_POOL_ARN}", 40)), "dev")
	if got := refusalOf(t, withVariables(shop(), strings.Repeat("${USER_POOL_ARN}", 60))); !strings.Contains(got, "its variables have 5") {
		t.Errorf("it is refused with %q", got)
	}
	// Here the values are shorter than the references.
	rendered(t, withVariables(shop(), strings.Repeat("${ENV}", 900)), "dev")
}

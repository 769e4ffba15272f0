package template_test

import (
	"strings"
	"testing"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/render/template"
)

// TestAFunctionMayDoWhatItsAccessSaysAndNoMore has each kind of resource, with the statements beside that for the log.
func TestAFunctionMayDoWhatItsAccessSaysAndNoMore(t *testing.T) {
	t.Parallel()
	short := strings.NewReplacer("${AWS::Partition}", "HERE", "${AWS::Region}:${AWS::AccountId}", "THERE")
	for _, row := range []struct {
		resource string
		actions  []access.Action
		want     string
	}{
		{"storage/files", []access.Action{access.Read}, `[{"Effect":"Allow","Action":"s3:GetObject","Resource":{"Fn::Sub":"arn:HERE:s3:::shop-files/*"}},{"Effect":"Allow","Action":"s3:ListBucket","Resource":{"Fn::Sub":"arn:HERE:s3:::shop-files"}}]`},
		{"storage/files", []access.Action{access.Create}, `[{"Effect":"Allow","Action":"s3:PutObject","Resource":{"Fn::Sub":"arn:HERE:s3:::shop-files/*"}}]`},
		{"storage/files", []access.Action{access.Update}, `[{"Effect":"Allow","Action":"s3:PutObject","Resource":{"Fn::Sub":"arn:HERE:s3:::shop-files/*"}}]`},
		{"storage/files", []access.Action{access.Delete}, `[{"Effect":"Allow","Action":"s3:DeleteObject","Resource":{"Fn::Sub":"arn:HERE:s3:::shop-files/*"}}]`},
		{"storage/files", access.AllActions, `[{"Effect":"Allow","Action":["s3:GetObject","s3:PutObject","s3:DeleteObject"],"Resource":{"Fn::Sub":"arn:HERE:s3:::shop-files/*"}},{"Effect":"Allow","Action":"s3:ListBucket","Resource":{"Fn::Sub":"arn:HERE:s3:::shop-files"}}]`},
		{"table/books", []access.Action{access.Create}, `[{"Effect":"Allow","Action":["dynamodb:PutItem","dynamodb:BatchWriteItem","dynamodb:PartiQLInsert"],"Resource":[{"Fn::GetAtt":["BooksTablec02485","Arn"]},{"Fn::Sub":"${BooksTablec02485.Arn}/index/*"}]}]`},
		{"table/books", []access.Action{access.Update, access.Delete}, `[{"Effect":"Allow","Action":["dynamodb:UpdateItem","dynamodb:PartiQLUpdate","dynamodb:DeleteItem","dynamodb:PartiQLDelete"],"Resource":[{"Fn::GetAtt":["BooksTablec02485","Arn"]},{"Fn::Sub":"${BooksTablec02485.Arn}/index/*"}]}]`},
		{"table/books", nil, `[]`},
		{"table/elsewhere", []access.Action{access.Update}, `[{"Effect":"Allow","Action":["dynamodb:UpdateItem","dynamodb:PartiQLUpdate"],"Resource":[{"Fn::Sub":"arn:HERE:dynamodb:THERE:table/elsewhere-dev"},{"Fn::Sub":"arn:HERE:dynamodb:THERE:table/elsewhere-dev/index/*"}]}]`},
		{"function/other", []access.Action{access.Create}, `[{"Effect":"Allow","Action":"lambda:InvokeFunction","Resource":[{"Fn::Sub":"arn:HERE:lambda:THERE:function:other-dev"},{"Fn::Sub":"arn:HERE:lambda:THERE:function:other-dev:*"}]}]`},
		{"api/shop", []access.Action{access.Read, access.Delete}, `[{"Effect":"Allow","Action":"execute-api:Invoke","Resource":[{"Fn::Sub":"arn:HERE:execute-api:THERE:${ShopApie421b6}/dev/GET/*"},{"Fn::Sub":"arn:HERE:execute-api:THERE:${ShopApie421b6}/dev/HEAD/*"},{"Fn::Sub":"arn:HERE:execute-api:THERE:${ShopApie421b6}/dev/DELETE/*"}]}]`},
		{"api/elsewhere", access.AllActions, `[]`},
	} {
		b := backend(api("shop", accesstest.Open("/", "f")))
		b.Functions = []*model.Function{function("f"), function("other")}
		b.Functions[0].Access = []model.ResourceAccess{{Resource: row.resource, Actions: access.ActionSet(row.actions...)}}
		b.Tables = []*model.Table{{Name: "books", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}}
		b.Storage = &model.Storage{Region: "eu-central-1", BucketName: "shop-files"}
		made, err := template.Render(b, b.Environment("dev"), template.Options{})
		if err != nil {
			t.Errorf("%s: %v", row.resource, err)
			continue
		}
		got := ""
		for _, r := range ofType(made.Root, "AWS::IAM::Role") {
			if policies := r.node.Get("Properties", "Policies"); strings.HasPrefix(r.id, "FunctionF") {
				got = string(cfn.ListNode(policies.Items[0].Get("PolicyDocument", "Statement").Items[1:]...).Minified())
				got = short.Replace(got)
			}
		}
		if got != row.want {
			t.Errorf("%s with %v may\n%s\nwant\n%s", row.resource, row.actions, got, row.want)
		}
	}
}

func TestAFunctionOfTheTemplateCrudHasItsTableOnce(t *testing.T) {
	t.Parallel()
	b := backend(api("shop", accesstest.Open("/", "f")))
	b.Functions = []*model.Function{function("f")}
	b.Functions[0].Table = "books"
	b.Functions[0].Access = []model.ResourceAccess{{Resource: "table/books", Actions: access.EveryAction}, {Resource: "table/others", Actions: access.EveryAction}}
	b.Tables = []*model.Table{{Name: "books", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}}
	made, err := template.Render(b, b.Environment("dev"), template.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range ofType(made.Root, "AWS::IAM::Role") {
		if policies := r.node.Get("Properties", "Policies"); strings.HasPrefix(r.id, "FunctionF") {
			statements := string(policies.Items[0].Get("PolicyDocument", "Statement").Minified())
			if strings.Count(statements, `{"Fn::GetAtt":["BooksTable`) != 1 || strings.Count(statements, ":table/others-dev\"") != 1 {
				t.Errorf("the statements are %s", statements)
			}
		}
	}
}

// TestAFunctionIsToldOfWhatItMayUse has each kind of resource, with the variables about it.
func TestAFunctionIsToldOfWhatItMayUse(t *testing.T) {
	t.Parallel()
	short := strings.NewReplacer("arn:${AWS::Partition}:", "arn:HERE:", "${AWS::Region}:${AWS::AccountId}", "THERE", `{"Ref":"AWS::Region"}`, "REGION")
	for resource, want := range map[string]string{
		"storage/files":   `STORAGE_FILES_NAME="shop-files" STORAGE_FILES_ARN={"Fn::Sub":"arn:HERE:s3:::shop-files"} STORAGE_FILES_REGION="eu-west-3"`,
		"table/books":     `TABLE_BOOKS_NAME={"Ref":"BooksTablec02485"} TABLE_BOOKS_ARN={"Fn::GetAtt":["BooksTablec02485","Arn"]} TABLE_BOOKS_REGION=REGION`,
		"table/elsewhere": `TABLE_ELSEWHERE_NAME="elsewhere-dev" TABLE_ELSEWHERE_ARN={"Fn::Sub":"arn:HERE:dynamodb:THERE:table/elsewhere-dev"} TABLE_ELSEWHERE_REGION=REGION`,
		"function/other":  `FUNCTION_OTHER_NAME="other-dev" FUNCTION_OTHER_ARN={"Fn::Sub":"arn:HERE:lambda:THERE:function:other-dev"} FUNCTION_OTHER_REGION=REGION`,
		"api/shop":        `API_SHOP_NAME="shop" API_SHOP_ID={"Ref":"ShopApie421b6"} API_SHOP_URL={"Fn::Sub":"https://${ShopApie421b6}.execute-api.${AWS::Region}.${AWS::URLSuffix}/dev"} API_SHOP_ARN={"Fn::Sub":"arn:HERE:execute-api:THERE:${ShopApie421b6}/dev"} API_SHOP_REGION=REGION`,
		"api/elsewhere":   ``,
	} {
		b := backend(api("shop", accesstest.Open("/", "f")))
		b.Functions = []*model.Function{function("f"), function("other")}
		b.Functions[0].Access = []model.ResourceAccess{{Resource: resource, Actions: access.EveryAction}}
		b.Tables = []*model.Table{{Name: "books", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}}
		b.Storage = &model.Storage{Region: "eu-west-3", BucketName: "shop-files"}
		var got []string
		for _, f := range ofType(rendered(t, b, "dev").Root, "AWS::Lambda::Function") {
			if variables := f.node.Get("Properties", "Environment", "Variables"); f.node.Get("Properties", "FunctionName").Text == "f-dev" {
				for _, m := range variables.Members[2:] {
					got = append(got, m.Name+"="+short.Replace(string(m.Value.Minified())))
				}
			}
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", resource, got, want)
		}
	}
}

// TestARoleIsTakenThroughTheServiceOfItsRegion has regions of each partition.
func TestARoleIsTakenThroughTheServiceOfItsRegion(t *testing.T) {
	t.Parallel()
	for region, service := range map[string]string{
		"eu-central-1": "cognito-identity.amazonaws.com", "cn-north-1": "cognito-identity.cn-north-1.amazonaws.com.cn", "us-gov-west-1": "cognito-identity-us-gov.amazonaws.com",
	} {
		b := shop()
		b.Project.Region = region
		got := make(map[string]bool)
		for _, r := range ofType(rendered(t, b, "dev").Root, "AWS::IAM::Role") {
			if text := string(r.node.Get("Properties", "AssumeRolePolicyDocument").Minified()); strings.Contains(text, "cognito-identity") {
				got[strings.NewReplacer(service, "SERVICE").Replace(text)] = true
			}
		}
		for _, users := range []string{"authenticated", "unauthenticated"} {
			want := `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Federated":"SERVICE"},"Action":"sts:AssumeRoleWithWebIdentity",` +
				`"Condition":{"StringEquals":{"SERVICE:aud":{"Ref":"IdentityPool"}},"ForAnyValue:StringLike":{"SERVICE:amr":"` + users + `"}}}]}`
			if !got[want] || len(got) != 2 {
				t.Errorf("in %s roles are taken by %v, want %s", region, got, want)
			}
		}
	}
}

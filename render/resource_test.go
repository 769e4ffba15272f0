package render_test

import (
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/render"
)

// TestWhatFilesHaveSeldomIsWritten has the fields that the goldens lack, as parts.
func TestWhatFilesHaveSeldomIsWritten(t *testing.T) {
	t.Parallel()
	yes := true
	key := func(name string) model.Key { return model.Key{Name: name, Type: model.StringKey} }
	for _, row := range []struct {
		got  []byte
		want string
	}{
		{render.Table(&model.Table{
			PartitionKey: key("id"), SortKey: key("at"), Indexes: []model.Index{{Name: "byA", PartitionKey: key("a"), SortKey: key("b")}, {Name: "byC", PartitionKey: key("c")}}, StreamView: "KEYS_ONLY",
			Triggers: []model.StreamTrigger{{Function: "f", From: "TRIM_HORIZON", BatchSize: 5, BatchWindow: 6, Attempts: 7, Bisect: true, ReportFailures: true}, {Function: "g"}},
		}, render.Part), `{"version":1,"partitionKey":{"name":"id","type":"string"},"sortKey":{"name":"at","type":"string"},"indexes":[{"name":"byA","partitionKey":{"name":"a","type":"string"},"sortKey":{"name":"b","type":"string"}},{"name":"byC","partitionKey":{"name":"c","type":"string"}}],"streamView":"KEYS_ONLY","triggers":[{"function":"f","startingPosition":"TRIM_HORIZON","batchSize":5,"batchWindow":6,"attempts":7,"bisectOnError":true,"reportBatchItemFailures":true},{"function":"g"}]}`},
		{render.Table(&model.Table{PartitionKey: key("id")}, render.Part), `{"version":1,"partitionKey":{"name":"id","type":"string"}}`},
		{render.Auth(nil, []string{"B", "A"}, []model.Trigger{{At: model.DefineAuthChallenge, Function: "f"}, {At: model.PreTokenGenerationV2, Function: "g"}}, render.Part), `{"version":1,"groups":["B","A"],"triggers":{"defineAuthChallenge":"f","preTokenGenerationV2":"g"}}`},
		{render.Auth(&model.Auth{}, nil, nil, render.Part), `{"version":1,"unauthenticated_identities_enabled":true}`},
		{render.Auth(&model.Auth{UnauthenticatedIdentitiesEnabled: new(bool)}, nil, nil, render.Part), `{"version":1,"unauthenticated_identities_enabled":false}`},
		{render.Auth(&model.Auth{UnauthenticatedIdentitiesEnabled: &yes, MFAConfiguration: "NONE"}, nil, nil, render.Part), `{"version":1,"unauthenticated_identities_enabled":true,"mfa_configuration":"NONE"}`},
		{render.Function(&model.Function{
			FunctionName: "own", Runtime: model.Python, Template: model.CRUD, Table: "t", Handler: "a.b", Timeout: 1, Memory: 2, Environment: []model.Variable{{Name: "B", Value: ""}, {Name: "A", Value: "1"}},
			Secrets: []string{"S"}, Schedule: "rate(1 day)", Layers: []string{"l"}, Access: []model.ResourceAccess{{Resource: "table/t", Actions: access.ActionSet(access.Delete, access.Read)}, {Resource: "function/g"}},
		}, render.Part), `{"version":1,"functionName":"own","runtime":"python","template":"crud","table":"t","handler":"a.b","timeout":1,"memory":2,"environment":{"B":"","A":"1"},"secrets":["S"],"schedule":"rate(1 day)","layers":["l"],"access":[{"resource":"table/t","actions":["read","delete"]},{"resource":"function/g","actions":[]}]}`},
		{render.Function(&model.Function{Runtime: model.Go}, render.Part), `{"version":1,"runtime":"go"}`},
		{render.Environment(&model.Environment{
			Provider: model.AWS, Region: "r", Account: "1", Branch: "b", Guarded: true, APIs: []string{}, Parameters: []model.Variable{{Name: "P", Value: "1"}},
			Variables: []model.FunctionVariables{{Function: "f", Values: []model.Variable{{Name: "V", Value: "2"}}}, {Function: "g"}}, Data: &model.Data{URL: "u"}, Storage: &model.Storage{BucketName: "s"},
		}, render.Part), `{"version":1,"provider":"aws","region":"r","account":"1","branch":"b","guarded":true,"apis":[],"parameters":{"P":"1"},"variables":{"f":{"V":"2"}},"data":{"url":"u"},"storage":{"bucket_name":"s"}}`},
		{render.Environment(&model.Environment{Provider: model.Local}, render.Part), `{"version":1,"provider":"local"}`},
		{render.Project(model.Project{Name: "n", ApplicationID: "a", Region: "r", Dialect: model.Amplify, SandboxPort: 1}, render.Part), `{"version":1,"name":"n","applicationId":"a","region":"r","dialect":"amplify","sandboxPort":1}`},
		{render.Project(model.Project{Name: "a\xff"}, render.Part), `{"version":1,"name":"a�","applicationId":""}`},
		{render.Project(model.Project{}, render.Part), `{"version":1,"name":"","applicationId":""}`},
		{render.APIPart(&access.API{BinaryMediaTypes: []string{"a/b"}}, []*access.Path{{Name: "/a", Function: "f", Access: access.Access{Setting: access.Open}}, {Name: "/b", Function: "g", Access: access.Access{Setting: access.Private, Grants: []access.Grant{
			{To: access.Principal{Kind: access.Group, Group: "A"}, Actions: access.ActionSet(access.Update)},
			{To: access.Principal{Kind: access.Guest}, Actions: access.ActionSet(access.Read)},
			{To: access.Principal{Kind: access.Authenticated}},
			{To: access.Principal{Kind: access.Group, Group: "B"}, Actions: access.EveryAction},
		}}}}, func(p *access.Path) bool { return p.Name == "/b" }), `{"version":1,"binaryMediaTypes":["a/b"],"paths":{"/a":{"lambdaFunction":"f","permissions":{"setting":"open"}},"/b":{"name":"/b","lambdaFunction":"g","permissions":{"setting":"private","guest":["read"],"auth":[],"groups":{"A":["update"],"B":["create","read","update","delete"]}}}}}`},
	} {
		if got := string(row.got); got != row.want {
			t.Errorf("it is\n%s\nwant\n%s", got, row.want)
		}
	}
}

// TestATextOfAReportIsAsItIsWithoutItsSecrets has values of each kind.
func TestATextOfAReportIsAsItIsWithoutItsSecrets(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		pointer string
		value   any
		want    string
	}{
		{"/custom/a", "a\x1b", "a\x1b"},
		{"/custom/a", true, "true"},
		{"/custom/a", nil, "null"},
		{"/custom/a", []any{"x", false}, `["x",false]`},
		{"/data/api_key", "s3cret", model.Redacted},
		{"/custom/a", map[string]any{"b": "1", "apiKey": "s3cret"}, `{"apiKey":"<redacted>","b":"1"}`},
	} {
		if got := render.Text(row.pointer, row.value); got != row.want {
			t.Errorf("%s with %v is %q, want %q", row.pointer, row.value, got, row.want)
		}
	}
}

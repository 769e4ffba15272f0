package schemas

import (
	"strings"
	"testing"
)

// A row is a field of a file of a project, with valid and invalid values.
type row struct {
	field   string
	accepts []string
	refuses []string
}

// projectFiles are the fields of the files of a project. Those that auth, data and storage
// share with the client configuration file are in clientFields.
var projectFiles = map[string][]row{
	"project": {
		{"/version", []string{`1`, `1.0`, `1e0`}, []string{`2`, `"1"`, `true`, `1.5`, `1.00000000000000000000001`}},
		{"/name", []string{`"a"`, `"Book-shop_2"`, name(64)}, []string{`""`, `"-a"`, `"a b"`, `"a/b"`, `"é"`, name(65), `1`, `"a\n"`}},
		{"/applicationId", []string{`"d1a2b3"`, name(64)}, []string{`""`, `"_a"`, name(65), `null`}},
		{"/region", []string{`"anywhere"`}, []string{`""`, `1`}},
		{"/dialect", []string{`"neutral"`, `"amplify"`}, []string{`"public"`, `"Neutral"`, `1`}},
		{"/sandboxPort", []string{`1`, `65535`, `4280.0`}, []string{`0`, `65536`, `-1`, `80.5`, `"4280"`, `1e300`}},
		{"/$schema", []string{`""`}, []string{`1`}},
	},
	"environment": {
		{"/version", []string{`1`}, []string{`2`}},
		{"/provider", []string{`"local"`, `"aws"`}, []string{`"gcp"`, `null`}},
		{"/region", []string{`"a"`}, []string{`""`}},
		{"/account", []string{`"000000000000"`}, []string{`"12345678901"`, `"1234567890123"`, `"12345678901a"`, `123456789012`}},
		{"/branch", []string{`"feature/a b"`}, []string{`""`, `1`}},
		{"/guarded", []string{`true`, `false`}, []string{`"true"`, `1`}},
		{"/apiResources", []string{`300`, `100000`}, []string{`299`, `100001`, `300.5`, `"300"`}},
		{"/apis", []string{`[]`, `["a"]`}, []string{`["a", "a"]`, `["a b"]`, `"a"`, `[1]`}},
		{"/parameters", []string{`{}`, `{"any key": ""}`}, []string{`{"a": 1}`, `[]`}},
		{"/variables", []string{`{}`, `{"items": {}}`}, []string{`{"a b": {}}`, `{"items": {"1A": ""}}`, `{"items": {"A": 1}}`, `{"items": []}`}},
		{"/data", []string{`{}`}, []string{`{"version": 1}`, `{"api_key": "da2-key"}`, `[]`}},
		{"/data/api_key", []string{`"<API_KEY>"`}, []string{`""`, `1`}},
		{"/storage", []string{`{}`, `{"bucket_name": "a"}`}, []string{`{"version": 1}`, `{"cloud_region": 1}`}},
	},
	"cli-inputs": {
		{"/version", []string{`1`, `1.0`, `2`}, []string{`0`, `3`, `"1"`}},
		{"/paths", []string{`{}`}, []string{`[]`, `null`, `{"/a": {}}`, `{"/a": null}`}},
		{"/binaryMediaTypes", []string{`[]`, `["image/png", "*/*"]`}, []string{`"image/png"`, `[1]`, `{}`, `null`}},
		{"/further", []string{`1`, `{"version": 2}`}, nil},
		{"/paths/~1items", nil, []string{`{"lambdaFunction": "a"}`, `{"permissions": {"setting": "open"}}`, `[]`}},
		{"/paths/no path at all", []string{`{"lambdaFunction": "", "permissions": {"setting": "open"}}`}, []string{`{}`}},
		{"/paths/~1items/name", []string{`"/other"`, `1`, `null`, `{}`}, nil},
		{"/paths/~1items/further", []string{`[1]`}, nil},
		{"/paths/~1items/lambdaFunction", []string{`""`, `"any thing"`}, []string{`1`, `null`}},
		{"/paths/~1items/permissions", []string{`{"setting": "open", "auth": []}`}, []string{`{}`, `{"auth": []}`, `"open"`}},
		{"/paths/~1items/permissions/further", []string{`null`}, nil},
		{"/paths/~1items/permissions/setting", []string{`"open"`, `"private"`, `"protected"`}, []string{`"Open"`, `"public"`, `1`}},
		{"/paths/~1items/permissions/auth", []string{`[]`, `["create", "read", "update", "delete"]`, `["read", "read"]`}, []string{`["list"]`, `"read"`, `[1]`, `null`}},
		{"/paths/~1items/permissions/guest", []string{`[]`, `["read", "read"]`}, []string{`["READ"]`, `{}`}},
		{"/paths/~1items/permissions/groups", []string{`{}`, `{"any name": []}`, `{"": ["read", "read"]}`}, []string{`[]`, `{"a": ["list"]}`, `{"a": "read"}`, `[{"a": ["read"]}]`}},
	},
	"function": {
		{"/version", []string{`1`, `2`}, []string{`0`, `3`}},
		{"/functionName", []string{`"a"`, name(64)}, []string{`""`, `"a.b"`, name(65)}},
		{"/runtime", []string{`"nodejs"`, `"python"`, `"go"`, `"nodejs20.x"`, `"python3.9"`, `"provided.al2023"`}, []string{`"node"`, `"nodejs16.x"`, `"python3.15"`, `1`}},
		{"/architecture", []string{`"x86_64"`, `"arm64"`}, []string{`"amd64"`, `""`, `1`}},
		{"/template", []string{`"express"`, `"crud"`, `"plain"`}, []string{`"Express"`, `null`}},
		{"/handler", []string{`"a"`}, []string{`""`}},
		{"/timeout", []string{`1`, `900`, `25.0`}, []string{`0`, `901`, `1.5`, `"25"`}},
		{"/memory", []string{`128`, `10240`}, []string{`127`, `10241`, `128.5`}},
		{"/environment", []string{`{}`, `{"A": "", "a_1": "x"}`}, []string{`{"1A": ""}`, `{"_A": ""}`, `{"A-B": ""}`, `{"": ""}`, `{"A": 1}`}},
		{"/secrets", []string{`[]`, `["A", "B"]`}, []string{`["A", "A"]`, `["1A"]`, `"A"`}},
		{
			"/schedule",
			[]string{`"rate(1 minute)"`, `"rate(2 minutes)"`, `"rate(10 hours)"`, `"rate(1 day)"`, `"cron(0 8 ? * MON-FRI *)"`, `"cron(0/5 8-17 L * ? 2026)"`},
			[]string{`""`, `"cron()"`, `"at(2026-01-01T00:00:00)"`, `"every day"`, `"rate(1 day) "`},
		},
		{"/layers", []string{`[]`, `["a", "b", "c", "d", "e"]`}, []string{`["a", "b", "c", "d", "e", "f"]`, `["a", "a"]`, `[1]`}},
		{"/access", []string{`[]`}, []string{`{}`, `[{}]`, `[{"resource": "table/a", "actions": ["read"], "further": 1}]`}},
		{"/access/0/resource", []string{`"table/a"`, `"api/a"`, `"function/a"`, `"storage/a b"`, `"pool"`, `"mail"`, `"parameter//a"`, `"secret/a"`}, []string{`"pool/a"`, `"parameter/"`, `"table/"`, `"queue/a"`, `"a"`, `"xtable/a"`, `1`}},
		{"/access/0/actions", []string{`["create", "read", "update", "delete"]`}, []string{`[]`, `["read", "read"]`, `["list"]`, `"read"`}},
		{"/policies", []string{`[]`, `[{"Effect": "Deny", "Action": "*", "Resource": ["*"]}]`}, []string{`{}`, `[{}]`, `[{"Effect": "Allow", "Action": "a:B"}]`}},
		{"/policies/0/Effect", []string{`"Deny"`}, []string{`"allow"`, `1`}},
		{"/policies/0/Action", []string{`"a:B"`, `["a:B", "c:*"]`}, []string{`""`}},
		{"/policies/0/Resource", []string{`"*"`, `["arn:a"]`}, []string{`""`}},
		{"/policies/1/Condition", []string{`{}`}, []string{`[]`, `"a"`}},
		{"/policies/1/Sid", []string{`""`}, []string{`"a b"`}},
		{"/table", []string{`"items"`}, []string{`1`}},
	},
	"table": {
		{"/version", []string{`1`}, []string{`"1"`}},
		{"/partitionKey", nil, []string{`{}`, `{"name": "id"}`, `{"type": "string"}`, `{"name": "id", "type": "string", "further": 1}`, `"id"`}},
		{"/partitionKey/name", []string{`"a"`, quoted("é", 255)}, []string{`""`, quoted("a", 256), `1`}},
		{"/partitionKey/type", []string{`"string"`, `"number"`, `"binary"`}, []string{`"S"`, `"boolean"`}},
		{"/sortKey/name", []string{`"a"`}, []string{`""`}},
		{"/sortKey/type", []string{`"number"`}, []string{`"N"`}},
		{"/indexes", []string{`[]`}, []string{`{}`, `[{}]`, `[{"name": "abc"}]`, `[{"partitionKey": {"name": "a", "type": "string"}}]`}},
		{"/indexes/0/name", []string{`"a.b"`, quoted("a", 255)}, []string{`"ab"`, quoted("a", 256), `"a b"`, `"a/b"`}},
		{"/indexes/0/further", nil, []string{`1`}},
		{"/indexes/0/partitionKey/type", []string{`"binary"`}, []string{`"bool"`}},
		{"/indexes/0/sortKey", nil, []string{`null`}},
		{"/timeToLive", []string{`"a"`, quoted("a", 255)}, []string{`""`, quoted("a", 256), `true`}},
		{"/pointInTimeRecovery", []string{`false`}, []string{`"on"`}},
		{"/deletionProtection", []string{`false`}, []string{`1`}},
		{"/deletion", []string{`"delete"`}, []string{`"Retain"`, `false`}},
		{"/billing", []string{`"on-demand"`}, []string{`"PAY_PER_REQUEST"`}},
		{"/readCapacity", []string{`1`, `1000000`}, []string{`0`, `1000001`, `"5"`}},
		{"/writeCapacity", []string{`1`}, []string{`0`, `1.5`}},
	},
	"settings": {
		{"/version", []string{`1`}, []string{`2`, `"1"`}},
		{"/cors", []string{`{}`}, []string{`[]`, `true`}},
		{"/cors/origins", []string{`[]`, `["*"]`}, []string{`"*"`, `["https://a.example", "https://a.example"]`, `[""]`, `[1]`}},
		{"/cors/environments", []string{`[]`}, []string{`{}`, `[{}]`, `[{"environment": "prod"}]`, `[{"origins": []}]`}},
		{"/cors/environments/0/environment", []string{`"dev"`}, []string{`""`, `1`}},
		{"/cors/methods", []string{`[]`, `["PATCH"]`}, []string{`["get"]`, `["*"]`}},
		{"/cors/headers", []string{`["*"]`}, []string{`[""]`, `["a", "a"]`}},
		{"/cors/exposedHeaders", []string{`[]`}, []string{`"x-total"`}},
		{"/cors/credentials", []string{`false`}, []string{`"true"`}},
		{"/cors/maxAge", []string{`1`, `86400`}, []string{`0`, `86401`, `1.5`, `"5"`}},
		{"/cors/handler", []string{`true`}, []string{`1`}},
	},
	"auth": {
		{"/version", []string{`1`}, []string{`"1"`}},
		{"/oauth", nil, []string{`{}`, `{"domain": "a"}`}},
		{"/oauth/redirect_sign_in_uri", []string{`["a"]`}, []string{`[]`, `["a", "a"]`}},
		{"/username_attributes", []string{`["email"]`}, []string{`[]`}},
		{"/password_policy/min_length", []string{`6`, `99`}, []string{`5`, `100`}},
		{"/unauthenticated_identities_enabled", []string{`false`}, []string{`"false"`}},
		{"/native_client", []string{`false`}, []string{`"true"`}},
		{"/deletion", []string{`"delete"`}, []string{`"keep"`, `true`}},
		{"/auth_flows", []string{`["srp", "password", "custom", "admin_password", "choice"]`}, []string{`[]`, `["SRP"]`, `["srp", "srp"]`, `"srp"`}},
		{"/custom_attributes", []string{`{}`, `{"any name": {"type": "boolean"}}`}, []string{`[]`, `{"plan": {}}`, `{"plan": "string"}`, `{"plan": {"type": "String"}}`}},
		{"/custom_attributes/plan/max", []string{`0`, `-3`}, []string{`"20"`, `1.5`, `1000000000000000`}},
		{"/custom_attributes/plan/mutable", []string{`true`}, []string{`"no"`}},
		{"/token_lifetimes", []string{`{}`}, []string{`[]`, `{"access": 3600}`}},
		{"/messages", []string{`{}`}, []string{`[]`, `{"email_subject": 1}`}},
		{"/groups", []string{`[]`, `["Admins", "a+b=c,d@e.f_g-h", "Éditeurs"]`, `[` + quoted("é", 128) + `]`}, []string{`["a b"]`, `[""]`, `["a", "a"]`, `["a\tb"]`, `[` + quoted("a", 129) + `]`, `[1]`, `["a\u00a0b"]`}},
	},
	"data": {
		{"/version", []string{`1`}, []string{`2`}},
		{"/api_key", []string{`"<API_KEY>"`}, []string{`"da2-key"`, `""`, `1`}},
		{"/model_introspection", []string{`{"any": 1}`}, []string{`[]`}},
		{"/default_authorization_type", []string{`"CLOUD_IAM"`}, []string{`"AWS_IAM"`}},
		{"/authorization_types", []string{`[]`, `["API_KEY", "API_KEY"]`}, []string{`["x"]`}},
		{"/custom", nil, []string{`{}`}},
	},
	"storage": {
		{"/version", []string{`1`}, []string{`null`}},
		{"/cloud_region", []string{`"a"`}, []string{`1`}},
		{"/bucket_name", []string{`"a"`}, []string{`[]`}},
	},
	"output": {
		{"/version", []string{`"1"`}, []string{`1`, `"1.4"`}},
		{"/custom", []string{`{}`, `{"a": [1, 1]}`}, []string{`[]`}},
		{"/auth", []string{`{}`, `{"oauth": {}}`}, []string{`{"groups": []}`, `[]`}},
		{"/auth/oauth", []string{`{"domain": "a"}`, `{"redirect_sign_in_uri": []}`}, []string{`{"response_type": "cod"}`, `{"further": 1}`}},
		{"/auth/password_policy/min_length", []string{`6`}, []string{`5`, `"6"`}},
		{"/data", []string{`{}`, `{"api_key": "da2-key"}`}, []string{`{"default_authorization_type": "x"}`}},
		{"/geo", []string{`{}`, `{"maps": {}}`, `{"maps": {"items": {"a": {}}}}`}, []string{`{"maps": {"items": {"a": {"name": "b"}}}}`}},
		{"/notifications", []string{`{}`, `{"channels": []}`}, []string{`{"channels": ["x"]}`}},
		{"/storage", []string{`{}`}, []string{`{"bucket": "a"}`}},
		{"/analytics", []string{`{"messaging_app": {}}`}, []string{`{"messaging_app": []}`}},
		{"/further", nil, []string{`{}`}},
	},
	"access-test": {
		{"/version", []string{`1`}, []string{`2`, `"1"`}},
		{"/tests", []string{`[]`, `["any text"]`}, []string{`{}`, `[""]`, `[1]`, `["a", "a"]`, `null`}},
	},
	"request": {
		{"/version", []string{`1`}, []string{`2`, `"1"`}},
		{"/api", []string{`"any"`}, []string{`""`, `1`, `null`}},
		{"/path", []string{`"/"`, `"/{proxy+}"`}, []string{`"books"`, `""`, `1`}},
		{"/method", []string{`"GET"`, `"DELETE"`}, []string{`"get"`, `"TRACE"`, `1`}},
		{"/parameters", []string{`{}`, `{"a b": ""}`}, []string{`{"a": 1}`, `[]`}},
		{"/headers", []string{`[]`, `["X: 1", "X: 1"]`, `["X:"]`}, []string{`["X"]`, `[": 1"]`, `{}`, `[1]`}},
		{"/json", []string{`null`, `1`, `"x"`, `{"version": 2}`, `[1, 1]`}, nil},
		{"/body", []string{`"{"`}, []string{`{}`, `null`}},
		{"/as", []string{`"guest"`, `"authenticated"`, `"group:Ed itors"`, `"user:emma"`}, []string{`""`, `"emma"`, `"group:"`, `"password"`, `null`}},
		{"/test", []string{`true`}, []string{`"true"`, `1`}},
		{"/expect", []string{`{"status": 404}`}, []string{`{}`, `[]`, `null`, `{"status": 200, "latency": 1}`}},
		{"/expect/status", []string{`100`, `599`}, []string{`99`, `600`, `"200"`, `200.5`}},
		{"/expect/json", []string{`null`, `[]`}, nil},
		{"/expect/part", []string{`false`}, []string{`0`}},
		{"/expect/body", []string{`""`}, []string{`null`, `{}`}},
		{"/expect/ignore", []string{`[]`, `["$", "$..id"]`}, []string{`["id"]`, `["$", "$"]`, `"$"`}},
	},
}

func name(length int) string { return quoted("a", length) }

func quoted(letter string, times int) string { return `"` + strings.Repeat(letter, times) + `"` }

func TestProjectFileFields(t *testing.T) {
	t.Parallel()
	for schema, rows := range projectFiles {
		for _, row := range rows {
			for _, value := range row.accepts {
				accepts(t, schema, with(t, rich(t, schema), row.field, value))
			}
			for _, value := range row.refuses {
				doc := with(t, rich(t, schema), row.field, value)
				if len(problems(t, schema, doc)) == 0 {
					t.Errorf("%s accepts %s at %s", schema, value, row.field)
				}
			}
		}
	}
}

func TestProjectFilesRequireLittle(t *testing.T) {
	t.Parallel()
	tests := []struct{ schema, least string }{
		{"project", `{"version": 1, "name": "a", "applicationId": "b"}`},
		{"environment", `{"version": 1, "provider": "local"}`},
		{"cli-inputs", `{"version": 1, "paths": {}}`},
		{"function", `{"version": 1, "runtime": "go"}`},
		{"table", `{"version": 1, "partitionKey": {"name": "id", "type": "string"}}`},
		{"auth", `{"version": 1}`},
		{"data", `{"version": 1}`},
		{"storage", `{"version": 1}`},
		{"settings", `{"version": 1}`},
		{"output", `{}`},
		{"request", `{"version": 1, "api": "a", "path": "/a", "method": "GET"}`},
		{"access-test", `{"version": 1, "tests": []}`},
	}
	for _, test := range tests {
		accepts(t, test.schema, []byte(test.least))
		for field := range decode(t, []byte(test.least)).(map[string]any) {
			refuses(t, test.schema, "", without(t, decode(t, []byte(test.least)), "/"+field))
		}
	}
}

func TestProjectFilesForbidFurtherFields(t *testing.T) {
	t.Parallel()
	objects := map[string]string{
		"project":     "/",
		"environment": "/ /data/ /storage/",
		"function":    "/ /access/0/ /policies/0/",
		"table":       "/ /partitionKey/ /sortKey/ /indexes/0/ /indexes/0/partitionKey/ /indexes/1/partitionKey/",
		"auth":        "/ /oauth/ /password_policy/ /custom_attributes/plan/ /token_lifetimes/ /messages/",
		"data":        "/",
		"settings":    "/ /cors/ /cors/environments/0/",
		"storage":     "/",
		"request":     "/ /expect/",
		"access-test": "/",
		"output":      "/ /auth/ /auth/oauth/ /auth/password_policy/ /data/ /geo/ /geo/maps/ /storage/",
	}
	for schema, list := range objects {
		for _, object := range strings.Fields(list) {
			refuses(t, schema, object+"further", with(t, rich(t, schema), object+"further", `{"version": 1}`))
		}
	}
}

package schemas

import (
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/test/depth"
)

// laterFields are the additions of the public versions to the client configuration file. A
// row holds from its version until the next row of the same field. Earlier versions refuse
// the values that it accepts.
var laterFields = []struct {
	field, since     string
	accepts, refuses []string
}{
	{"/auth/password_policy", "1.1", nil, []string{`{}`, `{"min_length": 8}`, `{"min_length": 8, "require_numbers": true, "require_lowercase": true, "require_uppercase": true}`}},
	{"/storage/buckets", "1.1", []string{`[]`, `[{"name": "", "bucket_name": "", "aws_region": ""}]`, `[{"name": "a", "bucket_name": "b", "aws_region": "c"}, {"name": "a", "bucket_name": "b", "aws_region": "c"}]`}, []string{`{}`, `null`, `[{}]`, `[{"name": "a", "bucket_name": "b"}]`, `[{"name": 1, "bucket_name": "b", "aws_region": "c"}]`, `[{"name": "a", "bucket_name": "b", "aws_region": "c", "cloud_region": "d"}]`}},
	{"/storage/buckets/0/paths", "1.2", []string{`{}`, `{"": {}}`, `{"a/*": {"guest": ["read", "get", "list", "write", "delete"], "authenticated": [], "groups": ["get", "get"], "entity": ["list"], "resource": ["write"]}}`}, []string{`[]`, `null`, `"a"`}},
	{"/storage/buckets/0/paths/a", "1.2", nil, []string{`[]`, `"read"`, `{"guest": "read"}`, `{"guest": ["create"]}`, `{"Guest": ["read"]}`, `{"groupsAdmins": ["read"]}`, `{"entityidentity": ["read"]}`}},
	{"/storage/buckets/0/paths/a", "1.4", []string{`[]`, `"read"`, `null`, `{"guest": "read"}`, `{"groupsAdmins": ["read"]}`, `{"anything": 1}`}, nil},
	{"/auth/groups", "1.3", []string{`[]`, `[{}]`, `[{"Admins": {}}, {"Admins": {"precedence": 0}}]`, `[{"a": {"precedence": -1}, "": {"precedence": 1e400}}]`, `[{"a": {"precedence": 2.0}}]`}, []string{`{}`, `["Admins"]`, `[null]`, `[{"a": 1}]`, `[{"a": {"precedence": 1.5}}]`, `[{"a": {"precedence": 9007199254740993.5}}]`, `[{"a": {"precedence": "1"}}]`, `[{"a": {"order": 1}}]`}},
	{"/auth/mfa_methods", "1.4", []string{`["EMAIL"]`, `["SMS", "TOTP", "EMAIL"]`}, []string{`["email"]`, `[1]`}},
	{"/auth/passwordless", "1.4", []string{`{}`, `{"email_otp_enabled": true, "sms_otp_enabled": false}`, `{"web_authn": {"relying_party_id": "", "user_verification": "required"}}`}, []string{`[]`, `null`, `true`, `{"web_authn": {}}`, `{"web_authn": {"relying_party_id": "a"}}`, `{"otp": true}`}},
	{"/auth/passwordless/email_otp_enabled", "1.4", nil, []string{`"true"`, `1`}},
	{"/auth/passwordless/sms_otp_enabled", "1.4", nil, []string{`"false"`, `null`}},
	{"/auth/passwordless/web_authn/relying_party_id", "1.4", nil, []string{`1`, `null`}},
	{"/auth/passwordless/web_authn/user_verification", "1.4", nil, []string{`"discouraged"`, `true`}},
	{"/auth/passwordless/web_authn/further", "1.4", nil, []string{`1`}},
	{"/auth/passwordless/preferred_challenge", "1.4", nil, []string{`"SMS"`, `[]`}},
	{"/notifications/amazon_connect", "1.5", []string{`{"aws_region": "", "endpoint": ""}`}, []string{`{}`, `null`, `{"aws_region": "a"}`, `{"endpoint": "a"}`, `{"aws_region": "a", "endpoint": 1}`, `{"aws_region": "a", "endpoint": "b", "further": 1}`}},
	{"/notifications", "1.5", []string{`{"amazon_connect": {"aws_region": "a", "endpoint": "b"}}`, `{"amazon_connect": {"aws_region": "a", "endpoint": "b"}, "channels": ["SMS"]}`}, []string{`{}`, `{"aws_region": "a", "channels": ["SMS"]}`, `{"amazon_connect": {}}`}},
}

func TestAPublicVersionHasItsFieldsAndTheVersionsBeforeDoNot(t *testing.T) {
	t.Parallel()
	depth.WithoutRace(t)
	for _, row := range laterFields {
		until := "2"
		for _, next := range laterFields {
			if next.field == row.field && next.since > row.since {
				until = next.since
			}
		}
		for _, v := range publicVersions {
			parent, _ := holderIn(rich(t, v.schema), row.field)
			if parent == nil && v.version < row.since {
				continue
			}
			accepted := func(value string) bool {
				return len(problems(t, v.schema, with(t, rich(t, v.schema), row.field, value))) == 0
			}
			for _, value := range row.accepts {
				if want := v.version >= row.since; accepted(value) != want {
					t.Errorf("version %s, %s at %s: accepted: %t", v.version, value, row.field, !want)
				}
			}
			for _, value := range row.refuses {
				if v.version >= row.since && v.version < until && accepted(value) {
					t.Errorf("version %s accepts %s at %s", v.version, value, row.field)
				}
			}
		}
	}
}

func TestALaterVersionGetsTheVerdictOfThePublicSchemaForItsFields(t *testing.T) {
	t.Parallel()
	depth.WithoutRace(t)
	for i, v := range publicVersions {
		public := publicOracle(t, v.file)
		for j, row := range laterFields {
			if (i+j)%depth.Rounds(2, 1, 1) != 0 {
				continue
			}
			if parent, _ := holderIn(rich(t, v.schema), row.field); parent == nil {
				continue
			}
			for _, value := range slices.Concat(row.accepts, row.refuses) {
				doc := with(t, rich(t, v.schema), row.field, value)
				accepted := public.Validate(decode(t, doc)) == nil
				if found := problems(t, v.schema, doc); accepted != (len(found) == 0) {
					t.Errorf("version %s, %s at %s: the public schema accepts it: %t, we found %+v", v.version, value, row.field, accepted, found)
				}
			}
		}
	}
}

func TestMutatedClientFilesGetTheVerdictOfThePublicSchemaOfTheirVersion(t *testing.T) {
	t.Parallel()
	depth.WithoutRace(t)
	vocabulary := newVocabulary(t)
	share := depth.Rounds(*mutations/9, *mutations/3, *mutations) / len(publicVersions)
	for i, v := range publicVersions {
		public := publicOracle(t, v.file)
		m := mutator{rand.New(rand.NewPCG(*seed, uint64(100+i))), vocabulary}
		starts := startsOf(t, v.version, v.schema)
		var accepted, refused int
		for range share {
			value := m.mutate(m.prune(pick(m, starts), []string{"version"}))
			doc := encode(t, value)
			found := problems(t, v.schema, doc)
			if want := public.Validate(value) == nil; want != (len(found) == 0) {
				t.Fatalf("version %s: the public schema accepts: %t, we found %+v in\n%s", v.version, want, found, doc)
			}
			if len(found) == 0 {
				accepted++
			} else {
				refused++
			}
		}
		t.Logf("version %s: %d accepted, %d refused", v.version, accepted, refused)
		if min(accepted, refused) < share/10 {
			t.Errorf("version %s: %d accepted and %d refused: one verdict is hardly tried", v.version, accepted, refused)
		}
	}
}

// startsOf returns documents to mutate: the rich one, which mutations prune, each of
// its sections by itself, and the real files, whatever their version was.
func startsOf(t *testing.T, version, schema string) []map[string]any {
	t.Helper()
	whole := rich(t, schema).(map[string]any)
	starts := []map[string]any{whole}
	for _, section := range slices.Sorted(maps.Keys(whole)) {
		starts = append(starts, map[string]any{section: whole[section], "version": version})
	}
	files := realFiles(t, "outputs")
	for _, path := range slices.Sorted(maps.Keys(files)) {
		file := decode(t, files[path]).(map[string]any)
		file["version"] = version
		if data, is := file["data"].(map[string]any); is {
			data["model_introspection"] = map[string]any{}
		}
		starts = append(starts, file)
	}
	return starts
}

func TestRealClientFilesGetTheVerdictOfThePublicSchemaOfTheirVersion(t *testing.T) {
	t.Parallel()
	depth.WithoutRace(t)
	declared := make(map[string]int)
	for path, doc := range realFiles(t, "outputs") {
		value := decode(t, doc)
		for _, v := range publicVersions {
			want := publicOracle(t, v.file).Validate(value) == nil
			found := problems(t, v.schema, doc)
			if (len(found) == 0) != want {
				t.Errorf("%s by version %s: the public schema accepts it: %t, we found %+v", path, v.version, want, found)
			}
			if value.(map[string]any)["version"] == v.version {
				declared[v.version]++
				if !want {
					t.Logf("%s: %+v", filepath.Base(path), found)
				}
			}
		}
	}
	t.Logf("files by their version: %v", declared)
	if len(declared) < 4 {
		t.Errorf("files of the versions %v only", declared)
	}
}

// The versions have the same descriptions of common fields, so that no change of one file is
// forgotten in the others.
func TestPublicVersionsDescribeTheirCommonFieldsAlike(t *testing.T) {
	t.Parallel()
	// These differ: the whole, and the additions of a version.
	own := []string{"", "/properties/version", "/properties/storage/properties/bucket_name", "/properties/storage/properties/buckets/items/properties/paths", "/properties/auth/properties/mfa_methods/items"}
	said := make(map[string]string)
	for _, v := range publicVersions {
		text, err := Source(v.schema)
		if err != nil {
			t.Fatal(err)
		}
		eachSchema("", decode(t, text).(map[string]any), func(at string, schema map[string]any) {
			description, _ := schema["description"].(string)
			if before, there := said[at]; there && before != description && !slices.Contains(own, at) {
				t.Errorf("version %s: %s is %q, and before it was %q", v.version, at, description, before)
			}
			said[at] = description
		})
	}
}

func TestNotificationsNeedOneOfTheTwoServices(t *testing.T) {
	t.Parallel()
	tests := []struct{ notifications, text string }{
		{`{}`, `missing either "aws_region", "amazon_pinpoint_app_id" and "channels", or "amazon_connect"`},
		{`{"aws_region": "a", "channels": ["SMS"]}`, `missing either "amazon_pinpoint_app_id", or "amazon_connect"`},
	}
	for _, test := range tests {
		want := []Problem{{"/notifications", test.text, "add one or the other"}}
		found := problems(t, "client-config-amplify-1.5", []byte(`{"version": "1.5", "notifications": `+test.notifications+`}`))
		if diff := cmp.Diff(want, found); diff != "" {
			t.Error(diff)
		}
	}
}

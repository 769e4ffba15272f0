package inspect

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestTemplatesOfNestedStacksAreFoundBesideTheFirst(t *testing.T) {
	t.Parallel()
	const nested = `{"Resources": {"%s": {"Type": "AWS::SNS::Topic"}}}`
	for _, row := range []struct {
		name, url, id, asset string
		// files are what lies below the project, in which the first template is in the folder in.
		in, want string
		others   []string
	}{
		{"the file that the URL names", "https://bucket.s3.amazonaws.com/a/api.json", "Api", "", ".", "api.json", []string{"Api.json"}},
		{"its logical id", "https://bucket.s3.amazonaws.com/a/hash.json", "Api", "", ".", "Api.yaml", nil},
		{"as the CDK calls it", "https://bucket.s3.amazonaws.com/0a1b.json", "Api", "", "cdk.out", "cdk.out/Api.nested.template.json", nil},
		{"the asset in the metadata", "https://bucket.s3.amazonaws.com/0a1b.json", "Api", "asset/own.json", "cdk.out", "cdk.out/asset/own.json", []string{"cdk.out/Api.json"}},
		{"the asset in the list of the CDK", "https://bucket.s3.amazonaws.com/0a1b.json", "Api", "", "cdk.out", "cdk.out/listed.json", []string{"cdk.out/Api.json"}},
		{"an asset that leads elsewhere", "https://bucket.s3.amazonaws.com/0a1c.json", "Api", "../elsewhere.json", "cdk.out", "cdk.out/Api.json", []string{"elsewhere.json"}},
		{
			"in the folder of the Amplify CLI", "https://bucket.s3.amazonaws.com/env/api/shop-cloudformation-template.json", "apishop", "", "amplify/backend/awscloudformation/build",
			"amplify/backend/awscloudformation/build/api/shop/shop-cloudformation-template.json",
			[]string{"amplify/backend/api/shop/shop-cloudformation-template.json"},
		},
		{
			"in its source", "https://bucket.s3.amazonaws.com/env/api/shop-cloudformation-template.json", "apishop", "", "amplify/backend/awscloudformation",
			"amplify/backend/api/shop/build/shop-cloudformation-template.json", nil,
		},
		{"with a wildcard", "https://bucket.s3.amazonaws.com/a/*.json", "A*", "", ".", "", []string{"*.json", "A*.json"}},
		{"a folder above", "https://bucket.s3.amazonaws.com/a/..", "..", "", "in", "", []string{"x.json"}},
	} {
		folder := t.TempDir()
		write := func(name, text string) {
			file := filepath.Join(folder, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range row.others {
			write(name, fmt.Sprintf(nested, "Other"))
		}
		if row.want != "" {
			write(row.want, fmt.Sprintf(nested, "Wanted"))
		}
		write("cdk.out/broken.assets.json", "{")
		write("cdk.out/list.assets.json", `{"files": {"0a1b": {"source": {"path": "listed.json"}}, "0a1c": {"source": {"path": ""}}}}`)
		template, err := openBeside(filepath.Join(folder, filepath.FromSlash(row.in)))(row.url, row.id, row.asset)
		switch {
		case row.want == "":
			if err == nil || !strings.HasPrefix(err.Error(), "put its template, ") {
				t.Errorf("%s: %v, %v", row.name, template, err)
			}
		case err != nil:
			t.Errorf("%s: %v", row.name, err)
		case template.Root.Get("Resources", "Wanted") == nil:
			t.Errorf("%s: it is %s", row.name, template.Root.JSON())
		}
	}
	// What is too large, or no file, is passed over.
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "a.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, size := range map[string]int{"Api.json": mostTemplate + 1, "Api.yaml": mostTemplate} {
		text := slices.Concat(fmt.Appendf(nil, nested, name[:3]), slices.Repeat([]byte(" "), size))[:size]
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if template, err := openBeside(folder)("https://b/a.json", "Api", ""); err != nil || template.Root.Get("Resources", "Api") == nil || template.Name != filepath.Join(folder, "Api.yaml") {
		t.Errorf("beside a folder and a large file: %+v, %v", template, err)
	}
}

package project_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/amplify"
	"gatewright/project/disk"
	"gatewright/project/plan"
	"gatewright/project/validate"
)

func TestBinaryMediaTypesAreWrittenAndChangeTheirOwnLines(t *testing.T) {
	t.Parallel()
	onEveryFS(t, func(t *testing.T, fsys afero.Fs) {
		native(t, fsys, served(t, "f"), nil)
		p := load(t, fsys, project.Native)
		label := p.Backend.APIs[0].Label
		file := "backend/api/" + label + "/cli-inputs.json"
		before := get(t, fsys, file)
		set := func(types ...string) {
			t.Helper()
			edited(t, load(t, fsys, project.Native), func(b *model.Backend) error { return edit.SetBinaryMediaTypes(b, label, types) })
			if got := load(t, fsys, project.Native).Backend.API(label).BinaryMediaTypes; !slices.Equal(got, types) {
				t.Errorf("the types are %q, not %q", got, types)
			}
		}
		set("image/png")
		if got := get(t, fsys, file); !strings.Contains(got, "\n  \"version\": 1,\n  \"binaryMediaTypes\": [\n    \"image/png\"\n  ],\n  \"paths\": {") {
			t.Errorf("the file is\n%s", got)
		}
		set("image/png", "application/pdf")
		set("application/pdf")
		if got := lines(notOpen(validate.Project(load(t, fsys, project.Native)))); got != "" {
			t.Errorf("problems are\n%s", got)
		}
		set()
		if got := get(t, fsys, file); got != before {
			t.Errorf("without the types the file is\n%s\nand was\n%s", got, before)
		}
	})
}

func TestABadBinaryMediaTypeIsReportedAtItsPlace(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	native(t, fsys, served(t, "f"), nil)
	put(t, fsys, "backend/api/shop/cli-inputs.json", "{\"version\": 1, \"binaryMediaTypes\": [\"image/png\",\n  \"png\", \"*/jpg\"],\n  \"paths\": {\"/a\": {\"lambdaFunction\": \"f\", \"permissions\": {\"setting\": \"open\"}}}}")
	got := lines(validate.Project(load(t, fsys, project.Native)))
	for _, want := range []string{
		"error: backend/api/shop/cli-inputs.json:2:3: the binary media type png is not a media type (at /binaryMediaTypes/1); use one such as image/png, image/* or */*\n",
		"warning: backend/api/shop/cli-inputs.json:2:10: the binary media type */jpg matches nothing",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	put(t, fsys, "backend/api/shop/cli-inputs.json", `{"version": 1, "binaryMediaTypes": "image/png", "paths": {}}`)
	if got := lines(validate.Project(load(t, fsys, project.Native))); !strings.Contains(got, `expected an array, found the string "image/png" (at /binaryMediaTypes)`) {
		t.Errorf("problems are\n%s", got)
	}
}

// amplifyAPI loads the Amplify CLI project of the tests with further files of its API shop.
func amplifyAPI(t *testing.T, files map[string]string) *project.Project {
	t.Helper()
	fsys := disk.Memory()
	copyIn(t, fsys, "../testdata/amplify")
	for name, text := range files {
		put(t, fsys, name, text)
	}
	return load(t, fsys, project.Amplify)
}

// How an override sets them: https://github.com/aws-amplify/amplify-cli/issues/9642. A
// template's property and its OpenAPI document are joined:
// https://github.com/localstack/localstack/pull/12586.
func TestBinaryMediaTypesOfAnAmplifyProjectAreRead(t *testing.T) {
	t.Parallel()
	const folder = "amplify/backend/api/shop/"
	template := func(properties string) string {
		return `{"Parameters": {"env": {"Type": "String"}}, "Resources": {"shop": {"Type": "AWS::ApiGateway::RestApi", "Properties": {` + properties + `}}}}`
	}
	override := func(line string) string {
		return "import { AmplifyApiRestResourceStackTemplate } from '@aws-amplify/cli-extensibility-helper';\n" +
			"export function override(resources: AmplifyApiRestResourceStackTemplate) {\n  " + line + "\n}\n"
	}
	built, older, pushed := folder+"build/shop-cloudformation-template.json", folder+"shop-cloudformation-template.json", "amplify/#current-cloud-backend/api/shop/build/shop-cloudformation-template.json"
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
		says  string
	}{
		"none":                          {nil, nil, ""},
		"of the template":               {map[string]string{built: template(`"BinaryMediaTypes": ["image/png", "*/*"]`)}, []string{"image/png", "*/*"}, ""},
		"with escaped slashes":          {map[string]string{built: template(`"BinaryMediaTypes": ["image~1png", "*~1*"]`)}, []string{"image/png", "*/*"}, ""},
		"of the OpenAPI document":       {map[string]string{built: template(`"Body": {"swagger": "2.0", "x-amazon-apigateway-binary-media-types": ["image/gif"]}`)}, []string{"image/gif"}, ""},
		"of both":                       {map[string]string{built: template(`"BinaryMediaTypes": ["a/b"], "Body": {"x-amazon-apigateway-binary-media-types": ["image/gif", "a/b"]}`)}, []string{"a/b", "image/gif"}, ""},
		"of an older template":          {map[string]string{older: template(`"BinaryMediaTypes": ["image/png"]`)}, []string{"image/png"}, ""},
		"of what was pushed":            {map[string]string{pushed: template(`"BinaryMediaTypes": ["image/png"]`)}, []string{"image/png"}, ""},
		"of the built one, not pushed":  {map[string]string{pushed: template(`"BinaryMediaTypes": ["image/png"]`), built: template(``)}, nil, ""},
		"with a part that is not known": {map[string]string{built: template(`"BinaryMediaTypes": ["image/png", {"Fn::ImportValue": "type"}]`)}, []string{"image/png"}, "warning: " + built + ":1:"},
		"of an override":                {map[string]string{folder + "override.ts": override(`resources.restApi.binaryMediaTypes = ['application/pdf', "image/*",];`)}, []string{"application/pdf", "image/*"}, ""},
		"of an override over a build":   {map[string]string{folder + "override.ts": override("resources.restApi.binaryMediaTypes = [\n // all\n '*/*' /* yes */ ]"), built: template(`"BinaryMediaTypes": ["image/png"]`)}, []string{"*/*"}, ""},
		"of a property override":        {map[string]string{folder + "override.ts": override(`resources.restApi.addPropertyOverride("BinaryMediaTypes", ["image~1png"]);`)}, []string{"image/png"}, ""},
		"behind texts with quotes":      {map[string]string{folder + "override.ts": override("const a = 'it\\'s // no \\\\', b = \"/* \\\" */\"; resources.restApi.binaryMediaTypes = ['*/*'] // 'x'")}, []string{"*/*"}, ""},
		"behind a comment with no end":  {map[string]string{folder + "override.ts": override("/* resources.restApi.binaryMediaTypes = ['*/x'")}, nil, ""},
		"not of a comment":              {map[string]string{folder + "override.ts": override(`// resources.restApi.binaryMediaTypes = ['a/b']`)}, nil, ""},
		"of a program":                  {map[string]string{folder + "override.ts": override(`resources.restApi.binaryMediaTypes = types()`)}, nil, "warning: " + folder + "override.ts: sets binary media types in code that gatewright does not run, and the generated template is missing; run: amplify build\n"},
		"of a program that was built":   {map[string]string{folder + "override.ts": override(`resources.restApi.binaryMediaTypes = [first, 'a/b']`), built: template(`"BinaryMediaTypes": ["image/png"]`)}, []string{"image/png"}, ""},
		"of a broken template":          {map[string]string{built: `{"Resources": `}, nil, "note: " + built + ":1:15: cannot be read, so the API has no binary media types in the sandbox: "},
		"in cli-inputs.json": {
			map[string]string{folder + "cli-inputs.json": `{"version": 1, "binaryMediaTypes": ["image/png"], "paths": {"/items": {"name": "/items", "lambdaFunction": "items", "permissions": {"setting": "open"}}}}`},
			nil,
			"warning: " + folder + "cli-inputs.json:1:16: have no effect: the Amplify CLI does not read them (at /binaryMediaTypes); run: amplify override api, and set resources.restApi.binaryMediaTypes in override.ts\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := amplifyAPI(t, c.files)
			if got := p.Backend.API("shop").BinaryMediaTypes; !slices.Equal(got, c.want) {
				t.Errorf("the types are %q", got)
			}
			said := lines(p.Problems)
			if c.says != "" && !strings.Contains(said, c.says) || c.says == "" && strings.Contains(said, "inary media types") {
				t.Errorf("it is said\n%s", said)
			}
		})
	}
}

func TestBinaryMediaTypesOfAnAmplifyProjectAreNotChanged(t *testing.T) {
	t.Parallel()
	p := amplifyAPI(t, map[string]string{
		"amplify/backend/api/shop/build/shop-cloudformation-template.json": `{"Resources": {"shop": {"Type": "AWS::ApiGateway::RestApi", "Properties": {"BinaryMediaTypes": ["image/png"]}}}}`,
	})
	for _, types := range [][]string{nil, {"image/png", "image/gif"}} {
		next, err := p.Backend.Edit(func(b *model.Backend) error { return edit.SetBinaryMediaTypes(b, "shop", types) })
		must(t, err)
		_, err = plan.Of(p, next)
		if !errors.Is(err, amplify.ErrKept) || !strings.HasSuffix(err.Error(), "; run: amplify override api, and set resources.restApi.binaryMediaTypes in override.ts") {
			t.Errorf("%q: %v", types, err)
		}
	}
	// Other edits leave them out of the file of the Amplify CLI.
	plan := edited(t, p, func(b *model.Backend) error {
		path := *b.API("shop").Paths[0]
		path.Access = access.Access{Setting: access.Open}
		return edit.UpdatePath(b, "shop", path.Name, &path)
	})
	if strings.Contains(plan.Diff(), "inaryMediaTypes") {
		t.Errorf("the edit is\n%s", plan.Diff())
	}
}

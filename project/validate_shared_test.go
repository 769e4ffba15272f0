package project_test

import (
	"strings"
	"testing"

	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/validate"
)

func TestLayersAndPackagesInFoldersAreChecked(t *testing.T) {
	t.Parallel()
	for _, runtime := range []string{"nodejs", "nodejs24.x"} {
		fsys := disk.Memory()
		shop(t, fsys)
		for name, text := range map[string]string{
			"backend/function/items/src/index.js":          "exports.handler = async () => ({});",
			"backend/function/items/src/package.json":      `{"dependencies":{"odd":"workspace:*"}}`,
			"backend/function/items/function.json":         `{"version":1,"runtime":"` + runtime + `","layers":["layer/gone","layer/snakes","layer/both","arn:aws:lambda:eu-west-1:123456789012:layer:x:1"]}`,
			"backend/layer/snakes/python/requirements.txt": "left",
			"backend/layer/both/python/requirements.txt":   "left",
			"backend/layer/both/nodejs/package.json":       "{}",
		} {
			put(t, fsys, name, text)
		}
		found := lines(validate.Project(load(t, fsys, project.Native)))
		for _, want := range []string{
			"the layer layer/gone is not a folder of the project (at /layers/0); create the folder backend/layer/gone", "the layer layer/snakes is for python alone, and the function runs nodejs",
			"the package odd is asked for as workspace:*",
		} {
			if !strings.Contains(found, want) {
				t.Errorf("%q is not found in %s", want, found)
			}
		}
		if strings.Contains(found, "layer/both") || strings.Contains(found, "layer:x") {
			t.Errorf("a layer that is right is wrong: %s", found)
		}
	}
}

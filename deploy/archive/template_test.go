package archive

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/render/handler"
	"gatewright/test/depth"
	"gatewright/test/registry"
)

func TestEveryTemplateIsArchived(t *testing.T) {
	depth.WithoutRace(t)
	table := &model.Table{Name: "items", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}
	for name, test := range map[string]struct {
		spec handler.Spec
		// public are the programs that get the packages of the template from public registries.
		public []string
		want   string
	}{
		"express": {handler.Spec{Function: "f", Runtime: model.NodeJS, Template: model.Express}, []string{"npm"}, "node_modules/express/index.js"},
		"crud":    {handler.Spec{Function: "f", Runtime: model.NodeJS, Template: model.CRUD, Table: table}, []string{"npm"}, "node_modules/@aws-sdk/lib-dynamodb/package.json"},
		"plain":   {handler.Spec{Function: "f", Runtime: model.NodeJS, Template: model.Plain}, nil, "index.js"},
		"python":  {handler.Spec{Function: "f", Runtime: model.Python, Template: model.Plain}, nil, "index.py"},
		"go":      {handler.Spec{Function: "f", Runtime: model.Go, Template: model.Plain}, []string{"go"}, "bootstrap"},
	} {
		t.Run(name, func(t *testing.T) {
			if len(test.public) > 0 {
				registry.Public(t)
				depth.Needs(t, test.public...)
			}
			rendered, err := handler.Files(test.spec)
			must(t, err)
			texts := make(map[string]string)
			for _, file := range rendered {
				if inside, ok := strings.CutPrefix(file.Name, "src/"); ok {
					texts[inside] = string(file.Data)
				}
			}
			made := pack(t, builder(t), Source{Name: "f", Folder: write(t, texts), Runtime: test.spec.Runtime})
			found := files(t, made)
			if _, ok := found[test.want]; !ok {
				t.Errorf("%s is missing in %q", test.want, slices.Sorted(maps.Keys(found)))
			}
			t.Logf("%d files, %s", len(found), megabytes(made.Size))
		})
	}
}

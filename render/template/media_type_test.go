package template_test

import (
	"slices"
	"testing"

	"gatewright/model"
	"gatewright/render/template"
)

// Slashes are escaped, as
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-restapi.html
// says, and the definition in the template has the types as they were written.
func TestAnAPIIsDeployedWithItsBinaryMediaTypes(t *testing.T) {
	t.Parallel()
	of := func(b *model.Backend) (types []string, there bool) {
		node := ofType(rendered(t, b, "dev").Root, "AWS::ApiGateway::RestApi")[0].node.Get("Properties", "BinaryMediaTypes")
		if node == nil {
			return nil, false
		}
		for _, item := range node.Items {
			types = append(types, item.Text)
		}
		return types, true
	}
	b := shop()
	if types, there := of(b); there {
		t.Errorf("without any the template has %q", types)
	}
	b.APIs[0].BinaryMediaTypes = []string{"image/png", "*/*"}
	if types, _ := of(b); !slices.Equal(types, []string{"image~1png", "*~1*"}) {
		t.Errorf("the template has %q", types)
	}
	large := backend(manyPaths("catalog", 75), manyPaths("stock", 30))
	large.APIs[0].BinaryMediaTypes = []string{"image/*"}
	if types, _ := of(large); !slices.Equal(types, []string{"image~1*"}) || len(rendered(t, large, "dev").Nested) == 0 {
		t.Errorf("a divided template has %q", types)
	}
	metadata := rendered(t, b, "dev").Root.Get("Resources", template.DefinitionID, "Metadata").JSON()
	read, err := template.ReadDefinition(metadata)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"version":1,"binaryMediaTypes":["image/png","*/*"],"paths":{`
	if got := string(read.Files["api/shop/cli-inputs.json"]); len(got) < len(want) || got[:len(want)] != want {
		t.Errorf("the definition is %s", got)
	}
}

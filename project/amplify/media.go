package amplify

import (
	"errors"
	"path"
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/text/lazyregexp"
	"gatewright/model"
	"gatewright/project/read"
)

// OverrideFile changes the template that the Amplify CLI makes of an API
// (https://docs.amplify.aws/gen1/javascript/tools/cli/restapi/override/).
const OverrideFile = "override.ts"

// OverrideFix says how an API of an Amplify CLI project gets binary media types
// (https://github.com/aws-amplify/amplify-cli/issues/9642).
const OverrideFix = "run: amplify override api, and set resources.restApi.binaryMediaTypes in override.ts"

// loadAmplifyMediaTypes reads the binary media types of each API: those that its override
// names, else those of the template that the Amplify CLI made with it, else of the one that
// was pushed last. The Amplify CLI reads none in a cli-inputs.json.
func (p *Project) loadAmplifyMediaTypes() {
	for _, api := range p.Backend.APIs {
		if len(api.BinaryMediaTypes) > 0 {
			if f := p.Definitions[p.Layout.APIFile(api.Label)]; f != nil {
				p.Problems = append(p.Problems,
					f.Problem(model.Warning, "/binaryMediaTypes", OverrideFix, "have no effect: the Amplify CLI does not read them"))
			}
		}
		api.BinaryMediaTypes = p.amplifyMediaTypes(api.Label)
	}
}

func (p *Project) amplifyMediaTypes(label string) []string {
	folder := path.Join(p.Layout.String(), "api", label)
	override, err := read.Bytes(p.FS, path.Join(folder, OverrideFile))
	types, set, known := overriddenMediaTypes(string(override))
	if err == nil && known {
		return types
	}
	pushed := path.Join(PushedFolder, "api", label)
	for _, from := range []string{path.Join(folder, "build"), folder, path.Join(pushed, "build"), pushed} {
		template, err := p.readTemplate(from, label)
		var problem *read.Problem
		switch {
		case template != nil:
			return p.templateMediaTypes(template)
		case errors.As(err, &problem):
			told := *problem
			told.Level, told.Text = model.Note, "cannot be read, so the API has no binary media types in the "+
				"sandbox: "+problem.Text
			p.Problems = append(p.Problems, &told)
			return nil
		}
	}
	if set {
		p.Problems = append(p.Problems, &read.Problem{
			File: path.Join(folder, OverrideFile), Level: model.Warning,
			Text: "sets binary media types in code that gatewright does not run, and the generated template is missing",
			Fix:  "run: amplify build",
		})
	}
	return nil
}

// templateMediaTypes reads the binary media types of a template's RestApi and of its OpenAPI
// document. With both, the cloud has all of them
// (https://github.com/localstack/localstack/pull/12586). In the property, slashes may be
// escaped
// (https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-restapi.html).
func (p *Project) templateMediaTypes(template *cfn.Template) []string {
	var types []string
	resolver := template.With(cfn.Given{Parameters: map[string]cfn.Value{"env": cfn.Text("NONE")}})
	for _, resource := range template.Resources() {
		if resource.Type != "AWS::ApiGateway::RestApi" {
			continue
		}
		property := resolver.Resolve(resource.Properties.Get("BinaryMediaTypes"))
		extension := resolver.Resolve(resource.Properties.Get("Body", "x-amazon-apigateway-binary-media-types"))
		for _, item := range slices.Concat(property.List, extension.List) {
			text, ok := item.String()
			if !ok {
				p.Problems = append(p.Problems, &read.Problem{
					File: template.Name, Line: item.Line, Column: item.Column, Pointer: item.Pointer, Level: model.Warning,
					Text: "a binary media type is known only after a push, and has no effect in the " +
						"sandbox", Fix: "write it as a text",
				})
				continue
			}
			if text = strings.ReplaceAll(text, "~1", "/"); !slices.Contains(types, text) {
				types = append(types, text)
			}
		}
	}
	return types
}

// The two ways in which an override sets binary media types, with the list.
var (
	assignedTypes   = lazyregexp.New(`\.binaryMediaTypes\s*=\s*\[([^\]]*)\]`)
	overriddenTypes = lazyregexp.New(`addPropertyOverride\(\s*["'\x60]BinaryMediaTypes["'\x60]\s*,\s*\[([^\]]*)\]`)
	quotedType      = lazyregexp.New(`^(?:"([^"\\]*)"|'([^'\\]*)'|\x60([^\x60\\$]*)\x60)$`)
)

// overriddenMediaTypes reads the binary media types that an override sets. set says that it
// sets some, known that all of them could be read: they are a list of literal texts.
func overriddenMediaTypes(source string) (types []string, set, known bool) {
	code := withoutComments(source)
	if !strings.Contains(strings.ToLower(code), "binarymediatypes") {
		return nil, false, false
	}
	found := append(assignedTypes().FindAllStringSubmatch(code, -1), overriddenTypes().FindAllStringSubmatch(code, -1)...)
	if len(found) != 1 || strings.Count(strings.ToLower(code), "binarymediatypes") != 1 {
		return nil, true, false
	}
	for item := range strings.SplitSeq(found[0][1], ",") {
		if item = strings.TrimSpace(item); item == "" {
			continue
		}
		parts := quotedType().FindStringSubmatch(item)
		if parts == nil {
			return nil, true, false
		}
		types = append(types, strings.ReplaceAll(parts[1]+parts[2]+parts[3], "~1", "/"))
	}
	return types, true, true
}

// withoutComments returns a program in TypeScript without its comments. A media type such as
// */* in a text is none.
func withoutComments(source string) string {
	var code strings.Builder
	for at := 0; at < len(source); {
		rest := source[at:]
		end := 1
		switch c := source[at]; {
		case strings.HasPrefix(rest, "//"):
			if end = strings.IndexByte(rest, '\n'); end < 0 {
				end = len(rest)
			}
			at += end
			continue
		case strings.HasPrefix(rest, "/*"):
			if end = strings.Index(rest, "*/"); end < 0 {
				return code.String()
			}
			at += end + len("*/")
			continue
		case c == '"' || c == '\'' || c == '`':
			end = endOfText(rest)
		}
		code.WriteString(rest[:end])
		at += end
	}
	return code.String()
}

// endOfText is the length of the text that begins with its quote.
func endOfText(rest string) int {
	for i := 1; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case rest[0]:
			return i + 1
		}
	}
	return len(rest)
}

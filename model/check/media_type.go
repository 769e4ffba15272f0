package check

import (
	"fmt"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
)

// BinaryMediaTypes checks the binary media types of an API, one by one and against each
// other. A wildcard for the type alone matches nothing, as the recordings of API Gateway show
// (https://github.com/localstack/localstack/blob/master/tests/aws/services/apigateway/test_apigateway_lambda.py,
// test_aws_proxy_binary_response).
func BinaryMediaTypes(api *access.API) []*model.Problem {
	var problems []*model.Problem
	seen := make(map[string]bool)
	for i, text := range api.BinaryMediaTypes {
		say := func(level model.Level, fix, what string) {
			problems = append(problems, &model.Problem{
				Of: model.Ref{Kind: model.KindAPI, Name: api.Label}, Pointer: fmt.Sprintf("/binaryMediaTypes/%d", i),
				Field: "binaryMediaTypes",
				Level: level, Text: "the binary media type " + phrase.Quote(text) + " " + what, Fix: fix,
			})
		}
		main, sub, two := strings.Cut(text, "/")
		folded := strings.ToLower(text)
		switch {
		case !two && strings.Contains(text, "~1"):
			say(model.Error, "write "+phrase.Quote(strings.ReplaceAll(text, "~1", "/")), "has a slash escaped as in templates")
		case strings.Contains(text, ";"):
			bare, _, _ := strings.Cut(text, ";")
			say(model.Error, "write "+phrase.Quote(strings.TrimSpace(bare)), "has parameters, which do not count")
		case !two || !isMediaToken(main) || !isMediaToken(sub):
			say(model.Error, "use one such as image/png, image/* or */*", "is not a media type")
		case seen[folded]:
			say(model.Error, "remove one", "is listed twice")
		case main == "*" && sub != "*":
			say(model.Warning, "name the types, or use */*",
				"matches nothing: API Gateway accepts a wildcard after the slash only, or in both parts")
		}
		seen[folded] = true
	}
	return problems
}

// isMediaToken reports whether a text may be a part of a media type: a name by RFC 6838, section 4.2, or a wildcard.
func isMediaToken(text string) bool {
	if text == "*" {
		return true
	}
	const longest = 127
	if text == "" || len(text) > longest || strings.IndexByte("!#$&-^_.+", text[0]) >= 0 {
		return false
	}
	for i := range len(text) {
		c := text[i]
		if !('a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || strings.IndexByte("!#$&-^_.+", c) >= 0) {
			return false
		}
	}
	return true
}

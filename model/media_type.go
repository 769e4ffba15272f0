package model

import (
	"fmt"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model/access"
)

// AllMediaTypes is the binary media type that every media type matches.
const AllMediaTypes = "*/*"

// SetBinaryMediaTypes replaces the binary media types of an API; none makes every body text. The
// order alone is no difference.
func (b *Backend) SetBinaryMediaTypes(label string, types []string) error {
	have, err := b.api(label)
	if err != nil {
		return err
	}
	if sameMediaTypes(types, have.BinaryMediaTypes) {
		return nil
	}
	changed := *have
	changed.BinaryMediaTypes = append([]string(nil), types...)
	err = refusal(checkBinaryMediaTypes(&changed), func() []*Problem { return checkBinaryMediaTypes(have) })
	if err == nil {
		b.APIs = swapped(b.APIs, label, &changed)
	}
	return err
}

// checkBinaryMediaTypes checks the binary media types of an API, one by one and against each
// other. A wildcard for the type alone matches nothing, as the recordings of API Gateway show
// (https://github.com/localstack/localstack/blob/master/tests/aws/services/apigateway/test_apigateway_lambda.py,
// test_aws_proxy_binary_response).
func checkBinaryMediaTypes(api *access.API) []*Problem {
	var problems []*Problem
	seen := make(map[string]bool)
	for i, text := range api.BinaryMediaTypes {
		say := func(level Level, fix, what string) {
			problems = append(problems, &Problem{
				Of: Ref{Kind: KindAPI, Name: api.Label}, Pointer: fmt.Sprintf("/binaryMediaTypes/%d", i), Field: "binaryMediaTypes",
				Level: level, Text: "the binary media type " + phrase.Quote(text) + " " + what, Fix: fix,
			})
		}
		main, sub, two := strings.Cut(text, "/")
		folded := strings.ToLower(text)
		switch {
		case !two && strings.Contains(text, "~1"):
			say(Error, "write "+phrase.Quote(strings.ReplaceAll(text, "~1", "/")), "has a slash as templates escape it")
		case strings.Contains(text, ";"):
			bare, _, _ := strings.Cut(text, ";")
			say(Error, "write "+phrase.Quote(strings.TrimSpace(bare)), "has parameters, which are not compared")
		case !two || !isMediaToken(main) || !isMediaToken(sub):
			say(Error, "use one such as image/png, image/* or */*", "is not a media type")
		case seen[folded]:
			say(Error, "remove one", "is listed twice")
		case main == "*" && sub != "*":
			say(Warning, "name the types, or use */*",
				"matches nothing: API Gateway takes a wildcard for the part after the slash, or for both")
		}
		seen[folded] = true
	}
	return problems
}

// isMediaToken reports whether a text may be a part of a media type: a name by RFC 6838,
// section 4.2, or a wildcard.
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

// sameMediaTypes reports whether two lists have the same types, in any order.
func sameMediaTypes(x, y []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y)))
}

// BinaryMediaTypeChange says how the binary media types of an API change, as a predicate of
// the API; "" if they do not. was is nil for a new API, now for one that is gone.
func BinaryMediaTypeChange(was, now *access.API) string {
	switch {
	case now == nil || was == nil && len(now.BinaryMediaTypes) == 0:
		return ""
	case was == nil:
		return "has the " + now.BinaryWords()
	case sameMediaTypes(was.BinaryMediaTypes, now.BinaryMediaTypes):
		return ""
	case len(now.BinaryMediaTypes) == 0:
		return "has no binary media types now, and had " + phrase.QuoteList(was.BinaryMediaTypes) + ": every body is text"
	case len(was.BinaryMediaTypes) == 0:
		return "has the " + now.BinaryWords() + ", and had none"
	}
	return "has the " + now.BinaryWords() + " instead of " + phrase.QuoteList(was.BinaryMediaTypes)
}

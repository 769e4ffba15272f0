package gateway

import (
	"fmt"
	"strconv"
	"strings"

	"gatewright/internal/openapi/example"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// preferenceOf reads what a request asks for by the values of its header Prefer, as in Prefer: code=404,
// example=gone. The form is that of RFC 7240 (https://www.rfc-editor.org/rfc/rfc7240#section-2), whose texts
// may be quoted; other mock servers of OpenAPI have these preferences too, and take spaces between them
// (https://github.com/stoplightio/prism/blob/master/docs/guides/01-mocking.md). Of a preference that is there
// twice, the first counts; unknown ones do not. The error is one line: the status is none.
func preferenceOf(values []string) (p example.Preference, err error) {
	code, text := false, strings.Join(values, ",")
	for text != "" {
		var name, value string
		name, value, text = nextPreference(text)
		switch {
		case strings.EqualFold(name, "example") && p.Example == "":
			p.Example = value
		case strings.EqualFold(name, "code") && !code:
			code = true
			if p.Status, err = strconv.Atoi(value); err != nil || p.Status < 200 || p.Status > 599 {
				return p, &model.Problem{
					Text: fmt.Sprintf("the header Prefer asks for the status %s, which no response has", phrase.Quote(value)),
					Fix:  "ask for one from 200 to 599, as in Prefer: code=404",
				}
			}
		}
	}
	return p, nil
}

// nextPreference cuts the first preference from a text: its name, and its value without quotes.
func nextPreference(text string) (name, value, rest string) {
	const ends = ",; \t"
	text = strings.TrimLeft(text, ends)
	end := strings.IndexAny(text, "="+ends)
	if end < 0 {
		return text, "", ""
	}
	name, rest = text[:end], strings.TrimLeft(text[end:], " \t")
	rest, is := strings.CutPrefix(rest, "=")
	if !is {
		return name, "", rest
	}
	rest = strings.TrimLeft(rest, " \t")
	if !strings.HasPrefix(rest, `"`) {
		if end = strings.IndexAny(rest, ends); end < 0 {
			return name, rest, ""
		}
		return name, rest[:end], rest[end:]
	}
	var b strings.Builder
	for i := 1; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '"':
			return name, b.String(), rest[i+1:]
		case c == '\\' && i+1 < len(rest):
			i++
			b.WriteByte(rest[i])
		default:
			b.WriteByte(c)
		}
	}
	return name, b.String(), ""
}

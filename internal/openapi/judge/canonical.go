package judge

import (
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/cfn"
)

// Canonical writes a value in one form: values that JSON Schema calls equal
// (https://json-schema.org/draft/2020-12/json-schema-core#section-4.2.2), and no others, have equal texts.
func Canonical(v *cfn.Node) string {
	if v.Kind == cfn.Map || v.Kind == cfn.List {
		return string(appendCanonical(nil, v))
	}
	return scalar(v)
}

// scalar is the text of a value without parts. The first character tells the types apart.
func scalar(v *cfn.Node) string {
	switch v.Kind {
	case cfn.Bool:
		return v.Text
	case cfn.Number:
		if d, ok := ParseDecimal(v.Text); ok {
			return d.String()
		}
		return "n" + v.Text
	case cfn.String:
		return `"` + v.Text
	}
	return "null"
}

func appendCanonical(to []byte, v *cfn.Node) []byte {
	switch v.Kind {
	case cfn.List:
		to = append(to, '[')
		for _, item := range v.Items {
			to = append(appendCanonical(to, item), ',')
		}
		return append(to, ']')
	case cfn.Map:
		members := slices.Clone(v.Members)
		slices.SortFunc(members, func(a, b cfn.Member) int { return strings.Compare(a.Name, b.Name) })
		to = append(to, '{')
		for _, m := range members {
			to = append(strconv.AppendQuote(to, m.Name), ':')
			to = append(appendCanonical(to, m.Value), ',')
		}
		return append(to, '}')
	case cfn.String:
		return strconv.AppendQuote(to, v.Text)
	}
	return append(to, scalar(v)...)
}

// size is how many values a value has, with itself; a text counts by its length.
func size(v *cfn.Node) int {
	n := 1 + len(v.Text)/textStep
	for _, item := range v.Items {
		n += size(item)
	}
	for _, m := range v.Members {
		n += 1 + len(m.Name)/textStep + size(m.Value)
	}
	return n
}

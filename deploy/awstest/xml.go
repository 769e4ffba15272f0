package awstest

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// el is an element around what is XML already.
func el(name, inner string) string { return "<" + name + ">" + inner + "</" + name + ">" }

// tx is an element with a text; nothing if the text is "".
func tx(name, text string) string {
	if text == "" {
		return ""
	}
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text))
	return el(name, b.String())
}

func yes(name string, b bool) string { return el(name, strconv.FormatBool(b)) }

// at is an element with a time; nothing if there is none.
func at(name string, t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return el(name, t.UTC().Format("2006-01-02T15:04:05.000Z"))
}

// members is a list of the query protocol.
func members[T any](name string, all []T, one func(T) string) string {
	var b strings.Builder
	for _, x := range all {
		b.WriteString(el("member", one(x)))
	}
	return el(name, b.String())
}

// result is the response of the query protocol to an action.
func result(r *request, inner string) (answer, *fault) {
	return answer{header: map[string]string{"Content-Type": "text/xml"}, body: []byte(
		el(r.Action+"Response", el(r.Action+"Result", inner)+el("ResponseMetadata", tx("RequestId", padded(r.Number, 16)))),
	)}, nil
}

func padded(n, width int) string { return fmt.Sprintf("%0*d", width, n) }

// page is a part of a list, by a token that is the index of its first item.
func page[T any](all []T, token string, size int) (part []T, next string, f *fault) {
	from := 0
	if token != "" {
		n, err := strconv.Atoi(strings.TrimPrefix(token, "page-"))
		if err != nil || n < 0 || n > len(all) {
			return nil, "", invalid("Invalid token")
		}
		from = n
	}
	to := min(len(all), from+size)
	if to < len(all) {
		next = "page-" + strconv.Itoa(to)
	}
	return all[from:to], next, nil
}

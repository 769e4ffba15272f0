package traffic

import (
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/internal/secret"
	"gatewright/model"
)

// maskedJSON is Masked for JSON; it also looks into strings that hold JSON. The text may end
// anywhere, as the beginning of a longer one does: a string that it cuts is looked into as far
// as it goes, and nothing is left of a secret that it cuts.
func maskedJSON(text string, decodes bool) (masked string, names []string, ok bool) {
	d := jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	var b strings.Builder
	done := 0
	put := func(value string, from, to int, of ...string) {
		b.WriteString(text[done:from])
		b.WriteString(value)
		done = to
		for _, name := range of {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	finish := func(err error) (string, []string, bool) {
		if err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
			return "", nil, false
		}
		b.WriteString(text[done:])
		return b.String(), names, true
	}
	const hidden = `"` + model.Redacted + `"`
	for {
		kind, size := d.StackIndex(d.StackDepth())
		isName := kind == '{' && size%2 == 0
		next := d.PeekKind()
		at := int(d.InputOffset())
		switch {
		case next != '"':
			if _, err := d.ReadToken(); err != nil {
				return finish(err)
			}
		case isName:
			token, err := d.ReadToken()
			if err != nil {
				return finish(err)
			}
			name := token.String()
			if !secret.Named(name) {
				continue
			}
			at = int(d.InputOffset())
			value, err := d.ReadValue()
			switch {
			case errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF:
				put(":"+hidden, at, len(text), name)
				return finish(io.EOF)
			case err != nil:
				return finish(err)
			case string(value) != "null" && string(value) != `""`:
				end := int(d.InputOffset())
				put(hidden, end-len(value), end, name)
			}
		default:
			value, err := d.ReadValue()
			if errors.Is(err, io.ErrUnexpectedEOF) {
				from := at + strings.IndexByte(text[at:], '"')
				if inner, of := maskedString(text[from:], decodes); len(of) > 0 {
					put(strings.TrimSuffix(inner, `"`), from, len(text), of...)
				}
			}
			if err != nil {
				return finish(err)
			}
			if inner, of := maskedString(string(value), decodes); len(of) > 0 {
				end := int(d.InputOffset())
				put(inner, end-len(value), end, of...)
			}
		}
	}
}

// maskedString is a JSON string without the secrets of the text that it holds; names is empty
// if it has none. A string that has no end is one of what it has.
func maskedString(value string, decodes bool) (masked string, names []string) {
	if !secret.Maybe(value) {
		return "", nil
	}
	// The errors report the missing end, and invalid UTF-8, which is replaced.
	inner, _ := jsontext.AppendUnquote(nil, value)
	text, names := maskedText(string(inner), decodes)
	quoted, _ := jsontext.AppendQuote(nil, text)
	return string(quoted), names
}

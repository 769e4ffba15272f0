package render

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// deepestLiteral is how many objects and arrays stand inside one another as a
// literal. TypeScript 5.9 and 7.0 give up comparing the type of a literal
// somewhere between 50 and 100 of them, and parsing it at 1,000.
const deepestLiteral = 40

// prototype is the one key that means something else in a literal of JavaScript
// than in JSON: it sets the prototype of the object. As a computed key it does
// not (ECMA-262, B.3.1).
const prototype = "__proto__"

// literal is a JSON object as an expression of TypeScript with the same value.
// All that can stay as it is written does: digits, escapes, indentation.
func literal(file []byte) []byte {
	decoder := jsontext.NewDecoder(bytes.NewReader(file), tolerant)
	var code []byte
	for {
		start := decoder.InputOffset()
		kind := decoder.PeekKind()
		if decoder.StackDepth() >= deepestLiteral && (kind == '{' || kind == '[') {
			value, err := decoder.ReadValue()
			if err != nil {
				break
			}
			code = append(code, file[start:decoder.InputOffset()-int64(len(value))]...)
			code = append(code, parseCall(value)...)
			continue
		}
		name := beforeName(decoder)
		token, err := decoder.ReadToken()
		if err != nil {
			break
		}
		text := file[start:decoder.InputOffset()]
		if name && kind == '"' && token.String() == prototype {
			quote := bytes.IndexByte(text, '"')
			code = append(code, text[:quote]...)
			code = append(append(append(code, '['), text[quote:]...), ']')
			continue
		}
		code = append(code, text...)
	}
	// The two that end a line of JavaScript before ECMAScript 2019.
	code = bytes.ReplaceAll(code, []byte("\u2028"), []byte(`\u2028`))
	code = bytes.ReplaceAll(code, []byte("\u2029"), []byte(`\u2029`))
	return bytes.TrimSpace(code)
}

// beforeName reports whether what comes next is the name of a member, or the end
// of an object.
func beforeName(decoder *jsontext.Decoder) bool {
	kind, length := decoder.StackIndex(decoder.StackDepth())
	return kind == '{' && length%2 == 0
}

// parseCall is a value as a call that makes it when the module is loaded, and
// that a compiler need not look into.
func parseCall(value jsontext.Value) []byte {
	value = value.Clone()
	if err := value.Compact(tolerant); err != nil {
		return value
	}
	quoted, err := jsontext.AppendQuote([]byte("JSON.parse("), value)
	if err != nil {
		return value
	}
	return append(quoted, ')')
}

package render

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/render/client"
)

// deepestLiteral is how deep objects and arrays are nested in a literal. TypeScript 5.9 and 7.0 fail to compare the
// type of a literal somewhere between 50 and 100 levels, and to parse it at 1,000.
const deepestLiteral = 40

// literal returns a JSON object as an expression of TypeScript with the same value. Digits,
// escapes and indentation stay as they are written.
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
		if name && kind == '"' && token.String() == client.Prototype {
			quote := bytes.IndexByte(text, '"')
			code = append(code, text[:quote]...)
			code = append(append(append(code, '['), text[quote:]...), ']')
			continue
		}
		code = append(code, text...)
	}
	// These two characters end a line in JavaScript before ECMAScript 2019.
	code = bytes.ReplaceAll(code, []byte("\u2028"), []byte(`\u2028`))
	code = bytes.ReplaceAll(code, []byte("\u2029"), []byte(`\u2029`))
	return bytes.TrimSpace(code)
}

// beforeName reports whether the name of a member, or the end of an object, comes next.
func beforeName(decoder *jsontext.Decoder) bool {
	kind, length := decoder.StackIndex(decoder.StackDepth())
	return kind == '{' && length%2 == 0
}

// parseCall returns a value as a call of JSON.parse, which compilers do not look into.
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

package client

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
)

// clientReserved are names that nothing in a client gets. Most are words of the language
// (https://tc39.es/ecma262/#prod-ReservedWord), or what compilers reserve in a module. A module
// with a function then would be taken for a promise by anyone who imports it with import().
const clientReserved = `break case catch class const continue debugger default delete do else enum export extends false finally for function
	if import in instanceof new null return super switch this throw true try typeof var void while with
	let static yield await implements interface package private protected public arguments eval undefined globalThis NaN Infinity
	any unknown never string number boolean bigint symbol object require exports module then __esModule
	Object Array String Promise JSON Blob FormData AbortSignal Record RangeError encodeURIComponent
	Amplify del get head patch post put apiName`

// clientNames gives the functions and types of a client their names, each once.
type clientNames struct{ reserved, taken map[string]bool }

func newClientNames() *clientNames {
	n := &clientNames{make(map[string]bool), make(map[string]bool)}
	for word := range strings.FieldsSeq(clientReserved) {
		n.reserved[word] = true
	}
	for _, part := range clientRuntime {
		n.reserved[part.name] = true
	}
	return n
}

// take gives a name to what an identity, unique in the client, stands for: the wanted one, with _ behind it if it is
// reserved. If that is taken, it gets a hash of the identity, so that it stays as it is while others come and go.
func (n *clientNames) take(wanted, identity string) string {
	if n.reserved[wanted] {
		wanted += "_"
	}
	name := wanted
	for n.taken[name] || !isIdentifier(name) {
		const digits = 8
		sum := sha256.Sum256([]byte(identity))
		name = wanted + "_" + hex.EncodeToString(sum[:])[:digits]
		identity += "+"
	}
	n.taken[name] = true
	return name
}

// isIdentifier reports whether a text is an identifier of TypeScript. Characters that came to
// Unicode late, above U+FFFF, are not taken for letters.
func isIdentifier(text string) bool {
	for i, r := range text {
		if !isNameCharacter(r) || i == 0 && unicode.IsDigit(r) {
			return false
		}
	}
	return text != ""
}

func isNameCharacter(r rune) bool {
	return r == '_' || r == '$' || r >= '0' && r <= '9' || r <= 0xFFFF && unicode.IsLetter(r)
}

// functionName makes an identifier of the name of an operation: list-books becomes listBooks.
func functionName(id string) string {
	if isIdentifier(id) {
		return id
	}
	words := strings.FieldsFunc(id, func(r rune) bool { return !isNameCharacter(r) })
	for i := range words {
		if i > 0 {
			words[i] = capital(words[i])
		}
	}
	return startable(strings.Join(words, ""))
}

// typeName makes an identifier of the name of a schema: book-item becomes BookItem.
func typeName(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return !isNameCharacter(r) || r == '_' })
	for i := range words {
		words[i] = capital(words[i])
	}
	return startable(strings.Join(words, ""))
}

// startable returns a name that does not begin with a digit.
func startable(name string) string {
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		return "_" + name
	}
	return name
}

// capital returns a word with a capital at its beginning.
func capital(word string) string {
	for i, r := range word {
		if i == 0 {
			return string(unicode.ToUpper(r)) + word[len(string(r)):]
		}
	}
	return word
}

// propertyName returns the name of a member in a type.
func propertyName(name string) string {
	if isIdentifier(name) {
		return name
	}
	return String(name)
}

// propertyOf returns an expression for a member of an object.
func propertyOf(object, name string) string {
	if isIdentifier(name) {
		return object + "." + name
	}
	return object + "[" + String(name) + "]"
}

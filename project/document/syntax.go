package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// whiteSpace is what JSON allows between tokens (RFC 8259 section 2).
const whiteSpace = " \t\r\n"

// SyntaxError is the error of Parse for a file that is not strict JSON.
type SyntaxError struct {
	Offset  int64  // of the fault in the file, in bytes
	Line    int    // of the fault, from 1
	Column  int    // of the fault in characters, from 1; a byte order mark does not count
	Pointer string // RFC 6901, the value that has the fault
	Text    string // what is wrong
	Fix     string // what to do about it
}

// Error returns one line: position, what is wrong, what to do. A long pointer is shortened in the middle.
func (e *SyntaxError) Error() string {
	where := fmt.Sprintf("line %d, column %d", e.Line, e.Column)
	if e.Pointer != "" {
		where += ", in " + shorten(e.Pointer)
	}
	return where + ": " + e.Text + ": " + e.Fix
}

// shorten quotes a pointer or key for a message: one line of at most about a hundred
// characters, without the middle of a longer one.
func shorten(name string) string {
	const half = 48
	if utf8.RuneCountInString(name) > 2*half {
		runes := []rune(name)
		name = string(runes[:half]) + "…" + string(runes[len(runes)-half:])
	}
	quoted := strconv.Quote(name)
	if strings.Contains(quoted, `\`) {
		return quoted
	}
	return name
}

func (d *Document) errorAt(offset int, pointer, text, fix string) *SyntaxError {
	start := max(bytes.LastIndexByte(d.src[:offset], '\n')+1, min(offset, d.bodyStart()))
	return &SyntaxError{
		Offset:  int64(offset),
		Line:    bytes.Count(d.src[:offset], []byte{'\n'}) + 1,
		Column:  utf8.RuneCount(d.src[start:offset]) + 1,
		Pointer: pointer,
		Text:    text,
		Fix:     fix,
	}
}

// syntaxError describes an error of the tokenizer, which started at the offset shift of
// the file, with depth containers open.
func (d *Document) syntaxError(err error, shift, depth int) *SyntaxError {
	offset, pointer := len(d.src), jsontext.Pointer("")
	var fault *jsontext.SyntacticError
	if errors.As(err, &fault) {
		offset, pointer = min(shift+int(fault.ByteOffset), len(d.src)), fault.JSONPointer
		err = fault.Err
	}
	text, fix := d.explain(err, offset, pointer, depth)
	return d.errorAt(offset, string(pointer), text, fix)
}

func (d *Document) explain(err error, offset int, pointer jsontext.Pointer, depth int) (text, fix string) {
	rest := d.src[offset:]
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		return "the key " + shorten(pointer.LastToken()) + " appears twice", "remove or rename one of the two"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), len(rest) == 0:
		return "the file ends in the middle of a value", "complete the file"
	case depth >= maxDepth && (rest[0] == '[' || rest[0] == '{'):
		return fmt.Sprintf("more than %d nested arrays and objects", maxDepth), "nest less deeply"
	case rest[0] >= utf8.RuneSelf && !startsWithRune(rest):
		return "bytes that are not UTF-8", "save the file as UTF-8"
	case rest[0] == ',':
		after := bytes.TrimLeft(rest[1:], whiteSpace)
		if len(after) > 0 && (after[0] == '}' || after[0] == ']') {
			return "a comma with nothing after it", "remove the comma"
		}
		return err.Error(), "write a value before the comma or remove it"
	case rest[0] == '\'':
		return err.Error(), "write strings and keys in double quotes"
	case rest[0] == '/' || rest[0] == '#':
		return err.Error(), "remove the comment, JSON has none"
	case strings.Contains(err.Error(), "expecting ','"):
		return err.Error(), "put a comma between the two values"
	default:
		return err.Error(), "correct the text here"
	}
}

func startsWithRune(b []byte) bool {
	r, size := utf8.DecodeRune(b)
	return r != utf8.RuneError || size > 1
}

package entry

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/internal/text/prose"
)

// longestJSON is the length of the longest text that is read as JSON.
const longestJSON = 32 << 10

// field is a member of an object, as it was written.
type field struct {
	name  string
	value jsontext.Value
}

// objectIn reads a text as one object, with its members in their order.
func objectIn(text string) ([]field, bool) {
	text = strings.TrimSpace(text)
	if len(text) > longestJSON || !strings.HasPrefix(text, "{") {
		return nil, false
	}
	d := jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if _, err := d.ReadToken(); err != nil {
		return nil, false
	}
	var fields []field
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, false
		}
		key := name.String()
		value, err := d.ReadValue()
		if err != nil {
			return nil, false
		}
		fields = append(fields, field{key, bytes.Clone(value)})
	}
	if _, err := d.ReadToken(); err != nil || d.InputOffset() != int64(len(text)) {
		return nil, false
	}
	return fields, true
}

// text is the value of a string, and any other value as it was written.
func (f field) text() string {
	if f.value.Kind() == '"' {
		if raw, err := jsontext.AppendUnquote(nil, f.value); err == nil {
			return string(raw)
		}
	}
	return string(f.value)
}

// shown is the value as it is shown in a line.
func (f field) shown() string {
	if text := f.text(); f.value.Kind() != '"' || !strings.ContainsAny(text, " \t\n=\"") && text != "" {
		return text
	}
	return string(f.value)
}

// The names that loggers give to what every entry has.
var (
	levelNames   = []string{"level", "severity", "levelname", "log.level", "lvl"}
	messageNames = []string{"message", "msg"}
	timeNames    = []string{"time", "timestamp", "ts", "@timestamp", "date"}
	faultNames   = []string{"err", "error", "exception", "reason", "cause"}
	stackNames   = []string{"stack", "stackTrace", "trace", "stack_trace", "exc_info"}
)

var words = map[string]Severity{
	"TRACE": Trace, "DEBUG": Debug, "INFO": Info, "NOTICE": Info, "WARN": Warn, "WARNING": Warn,
	"ERROR": Error, "ERR": Error, "CRITICAL": Fatal, "FATAL": Fatal, "ALERT": Fatal, "EMERGENCY": Fatal, "PANIC": Fatal,
}

// levelInJSON is the level that an object gives: a word, or a number as pino and bunyan use.
func levelInJSON(text string) (Severity, bool) {
	fields, ok := objectIn(text)
	if !ok {
		return Plain, false
	}
	for _, f := range fields {
		if !slices.Contains(levelNames, f.name) {
			continue
		}
		if s, ok := words[strings.ToUpper(f.text())]; ok {
			return s, true
		}
		if n, err := strconv.Atoi(f.text()); err == nil && n >= 10 && n < 70 {
			return Trace + Severity(n/10-1), true
		}
	}
	return Plain, false
}

// isObvious reports whether a field says what is shown anyway: the level, the time, or the
// id of the request.
func (f field) isObvious(request string) bool {
	return slices.Contains(levelNames, f.name) || slices.Contains(timeNames, f.name) ||
		request != "" && f.text() == request || slices.Contains([]string{"pid", "hostname"}, f.name)
}

// taken removes the first field with one of some names, and returns its text.
func taken(fields *[]field, names ...string) string {
	at := slices.IndexFunc(*fields, func(f field) bool { return slices.Contains(names, f.name) })
	if at < 0 {
		return ""
	}
	text := (*fields)[at].text()
	*fields = slices.Delete(*fields, at, at+1)
	return text
}

// fault is an error that was written as JSON.
type fault struct {
	kind, message string
	stack         []string
	// rest are its other fields, inner the error that it was made of; nil for none.
	rest  []field
	inner *fault
}

// readError reads an error from JSON: an object with its type, message and stack, or any
// other value that was thrown.
func readError(text string) (*fault, bool) {
	if fields, ok := objectIn(text); ok {
		f := faultOf(fields)
		return f, f.kind != "" || f.message != "" || f.stack != nil
	}
	value := field{value: jsontext.Value(strings.TrimSpace(text))}
	if len(text) > longestJSON || !value.value.IsValid() {
		return nil, false
	}
	kind := map[jsontext.Kind]string{
		'"': "string", '0': "number", '[': "array", 'n': "null", 't': "boolean",
		'f': "boolean",
	}[value.value.Kind()]
	return &fault{kind: prose.PrintableStart(kind), message: value.text()}, true
}

// faultOf makes an error of the members of an object.
func faultOf(fields []field) *fault {
	fields = slices.Clone(fields)
	f := &fault{}
	f.kind = prose.PrintableStart(taken(&fields, "errorType", "type", "name"))
	taken(&fields, "name")
	f.message = taken(&fields, "errorMessage", "message", "msg")
	for i, of := range fields {
		if slices.Contains(stackNames, of.name) {
			f.stack = stackLines(of.value)
			fields = slices.Delete(fields, i, i+1)
			break
		}
	}
	for i, of := range fields {
		if inside, ok := objectIn(string(of.value)); ok && slices.Contains(faultNames, of.name) {
			if inner := faultOf(inside); inner.stack != nil || inner.message != "" {
				f.inner = inner
				fields = slices.Delete(fields, i, i+1)
			}
			break
		}
	}
	f.rest = fields
	return f
}

// stackLines are the lines of a stack: a text, or a list of texts, each of which may have
// several lines.
func stackLines(value jsontext.Value) []string {
	var texts []string
	if value.Kind() != '[' {
		return strings.Split(strings.TrimRight(field{value: value}.text(), "\n"), "\n")
	}
	d := jsontext.NewDecoder(bytes.NewReader(value), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	if _, err := d.ReadToken(); err != nil {
		return nil
	}
	for d.PeekKind() != ']' {
		item, err := d.ReadValue()
		if err != nil {
			break
		}
		if frame, ok := goFrame(string(item)); ok {
			texts = append(texts, frame)
			continue
		}
		texts = append(texts, strings.Split(strings.TrimRight(field{value: item}.text(), "\n"), "\n")...)
	}
	return texts
}

// heading is the type and message of an error as one text, which may have several lines.
func (f *fault) heading() string {
	switch {
	case f.kind == "":
		return f.message
	case f.message == "":
		return f.kind
	}
	return f.kind + ": " + f.message
}

// frames are the lines of the stack after its message.
func (f *fault) frames() []string {
	at := slices.IndexFunc(f.stack, isFrame)
	if at < 0 {
		return nil
	}
	return f.stack[at:]
}

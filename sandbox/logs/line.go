package logs

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Gateway is the Function of the gateway's own lines. No function can have this
// name.
const Gateway = ".gateway"

// Identity is the Function of the lines of the user pools, which have the codes
// that the cloud would send. No function can have this name.
const Identity = ".identity"

// Level is how much a line matters; "" is plain output.
type Level string

// The levels that the runtimes of the cloud write. Platform is START, END and
// REPORT, and what the sandbox itself says.
const (
	Trace    Level = "TRACE"
	Debug    Level = "DEBUG"
	Info     Level = "INFO"
	Warn     Level = "WARN"
	Error    Level = "ERROR"
	Fatal    Level = "FATAL"
	Platform Level = "PLATFORM"
)

// Line is one entry of a log. Text may have line breaks and any other bytes: it
// is what a function wrote.
type Line struct {
	Time        time.Time `json:"time"`
	Environment string    `json:"environment"`
	Function    string    `json:"function"`
	// Request is the id of the request that was served when it was written, ""
	// between requests.
	Request string `json:"request"`
	Level   Level  `json:"level"`
	Text    string `json:"text"`
}

// String is the line for people: time, request, level and text with tabs
// between, a dash where there is no request or level. Whatever a terminal would
// obey is escaped, tabs are kept.
func (l Line) String() string {
	var b strings.Builder
	b.Grow(len(l.Text) + 80)
	b.WriteString(l.Time.UTC().Format("2006-01-02T15:04:05.000Z"))
	for _, field := range []string{l.Request, string(l.Level)} {
		b.WriteByte('\t')
		if field == "" {
			field = "-"
		}
		writePlain(&b, field)
	}
	b.WriteByte('\t')
	writePlain(&b, l.Text)
	return b.String()
}

func writePlain(b *strings.Builder, text string) {
	for i, r := range text {
		switch {
		case r == '\t':
			b.WriteByte('\t')
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)):
			fmt.Fprintf(b, `\x%02x`, text[i])
		case r < utf8.RuneSelf && unicode.IsControl(r):
			fmt.Fprintf(b, `\x%02x`, r)
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == '\u2028', r == '\u2029':
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
}

// appendJSON appends the line as encoding/json would write it and a line break.
// It is its own because every line of every call passes here.
func (l Line) appendJSON(to []byte) []byte {
	to = append(to, `{"time":"`...)
	to = l.Time.AppendFormat(to, time.RFC3339Nano)
	to = append(to, '"')
	for _, field := range [...]struct{ name, value string }{
		{`,"environment":`, l.Environment},
		{`,"function":`, l.Function},
		{`,"request":`, l.Request},
		{`,"level":`, string(l.Level)},
		{`,"text":`, l.Text},
	} {
		to = append(to, field.name...)
		// Its error says that bytes were no UTF-8, which it has replaced.
		to, _ = jsontext.AppendQuote(to, field.value)
	}
	return append(to, '}', '\n')
}

package logs

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/internal/clock"
)

// Gateway is the Function of the gateway's own lines. It is not a valid name of a function.
const Gateway = ".gateway"

// Identity is the Function of the lines of the user pools, such as the codes that Cognito
// would send. It is not a valid name of a function.
const Identity = ".identity"

// Level is the severity of a line; "" is plain output.
type Level string

// Levels that Lambda's runtimes write, and Platform for START, END and REPORT and for lines
// of the sandbox itself.
const (
	Trace    Level = "TRACE"
	Debug    Level = "DEBUG"
	Info     Level = "INFO"
	Warn     Level = "WARN"
	Error    Level = "ERROR"
	Fatal    Level = "FATAL"
	Platform Level = "PLATFORM"
)

// Line is one entry of a log. Text is what a function wrote: it may have line breaks and any
// other bytes.
type Line struct {
	Time        time.Time `json:"time"`
	Environment string    `json:"environment"`
	Function    string    `json:"function"`
	// Request is the id of the request during which the line was written, or "".
	Request string `json:"request"`
	Level   Level  `json:"level"`
	Text    string `json:"text"`
}

// String is the line as one line: time, request, level and text separated by tabs, with a dash for no request
// or level. The time is that of this machine, with its zone. Control characters are escaped, except for tabs.
func (l Line) String() string { return l.In(clock.Zoned{}) }

// In is String with the time in another zone.
func (l Line) In(zone clock.Zoned) string {
	var b strings.Builder
	b.Grow(len(l.Text) + 80)
	b.WriteString(zone.Stamp(l.Time))
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

// appendJSON appends the line as encoding/json would write it, and a line break. It is
// faster, because every line of every call is written here.
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
		// The error reports invalid UTF-8, which AppendQuote has replaced.
		to, _ = jsontext.AppendQuote(to, field.value)
	}
	return append(to, '}', '\n')
}

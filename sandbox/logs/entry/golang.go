package entry

import (
	"fmt"
	"slices"
	"strings"
)

// stamp is what Go's package log writes before a text.
const stamp = "2006/01/02 15:04:05 "

// goError is the JSON of the error that ended an invocation, as aws-lambda-go prints it with
// Go's package log, which gives no level:
//
//	2026/11/26 01:31:50 {"errorMessage":"no","errorType":"errorString"}
func goError(text string) (value string, ok bool) {
	if len(text) <= len(stamp) || text[0] < '0' || text[0] > '9' || text[len(stamp)-1] != ' ' {
		return "", false
	}
	value = text[len(stamp):]
	if !strings.HasPrefix(value, `{"errorMessage":`) || !strings.Contains(value, `"errorType":`) {
		return "", false
	}
	return value, true
}

// goFrame is a frame in the stackTrace of such an error as other stacks write it; false if
// the text is no frame.
func goFrame(text string) (string, bool) {
	fields, ok := objectIn(text)
	if !ok {
		return "", false
	}
	of := func(name string) string {
		if at := slices.IndexFunc(fields, func(f field) bool { return f.name == name }); at >= 0 {
			return fields[at].text()
		}
		return ""
	}
	path, line := of("path"), of("line")
	if path == "" || line == "" {
		return "", false
	}
	return fmt.Sprintf("    at %s (%s:%s)", of("label"), path, line), true
}

// ofGo are the first parts of the paths of Go's own packages.
var ofGo = map[string]bool{
	"archive": true, "bufio": true, "bytes": true, "cmp": true, "compress": true, "container": true, "context": true,
	"crypto":   true,
	"database": true, "debug": true, "embed": true, "encoding": true, "errors": true, "expvar": true, "flag": true,
	"fmt": true, "go": true,
	"hash": true, "html": true, "image": true, "index": true, "internal": true, "io": true, "iter": true, "log": true,
	"maps": true,
	"math": true, "mime": true, "net": true, "os": true, "path": true, "plugin": true, "reflect": true, "regexp": true,
	"runtime": true,
	"slices":  true, "sort": true, "strconv": true, "strings": true, "structs": true, "sync": true, "syscall": true,
	"testing": true,
	"text":    true, "time": true, "unicode": true, "unique": true, "unsafe": true, "vendor": true, "weak": true,
}

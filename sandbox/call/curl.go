package call

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"gatewright/model"
	"gatewright/sandbox"
)

// Curl is the shell command that sends the same request, and a note about it, or "". The
// command has no secret: for a user's request it runs gatewright to get the user's token.
// Requests of somebody without a user, such as a member of a group, and tests of the console
// become commands of gatewright, since curl has no credentials for them.
func Curl(api sandbox.ServedAPI, r Request) (command, note string) {
	switch {
	case r.Test:
		return gatewrightCall(api, r), "curl cannot send a test of the API Gateway console"
	case r.Method == http.MethodHead && len(r.Body) > 0:
		return gatewrightCall(api, r), "curl sends no body with HEAD"
	case r.As == nil:
		return curl(api, r, ""), ""
	case r.As.Guest:
		return curl(api, r, ""),
			"curl signs nothing, which the sandbox accepts from a guest; gatewright call --as guest signs"
	case r.As.Group != "" || r.As.AnyUser:
		return gatewrightCall(api, r), "curl has no credentials without a user; gatewright call has them"
	}
	return curl(api, r, r.As.User), "curl sends the user's token, which the sandbox accepts instead of a signature"
}

// CurlToCloud is Curl for an API in AWS, where only a request that nobody signs is one of curl.
func CurlToCloud(api sandbox.ServedAPI, r Request) (command, note string) {
	if r.As == nil || r.Test {
		return Curl(api, r)
	}
	return gatewrightCall(api, r), "curl has no credentials of guests and users; gatewright call gets them"
}

// curl is the command of curl; it sends the token of user unless that is "".
func curl(api sandbox.ServedAPI, r Request, user string) string {
	words := []string{"curl"}
	switch {
	case r.Method == http.MethodHead:
		words = append(words, "--head")
	case r.Method != http.MethodGet || len(r.Body) > 0:
		words = append(words, "-X", model.ShellWord(r.Method))
	}
	if strings.ContainsAny(r.target(), "[]{}") {
		words = append(words, "--globoff")
	}
	if strings.Contains(r.Path, "/.") {
		words = append(words, "--path-as-is")
	}
	words = append(words, model.ShellWord(api.Endpoint+r.target()))
	if user != "" {
		words = append(words, "-H", `"Authorization: Bearer $(gatewright token --env `+model.ShellWord(api.Environment)+
			" -- "+model.ShellWord(user)+`)"`)
	}
	for _, header := range headers(r, ";") {
		words = append(words, "-H", model.ShellWord(header))
	}
	if len(r.Body) == 0 {
		return strings.Join(words, " ")
	}
	if !HasHeader(r.Headers, "Content-Type") {
		// Otherwise curl declares the body as a form.
		words = append(words, "-H", "'Content-Type:'")
	}
	if isArgument(r.Body) {
		return strings.Join(append(words, "--data-raw", model.ShellWord(string(r.Body))), " ")
	}
	return printf(r.Body) + " | " + strings.Join(append(words, "--data-binary", "@-"), " ")
}

// gatewrightCall is the command of gatewright for requests that curl cannot send.
func gatewrightCall(api sandbox.ServedAPI, r Request) string {
	words := []string{
		"gatewright", "call", model.ShellWord(r.Method), model.ShellWord(r.target()), "--env",
		model.ShellWord(api.Environment), "--api", model.ShellWord(api.Label),
	}
	if r.As != nil && !r.Test {
		words = append(words, "--as", model.ShellWord(Signer(*r.As)))
	}
	if r.Test {
		words = append(words, "--test")
	}
	for _, header := range headers(r, ":") {
		words = append(words, "-H", model.ShellWord(header))
	}
	switch {
	case len(r.Body) == 0:
	case isArgument(r.Body) && r.Body[0] != '@' && string(r.Body) != "-":
		words = append(words, "--data="+model.ShellWord(string(r.Body)))
	default:
		return printf(r.Body) + " | " + strings.Join(append(words, "--data", "-"), " ")
	}
	return strings.Join(words, " ")
}

// headers are the headers as -H takes them; empty is the separator after a name without a
// value.
func headers(r Request, empty string) []string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(r.Headers)) {
		for _, value := range r.Headers[name] {
			if value == "" {
				lines = append(lines, name+empty)
			} else {
				lines = append(lines, name+": "+value)
			}
		}
	}
	return lines
}

// longestArgument is the length in bytes of a body that goes into an argument of a command.
// Linux takes 128 KiB in one.
const longestArgument = 100 << 10

// isArgument reports whether a body can be an argument of a command.
func isArgument(body []byte) bool {
	return len(body) <= longestArgument && utf8.Valid(body) &&
		!strings.ContainsFunc(string(body), func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' })
}

// printf is a command that prints a body of any bytes.
func printf(body []byte) string {
	var b strings.Builder
	b.WriteString("printf '")
	for i, c := range body {
		switch {
		// printf would take a - at the beginning for an option.
		case i == 0 && c == '-', c == '\'' || c == '\\' || c == '%' || c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + "'"
}

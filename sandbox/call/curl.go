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

// Curl is the command that sends the same request from a shell, and what is to be
// said of it; "" for nothing. There is no secret in it: curl sends the token of a
// user, which gatewright prints when the command runs. What curl has no credentials
// for, a member of a group and the console's test, is a command of gatewright.
func Curl(api sandbox.ServedAPI, r Request) (command, note string) {
	switch {
	case r.Test:
		return itself(api, r), "curl cannot send the test of the gateway's console"
	case r.Method == http.MethodHead && len(r.Body) > 0:
		return itself(api, r), "curl sends no body with HEAD"
	case r.As == nil:
		return curl(api, r, ""), ""
	case r.As.Guest:
		return curl(api, r, ""), "a guest without a signature, as the sandbox takes one; gatewright call --as guest signs"
	case r.As.Group != "":
		return itself(api, r), "curl has no credentials of a member of a group; gatewright signs"
	}
	return curl(api, r, r.As.User), "curl sends the user's token, which the sandbox takes in the place of a signature"
}

// curl is the command of curl; user is whose token it sends, "" for none's.
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
		words = append(words, "-H", `"Authorization: Bearer $(gatewright token --env `+model.ShellWord(api.Environment)+" -- "+model.ShellWord(user)+`)"`)
	}
	for _, header := range headers(r, ";") {
		words = append(words, "-H", model.ShellWord(header))
	}
	if len(r.Body) == 0 {
		return strings.Join(words, " ")
	}
	if !HasHeader(r.Headers, "Content-Type") {
		// It would say that the body is a form.
		words = append(words, "-H", "'Content-Type:'")
	}
	if typed(r.Body) {
		return strings.Join(append(words, "--data-raw", model.ShellWord(string(r.Body))), " ")
	}
	return printed(r.Body) + " | " + strings.Join(append(words, "--data-binary", "@-"), " ")
}

// itself is the command of gatewright, which sends what curl cannot.
func itself(api sandbox.ServedAPI, r Request) string {
	words := []string{"gatewright", "call", model.ShellWord(r.Method), model.ShellWord(r.target()), "--env", model.ShellWord(api.Environment), "--api", model.ShellWord(api.Label)}
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
	case typed(r.Body) && r.Body[0] != '@' && string(r.Body) != "-":
		words = append(words, "--data="+model.ShellWord(string(r.Body)))
	default:
		return printed(r.Body) + " | " + strings.Join(append(words, "--data", "-"), " ")
	}
	return strings.Join(words, " ")
}

// headers are the headers as options take them; empty ends one without a value.
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

// typed reports whether a body can be an argument of a command.
func typed(body []byte) bool {
	return utf8.Valid(body) && !strings.ContainsFunc(string(body), func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' })
}

// printed is a command that prints a body of any bytes.
func printed(body []byte) string {
	var b strings.Builder
	b.WriteString("printf '")
	for _, c := range body {
		switch {
		case c == '\'' || c == '\\' || c == '%' || c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + "'"
}

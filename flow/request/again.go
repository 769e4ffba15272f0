package request

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/sandbox"
	"gatewright/sandbox/call"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/traffic"
)

// This file makes requests of the calls that the sandbox remembers.

// added are the headers that the gateway, or whatever sends the request, adds itself.
var added = []string{
	"Host", "Connection", "Content-Length", "Transfer-Encoding", "X-Forwarded-For", "X-Forwarded-Port",
	"X-Forwarded-Proto", "X-Amzn-Trace-Id",
}

// ofSignature are the headers with which a caller proved who they are, or that belong to that.
var ofSignature = []string{"Authorization", "X-Amz-Date", "X-Amz-Security-Token", "X-Amz-Content-Sha256"}

// Remembered is a call that the sandbox remembers as a request that can be sent.
type Remembered struct {
	call.Request
	// As is the caller, as the flag --as takes it; "" for nobody.
	As string
	// Caller says as whom it goes, if that is not the caller that it had; "" if it is.
	Caller string
	// Lacks are parts of the request that were not kept, so that it cannot be sent as it was.
	Lacks []string
}

// Remember makes a request of a call. The error says why none can be made.
func Remember(d traffic.Detail) (Remembered, error) {
	switch {
	case d.Kind == traffic.Invoke:
		return Remembered{},
			errors.New("a call through Lambda's API is not a request to an API of the project; call the function " +
				"with: aws lambda invoke, or gatewright mock function " + model.ShellWord(cmp.Or(d.Function, "NAME")))
	case !d.IsRequest():
		return Remembered{},
			errors.New("a " + string(d.Kind) + " calls its function without a request; try it with: gatewright mock function " +
				model.ShellWord(d.Function))
	case d.Gone:
		return Remembered{}, errors.New("the details of this request were dropped to free memory for later ones")
	}
	path, query, _ := strings.Cut(d.Target, "?")
	r := Remembered{Request: call.Request{
		Method: d.Method, Path: path, Query: query, Headers: http.Header{},
		Test: d.Kind == traffic.Test, Function: d.Function,
	}}
	if strings.Contains(path, model.Redacted) {
		r.Lacks = append(r.Lacks, "a token in the path")
	}
	if strings.Contains(query, model.Redacted) {
		r.Lacks = append(r.Lacks, "a parameter with a secret")
	}
	has := func(names []string, name string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
	}
	for _, h := range d.Headers {
		switch {
		case has(added, h.Name), has(ofSignature, h.Name):
		case strings.Contains(h.Value, model.Redacted):
			r.Lacks = append(r.Lacks, "the header "+h.Name)
		default:
			r.Headers[h.Name] = append(r.Headers[h.Name], h.Value)
		}
	}
	r.Body = []byte(d.Body)
	if d.Base64 {
		body, err := base64.StdEncoding.DecodeString(d.Body)
		if err != nil {
			return Remembered{}, fmt.Errorf("its body cannot be read: %w", err)
		}
		r.Body = body
	}
	if bytes.Contains(r.Body, []byte(model.Redacted)) {
		r.Lacks = append(r.Lacks, "a secret in the body")
	}
	if slices.ContainsFunc(d.Left, func(text string) bool { return strings.HasPrefix(text, "the end of the body") }) {
		r.Lacks = append(r.Lacks, "the end of the body")
	}
	r.sign(d)
	return r, nil
}

// sign finds who signs the request, so that it has the same caller.
func (r *Remembered) sign(d traffic.Detail) {
	var as identitypool.Signer
	proved := slices.ContainsFunc(d.Headers,
		func(h traffic.Header) bool { return strings.EqualFold(h.Name, "Authorization") })
	switch w := d.Who; {
	case r.Test:
		return
	case w.Kind == traffic.User && w.Name != "":
		as.User = w.Name
	case w.Kind == traffic.Member && len(w.Groups) > 0:
		as.Group = w.Groups[0]
		if len(w.Groups) > 1 {
			r.Caller = "a member of " + phrase.Quote(w.Groups[0]) + " alone"
		}
	case w.Kind == traffic.Member:
		as.AnyUser = true
	case w.Kind == traffic.Guest && w.By == "signature":
		as.Guest = true
	case w.Kind == traffic.Unknown:
		r.Caller = "nobody: its credentials are not kept, and they were not valid"
		return
	case proved:
		r.Caller = "nobody: its credentials are not kept, and did not matter for this path"
		return
	default:
		return
	}
	r.Request.As, r.As = &as, call.Signer(as)
}

// CannotAgain is why the request cannot be sent as it was; "" if it can.
func (r *Remembered) CannotAgain() string {
	if len(r.Lacks) == 0 {
		return ""
	}
	return phrase.List(r.Lacks) + " of it is not kept"
}

// Curl is the request as a command, with placeholders for what is not kept, and a note about
// it. api is the API that served it.
func (r *Remembered) Curl(d traffic.Detail, api sandbox.ServedAPI) (command, note string) {
	with := r.Request
	with.Headers = r.Headers.Clone()
	for _, h := range d.Headers {
		if strings.Contains(h.Value, model.Redacted) && !slices.Contains(ofSignature, http.CanonicalHeaderKey(h.Name)) {
			with.Headers[h.Name] = append(with.Headers[h.Name], h.Value)
		}
	}
	command, note = call.Curl(api, with)
	if why := r.CannotAgain(); why != "" {
		note = strings.TrimPrefix(note+"; "+why, "; ")
	}
	return command, note
}

// EventText is the event of a call as a file, without secrets, as mock function takes it.
func EventText(d traffic.Detail) ([]byte, error) {
	switch {
	case d.Gone:
		return nil, errors.New("the event of this request was dropped to free memory for later ones")
	case d.Event == "":
		return nil, errors.New("it called no function, so it has no event")
	}
	var text bytes.Buffer
	if err := json.Indent(&text, []byte(d.Event), "", "  "); err != nil {
		return nil, fmt.Errorf("its event is not valid JSON: %w", err)
	}
	return append(text.Bytes(), '\n'), nil
}

// EventName is a proposed name for the file of a call's event: the method and the path in
// small letters, such as put-books-1.
func EventName(d traffic.Detail) string {
	const longest = 40
	path, _, _ := strings.Cut(d.Target, "?")
	var b strings.Builder
	for _, r := range strings.ToLower(d.Method + path) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	name := b.String()
	return strings.Trim(name[:min(len(name), longest)], "-")
}

// CheckEventName refuses a name that event-NAME.json cannot have.
func CheckEventName(name string) error {
	const longest = 80
	switch {
	case name == "":
		return errors.New("give it a name, such as put-book")
	case len(name) > longest:
		return fmt.Errorf("the name is longer than %d characters", longest)
	}
	for _, r := range name {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_' {
			return fmt.Errorf("%s has %s: use letters, digits, - and _", phrase.Quote(name), phrase.Quote(string(r)))
		}
	}
	return nil
}

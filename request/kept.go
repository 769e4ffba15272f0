package request

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatewright/atomicfile"
	"gatewright/deploy"
	"gatewright/model"
	"gatewright/project"
	"gatewright/prose"
	"gatewright/sandbox/call"
)

// sent is a request that was sent.
type sent struct {
	At time.Time `json:"at"`
	// Signed is who signed it, as the flag --as of call says it; "" for nobody.
	Signed string `json:"signed,omitempty"`
	Form
}

// keptFile is where requests are kept, relative to the project: private to the
// user, and out of version control as all that is beside it.
const keptFile = project.StateFolder + "/console.json"

// keptVersion is that of the format; a file of another one is not read.
const keptVersion = 1

// kept is the file.
type kept struct {
	Version int    `json:"version"`
	Sent    []sent `json:"sent"`
}

// How much is kept.
const (
	mostSent    = 200
	mostOfPath  = 10
	longestBody = 64 << 10
)

// readSent reads what was sent. That nothing can be read is as if nothing were
// there: it is a convenience.
func readSent(root string) []sent {
	var k kept
	text, err := readFile(root, keptFile)
	if err != nil || json.Unmarshal(text, &k) != nil || k.Version != keptVersion {
		return nil
	}
	for i := range k.Sent {
		k.Sent[i].As = call.ReadSigner(k.Sent[i].Signed)
	}
	return k.Sent
}

// Keep adds a request to those that were sent, without credentials.
func (w *Snapshot) Keep(x Exchange) error {
	if _, err := deploy.MakeSandboxState(w.root); err != nil {
		return err
	}
	now := sent{At: x.At.UTC().Truncate(time.Second), Signed: call.Signer(x.Form.As), Form: withoutCredentials(x.Form)}
	if err := atomicfile.JSON(filepath.Join(w.root, filepath.FromSlash(keptFile)), kept{keptVersion, add(readSent(w.root), now)}); err != nil {
		return fmt.Errorf("keeping the request: %w", err)
	}
	return nil
}

// add puts a request in front; the same one counts once, and of each path the
// latest stay.
func add(before []sent, now sent) []sent {
	all := []sent{now}
	times := map[[3]string]int{{now.Environment, now.API, now.Path}: 1}
	for _, s := range before {
		of := [3]string{s.Environment, s.API, s.Path}
		if s.Equal(now.Form) || times[of] == mostOfPath || len(all) == mostSent {
			continue
		}
		times[of]++
		all = append(all, s)
	}
	return all
}

// withoutCredentials is a form as it is kept: no header that says who somebody is,
// no query of a signature, and no body that is a file.
func withoutCredentials(f Form) Form {
	f = f.Copy()
	f.Headers = slices.DeleteFunc(f.Headers, func(text string) bool {
		name, _, _ := strings.Cut(text, ":")
		return isCredential(name)
	})
	f.Query = strings.Join(slices.DeleteFunc(strings.Split(f.Query, "&"), func(part string) bool {
		name, _, _ := strings.Cut(part, "=")
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
		}
		return isCredential(name)
	}), "&")
	if len(f.Body) > longestBody {
		f.Body = ""
	}
	return f
}

// isCredential reports whether a header or a parameter of that name says who
// somebody is.
func isCredential(name string) bool {
	name = strings.ToLower(strings.TrimSpace(name))
	words := []string{"authorization", "cookie", "token", "secret", "password", "api-key", "apikey", "api_key"}
	return strings.HasPrefix(name, "x-amz-") || slices.ContainsFunc(words, func(word string) bool { return strings.Contains(name, word) })
}

// fromEvent is the option that stands for the function's event.json.
const fromEvent = "event"

// Earlier are what a form may be filled in with: the event.json of its function, and
// what was sent to its path before, the latest first, and that to other environments
// last. fill gives the form with one of them. The environment stays: what was sent to
// another one is not sent there again by accident, nor as its users.
func (w *Snapshot) Earlier(f Form) (options []prose.Option, fill func(id string) (Form, error)) {
	function := w.function(f)
	if function != "" {
		options = append(options, prose.Option{Key: fromEvent, Title: "event.json", Detail: "the event that is kept with function " + model.Quote(function)})
	}
	var here, elsewhere []sent
	for _, s := range readSent(w.root) {
		switch {
		case s.API != f.API || s.Path != f.Path:
		case s.Environment == f.Environment:
			here = append(here, s)
		default:
			elsewhere = append(elsewhere, s)
		}
	}
	forms := make(map[string]Form)
	for i, s := range append(here, elsewhere...) {
		id, at, filled := strconv.Itoa(i), s.At.Local().Format("2 Jan 15:04"), s.Form
		if s.Environment != f.Environment {
			at += " to " + s.Environment
			filled.Environment, filled.As = f.Environment, f.As
		}
		options = append(options, prose.Option{Key: id, Title: at, Detail: s.Words()})
		forms[id] = filled
	}
	return options, func(id string) (Form, error) {
		if id == fromEvent {
			return w.readEvent(f, function)
		}
		filled := forms[id]
		w.Fit(&filled)
		return filled, nil
	}
}

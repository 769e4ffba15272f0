package request

import (
	"encoding/json"
	"errors"
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
	"gatewright/sandbox/call"
)

// Sent is a request that was sent.
type Sent struct {
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
	Sent    []Sent `json:"sent"`
}

// How much is kept.
const (
	mostSent    = 200
	mostOfPath  = 10
	longestBody = 64 << 10
)

// readSent reads what was sent. That nothing can be read is as if nothing were
// there: it is a convenience.
func readSent(root string) []Sent {
	var k kept
	text, _, err := readFile(root, keptFile)
	if err != nil || json.Unmarshal(text, &k) != nil || k.Version != keptVersion {
		return nil
	}
	for i := range k.Sent {
		k.Sent[i].As = call.ReadSigner(k.Sent[i].Signed)
	}
	return k.Sent
}

// keep adds a request to those that were sent, without credentials, and gives all
// of them.
func keep(root string, f Form, at time.Time) ([]Sent, error) {
	if _, err := deploy.MakeSandboxState(root); err != nil {
		return nil, err
	}
	now := Sent{At: at.UTC().Truncate(time.Second), Signed: call.Signer(f.As), Form: withoutCredentials(f)}
	sent := add(readSent(root), now)
	if err := atomicfile.JSON(filepath.Join(root, filepath.FromSlash(keptFile)), kept{keptVersion, sent}); err != nil {
		return nil, fmt.Errorf("keeping the request: %w", err)
	}
	return sent, nil
}

// add puts a request in front; the same one counts once, and of each path the
// latest stay.
func add(sent []Sent, now Sent) []Sent {
	all := []Sent{now}
	times := map[[3]string]int{{now.Environment, now.API, now.Path}: 1}
	for _, s := range sent {
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
	if _, signs := call.SignedBy(name); signs || strings.HasPrefix(name, "x-amz-") {
		return true
	}
	words := []string{"authorization", "cookie", "token", "secret", "password", "api-key", "apikey", "api_key"}
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(name, word) })
}

// Keep keeps a request for another time, and gives what is known then.
func (w *World) Keep(x Exchange) (*World, error) {
	sent, err := keep(w.root, x.Form, x.At)
	if err != nil {
		return w, err
	}
	// The world itself is not changed: a command may read it.
	world := *w
	world.Sent = sent
	return &world, nil
}

// earlier are the requests that were sent to a form's environment and path, the
// latest first, and then those to the same path elsewhere.
func (w *World) earlier(f Form) []Sent {
	var here, elsewhere []Sent
	for _, s := range w.Sent {
		switch {
		case s.API != f.API || s.Path != f.Path:
		case s.Environment == f.Environment:
			here = append(here, s)
		default:
			elsewhere = append(elsewhere, s)
		}
	}
	return append(here, elsewhere...)
}

// fromEvent is the option that stands for the function's event.json.
const fromEvent = "event"

// Earlier are what a form may be filled in with: the event.json of its function,
// and what was sent to its path before.
func (w *World) Earlier(f Form) []Option {
	var options []Option
	if function := w.function(f); function != "" {
		options = append(options, Option{ID: fromEvent, Label: "event.json", Note: "the event that is kept with function " + model.Quote(function)})
	}
	for i, s := range w.earlier(f) {
		at := s.At.Local().Format("2 Jan 15:04")
		if s.Environment != f.Environment {
			at += " to " + s.Environment
		}
		options = append(options, Option{ID: strconv.Itoa(i), Label: at, Note: s.Words()})
	}
	return options
}

// FillIn is a form with what an option of Earlier has. The environment stays: what was
// sent to another one is not sent there again by accident, nor as its users.
func (w *World) FillIn(f Form, id string) (Form, error) {
	if id == fromEvent {
		return w.readEvent(f, w.function(f))
	}
	earlier := w.earlier(f)
	i, err := strconv.Atoi(id)
	if err != nil || i < 0 || i >= len(earlier) {
		return f, errors.New("it is not there any more")
	}
	filled := earlier[i].Copy()
	if filled.Environment != f.Environment {
		filled.Environment, filled.As = f.Environment, f.As
	}
	w.Fit(&filled)
	return filled, nil
}

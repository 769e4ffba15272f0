package request

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatewright/deploy"
	"gatewright/model"
	"gatewright/project"
	"gatewright/sandbox/call"
	"gatewright/sandbox/identity/identitypool"
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
	mostSent     = 200
	mostOfPath   = 10
	longestBody  = 64 << 10
	longestKept  = 16 << 20
	privateFile  = 0o600
	keptLeftover = project.StateFolder + "/.console-"
)

// readSent reads what was sent. That nothing can be read is as if nothing were
// there: it is a convenience.
func readSent(root string) []Sent {
	folder, err := os.OpenRoot(root)
	if err != nil {
		return nil
	}
	defer func() { _ = folder.Close() }()
	f, err := folder.Open(keptFile)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, longestKept))
	var k kept
	if err != nil || json.Unmarshal(text, &k) != nil || k.Version != keptVersion {
		return nil
	}
	for i := range k.Sent {
		k.Sent[i].As = whoOf(k.Sent[i].Signed)
	}
	return k.Sent
}

// whoOf is who signed, read from what is kept.
func whoOf(text string) identitypool.Who {
	kind, name, _ := strings.Cut(text, ":")
	switch kind {
	case "guest":
		return identitypool.Who{Guest: true}
	case "group":
		return identitypool.Who{Group: name}
	case "user":
		return identitypool.Who{User: name}
	}
	return identitypool.Who{}
}

// keep adds a request to those that were sent, without credentials, and gives all
// of them.
func keep(root string, f Form, at time.Time) ([]Sent, error) {
	if _, err := deploy.MakeSandboxState(root); err != nil {
		return nil, err
	}
	folder, err := os.OpenRoot(root)
	if err != nil {
		return nil, fmt.Errorf("keeping the request: %w", err)
	}
	defer func() { _ = folder.Close() }()
	now := Sent{At: at.UTC().Truncate(time.Second), Form: withoutCredentials(f)}
	if f.As != (identitypool.Who{}) {
		now.Signed = idOf(f.As)
	}
	sent := add(readSent(root), now)
	text, err := json.MarshalIndent(kept{keptVersion, sent}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("keeping the request: %w", err)
	}
	next := keptLeftover + strings.ToLower(rand.Text())
	err = folder.WriteFile(next, append(text, '\n'), privateFile)
	if err == nil {
		err = folder.Rename(next, keptFile)
	}
	if err != nil {
		if gone := folder.Remove(next); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
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
	var query []string
	for part := range strings.SplitSeq(f.Query, "&") {
		name, _, _ := strings.Cut(part, "=")
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
		}
		if !isCredential(name) {
			query = append(query, part)
		}
	}
	f.Query = strings.Join(query, "&")
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
	for _, word := range []string{"authorization", "cookie", "token", "secret", "password", "api-key", "apikey", "api_key"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
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

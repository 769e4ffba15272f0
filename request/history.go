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

// sentRequest is an entry of the history.
type sentRequest struct {
	At time.Time `json:"at"`
	// Signed is who signed it, as in the flag --as of the command call; "" for nobody.
	Signed string `json:"signed,omitempty"`
	Form
}

// historyFile holds the history of requests, relative to the project. Only the user can
// read it, and its folder is not committed.
const historyFile = project.StateFolder + "/console.json"

// historyVersion is the version of the file format. A file of another version is ignored.
const historyVersion = 1

// historyFormat is the content of the file.
type historyFormat struct {
	Version int           `json:"version"`
	Sent    []sentRequest `json:"sent"`
}

// The limits of the history: entries in all and of one path, bytes of a body.
const (
	mostSent    = 200
	mostOfPath  = 10
	longestBody = 64 << 10
)

// readHistory returns the history, the latest first. It is a convenience, so a file
// that cannot be read counts as empty.
func readHistory(root string) []sentRequest {
	var history historyFormat
	text, err := readFile(root, historyFile)
	if err != nil || json.Unmarshal(text, &history) != nil || history.Version != historyVersion {
		return nil
	}
	for i := range history.Sent {
		history.Sent[i].As = call.ReadSigner(history.Sent[i].Signed)
	}
	return history.Sent
}

// Record adds a request to the history, without credentials.
func (s *Snapshot) Record(x Exchange) error {
	if _, err := deploy.MakeSandboxState(s.root); err != nil {
		return err
	}
	now := sentRequest{At: x.At.UTC().Truncate(time.Second), Signed: call.Signer(x.Form.As), Form: withoutCredentials(x.Form)}
	if err := atomicfile.JSON(filepath.Join(s.root, filepath.FromSlash(historyFile)), historyFormat{historyVersion, add(readHistory(s.root), now)}); err != nil {
		return fmt.Errorf("writing the request to the history: %w", err)
	}
	return nil
}

// add puts a request first. It drops an equal one, and the oldest beyond the limits.
func add(before []sentRequest, now sentRequest) []sentRequest {
	all := []sentRequest{now}
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

// withoutCredentials returns the form without headers and query parameters that hold
// credentials, and without a body that is longer than the limit.
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

// isCredential reports whether a header or query parameter of this name may hold
// credentials.
func isCredential(name string) bool {
	name = strings.ToLower(strings.TrimSpace(name))
	words := []string{"authorization", "cookie", "token", "secret", "password", "api-key", "apikey", "api_key"}
	return strings.HasPrefix(name, "x-amz-") || slices.ContainsFunc(words, func(word string) bool { return strings.Contains(name, word) })
}

// fromEvent is the key of the option for the function's event.json.
const fromEvent = "event"

// Earlier returns options to fill in a form: the event.json of its function, then the
// requests that were sent to its path, the latest first and those to other
// environments last. fill returns the form for an option. It keeps the environment of f,
// and the caller of f if the request went to another environment, so that nothing is sent
// to another environment by accident.
func (s *Snapshot) Earlier(f Form) (options []prose.Option, fill func(id string) (Form, error)) {
	function := s.function(f)
	if function != "" {
		options = append(options, prose.Option{Key: fromEvent, Title: "event.json", Detail: "the event that is saved with the function " + model.Quote(function)})
	}
	var here, elsewhere []sentRequest
	for _, sent := range readHistory(s.root) {
		switch {
		case sent.API != f.API || sent.Path != f.Path:
		case sent.Environment == f.Environment:
			here = append(here, sent)
		default:
			elsewhere = append(elsewhere, sent)
		}
	}
	forms := make(map[string]Form)
	for i, sent := range append(here, elsewhere...) {
		id, at, filled := strconv.Itoa(i), sent.At.Local().Format("2 Jan 15:04"), sent.Form
		if sent.Environment != f.Environment {
			at += " to " + sent.Environment
			filled.Environment, filled.As = f.Environment, f.As
		}
		options = append(options, prose.Option{Key: id, Title: at, Detail: sent.Summary()})
		forms[id] = filled
	}
	return options, func(id string) (Form, error) {
		if id == fromEvent {
			return s.readEvent(f, function)
		}
		filled := forms[id]
		s.Complete(&filled)
		return filled, nil
	}
}

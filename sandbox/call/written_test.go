package call_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gatewright/sandbox"
	"gatewright/sandbox/call"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/traffic"
)

// told is a sandbox that answers each request to its API as the test says, and has the same lines
// and calls for everybody who asks. asked are the logs that were asked for.
func told(t *testing.T, answer http.HandlerFunc, lines []logs.Line, calls []traffic.Call) (client *sandbox.Client, api sandbox.ServedAPI, asked func() []string) {
	t.Helper()
	var all atomic.Pointer[[]string]
	all.Store(new([]string))
	started := time.Date(2026, 11, 29, 7, 0, 0, 0, time.UTC)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		encoder := json.NewEncoder(w)
		switch path := r.URL.Path; {
		case strings.HasSuffix(path, "/status"):
			_ = encoder.Encode(sandbox.Status{PID: os.Getpid(), Started: started})
		case strings.HasSuffix(path, "/logs"):
			form := r.URL.Query()
			more := append(*all.Load(), fmt.Sprintf("%s %s of %s, follow %s", form.Get("environment"), form.Get("function"), form.Get("request"), form.Get("follow")))
			all.Store(&more)
			for _, l := range lines {
				_ = encoder.Encode(l)
			}
			if form.Get("follow") == "true" {
				_ = http.NewResponseController(w).Flush()
				<-r.Context().Done()
			}
		case strings.HasSuffix(path, "/requests"):
			for _, c := range calls {
				_ = encoder.Encode(c)
			}
		default:
			answer(w, r)
		}
	}))
	t.Cleanup(server.Close)
	state := t.TempDir()
	text, err := json.Marshal(map[string]any{
		"version": 2, "pid": os.Getpid(), "started": started, "address": server.URL, "control": server.URL, "token": "t",
	})
	if err == nil {
		err = os.WriteFile(filepath.Join(state, "run.json"), text, 0o600)
	}
	if err == nil {
		client, err = sandbox.Connect(state)
	}
	if err != nil {
		t.Fatal(err)
	}
	return client, sandbox.ServedAPI{Environment: "dev", Label: "shop", Endpoint: server.URL + "/dev"}, func() []string { return *all.Load() }
}

func TestWhatAFunctionWroteComesWithTheAnswer(t *testing.T) {
	t.Parallel()
	lines := []logs.Line{
		{Level: logs.Platform, Text: "START RequestId: the-id"},
		{Level: logs.Info, Text: "REPORT of the day"},
		{Level: logs.Error, Text: "GET /dev/items 502: " + traffic.BreaksContract + "the body"},
		{Level: logs.Platform, Text: "REPORT RequestId: the-id"},
		{Level: logs.Info, Text: "of the next request"},
	}
	calls := []traffic.Call{{Request: "other", Breaches: []string{"of another"}}, {Request: "the-id", Breaches: []string{"of this"}}, {Request: "later"}}
	for name, row := range map[string]struct {
		method, function  string
		status            int
		id, kind          string
		written, breaches int
		refusal           string
		asked             string
	}{
		"an answer of the function":   {"GET", "items", 200, "the-id", "", 4, 1, "", "dev items of the-id, follow true"},
		"an error of the function":    {"GET", "items", 500, "the-id", "", 4, 1, "", "dev items of the-id, follow true"},
		"nobody wants the log":        {"GET", "", 200, "the-id", "", 0, 1, "", ""},
		"a preflight":                 {"OPTIONS", "items", 200, "the-id", "", 0, 1, "", ""},
		"an answer that nobody knows": {"GET", "items", 200, "", "", 0, 0, "", ""},
		"the function fails":          {"GET", "items", 502, "the-id", "InternalServerErrorException", 4, 1, "START|REPORT of|REPORT|of the", "dev .gateway of the-id, follow |dev items of the-id, follow true"},
		"the gateway refuses":         {"GET", "items", 403, "the-id", "ForbiddenException", 0, 1, "START|REPORT of|REPORT|of the", "dev .gateway of the-id, follow "},
		"the function refuses":        {"GET", "items", 403, "the-id", "", 4, 1, "", "dev items of the-id, follow true"},
	} {
		client, api, asked := told(t, func(w http.ResponseWriter, _ *http.Request) {
			for header, value := range map[string]string{"X-Amzn-Requestid": row.id, "X-Amzn-Errortype": row.kind} {
				if value != "" {
					w.Header().Set(header, value)
				}
			}
			w.WriteHeader(row.status)
		}, lines, calls)
		a, err := call.Send(t.Context(), client, api, call.Request{Method: row.method, Path: "/items", Function: row.function})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(a.Written) != row.written || row.written > 0 && (a.Written[0].Text != lines[0].Text || a.Written[3].Text != lines[3].Text) {
			t.Errorf("%s: written is %v", name, a.Written)
		}
		if len(a.Breaches) != row.breaches || row.breaches > 0 && a.Breaches[0] != "of this" {
			t.Errorf("%s: the breaches are %q", name, a.Breaches)
		}
		var begins []string
		for n, word := range strings.Split(row.refusal, "|") {
			if row.refusal != "" && n < len(a.Refusal) && strings.HasPrefix(a.Refusal[n], word) {
				begins = append(begins, word)
			}
		}
		if strings.Join(begins, "|") != row.refusal || len(a.Refusal) != len(begins) {
			t.Errorf("%s: the refusal is %q", name, a.Refusal)
		}
		if got := strings.Join(asked(), "|"); got != row.asked {
			t.Errorf("%s: asked is %q", name, got)
		}
	}
}

func TestARefusalWithoutAReasonSaysWhereToLook(t *testing.T) {
	t.Parallel()
	client, api, _ := told(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Amzn-Requestid", "the-id")
		w.Header().Set("X-Amzn-Errortype", "ForbiddenException")
		w.WriteHeader(http.StatusForbidden)
	}, nil, nil)
	a, err := call.Send(t.Context(), client, api, call.Request{Method: "GET", Path: "/items"})
	if want := "to see why, run: gatewright logs .gateway --env dev --request the-id"; err != nil || strings.Join(a.Refusal, "|") != want {
		t.Errorf("it is %q, %v", a.Refusal, err)
	}
}

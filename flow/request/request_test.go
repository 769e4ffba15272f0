package request

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gatewright/deploy/people"
	"gatewright/flow/request/requesttest"
	"gatewright/sandbox"
	"gatewright/sandbox/call"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/test/symlink"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestReadingFromAPushedEnvironmentIsAskedAboutOnce(t *testing.T) {
	t.Parallel()
	s := &Snapshot{environments: []*Environment{{Name: "qa"}, {Name: "dev", Tree: true}, {Name: "prod", Guarded: true}}}
	for _, tt := range []struct {
		env, method string
		agreed      bool
		want, word  string
	}{
		{"dev", "DELETE", false, "", ""},
		{"qa", "GET", false, "but the function may", ""},
		{"qa", "HEAD", true, "", ""},
		{"qa", "OPTIONS", true, "", ""},
		{"qa", "POST", true, "permanently", ""},
		{"prod", "PATCH", true, "permanently", "prod"},
		{"prod", "GET", false, "but the function may", "prod"},
		{"prod", "GET", true, "", ""},
	} {
		text, word := s.Agreement(Form{Environment: tt.env, Method: tt.method, Path: "/open"}, tt.agreed)
		if !strings.Contains(text, tt.want) || (text == "") != (tt.want == "") || word != tt.word {
			t.Errorf("%+v: %q %q", tt, text, word)
		}
	}
}

// Requests of every kind of caller are recorded, more than the history keeps.
func TestTheHistoryReadsWhatWasRecorded(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	s := &Snapshot{root: root}
	callers := []identitypool.Signer{{}, {Guest: true}, {Group: "a:b"}, {User: "user:x"}}
	for i := range 12 {
		f := Form{Environment: "dev", API: "shop", Path: "/a", Method: "POST", Values: []string{"1"}, Query: fmt.Sprint("n=", i/2), As: callers[i%len(callers)], Test: i%2 == 0}
		must(t, s.Record(Exchange{Form: f, At: time.Unix(int64(i), 5e6), Answer: call.Answer{Status: 200 + i, Latency: 1500 * time.Microsecond}}))
		read := History(root)
		// The same request sent again is another entry.
		if len(read) != i+1 || !read[0].Equal(f) || !read[0].At.Equal(time.Unix(int64(i), 5e6)) || read[0].Status != 200+i || read[0].Latency != 1500 {
			t.Fatalf("%d: %+v is read as %+v", i, f, read)
		}
	}
	// A file that cannot be read counts as empty and is replaced.
	must(t, os.WriteFile(filepath.Join(root, ".gatewright", "console.json"), []byte("{"), 0o600))
	if read := History(root); read != nil {
		t.Errorf("%+v", read)
	}
	f := Form{Environment: "dev", API: "shop", Path: "/a", Method: "GET"}
	must(t, s.Record(Exchange{Form: f, At: time.Unix(100, 0)}))
	// A symbolic link in the project is not followed.
	elsewhere := filepath.Join(t.TempDir(), "other.json")
	must(t, os.WriteFile(elsewhere, []byte("other"), 0o600))
	must(t, os.Remove(filepath.Join(root, ".gatewright", "console.json")))
	symlink.Make(t, elsewhere, filepath.Join(root, ".gatewright", "console.json"))
	must(t, s.Record(Exchange{Form: f, At: time.Unix(101, 0)}))
	if text, err := os.ReadFile(elsewhere); err != nil || string(text) != "other" {
		t.Errorf("%v %s", err, text)
	}
}

// Consoles and commands of one project send at the same time.
func TestNoRequestOfManySendersIsLostFromTheHistory(t *testing.T) {
	t.Parallel()
	const senders, each = 6, 8
	root := t.TempDir()
	var all sync.WaitGroup
	for sender := range senders {
		all.Go(func() {
			for i := range each {
				if err := Record(root, Exchange{Form: Form{Method: "GET", Path: "/a", Query: fmt.Sprint("n=", sender*each+i)}, At: time.Unix(1, 0)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	seen := make(map[string]bool)
	for _, sent := range History(root) {
		seen[sent.Query] = true
	}
	if len(seen) != senders*each {
		t.Errorf("%d of %d requests are in the history", len(seen), senders*each)
	}
}

// What tells requests of one day apart comes first: the time of day, and the body.
func TestEarlierRequestsAreToldApart(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 26, 13, 20, 41, 0, time.Local)
	sent := Sent{At: now, Status: 201, Latency: 1600, Form: Form{Body: "{\"title\":\n \"Emma\"}"}}
	zone := now.Format("MST")
	if got, want := sent.words(false, "2026-11-26"), "201, 1.6 ms, 13:20:41 "+zone+", JSON, 18 bytes, 2 lines: {\"title\": \"Emma\"}"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := sent.words(true, "2026-11-27"), "201, 1.6 ms, 2026-11-26 13:20 "+zone+", to "; !strings.HasPrefix(got, want) {
		t.Errorf("%q, want %q first", got, want)
	}
}

// Of a request that is not kept whole, what has to be filled in again is named.
func TestTheHistoryNamesWhatItDoesNotKeep(t *testing.T) {
	t.Parallel()
	dir := requesttest.WriteProject(t, requesttest.Shop(t))
	s, err := Read(dir)
	must(t, err)
	f := Form{Environment: "dev", API: "shop", Path: "/open", Method: "POST"}
	for _, tt := range []struct {
		headers, query, body string
		want                 []string
	}{
		{"X-Trace: 1", "a=1", "{}", nil},
		{"Authorization: Basic abcdefgh", "access_token=1&a=1", `{"password": "x"}`, []string{"Authorization", "access_token", "what *** stands for"}},
		{"X-Trace: 1", "", "\xff\x00", []string{"its body"}},
		{"X-Trace: 1", "", strings.Repeat("x", longestBody+1), []string{"its body"}},
	} {
		f.Headers, f.Query, f.Body = []string{tt.headers}, tt.query, tt.body
		must(t, s.Record(Exchange{Form: f, At: time.Unix(1, 0)}))
		options, fill := s.Earlier(f)
		if filled, lacks, err := fill(options[0].Key); err != nil || !slices.Equal(lacks, tt.want) || strings.Contains(filled.Body, "\ufffd") {
			t.Errorf("%.40q %s: %q %+v (%v), want %q", tt.body, tt.headers, lacks, filled, err, tt.want)
		}
	}
}

func TestTheHistoryIsBounded(t *testing.T) {
	t.Parallel()
	var all []Sent
	for i := range 3 * mostSent {
		all = append(all, Sent{Form: Form{Method: "PUT", Body: strings.Repeat("x", 10<<10), Query: fmt.Sprint(i)}})
	}
	kept := bounded(all)
	bytes := 0
	for i, s := range kept {
		bytes += len(s.Body)
		if s.Query != fmt.Sprint(i) || (s.Body == "") != s.NoBody {
			t.Fatalf("%d is %+v", i, s)
		}
	}
	if len(kept) != mostSent || bytes > mostKept || kept[0].NoBody || !kept[mostSent-1].NoBody {
		t.Errorf("%d entries, %d bytes of bodies", len(kept), bytes)
	}
}

func TestABodyIsDescribedByItsKind(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"": "", `{"a": 1}`: `JSON, 8 bytes: {"a": 1}`, "{\n \"a\": x\n}": `invalid JSON at 2:7, 11 bytes, 3 lines: { "a": x }`, "a=1": "text, 3 bytes: a=1", "\x1b[2J": "text, 4 bytes: ␛[2J",
	} {
		if got := bodyWords(body); got != want {
			t.Errorf("%q is %q, want %q", body, got, want)
		}
	}
}

func TestUsersAreListedByTheNameTheySignInWith(t *testing.T) {
	t.Parallel()
	type attributes [][2]string
	user := func(name, status string, enabled bool, pairs attributes) people.User {
		u := people.User{Username: name, UserStatus: status, Enabled: enabled}
		for _, a := range pairs {
			u.Attributes = append(u.Attributes, people.Attribute{Name: a[0], Value: a[1]})
		}
		return u
	}
	for _, tt := range []struct {
		user                  people.User
		label, note, disabled string
	}{
		{user("emma", "CONFIRMED", true, attributes{{"sub", "1-2"}, {"email", "e@x.org"}}), "emma", "user, e@x.org", ""},
		{user("1-2", "CONFIRMED", true, attributes{{"sub", "1-2"}, {"email", "e@x.org"}}), "e@x.org", "user", ""},
		{user("1-2", "CONFIRMED", true, attributes{{"sub", "1-2"}, {"phone_number", "+1"}}), "+1", "user", ""},
		{user("tom", "UNCONFIRMED", true, nil), "tom", "user", "cannot sign in: the status is UNCONFIRMED"},
		{user("ann", "CONFIRMED", false, nil), "ann", "user", "is disabled"},
	} {
		if p := userOption(tt.user); p.Title != tt.label || p.Key != "user:"+tt.label || p.Detail != tt.note || p.Disabled != tt.disabled {
			t.Errorf("%+v is %+v", tt.user, p)
		}
	}
}

func TestABodyThatIsCutSaysItsLength(t *testing.T) {
	t.Parallel()
	body := []byte("[" + strings.Repeat(`"0123456789",`, 20000) + "1]")
	lines := bodyLines(body)
	if want := fmt.Sprintf("the rest is not shown; the body has %d bytes", len(body)); lines[len(lines)-1].Text != want {
		t.Errorf("it ends with %q, want %q", lines[len(lines)-1].Text, want)
	}
}

func TestASnapshotIsCurrentWhileTheSandboxServesTheSame(t *testing.T) {
	t.Parallel()
	api := sandbox.ServedAPI{Environment: "dev", Label: "shop", ID: "1"}
	s := &Snapshot{Status: sandbox.Status{Address: "http://127.0.0.1:1", APIs: []sandbox.ServedAPI{api}}}
	other := api
	other.ID = "2"
	for _, tt := range []struct {
		status sandbox.Status
		err    error
		want   bool
	}{
		{sandbox.Status{Address: s.Status.Address, APIs: []sandbox.ServedAPI{api}}, nil, true},
		{sandbox.Status{Address: s.Status.Address, APIs: []sandbox.ServedAPI{other}}, nil, false},
		{sandbox.Status{}, sandbox.ErrNotRunning, false},
		{sandbox.Status{}, os.ErrDeadlineExceeded, true},
	} {
		if got := s.IsCurrent(tt.status, tt.err); got != tt.want {
			t.Errorf("%v: %v", tt, got)
		}
	}
}

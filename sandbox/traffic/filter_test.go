package traffic_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gatewright/sandbox/traffic"
)

// some are calls of different kinds, by a name for the tests.
var some = map[string]traffic.Call{
	"list":     {Kind: traffic.Request, API: "shop", Method: "GET", Target: "/books?limit=3", Path: "/books", Function: "books", Status: 200, Took: 3 * time.Millisecond, Who: traffic.Who{Kind: traffic.User, Name: "emma", Groups: []string{"Editors", "Readers"}, As: "members of Editors", Allowed: true}},
	"review":   {Kind: traffic.Request, API: "shop", Method: "POST", Target: "/reviews/1", Path: "/reviews", Function: "reviews", Status: 201, Took: 250 * time.Millisecond, Started: 90 * time.Millisecond, Who: traffic.Who{Kind: traffic.Member, Groups: []string{"Admins"}, As: "members of Admins", Allowed: true}},
	"denied":   {Kind: traffic.Request, API: "shop", Method: "PUT", Target: "/books/1", Path: "/books", Status: 403, Why: "it may not", Who: traffic.Who{Kind: traffic.Guest, Rule: "guests may not update under /books"}},
	"slow":     {Kind: traffic.Request, API: "stock", Method: "GET", Target: "/bookshelves", Path: "/bookshelves", Function: "shelves", Status: 502, Took: 3 * time.Second, Failed: true, Why: "function shelves of environment dev: no response within 3.00 seconds", Who: traffic.Who{Kind: traffic.Nobody}},
	"tick":     {Kind: traffic.Schedule, Function: "books", Took: time.Millisecond, Who: traffic.Who{Kind: traffic.Nobody, Allowed: true}},
	"invoked":  {Kind: traffic.Invoke, Target: "stock", Function: "stock", Took: time.Millisecond, Failed: true, Why: "function stock ended with an error", Who: traffic.Who{Kind: traffic.Function, Name: "orders", Allowed: true}},
	"trigger":  {Kind: traffic.Trigger, Function: "welcome", Took: time.Millisecond, Who: traffic.Who{Kind: traffic.Nobody, Rule: "the trigger postConfirmation of the user pool", Allowed: true}},
	"nowhere":  {Kind: traffic.Request, Method: "GET", Target: "/x", Status: 404, Who: traffic.Who{Kind: traffic.Nobody}, Request: "4f1c0d3e", Breaches: []string{"the status is not in it"}},
	"rehearse": {Kind: traffic.Test, API: "shop", Method: "GET", Target: "/books", Path: "/books", Function: "books", Status: 200, Mocked: true, Who: traffic.Who{Kind: traffic.Nobody, Allowed: true}},
}

func TestAFilterKeepsTheCallsThatItsWordsMean(t *testing.T) {
	t.Parallel()
	words := map[string]string{
		"invoke": "invoke", "rvws": "rvws", "bk": "bk", "eviw": "eviw", "bksh": "bksh", "limit=3": "limit=3", "LIMIT=3": "limit=3", "not update": "not update", "editors": "editors",
		"response": "response",
	}
	for text, want := range map[string]string{
		"":                  "denied invoked list nowhere rehearse review slow tick trigger",
		"5xx":               "slow",
		"4xx":               "denied nowhere",
		"4XX !404":          "denied",
		"404":               "nowhere",
		"failed":            "invoked slow",
		"refused":           "denied nowhere",
		"cold":              "review",
		"breaks":            "nowhere",
		"mocked":            "rehearse",
		"method:p*":         "denied review",
		"<2ms !failed":      "denied nowhere rehearse tick trigger",
		"warm get":          "list rehearse slow",
		"fn:books":          "list rehearse tick",
		"fn:book":           "",
		"fn:book*":          "list rehearse tick",
		"fn:*e*s":           "review slow",
		"FN:BOOKS POST":     "",
		"api:stock":         "slow",
		"path:/books":       "denied list rehearse",
		"path:/books/":      "denied list rehearse",
		"path:/books/1":     "denied",
		"as:emma":           "list",
		"as:Readers":        "list",
		"as:admins":         "review",
		"as:guest":          "denied",
		"!as:nobody":        "denied invoked list review",
		"id:4f1c*":          "nowhere",
		"kind:schedule":     "tick",
		"kind:test":         "rehearse",
		"kind:invoke":       "invoked",
		"kind:trigger":      "trigger",
		"as:function":       "invoked",
		"as:orders":         "invoked",
		"invoke":            "invoked",
		">200ms":            "review slow",
		">200ms <1s":        "review",
		"post":              "review",
		"rvws":              "review",
		"bk":                "", // two letters are not enough
		"eviw":              "", // not from the first letter on
		"bksh":              "slow",
		"limit=3":           "list",
		"LIMIT=3":           "list",
		"!Limit=3":          "denied invoked nowhere rehearse review slow tick trigger",
		"not update":        "denied",
		"editors":           "list",
		"response":          "slow",
		"!books !kind:test": "invoked nowhere review trigger",
	} {
		f, err := traffic.ReadFilter(text)
		if err != nil {
			t.Errorf("%q is refused: %v", text, err)
			continue
		}
		var kept []string
		for _, name := range []string{"denied", "invoked", "list", "nowhere", "rehearse", "review", "slow", "tick", "trigger"} {
			if call := some[name]; f.Matches(&call) {
				kept = append(kept, name)
			}
		}
		if got := strings.Join(kept, " "); got != want {
			t.Errorf("%q keeps %q, want %q", text, got, want)
		}
		if got := strings.Join(f.Words(), " "); got != words[text] {
			t.Errorf("%q looks for %q, want %q", text, got, words[text])
		}
	}
}

func TestAWordThatIsNoFilterIsNamedWithWhatIsMeant(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"fnn:books":     `there is no filter "fnn:": did you mean fn: instead?`,
		"colour:red":    `there is no filter "colour:": there are api:`,
		"fn:":           "the filter fn: needs a value after the colon",
		">200":          `the filter ">200" is not a duration: write one such as >200ms`,
		"<fast":         "write one such as <200ms",
		"9xx":           "write one of 1xx to 5xx",
		"kind:schedul":  "did you mean kind:schedule?",
		"kind:whatever": "there are request, test, schedule, invoke, trigger",
		"path:books":    "such as path:/books",
		"5xx !":         "the filter ! needs a word after it",
	} {
		_, err := traffic.ReadFilter(text)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q is refused with %v, want %s", text, err, want)
		}
	}
	for text, want := range map[string]string{"fialed": `no call shows "fialed": did you mean failed?`, "refus": "did you mean refused?", "POTS": "did you mean post?", "optio": "did you mean options?", "books": "", "co": ""} {
		f, err := traffic.ReadFilter(text)
		if err != nil || want == "" && f.Meant() != "" || !strings.Contains(f.Meant(), want) {
			t.Errorf("%q means %q, %v", text, f.Meant(), err)
		}
	}
}

// TestAFilterAndItsOppositeDivideTheCalls holds for any words.
func TestAFilterAndItsOppositeDivideTheCalls(t *testing.T) {
	t.Parallel()
	words := []string{"5xx", "404", "failed", "refused", "cold", "fn:books", "fn:b*", "api:shop", "as:guest", "path:/books", ">2ms", "get", "books", "ed", "kind:test", "id:4*"}
	rapid.Check(t, func(t *rapid.T) {
		one, two := rapid.SampledFrom(words).Draw(t, "one"), rapid.SampledFrom(words).Draw(t, "two")
		read := func(text string) traffic.Filter {
			f, err := traffic.ReadFilter(text)
			if err != nil {
				t.Fatalf("%q is refused: %v", text, err)
			}
			return f
		}
		for name, call := range some {
			if read(one).Matches(&call) == read("!"+one).Matches(&call) {
				t.Fatalf("%s and its opposite agree about %s", one, name)
			}
			if read(one+" "+two).Matches(&call) != (read(one).Matches(&call) && read(two).Matches(&call)) {
				t.Fatalf("%s and %s do not both hold for %s", one, two, name)
			}
		}
	})
}

func TestNoTextOfAFilterPanics(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f, err := traffic.ReadFilter(rapid.String().Draw(t, "text"))
		if err != nil {
			return
		}
		for _, call := range some {
			_ = f.Matches(&call)
		}
	})
}

func TestCallersAndReasonsAreSaidInAFewWords(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][2]string{
		"list": {"emma (Editors)", ""}, "review": {"member of Admins", "cold 90 ms"}, "denied": {"guest", "guests may not update under /books"},
		"slow": {"nobody", "no response within 3.00 seconds"}, "rehearse": {"nobody", "test, example"},
	} {
		call := some[name]
		if got := [2]string{call.Who.String(), call.Note()}; got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

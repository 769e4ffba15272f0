package invoke

import (
	"net/http"
	"strings"
	"testing"
)

func TestAChainOfCallsEndsAtTheSixteenthCallOfOneFunction(t *testing.T) {
	t.Parallel()
	a, b := Function{Environment: "dev", Name: "a"}, Function{Environment: "dev", Name: "b"}
	var chain lineage
	// a was called by a request to an API, which counts too.
	caller, called, calls := a, b, 0
	for ; ; calls++ {
		next, ok := chain.calling(&caller, called)
		if !ok {
			break
		}
		read, known := readLineage("Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=0;Lineage=" + next.String())
		if !known || !read.same(next) {
			t.Fatalf("%s is read as %s", next, read)
		}
		chain, caller, called = read, called, caller
	}
	if calls != 31 || called != a {
		t.Errorf("after %d calls %s is refused", calls, called.Name)
	}
}

func TestALineageThatNobodyMadeHereIsLeftOut(t *testing.T) {
	t.Parallel()
	for trace, want := range map[string]string{
		"": "", "Root=1-5759e988-bd862e3fe1be46a994272793": "", "Lineage=": "", "Lineage=a:1": "", "Lineage=0badcafe:-1": "", "Lineage=0badcafe:x": "",
		"Lineage=0BADCAFE:1": "", "Lineage=0badcaf\n:1|0badcafe:2": "0badcafe:2", "Lineage=0badcafe:999999": "0badcafe:16",
		"Lineage=" + strings.Repeat("0badcafe:1|", 100): strings.TrimSuffix(strings.Repeat("0badcafe:1|", 64), "|"),
	} {
		if got, known := readLineage(trace); got.String() != want || known != (want != "") {
			t.Errorf("%q is read as %q", trace, got)
		}
	}
}

func TestALoopIsRefusedAndTold(t *testing.T) {
	t.Parallel()
	s := open(t)
	trace := "X-Amzn-Trace-Id: Root=1-5759e988-bd862e3fe1be46a994272793;Lineage=" + lineageName(s.served.Load().Functions[1])
	if a := s.invoke("orders", `{}`, byBooks, trace+":15"); a.status != http.StatusOK {
		t.Errorf("the 16th call is answered %d %s", a.status, a.body)
	}
	for _, kind := range []string{"", event} {
		a := s.invoke("orders", `{}`, byBooks, trace+":16", kind)
		if a.status != http.StatusBadRequest || a.header.Get("X-Amzn-Errortype") != recursive || !strings.HasPrefix(a.text(), "Lambda has detected your function being invoked in a recursive loop") {
			t.Errorf("the 17th call is answered %d %s", a.status, a.body)
		}
	}
	if log := s.log("books"); !strings.Contains(log, "function orders is not called: it was called 16 times in one chain of calls, which is a loop") {
		t.Errorf("the log of the caller does not say why:\n%s", log)
	}
}

func TestARequestWithoutAHeaderGoesOnWithTheLongestChainOfItsCaller(t *testing.T) {
	t.Parallel()
	s := &Service{running: map[Function][]lineage{}}
	books, orders := Function{Environment: "dev", Name: "books"}, Function{Environment: "dev", Name: "orders"}
	long := lineage{}.with(lineageName(books), 9)
	over := s.track(&request{called: books, lineage: lineage{}.with(lineageName(books), 2)})
	overLong := s.track(&request{called: books, lineage: long})
	s.track(&request{called: books, lineage: lineage{}.with(lineageName(books), 3)})
	s.track(&request{called: orders, lineage: lineage{}.with(lineageName(orders), 16)})
	deepest := func() string {
		q := &request{caller: &books, called: orders}
		if refused := s.follow(q, ""); refused != nil {
			t.Fatal(refused.text)
		}
		return q.lineage.String()
	}
	if got, want := deepest(), long.with(lineageName(orders), 1).String(); got != want {
		t.Errorf("it goes on with %s, want %s", got, want)
	}
	// Each call takes its own chain with it.
	overLong()
	over()
	if got, want := deepest(), (lineage{}).with(lineageName(books), 3).with(lineageName(orders), 1).String(); got != want {
		t.Errorf("after the longer ones ended it goes on with %s, want %s", got, want)
	}
	q := &request{called: orders}
	if s.follow(q, "") != nil || q.lineage.String() != lineageName(orders)+":1" {
		t.Errorf("a program's call goes on with %s", q.lineage)
	}
}

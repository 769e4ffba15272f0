//go:build linux

package main

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// ledger has the outcomes of all requests.
type ledger struct {
	project *project
	report  *report
	// dying is set while the sandbox is being ended: connections may break.
	dying atomic.Bool

	mu sync.Mutex
	// outcomes counts the answers by behaviour and status.
	outcomes map[outcome]int
	// callers has the caller of each request id, refusals the refusals that the log must
	// explain. lateCrashes counts requests that asked for a crash after their answer.
	callers      map[string]string
	refusals     []refusal
	lateCrashes  int
	longestStale time.Duration
	// slowHeads is the number of slow heads that the log must mention.
	slowHeads int
}

type outcome struct {
	behaviour string
	status    int
}

// refusal is a request that was refused.
type refusal struct {
	request        *request
	id             string // the gateway's
	status         int
	sent, received time.Time
}

func newLedger(p *project, r *report) *ledger {
	return &ledger{project: p, report: r, outcomes: make(map[outcome]int), callers: make(map[string]string)}
}

// begin counts requests that are about to be sent.
func (l *ledger) begin(burst []*request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range burst {
		switch r.behaviour {
		case late:
			l.lateCrashes++
		case leave:
			l.outcomes[outcome{r.behaviour.name, 0}]++
		}
	}
}

// noteLost reports a request without an answer. Many are an error, because each takes long.
func (l *ledger) noteLost(r *request, err error) error {
	const most = 100
	if l.dying.Load() {
		return nil
	}
	if l.report.wrong(unanswered, "%s %s: %v", r.method, r.path, err) > most {
		return errors.New("too many requests are not answered")
	}
	return nil
}

// check counts an answer and checks that it is the caller's own.
func (l *ledger) check(r *request, a answer) {
	id := a.header.Get("X-Amzn-Requestid")
	l.mu.Lock()
	before, known := l.callers[id]
	l.callers[id] = r.id
	l.outcomes[outcome{r.behaviour.name, a.status}]++
	l.mu.Unlock()
	if known {
		l.report.wrong(wrongAnswer, "%s has the request id %s, as %s had", r.path, id, before)
	}
	own := r.refusal()
	switch {
	case own.status == 0 && a.status < http.StatusBadRequest:
		l.checkAnswer(r, a, id)
		return
	case own.status == a.status && own == thrownInExpress:
		l.checkHeaders(r, a, id)
	}
	if wrong := refusedAs(own, a); wrong != "" && refusedAs(failed, a) != "" {
		l.report.wrong(wrongAnswer, "%s %s: %s", r.method, r.path, wrong)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.refusals = append(l.refusals, refusal{r, id, a.status, a.sent, a.received})
}

// checkAnswer checks that an answer is exactly the one for the caller.
func (l *ledger) checkAnswer(r *request, a answer, id string) {
	if want := r.wanted(); a.status != http.StatusOK || a.body != want {
		l.report.wrong(wrongAnswer, "%s %s is answered %d %s, want %s", r.method, r.path, a.status, shortened(a.body),
			shortened(want))
	}
	if r.function != nil {
		l.checkHeaders(r, a, id)
	}
}

// checkHeaders checks that the handler's headers are those for the caller, and that its
// source is not an old version.
func (l *ledger) checkHeaders(r *request, a answer, id string) {
	if got := a.header.Get("X-Caller"); got != r.id {
		l.report.wrong(wrongAnswer, "%s got the headers of %s", r.path, got)
	}
	if got := a.header.Get("X-Request"); got != id {
		l.report.wrong(wrongAnswer, "%s got request id %s and the headers of %s", r.path, id, got)
	}
	version, err := strconv.Atoi(a.header.Get("X-Version"))
	if err != nil {
		l.report.wrong(wrongAnswer, "%s got no version: %v", r.path, err)
		return
	}
	stale, wrong := r.function.history.judge(version, a.sent, a.received)
	if wrong != "" {
		l.report.wrong(staleAnswer, "%s: %s", r.path, wrong)
	}
	l.mu.Lock()
	l.longestStale = max(l.longestStale, stale)
	l.mu.Unlock()
}

// failed is a refusal that any call may get, because another request crashed the worker or
// the source was broken. The log must say so.
var failed = failing("", 0, "")

// refusedAs compares an answer with a refusal, and returns the difference, or "".
func refusedAs(w *behaviour, a answer) string {
	kind := a.header.Get("X-Amzn-Errortype")
	if a.status != w.status || kind != w.kind || a.body != w.answer &&
		!(w == denied && strings.HasPrefix(a.body, `{"Message":"User: `)) {
		return fmt.Sprintf("it is refused with %d %s %s, want %d %s %s", a.status, kind, shortened(a.body), w.status, w.kind,
			shortened(w.answer))
	}
	return ""
}

// shortened quotes the beginning of a text.
func shortened(text string) string {
	const most = 200
	quoted := fmt.Sprintf("%.*q", most, text)
	if len(text) > most {
		quoted += fmt.Sprintf("... (%d bytes)", len(text))
	}
	return quoted
}

func (l *ledger) reportAnswers() {
	l.mu.Lock()
	defer l.mu.Unlock()
	byStatus, all := make(map[int]int), 0
	for o, n := range l.outcomes {
		byStatus[o.status] += n
		all += n
	}
	l.report.saw("answers", "%d of 200, %d of 403, %d of 500, %d of 502; %d callers left early",
		byStatus[200], byStatus[403], byStatus[500], byStatus[502], byStatus[0])
	edits, breaking := 0, 0
	for _, f := range l.project.functions {
		every, some := f.history.count()
		edits, breaking = edits+every, breaking+some
	}
	l.report.saw("edits of sources", "%d; %d of them broke the source", edits, breaking)
	l.report.none(unanswered, all)
	l.report.none(wrongAnswer, all)
	l.report.none(staleAnswer, byStatus[200])
	l.report.judge("longest time until an edit was noticed", l.longestStale.Round(time.Millisecond).String(),
		"up to "+noticed.String(), l.longestStale <= noticed)
}

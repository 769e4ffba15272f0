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

// ledger is what became of every request.
type ledger struct {
	project *project
	report  *report
	// dying says that the sandbox is being ended: connections may break.
	dying atomic.Bool

	mu sync.Mutex
	// outcomes counts the answers by wish and status.
	outcomes map[outcome]int
	// callers has the caller of each request id that came with an answer, and
	// refusals what the log must explain. lates are requests that wished a crash
	// after their answer.
	callers  map[string]string
	refusals []refusal
	lates    int
	stalest  time.Duration
	// slowHeads are clients whose heads the log must tell of.
	slowHeads int
}

type outcome struct {
	wish   string
	status int
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

// begin notes requests that are about to be sent.
func (l *ledger) begin(burst []*request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range burst {
		switch r.wish {
		case late:
			l.lates++
		case leave:
			l.outcomes[outcome{r.wish.name, 0}]++
		}
	}
}

// lose notes a request without an answer. Many of them are an error: each takes
// long.
func (l *ledger) lose(r *request, err error) error {
	const most = 100
	if l.dying.Load() {
		return nil
	}
	if l.report.wrong(lost, "%s %s: %v", r.method, r.path, err) > most {
		return errors.New("too many requests are not answered")
	}
	return nil
}

// check notes an answer, and whether it is the caller's own.
func (l *ledger) check(r *request, a answer) {
	id := a.header.Get("X-Amzn-Requestid")
	l.mu.Lock()
	before, known := l.callers[id]
	l.callers[id] = r.id
	l.outcomes[outcome{r.wish.name, a.status}]++
	l.mu.Unlock()
	if known {
		l.report.wrong(strange, "%s has the request id %s, as %s had", r.path, id, before)
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
		l.report.wrong(strange, "%s %s: %s", r.method, r.path, wrong)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.refusals = append(l.refusals, refusal{r, id, a.status, a.sent, a.received})
}

// checkAnswer wants a handler's answer to be the caller's own, to the byte.
func (l *ledger) checkAnswer(r *request, a answer, id string) {
	if want := r.wanted(); a.status != http.StatusOK || a.body != want {
		l.report.wrong(strange, "%s %s is answered %d %s, want %s", r.method, r.path, a.status, shortened(a.body), shortened(want))
	}
	if r.function != nil {
		l.checkHeaders(r, a, id)
	}
}

// checkHeaders wants the headers that the handler made to be the caller's own, and
// the handler's source to be no old one.
func (l *ledger) checkHeaders(r *request, a answer, id string) {
	if got := a.header.Get("X-Caller"); got != r.id {
		l.report.wrong(strange, "%s is answered with the headers of %s", r.path, got)
	}
	if got := a.header.Get("X-Request"); got != id {
		l.report.wrong(strange, "%s is answered as request %s with the headers of %s", r.path, id, got)
	}
	version, err := strconv.Atoi(a.header.Get("X-Version"))
	if err != nil {
		l.report.wrong(strange, "%s is answered by no version: %v", r.path, err)
		return
	}
	stale, wrong := r.function.history.judge(version, a.sent, a.received)
	if wrong != "" {
		l.report.wrong(outdated, "%s: %s", r.path, wrong)
	}
	l.mu.Lock()
	l.stalest = max(l.stalest, stale)
	l.mu.Unlock()
}

// failed is how any call may end: another request had the worker crash, or the
// source was broken. The log has to say so.
var failed = failing("", 0, "")

// refusedAs says what is not as a refusal is.
func refusedAs(w *wish, a answer) string {
	kind := a.header.Get("X-Amzn-Errortype")
	if a.status != w.status || kind != w.kind || a.body != w.answer && !(w == private && strings.HasPrefix(a.body, `{"Message":"User: `)) {
		return fmt.Sprintf("it is refused with %d %s %s, want %d %s %s", a.status, kind, shortened(a.body), w.status, w.kind, shortened(w.answer))
	}
	return ""
}

// shortened is the beginning of a text, quoted.
func shortened(text string) string {
	const most = 200
	quoted := fmt.Sprintf("%.*q", most, text)
	if len(text) > most {
		quoted += fmt.Sprintf("... (%d bytes)", len(text))
	}
	return quoted
}

// reportAnswers reports what was answered.
func (l *ledger) reportAnswers() {
	l.mu.Lock()
	defer l.mu.Unlock()
	byStatus, all := make(map[int]int), 0
	for o, n := range l.outcomes {
		byStatus[o.status] += n
		all += n
	}
	l.report.saw("answers", "%d of 200, %d of 403, %d of 500, %d of 502; %d callers left before",
		byStatus[200], byStatus[403], byStatus[500], byStatus[502], byStatus[0])
	edits, breaking := 0, 0
	for _, f := range l.project.functions {
		every, some := f.history.count()
		edits, breaking = edits+every, breaking+some
	}
	l.report.saw("edits of sources", "%d; %d of them broke the source", edits, breaking)
	l.report.none(lost, all)
	l.report.none(strange, all)
	l.report.none(outdated, byStatus[200])
	l.report.judge("the longest that an edit was not noticed", l.stalest.Round(time.Millisecond).String(), "up to "+noticed.String(), l.stalest <= noticed)
}

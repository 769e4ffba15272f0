package worker

import (
	"runtime/debug"
	"strings"
	"time"

	"gatewright/internal/file/fingerprint"
	"gatewright/sandbox/function"
)

// How old the last check of a function's source may be: before a call, and while the
// function has workers, so that a new worker is warm before the next call. Checks that
// take long are rarer: at most a twentieth of the time goes into them.
const (
	checkBeforeCall = 20 * time.Millisecond
	checkInUse      = 100 * time.Millisecond
	checkShare      = 20
)

// checkSource compares the source with what the workers were started from, unless the
// last check is younger than age, and begins a new generation if it differs.
func (p *pool) checkSource(age time.Duration) {
	if !p.isCheckDue(age) {
		return
	}
	p.checking.Lock()
	defer p.checking.Unlock()
	if !p.isCheckDue(age) {
		return
	}
	p.mu.Lock()
	spec, generation := p.spec, p.generation
	// The first worker reads the source when it is prepared.
	installing := p.preparing > 0 && !p.launched
	p.mu.Unlock()
	if installing {
		return
	}
	began := time.Now()
	stamp := stampOf(spec)
	p.chargeCheck(time.Since(began))
	p.checkedAt.Store(time.Now().UnixNano())

	p.mu.Lock()
	changed := stamp != p.stamp && generation == p.generation && !p.removed
	used := changed && (p.launched || p.failures > 0)
	if changed {
		p.stamp = stamp
	}
	p.mu.Unlock()
	if !used {
		return
	}
	p.notify(function.EventChange, "its source changed")
	p.mu.Lock()
	defer p.mu.Unlock()
	// A new Spec in the meantime began a new generation itself.
	if generation == p.generation {
		p.renew(len(p.workers) > 0 || p.failures > 0)
	}
}

// chargeCheck keeps what a check costs: the less of the last two, because one that took long on
// a busy machine must not delay the next by twenty times as much. The caller holds p.checking.
func (p *pool) chargeCheck(took time.Duration) {
	p.checkCost.Store(int64(min(took, p.lastCheck)))
	p.lastCheck = took
}

func (p *pool) isCheckDue(age time.Duration) bool {
	if age > 0 {
		age = max(age, time.Duration(checkShare*p.checkCost.Load()))
	}
	return time.Now().UnixNano()-p.checkedAt.Load() >= int64(age)
}

// isUsed reports whether an edit of the source matters now.
func (p *pool) isUsed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.workers) > 0 || p.failures > 0 || p.spec.Inspect
}

// mostFiles is how many files of a function's folder are checked for changes.
const mostFiles = 5000

// stampOf returns the fingerprint of the source and the layers. An unreadable folder
// has a fingerprint too: the start reports the error.
func stampOf(s *function.Spec) string {
	var all strings.Builder
	for _, folder := range append([]string{s.Folder}, s.Layers...) {
		stamp, err := fingerprint.Attributes(folder, mostFiles)
		if err != nil {
			stamp = "unreadable"
		}
		all.WriteString(stamp)
		all.WriteByte('\n')
	}
	return all.String()
}

// checksUntilIdle is the number of checks without a call after which unused memory is
// given back to the system: the sandbox runs all day together with other programs.
const checksUntilIdle = 10

// watch checks the sources of functions in use and ends idle workers, until the Runner
// is closed.
func (r *Runner) watch() {
	ticker := time.NewTicker(checkInUse)
	defer ticker.Stop()
	var seen int64
	for quiet := 0; ; {
		select {
		case <-r.ctx.Done():
			return
		case <-ticker.C:
		}
		if calls := r.calls.Load(); calls != seen {
			seen, quiet = calls, 0
		} else if quiet++; quiet == checksUntilIdle && seen > 0 {
			debug.FreeOSMemory()
		}
		for _, p := range r.all() {
			if p.isUsed() {
				p.checkSource(checkInUse - checkBeforeCall)
				p.endIdle(r.options.Idle)
			}
		}
	}
}

package function

import (
	"runtime/debug"
	"strings"
	"time"

	"gatewright/fingerprint"
)

// How old the last look at a function's source may be: before a call, and while
// it has workers, so that an edit has a warm worker before anybody calls. A look
// that takes long is taken less often: at most a twentieth of the time is spent
// on it.
const (
	checkBeforeCall = 20 * time.Millisecond
	checkInUse      = 100 * time.Millisecond
	checkShare      = 20
)

// checkSource compares the source with what the workers were started from, unless the
// last checkSource is younger than age, and begins a new generation when it differs.
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
	// While packages are installed the source changes without anybody's edit.
	installing := p.preparing > 0 && !p.launched
	p.mu.Unlock()
	if installing {
		return
	}
	began := time.Now()
	stamp := stampOf(spec)
	p.checkCost.Store(int64(time.Since(began)))
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
	p.notify(EventChange, "its source changed")
	p.mu.Lock()
	defer p.mu.Unlock()
	// A new Spec in the meantime is a new generation of its own.
	if generation == p.generation {
		p.renew(len(p.workers) > 0 || p.failures > 0)
	}
}

func (p *pool) isCheckDue(age time.Duration) bool {
	if age > 0 {
		age = max(age, time.Duration(checkShare*p.checkCost.Load()))
	}
	return time.Now().UnixNano()-p.checkedAt.Load() >= int64(age)
}

// isUsed reports whether an edit of the source is worth a look.
func (p *pool) isUsed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.workers) > 0 || p.failures > 0 || p.spec.Inspect
}

// mostFiles is how many files of a function's folder are looked at.
const mostFiles = 5000

// stampOf is the fingerprint of the source and the layers. A folder that cannot
// be read is one more state: the start says what is wrong.
func stampOf(s *Spec) string {
	var all strings.Builder
	for _, folder := range append([]string{s.Folder}, s.Layers...) {
		stamp, err := fingerprint.Looks(folder, mostFiles)
		if err != nil {
			stamp = "unreadable"
		}
		all.WriteString(stamp)
		all.WriteByte('\n')
	}
	return all.String()
}

// checksUntilIdle is after how many looks without a call the memory that calls needed is
// given back to the system: the sandbox runs all day beside other programs.
const checksUntilIdle = 10

// watch looks at the sources of functions in use and ends workers that nobody
// calls, until the Runner is closed.
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

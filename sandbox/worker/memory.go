package worker

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"gatewright/sandbox/function"
	"gatewright/sandbox/logs"
)

// A worker's memory is the most that its process, or that it and the processes below it
// together, have had since the start. Lambda reports the same: the maximum of all
// invocations of an execution environment
// (https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html).
//
// The system keeps the peak of one process, so that is read rarely. The sum of several is
// looked at while a call runs: less and less often, until there are several.

const (
	// leastMeasured is the time after which the peak may be another: a process gets few megabytes in
	// it. When its handler has worked for mostUnmeasured it is read again, before only if the process
	// has more than the peak now, which is quicker to see.
	leastMeasured  = 2 * time.Millisecond
	mostUnmeasured = 20 * time.Millisecond
	// sampleEvery is the time between two looks for calls that run, and the least one between
	// two looks at one call; leastOften is the most, and a process that lives less may go
	// unseen. With Options.StrictMemory it is always strictEvery.
	sampleEvery = 10 * time.Millisecond
	leastOften  = 100 * time.Millisecond
	strictEvery = 4 * time.Millisecond
	// samplesUntilIdle is the number of looks without a call after which they pause, and unused
	// memory is given back to the system: the sandbox runs all day together with other programs.
	samplesUntilIdle = 100
)

// memory is what is known about the memory of a worker. Its lock is held while measuring.
type memory struct {
	mu sync.Mutex
	// peak is in KB; unmeasured is the handler's time since it was read.
	peak       int
	unmeasured time.Duration
	isMeasured bool
	// looked is when the peak was last compared or read.
	looked time.Time
	// isOver means that the process was killed because of it.
	isOver atomic.Bool
	// The lock of the pool is held for looks: at the call that began then, the next one is
	// after it has run for a time.
	looks struct {
		began time.Time
		next  time.Duration
	}
}

// measure returns the peak in KB, 0 if it is unknown. With all, the processes below count.
func (w *worker) measure(all bool) int {
	w.memory.mu.Lock()
	defer w.memory.mu.Unlock()
	w.memory.unmeasured, w.memory.isMeasured = 0, true
	w.memory.peak = w.process.usedMemory(w.memory.peak, all)
	return w.memory.peak
}

// measureShared is measure without the peak that the system keeps. It reports whether there
// are processes below the worker's.
func (w *worker) measureShared() (several bool) {
	w.memory.mu.Lock()
	defer w.memory.mu.Unlock()
	now, several := w.process.sharedMemory(w.memory.peak)
	w.memory.peak = max(w.memory.peak, now)
	return several
}

// measure is that of its worker when the handler has ended.
func (i *invocation) measure() int {
	i.isMeasured = true
	return i.worker.measure(true)
}

// measureAfter is measure after a call that took a time, if there may be something new.
func (i *invocation) measureAfter(took time.Duration) int {
	w := i.worker
	w.memory.mu.Lock()
	w.memory.unmeasured += took
	due := !w.memory.isMeasured || w.memory.unmeasured >= mostUnmeasured || w.pool.runner.options.StrictMemory
	peak, ended := w.memory.peak, i.began.Add(took)
	looks := due || ended.Sub(w.memory.looked) >= leastMeasured
	if looks {
		w.memory.looked = ended
	}
	w.memory.mu.Unlock()
	if looks && !i.isMeasured && (due || w.process.mayHaveGrown(peak)) {
		return w.measure(took >= sampleEvery)
	}
	return peak
}

// measureEnded adds what the system says of a process that has ended.
func (w *worker) measureEnded() {
	w.memory.mu.Lock()
	defer w.memory.mu.Unlock()
	w.memory.peak = max(w.memory.peak, w.process.peak)
}

const kilo = 1024

func megabytes(kilobytes int) int { return (kilobytes + kilo - 1) / kilo }

// exceeds reports whether a number of KB is over a function's memory.
func exceeds(s *function.Spec, kilobytes int) bool { return kilobytes > s.MemoryLimit()*kilo }

// advice says how to give a function enough memory for a number of MB.
func advice(s *function.Spec, used int) string {
	const step = 64
	more := (used + step - 1) / step * step
	if s.Kept {
		return fmt.Sprintf("use less, or give it more: \"MemorySize\": %d in its template", more)
	}
	return fmt.Sprintf("use less, or give it more: gatewright update function %s --memory %d", s.Name, more)
}

// nodeHeap returns arguments with which Node.js collects garbage as early as in the cloud: by itself it takes
// as much as the machine has, so garbage would count as used. Lambda gives it a twentieth of the function's
// memory for young objects, and ends it at nine tenths for the others (so do runtimes for it, such as
// https://github.com/lambci/node-custom-lambda/blob/master/v10.x/bootstrap). There are none unless a function
// is killed for its memory: with any of them Node.js starts a sixth slower, because it cannot use its
// compiled code.
func nodeHeap(memory int, strict bool) []string {
	const (
		hundred    = 100
		young, old = 5, 90
	)
	if !strict {
		return nil
	}
	return []string{
		fmt.Sprintf("--max-semi-space-size=%d", max(memory*young/hundred, 1)),
		fmt.Sprintf("--max-old-space-size=%d", memory*old/hundred),
	}
}

// tellMemory writes an error into the log of a call whose worker is over its memory, and
// a warning the first time in each generation.
func (i *invocation) tellMemory(used int) {
	w := i.worker
	limit := w.spec.MemoryLimit()
	if used <= limit || w.memory.isOver.Load() {
		return
	}
	text := fmt.Sprintf("its process has used %d MB of memory, %d MB more than the %d MB that it has: the cloud ends a "+
		"function there; %s",
		used, used-limit, limit, advice(w.spec, used))
	l := w.output.line
	l.Time, l.Request, l.Level, l.Text = time.Now(), i.id, logs.Error, text
	w.output.append(l)
	if w.told.memory.CompareAndSwap(false, true) {
		w.pool.notify(function.EventWarning, text)
	}
}

// killOver kills a worker that is over its memory, as Lambda does.
func (p *pool) killOver(w *worker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w.state != ending && w.process != nil && !w.reaped {
		w.memory.isOver.Store(true)
		w.process.Kill()
	}
}

// overMemory returns the error of a call, or of a start, that was ended by killOver.
func (w *worker) overMemory(kind function.ErrorKind) *function.Error {
	limit := w.spec.MemoryLimit()
	return w.failure(kind,
		fmt.Sprintf("it used more memory than the %d MB that it has and was killed, as in the cloud", limit),
		advice(w.spec, limit+1))
}

// answerOver fails a call that was answered by a worker that is over its memory: it was
// too fast for the sampler. The caller has set answered.
func (i *invocation) answerOver() *outcome {
	w := i.worker
	w.pool.mu.Lock()
	w.memory.isOver.Store(true)
	w.kill()
	w.pool.mu.Unlock()
	e := i.exitError(killedWords)
	return &outcome{invocation: i, answer: i.close(function.Answer{}, e.CloudText, e.CloudType), err: e}
}

// killedWords are Lambda's for a process that was killed, on every system.
const killedWords = "signal: killed"

// sampler looks at the memory of workers while calls run.
type sampler struct{ runs atomic.Bool }

// wake sees to it that the sampler runs. A lock may be held.
func (r *Runner) wakeSampler() {
	if !r.sampler.runs.Load() && r.sampler.runs.CompareAndSwap(false, true) {
		go r.sample()
	}
}

// sample runs until there was no call for a while.
func (r *Runner) sample() {
	every := sampleEvery
	if r.options.StrictMemory {
		every = strictEvery
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for quiet := 0; r.ctx.Err() == nil; quiet++ {
		<-ticker.C
		if r.sampleOnce(every) {
			quiet = 0
		}
		if quiet < samplesUntilIdle {
			continue
		}
		r.sampler.runs.Store(false)
		// A call that began meanwhile did not start another one.
		if !r.sampleOnce(every) || !r.sampler.runs.CompareAndSwap(false, true) {
			debug.FreeOSMemory()
			return
		}
	}
}

// sampleOnce measures the workers whose call has run for a time, and reports whether any
// worker has a call or starts.
func (r *Runner) sampleOnce(least time.Duration) (busy bool) {
	for _, p := range r.all() {
		for _, w := range p.atWork(least, &busy) {
			if !r.options.StrictMemory {
				if w.measureShared() {
					p.lookSoon(w, least)
				}
			} else if exceeds(w.spec, w.measure(true)) {
				p.killOver(w)
			}
		}
	}
	return busy
}

// atWork returns the workers that start or whose call has run for a time.
func (p *pool) atWork(least time.Duration, busy *bool) (found []*worker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for w := range p.workers {
		began := w.began
		switch {
		case w.state == starting:
		case w.state == ending || w.current == nil:
			continue
		default:
			began = w.current.began
		}
		*busy = true
		if w.process != nil && !w.reaped && w.isDue(began, least) {
			found = append(found, w)
		}
	}
	return found
}

// isDue reports whether it is time for a look at a worker whose call began at a time. The lock
// of the pool is held.
func (w *worker) isDue(began time.Time, least time.Duration) bool {
	looks, ran := &w.memory.looks, time.Since(began)
	if !looks.began.Equal(began) {
		looks.began, looks.next = began, least
	}
	if ran < looks.next {
		return false
	}
	if looks.next = ran + min(ran, leastOften); w.pool.runner.options.StrictMemory {
		looks.next = least
	}
	return true
}

// lookSoon lets the next look at a worker be after a time.
func (p *pool) lookSoon(w *worker, in time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	w.memory.looks.next = time.Since(w.memory.looks.began) + in
}

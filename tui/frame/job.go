package frame

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Job runs long work of a page, one piece at a time. The frame shows its title, its
// duration and its progress, and can stop it. The zero value runs nothing.
type Job struct{ current *runningJob }

// Progress reports that done of total units are done; total is 0 if it is unknown.
type Progress func(done, total int)

// runningJob is the work that a Job runs now.
type runningJob struct {
	title       string
	began       time.Time
	stop        context.CancelFunc
	stopping    bool
	done, total atomic.Int64
	// step is what it does now; nil for no more than the title says.
	step atomic.Pointer[string]
	// label, stops and quits are those of the task.
	label, stops, quits string
	// once runs the work. Close calls it too, with an empty function: that waits for work
	// that has begun, and prevents work that has not.
	once sync.Once
}

// cancel asks the work to stop. It has ended when its message arrives.
func (r *runningJob) cancel() {
	r.stopping = true
	r.stop()
}

// Running is the title of the running work; "" if there is none.
func (j *Job) Running() string {
	if j.current == nil {
		return ""
	}
	return j.current.title
}

// Busy is the reason why no other work can begin; "" if it can.
func (j *Job) Busy() string {
	if j.current == nil {
		return ""
	}
	return j.current.title + " has not ended yet"
}

// Task is long work with words of its own for what stops it.
type Task struct {
	// Title names it while it runs, such as "pushing dev".
	Title string
	// Label is the word for esc, and Stops says what esc does to it; "" is "stop" and "stops
	// it".
	Label, Stops string
	// Quits says in a sentence what quitting does to it; "" if that stops it.
	Quits string
	// Run is called outside Update; the end of its context stops it, and the message that it
	// returns is delivered to the page. report says how far it is, and step, which may be
	// called at any time, what it does now.
	Run func(ctx context.Context, report Progress, step func(text string)) tea.Msg
}

// Begin runs long work outside Update. title names it while it runs, such as "pushing
// dev". Stopping the job cancels ctx. The message that run returns is delivered to the
// page when the job has ended. Begin refuses while other work runs.
func (j *Job) Begin(title string, run func(ctx context.Context, report Progress) tea.Msg) tea.Cmd {
	return j.Do(Task{
		Title: title,
		Run:   func(ctx context.Context, report Progress, _ func(string)) tea.Msg { return run(ctx, report) },
	})
}

// Do is Begin for a task.
func (j *Job) Do(task Task) tea.Cmd {
	if busy := j.Busy(); busy != "" {
		return Say(Warn, "%s; esc %s", busy, j.current.stops)
	}
	ctx, stop := context.WithCancel(context.Background())
	r := &runningJob{
		title: task.Title, began: time.Now(), stop: stop, label: cmp.Or(task.Label, "stop"),
		stops: cmp.Or(task.Stops, "stops it"), quits: task.Quits,
	}
	if r.quits == "" {
		r.quits = "Quitting stops what is running: " + r.title + "."
	}
	j.current = r
	step := func(text string) { r.step.Store(&text) }
	report := func(done, total int) {
		r.done.Store(int64(done))
		r.total.Store(int64(total))
	}
	return tea.Batch(func() (end tea.Msg) {
		r.once.Do(func() { end = j.finishMsg(task.Run(ctx, report, step)) })
		return end
	}, inFrame(func(m *Model, _ owner) tea.Cmd { return m.tick(false) }))
}

// finishMsg frees the job and delivers the result of its work to the page.
func (j *Job) finishMsg(result tea.Msg) tea.Msg {
	return pageMsg(func(to Page) tea.Cmd {
		if j.finish(); result == nil {
			return nil
		}
		return receive(to, result)
	})
}

// finish frees the job for other work.
func (j *Job) finish() {
	if j.current != nil {
		j.current.stop()
		j.current = nil
	}
}

// Close stops the running work and waits for its end. It is called after the screens
// have been left.
func (j *Job) Close() {
	if j.current != nil {
		j.current.stop()
		j.current.once.Do(func() {})
	}
}

// redrawInterval is how often the line of a running job is redrawn.
const redrawInterval = 100 * time.Millisecond

// tick schedules the next redraw while any page has a running job. It is called when
// a job begins, and with again on every tick; there is one timer for all jobs.
func (m *Model) tick(again bool) tea.Cmd {
	if !again && m.ticking || !m.live {
		return nil
	}
	m.ticking = false
	for _, p := range m.history.visited {
		m.ticking = m.ticking || p.running() != nil
	}
	if !m.ticking {
		return nil
	}
	return after(redrawInterval, func(m *Model, _ owner) tea.Cmd { return m.tick(true) })
}

// running is the running work of a page; nil if there is none. p may be nil.
func (p *pageState) running() *runningJob {
	if p == nil {
		return nil
	}
	if w, ok := p.page.(Worker); ok && w.Job() != nil {
		return w.Job().current
	}
	return nil
}

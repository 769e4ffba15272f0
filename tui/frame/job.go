package frame

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Job is what takes long on a page: one at a time, which can be stopped. The frame
// shows what it is, since when and how far it is. The zero value runs nothing.
type Job struct{ now *running }

// Progress is told how much of how much is done; of is 0 where nobody knows.
type Progress func(done, of int)

// running is a job that runs.
type running struct {
	title    string
	began    time.Time
	stop     context.CancelFunc
	stopping bool
	done, of atomic.Int64
	// once is for running it. Who has it nevertheless do nothing waits for the end of
	// what has begun, and keeps from beginning what has not.
	once sync.Once
}

// cancel tells it to stop. It has ended when its message comes.
func (r *running) cancel() {
	r.stopping = true
	r.stop()
}

// jobOverMsg is the end of a job, with what it gave.
type jobOverMsg struct {
	job *Job
	msg tea.Msg
}

// Running is the title of what runs; "" for nothing.
func (j *Job) Running() string {
	if j.now == nil {
		return ""
	}
	return j.now.title
}

// Busy is why nothing else may begin; "" where it may.
func (j *Job) Busy() string {
	if j.now == nil {
		return ""
	}
	return "wait for the end of " + j.now.title
}

// Begin runs what takes long away from Update. title names it while it runs, such as
// "pushing dev". Stopping cancels its context. The message that it gives comes to
// whoever began it, when the job is over. While another runs it is refused.
func (j *Job) Begin(title string, run func(ctx context.Context, tell Progress) tea.Msg) tea.Cmd {
	if j.now != nil {
		return Say(Warn, "wait for the end of %s, or stop it with esc", j.now.title)
	}
	ctx, stop := context.WithCancel(context.Background())
	r := &running{title: title, began: time.Now(), stop: stop}
	j.now = r
	tell := func(done, of int) {
		r.done.Store(int64(done))
		r.of.Store(int64(of))
	}
	return tea.Batch(func() (over tea.Msg) {
		r.once.Do(func() { over = jobOverMsg{j, run(ctx, tell)} })
		return over
	}, func() tea.Msg { return tickMsg{} })
}

// over ends what ran.
func (j *Job) over() {
	if j.now != nil {
		j.now.stop()
		j.now = nil
	}
}

// Close stops what runs, and waits for its end. It is called when the screens are
// gone.
func (j *Job) Close() {
	if j.now != nil {
		j.now.stop()
		j.now.once.Do(func() {})
	}
}

// tickMsg says that what runs may be drawn again: when a job begins, and again and
// again from then on.
type tickMsg struct{ again bool }

// pulse is how often what runs is drawn.
const pulse = 100 * time.Millisecond

// ticked draws what runs again after a while, where anything does. However many jobs
// begin, the frame ticks once.
func (m *Model) ticked(again bool) tea.Cmd {
	if !again && m.ticking || !m.live {
		return nil
	}
	m.ticking = false
	for _, k := range m.history.visited {
		m.ticking = m.ticking || k.runs() != nil
	}
	if !m.ticking {
		return nil
	}
	return tea.Tick(pulse, func(time.Time) tea.Msg { return tickMsg{again: true} })
}

// runs is what runs on a page; nil for nothing.
func (k *kept) runs() *running {
	if w, ok := k.page.(Worker); ok && w.Job() != nil {
		return w.Job().now
	}
	return nil
}

// runs is what runs on the page in front; nil for nothing.
func (m *Model) runs() *running {
	if k := m.history.front(); k != nil {
		return k.runs()
	}
	return nil
}

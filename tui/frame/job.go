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
	if busy := j.Busy(); busy != "" {
		return Say(Warn, "%s, or stop it with esc", busy)
	}
	ctx, stop := context.WithCancel(context.Background())
	r := &running{title: title, began: time.Now(), stop: stop}
	j.now = r
	tell := func(done, of int) {
		r.done.Store(int64(done))
		r.of.Store(int64(of))
	}
	return tea.Batch(func() (over tea.Msg) {
		r.once.Do(func() { over = j.ending(run(ctx, tell)) })
		return over
	}, ask(func(m *Model, _ owner) tea.Cmd { return m.ticked(false) }))
}

// ending ends what ran, and gives what it gave to whoever began it.
func (j *Job) ending(gave tea.Msg) tea.Msg {
	return toMsg(func(to Page) tea.Cmd {
		if j.over(); gave == nil {
			return nil
		}
		return receive(to, gave)
	})
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

// pulse is how often what runs is drawn.
const pulse = 100 * time.Millisecond

// ticked draws what runs again after a while, where anything does: when a job begins,
// and again and again from then on. However many jobs begin, the frame ticks once.
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
	return after(pulse, func(m *Model, _ owner) tea.Cmd { return m.ticked(true) })
}

// runs is what runs on a page; nil for nothing, and where there is no page.
func (k *kept) runs() *running {
	if k == nil {
		return nil
	}
	if w, ok := k.page.(Worker); ok && w.Job() != nil {
		return w.Job().now
	}
	return nil
}

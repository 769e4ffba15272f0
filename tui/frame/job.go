package frame

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"charm.land/bubbles/v2/progress"
	"charm.land/bubbles/v2/spinner"
	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
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
	// ended is closed when it has ended. runs says that it began, closed that it is
	// not to begin any more: mu is theirs.
	ended        chan struct{}
	mu           sync.Mutex
	runs, closed bool
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

// Stopping reports whether it was told to stop.
func (j *Job) Stopping() bool { return j.now != nil && j.now.stopping }

// Begin runs what takes long away from Update. title names it while it runs, such as
// "pushing dev". Stopping cancels its context. The message that it gives comes to
// whoever began it, when the job is over. While another runs it is refused.
func (j *Job) Begin(title string, run func(ctx context.Context, tell Progress) tea.Msg) tea.Cmd {
	if j.now != nil {
		return Say(Warn, "wait for the end of %s, or stop it with esc", j.now.title)
	}
	ctx, stop := context.WithCancel(context.Background())
	r := &running{title: title, began: time.Now(), stop: stop, ended: make(chan struct{})}
	j.now = r
	return tea.Batch(func() tea.Msg {
		defer close(r.ended)
		if !r.begin() {
			return nil
		}
		msg := run(ctx, func(done, of int) {
			r.done.Store(int64(done))
			r.of.Store(int64(of))
		})
		return jobOverMsg{j, msg}
	}, tick)
}

func (r *running) begin() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.runs = !r.closed
	return r.runs
}

// over ends what ran.
func (j *Job) over() {
	if j.now != nil {
		j.now.stop()
		j.now = nil
	}
}

// Stop cancels what runs. It has ended when its message comes.
func (j *Job) Stop() {
	if j.now != nil {
		j.now.stopping = true
		j.now.stop()
	}
}

// Close stops what runs, and waits for its end. It is called when the screens are
// gone.
func (j *Job) Close() {
	r := j.now
	if r == nil {
		return
	}
	r.mu.Lock()
	r.closed = true
	runs := r.runs
	r.mu.Unlock()
	r.stop()
	if runs {
		<-r.ended
	}
}

// line says what runs, since when, and how far it is.
func (r *running) line(elapsed time.Duration) string {
	text := r.title + " ..."
	if seconds := int(elapsed.Seconds()); seconds > 0 {
		text = fmt.Sprintf("%s %d s", text, seconds)
	}
	if done, of := r.done.Load(), r.of.Load(); of > 0 {
		text = fmt.Sprintf("%s, %d of %d", text, done, of)
	}
	if r.stopping {
		return text + ", stopping"
	}
	return text + ", esc stops it"
}

// tickMsg says that what runs may be drawn again.
type tickMsg struct{}

// tick begins the ticking while a job runs.
func tick() tea.Msg { return tickMsg{} }

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
		if j := jobOf(k); j != nil && j.now != nil {
			m.ticking = true
		}
	}
	if !m.ticking {
		return nil
	}
	return tea.Tick(pulse, func(time.Time) tea.Msg { return pulseMsg{} })
}

// pulseMsg is a tick of the frame's own.
type pulseMsg struct{}

// jobOf is the job of a page; nil where it has none.
func jobOf(k *kept) *Job {
	if w, ok := k.page.(Worker); ok {
		return w.Job()
	}
	return nil
}

// runs is what runs on the page in front; nil for nothing.
func (m *Model) runs() *running {
	k := m.history.front()
	if k == nil {
		return nil
	}
	if j := jobOf(k); j != nil {
		return j.now
	}
	return nil
}

// jobLine draws what runs: a spinner where it takes a while, and a bar where it is
// known how much there is to do.
type jobLine struct {
	spinner spinner.Model
	bar     progress.Model
	made    bool
}

// unseen is how long nothing moves: what is over by then needs no spinner.
const unseen = 200 * time.Millisecond

func (l *jobLine) draw(t *theme.Theme, r *running, elapsed time.Duration, w int) string {
	if !l.made {
		l.spinner = spinner.New(spinner.WithSpinner(spinner.MiniDot))
		l.bar = progress.New(progress.WithoutPercentage(), progress.WithFillCharacters('━', '─'), progress.WithWidth(barW))
		l.made = true
	}
	mark := "  "
	if elapsed >= unseen {
		frames := l.spinner.Spinner.Frames
		mark = frames[int(elapsed/pulse)%len(frames)] + " "
	}
	text := prose.Fit(r.line(elapsed))
	if done, of := r.done.Load(), r.of.Load(); of > 0 && layout.Width(text)+barW+len(mark)+2 <= w {
		l.bar.FullColor, l.bar.EmptyColor = t.Note.GetForeground(), t.Border.GetForeground()
		text += "  " + l.bar.ViewAs(min(1, float64(done)/float64(of)))
	}
	return t.Note.Render(layout.Cut(" "+mark+text, w))
}

// barW is the width of the bar in cells.
const barW = 24

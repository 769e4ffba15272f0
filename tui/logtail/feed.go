package logtail

import (
	"cmp"
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/sandbox/logs"
	"gatewright/sandbox/logs/entry"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/frame/waiting"
)

// feed brings lines from the goroutine that reads them to the dialog, in batches that take
// no longer than a key may. A reader that is faster than the screen waits.
type feed struct {
	log   *dialog.Log
	lines chan logs.Line
	done  chan error
	// notes are said of the reading, and note is the last one. empty is shown while there is no
	// line; "" is what is said of the sandbox.
	notes       chan string
	note, empty string
	// waited says that the dialog knows that there may be no line yet.
	waited bool
}

// batch is how many lines the dialog gets at once, gather how long is waited for more, and
// patience after how long a log without lines is said to be empty.
const (
	batch    = 4096
	gather   = 50 * time.Millisecond
	patience = 300 * time.Millisecond
)

func newFeed(log *dialog.Log, empty string) *feed {
	return &feed{
		log: log, lines: make(chan logs.Line, batch), done: make(chan error, 1), notes: make(chan string),
		empty: empty,
	}
}

// say shows a note below the lines.
func (f *feed) say(ctx context.Context, note string) {
	select {
	case f.notes <- note:
	case <-ctx.Done():
	}
}

// put takes a line; it waits while the screen is busy.
func (f *feed) put(ctx context.Context, l logs.Line) error {
	select {
	case f.lines <- l:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// end says that no more lines come, and why.
func (f *feed) end(err error) {
	close(f.lines)
	f.done <- err
}

// listen waits for lines; it is a command. The lines are read as entries here, outside of the
// goroutine of the screen.
func (f *feed) listen() tea.Msg {
	waiting.Begins(waiting.News)
	lines, open := f.gather()
	entries := entry.Read(lines)
	var err error
	if !open {
		err = <-f.done
	}
	note := f.note
	return frame.ThenMsg(func() tea.Cmd {
		if !open {
			f.log.Append(entries, noteOf(err), cmp.Or(f.empty, "nothing is in this log yet: it has a line for each call"))
			return nil
		}
		f.log.Append(entries, note,
			cmp.Or(f.empty, "nothing is in this log yet: call the function, and its lines appear here"))
		return f.listen
	})
}

// gather takes the lines of a short time; open is false if no more come.
func (f *feed) gather() (lines []logs.Line, open bool) {
	var never <-chan time.Time
	end := never
	if !f.waited {
		f.waited, end = true, time.After(patience)
	}
	for len(lines) < batch {
		select {
		case l, open := <-f.lines:
			if !open {
				return lines, false
			}
			if lines = append(lines, l); len(lines) == 1 {
				end = time.After(gather)
			}
		case f.note = <-f.notes:
			return lines, true
		case <-end:
			return lines, true
		}
	}
	return lines, true
}

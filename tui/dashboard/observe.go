package dashboard

import (
	"context"
	"errors"
	"strings"
	"time"

	"gatewright/deploy"
	"gatewright/project"
	"gatewright/sandbox"
	"gatewright/sandbox/logs"
)

// observed is what the sandbox of the project said last.
type observed struct {
	running bool
	status  sandbox.Status
	// err is why a running one could not be asked; "" where it was.
	err string
	// lines are the last of all functions' lines, the oldest first, each with at
	// most the beginning of its text.
	lines []logs.Line
	at    time.Time
	// calls are what the lines say of each function.
	calls map[called]*calls
	// feed is what the lines tell of.
	feed []happening
	// client is the one that was asked; the next look asks it again.
	client *sandbox.Client
}

// called is a function of an environment.
type called struct{ environment, function string }

// mostLines is how many lines of all logs are looked at.
const mostLines = 2000

// observe asks the sandbox of the project that a folder belongs to; before is what
// it said last, nil for nothing. It only reads. Where none runs it opens nothing.
func observe(dir string, before *observed) *observed {
	o := &observed{at: time.Now()}
	root, _, err := project.Find(dir)
	if err != nil {
		return o
	}
	const patience = 5 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if before != nil && before.client != nil {
		if o.status, err = before.client.Status(ctx); err == nil {
			o.client = before.client
		}
	}
	if o.client == nil {
		// The one before has ended, or there was none.
		if o.client, err = sandbox.Connect(deploy.SandboxState(root)); err == nil {
			o.status, err = o.client.Status(ctx)
		}
	}
	if errors.Is(err, sandbox.ErrNotRunning) {
		return o
	}
	o.running = true
	if err == nil {
		err = o.client.Logs(ctx, logs.Query{Last: mostLines}, false, o.take)
	}
	if err != nil {
		o.err = fit(err.Error())
	}
	o.count()
	o.feed = feedOf(o.lines)
	return o
}

// take keeps a line.
func (o *observed) take(l logs.Line) error {
	if len(l.Text) > longest {
		l.Text = strings.ToValidUTF8(l.Text[:longest], "") + "…"
	}
	o.lines = append(o.lines, l)
	return nil
}

// address is where the APIs answer, without the scheme; "" where none runs.
func (o *observed) address() string {
	if o == nil || !o.running {
		return ""
	}
	return fit(strings.TrimPrefix(o.status.Address, "http://"))
}

// serves reports whether the sandbox serves an environment.
func (o *observed) serves(environment string) bool {
	if o == nil || !o.running {
		return false
	}
	for _, api := range o.status.APIs {
		if api.Environment == environment {
			return true
		}
	}
	for _, pool := range o.status.Pools {
		if pool.Environment == environment {
			return true
		}
	}
	return false
}

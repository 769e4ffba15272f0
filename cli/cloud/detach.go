package cloud

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"gatewright/cli/command"
	"gatewright/deploy/aws"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// Detacher takes the signals of a push. The first one ends the command, or once the push goes
// on in the cloud, the following of it; a second one soon after offers to cancel the push.
type Detacher struct {
	// Context ends at the first signal. Done must be called at the end of the command.
	Context context.Context
	Done    func()

	streams command.Streams
	signals chan os.Signal

	mu     sync.Mutex
	cancel func(context.Context) error
	env    *model.Environment
	asked  atomic.Bool
	// decided is closed when it is known whether the push is cancelled.
	decided chan struct{}
	outcome error
}

// Detachable returns the detacher of a command.
func Detachable(streams command.Streams) *Detacher {
	ctx, end := context.WithCancel(context.Background())
	d := &Detacher{Context: ctx, streams: streams, signals: make(chan os.Signal, 2), decided: make(chan struct{})}
	signal.Reset(os.Interrupt)
	signal.Notify(d.signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(d.signals, syscall.SIGHUP)
	}
	stopped := make(chan struct{})
	d.Done = sync.OnceFunc(func() {
		signal.Stop(d.signals)
		close(stopped)
		end()
	})
	go func() {
		select {
		case <-d.signals:
		case <-stopped:
			return
		}
		d.asked.Store(true)
		end()
		d.mu.Lock()
		cancel := d.cancel
		d.mu.Unlock()
		d.decide(cancel, stopped)
	}()
	return d
}

// Detaches says that from now on the push goes on without the command, and how it is cancelled.
func (d *Detacher) Detaches(cancel func(context.Context) error, env *model.Environment) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.cancel, d.env = cancel, env
}

// secondChance is how long a second signal is waited for.
const secondChance = 3 * time.Second

// decide waits for a second signal, after which it offers to cancel the push.
func (d *Detacher) decide(cancel func(context.Context) error, stopped chan struct{}) {
	defer close(d.decided)
	if cancel == nil || !command.Attended(d.streams) {
		return
	}
	command.Say(d.streams.Err, "stopped following; press ctrl+c again now to cancel the push")
	select {
	case <-d.signals:
	case <-time.After(secondChance):
		return
	case <-stopped:
		return
	}
	signal.Stop(d.signals)
	typed, err := command.Ask(d.streams,
		"cancel the push of environment "+phrase.Quote(d.env.Name)+", and restore what was there? [y/N] ")
	if err != nil || typed != "y" && typed != "yes" {
		return
	}
	if err := cancel(context.Background()); err != nil {
		d.outcome = err
		return
	}
	// Nothing goes on that could be followed as a push.
	d.outcome = command.ExitInterrupted
	command.Say(d.streams.Err,
		"the push is cancelled and undone; to follow that: gatewright push --watch --env %s",
		model.ShellWord(d.env.Name))
}

// Detached returns the error of a push that was followed. One that is no longer followed ends
// with the exit code of an interrupt.
func (d *Detacher) Detached(err error) error {
	if !errors.Is(err, aws.ErrDetached) || !d.asked.Load() {
		return err
	}
	<-d.decided
	if d.outcome != nil {
		return d.outcome
	}
	command.Say(d.streams.Err, "%s", err)
	return command.ExitInterrupted
}

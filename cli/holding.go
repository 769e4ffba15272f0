package cli

import (
	"context"
	"errors"
	"io"
)

// holding opens something of the sandbox's state, uses it, and lets go of it. A
// signal ends the context that open gets, and then the command is interrupted.
func holding(streams Streams, open func(context.Context) (io.Closer, error), use func() error) error {
	end := interruptible(streams)
	defer end.done()
	held, err := open(end.ctx)
	if err != nil {
		return err
	}
	err = use()
	if end.ctx.Err() != nil {
		err = ExitInterrupted
	}
	return errors.Join(err, held.Close())
}

package board

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gatewright/deploy/cloudlog"
	"gatewright/deploy/remote"
	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/sandbox/logs"
	"gatewright/tui/frame"
	"gatewright/tui/logtail"
)

// MayAskAWS is why AWS may not be asked; "" if it may.
func (b *Board) MayAskAWS() string {
	if b.Session == nil && !b.Live {
		return AsksNothing
	}
	return ""
}

// lookBack is how far back a log of AWS is shown.
const lookBack = time.Hour

// CloudLog is the log of a function of the shown environment in AWS: of the last hour, and then what comes.
// AWS is asked while it is open. Codes of MFA devices are asked for with the questions, which it ends.
func (b *Board) CloudLog(function string, questions *frame.Questions) logtail.Tail {
	dir, env, cloud := b.Dir, b.Snap.Env, b.Cloud
	name := prose.PrintableStart(env.Name)
	tail := logtail.Of(b.Snap.Root, b.Snap.Layout, env.Name, function)
	tail.Title += ", in AWS"
	tail.Empty = "no lines in the last hour: call the function, and its lines appear some seconds later"
	tail.Read = func(ctx context.Context, put func(logs.Line) error, say func(string)) error {
		defer questions.End()
		whose := "the account of environment " + name
		if env.Account != "" {
			whose = "the account " + phrase.Quote(env.Account)
		}
		say("asking " + whose)
		r, err := cloud.reach(ctx, dir, env.Name, questions)
		if err != nil {
			return err
		}
		reader, err := remote.LogsOf(r, []string{function})
		if err != nil {
			return err
		}
		reader.Tell = say
		since := r.Now().Add(-lookBack)
		say("account " + r.ID + ", as " + r.Who() + ", since " + clock.Second(since))
		err = reader.Follow(ctx, cloudlog.Query{Since: since}, put)
		if _, stopped := errors.AsType[*cloudlog.Stopped](err); stopped {
			return fmt.Errorf("%w; then open the log again", err)
		}
		return err
	}
	return tail
}

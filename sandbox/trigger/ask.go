package trigger

import (
	"context"
	"errors"
	"time"

	"gatewright/sandbox/function"
)

// A user pool waits this long for a function, and calls it so often, see
// https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-identity-pools-working-with-aws-lambda-triggers.html
const (
	PoolWait     = 5 * time.Second
	PoolAttempts = 3
)

// ErrLate is the error of a function that did not answer in time.
var ErrLate = errors.New("the function did not respond in time")

// Invoker calls functions.
type Invoker interface {
	Invoke(context.Context, function.Call) (function.Answer, error)
}

// Ask calls a function that has to answer within a time, and calls it again if it does not,
// up to a number of attempts; late is called with the number of each attempt without an
// answer. The time does not run while packages are installed or a program is built. A call
// without an answer runs to its end, as in the cloud, and, up to a number of such calls, no later
// one waits for its worker. The error is that of the Invoker, or ErrLate.
func Ask(
	ctx context.Context, invoker Invoker, call function.Call, within time.Duration, attempts int, late func(attempt int),
) (function.Answer, error) {
	for attempt := 1; ; attempt++ {
		answer, err := askOnce(ctx, invoker, call, within)
		if !errors.Is(err, ErrLate) {
			return answer, err
		}
		late(attempt)
		if attempt == attempts {
			return answer, err
		}
	}
}

func askOnce(ctx context.Context, invoker Invoker, call function.Call, within time.Duration) (function.Answer, error) {
	waiting, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timer := time.AfterFunc(within, func() { cancel(ErrLate) })
	defer timer.Stop()
	call.Preparing = func(begins bool) {
		if begins {
			timer.Stop()
		} else {
			timer.Reset(within)
		}
	}
	answer, err := invoker.Invoke(waiting, call)
	if err != nil && errors.Is(err, context.Canceled) && errors.Is(context.Cause(waiting), ErrLate) {
		return answer, ErrLate
	}
	return answer, err
}

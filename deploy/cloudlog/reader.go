package cloudlog

import (
	"context"
	"time"

	"gatewright/deploy/account"
	"gatewright/internal/network"
	"gatewright/sandbox/logs"
)

// Group is the log group of a function.
type Group struct {
	// Function is the resource name of the function, Name that of its group.
	Function, Name string
}

// Query says which lines are read.
type Query struct {
	// Since is the time of the first event.
	Since time.Time
	// Request is the id of the request whose lines are read; "" for all.
	Request string
	// Last limits the lines that were there already to the newest ones; 0 is no limit.
	Last int
}

// Reader reads the log groups of functions of one environment.
type Reader struct {
	Account     *account.Account
	Environment string
	Groups      []Group
	// Tell gets a sentence about what keeps lines away, each once. It may be nil.
	Tell func(sentence string)
	// Pace is how often AWS is asked; the zero value is for people.
	Pace Pace

	asked time.Time
	told  map[string]bool
	// refused is since when AWS refuses calls, zero while it answers; again counts the calls that
	// were made again.
	refused time.Time
	again   int
}

// Pace says how often AWS is asked. Zero values are those for people.
type Pace struct {
	// Poll is the time between two rounds of a follower, in which each group is asked. Gap is the
	// least time between two calls, however many groups there are: the account's limit holds for
	// all who read its logs
	// (https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/cloudwatch_limits_cwl.html).
	Poll, Gap time.Duration
	// Hold is how long a follower waits at least with a new event for earlier ones.
	Hold time.Duration
	// Patience is how long AWS may refuse calls before that is told.
	Patience time.Duration
}

const (
	usualPoll     = 1500 * time.Millisecond
	usualGap      = 250 * time.Millisecond
	usualHold     = 2 * time.Second
	usualPatience = 10 * time.Second
	// longestPoll is the time between two rounds while AWS refuses calls.
	longestPoll = 20 * time.Second
)

func (p Pace) usual() Pace {
	for _, one := range []struct {
		value *time.Duration
		usual time.Duration
	}{{&p.Poll, usualPoll}, {&p.Gap, usualGap}, {&p.Hold, usualHold}, {&p.Patience, usualPatience}} {
		if *one.value == 0 {
			*one.value = one.usual
		}
	}
	return p
}

// event is an event as FilterLogEvents answers it. Times are in milliseconds since 1970.
type event struct {
	ID        string `json:"eventId"`
	Stream    string `json:"logStreamName"`
	Timestamp int64  `json:"timestamp"`
	Ingested  int64  `json:"ingestionTime"`
	Message   string `json:"message"`

	group string
	// function is the number of its group.
	function int
}

// key tells events apart. Every event of AWS has an id.
func (e *event) key() string {
	if e.ID != "" {
		return e.ID
	}
	return e.Stream + "\x00" + e.Message + "\x00" + time.UnixMilli(e.Timestamp).String()
}

// filter is the input of FilterLogEvents.
type filter struct {
	Group   string   `json:"logGroupName"`
	Streams []string `json:"logStreamNames,omitempty"`
	Since   int64    `json:"startTime"`
	Until   int64    `json:"endTime,omitempty"`
	Pattern string   `json:"filterPattern,omitempty"`
	Token   string   `json:"nextToken,omitempty"`
}

// page asks for the next events. A page may be empty and yet not the last one.
func (r *Reader) page(ctx context.Context, in filter) (events []event, next string, err error) {
	if gap := time.Until(r.asked.Add(r.Pace.usual().Gap)); !r.asked.IsZero() && gap > 0 {
		if err := network.Pause(ctx, gap); err != nil {
			return nil, "", err
		}
	}
	var out struct {
		Events []event `json:"events"`
		Next   string  `json:"nextToken"`
	}
	err = r.Account.Ask(account.Repeating(ctx, r.waits), account.Logs, "FilterLogEvents", in, &out)
	r.asked = time.Now()
	if err == nil {
		r.refused = time.Time{}
	}
	return out.Events, out.Next, err
}

// waits is told that a call is made again.
func (r *Reader) waits(error) {
	r.again++
	if r.refused.IsZero() {
		r.refused = time.Now()
	}
	if time.Since(r.refused) >= r.Pace.usual().Patience {
		r.tell(late)
	}
}

const late = "AWS does not respond to every call now: lines arrive late, but none is lost"

// tell tells a sentence once.
func (r *Reader) tell(sentence string) {
	if r.Tell == nil || r.told[sentence] {
		return
	}
	if r.told == nil {
		r.told = make(map[string]bool)
	}
	r.told[sentence] = true
	r.Tell(sentence)
}

// missing tells that a group is not there.
func (r *Reader) missing(g Group) {
	r.tell(g.Function + " has no log in environment " + r.Environment + ": AWS has no log group " + g.Name +
		" (the function was never called, or the group was removed)")
}

// isMissing reports whether an error is about a log group that is not there.
func isMissing(err error) bool { return account.Code(err) == "ResourceNotFoundException" }

// line reads an event as a line of its function.
func (r *Reader) line(of running, e *event) logs.Line {
	l := of.line(e)
	l.Environment, l.Function = r.Environment, r.Groups[e.function].Function
	return l
}

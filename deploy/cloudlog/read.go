package cloudlog

import (
	"context"
	"iter"
	"strings"
	"time"

	"gatewright/sandbox/logs"
)

// Read calls use for each line that is there, in the order of their times, then of their arrival at CloudWatch. If
// use returns an error, Read returns it; other errors are a *model.Problem or that of ctx.
func (r *Reader) Read(ctx context.Context, q Query, use func(logs.Line) error) error {
	taps, err := r.taps(ctx, q)
	if err != nil {
		return err
	}
	last := newest[logs.Line]{limit: q.Last}
	of := make(running)
	err = merged(ctx, taps, func(e *event) error {
		l := r.line(of, e)
		if q.Request != "" && l.Request != q.Request {
			return nil
		}
		if q.Last == 0 {
			return use(l)
		}
		last.add(l)
		return nil
	})
	if err != nil {
		return err
	}
	for l := range last.all() {
		if err := use(l); err != nil {
			return err
		}
	}
	return nil
}

// taps are what is read for a query: all of each group, or the part of a stream that has a request.
func (r *Reader) taps(ctx context.Context, q Query) ([]*tap, error) {
	// A log that grows faster than it is read would have no end.
	until := r.Account.Now().Add(clockTolerance).UnixMilli()
	var taps []*tap
	for i := range r.Groups {
		all := r.tap(i, filter{Since: q.Since.UnixMilli(), Until: until})
		if q.Request == "" {
			taps = append(taps, all)
			continue
		}
		all.in.Pattern = phrase(q.Request)
		parts, err := r.parts(ctx, all, q.Request)
		if err != nil {
			return nil, err
		}
		taps = append(taps, parts...)
	}
	return taps, nil
}

// clockTolerance is how wrong the time of this machine may be without AWS saying so
// (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-troubleshooting.html).
const clockTolerance = 5 * time.Minute

// phrase is a filter pattern for events that have a text
// (https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html).
func phrase(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// parts finds the streams that worked at a request, with the time from its first line that has
// the id to its last one. What lies between, and has no id, belongs to it too.
func (r *Reader) parts(ctx context.Context, with *tap, request string) ([]*tap, error) {
	var parts []*tap
	of := make(map[string]*tap)
	err := merged(ctx, []*tap{with}, func(e *event) error {
		part := of[e.Stream]
		if part == nil {
			part = r.tap(with.function, filter{Streams: []string{e.Stream}, Since: e.Timestamp})
			of[e.Stream], parts = part, append(parts, part)
		}
		id, level, text := read(e.Message)
		if part.in.Until != 0 || level == logs.Platform && id == request && strings.HasPrefix(text, "REPORT ") {
			part.in.Until = e.Timestamp
		}
		return nil
	})
	for _, part := range parts {
		if part.in.Until == 0 {
			part.in.Until = with.in.Until
		}
	}
	return parts, err
}

// newest keeps the newest of many.
type newest[T any] struct {
	limit int
	kept  []T
	at    int
}

func (n *newest[T]) add(one T) {
	if len(n.kept) < n.limit {
		n.kept = append(n.kept, one)
		return
	}
	n.kept[n.at] = one
	n.at = (n.at + 1) % n.limit
}

// all are those that are kept, the oldest first.
func (n *newest[T]) all() iter.Seq[T] {
	return func(yield func(T) bool) {
		for i := range n.kept {
			if !yield(n.kept[(n.at+i)%len(n.kept)]) {
				return
			}
		}
	}
}

//go:build linux

package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// measureEdits measures the time from an edit of the Express function's source to the first
// answer of the new version, while one caller sends requests. For comparison it measures
// how long Node.js takes to load the same modules, which is most of that time.
func measureEdits(ctx context.Context, s *sandbox, l *ledger) error {
	const times, most = 5, 300 * time.Millisecond
	// The pause varies the moment of the edit relative to the sandbox's checks.
	const pause = 730 * time.Millisecond
	f := l.project.functions[len(l.project.functions)-1]
	next := plan{tag: "edit", functions: []*function{f}, onlyOrdinary: true}.numbered()
	c := &caller{sandbox: s}
	defer c.hangUp()
	// until sends requests until an answer meets the condition, and returns when it came.
	until := func(condition func(answer) bool) (time.Time, error) {
		for ctx.Err() == nil {
			a, err := c.ask(l, next())
			if err != nil || condition(a) {
				return a.received, err
			}
		}
		return time.Time{}, ctx.Err()
	}
	var took, loading []time.Duration
	for range times {
		begun := time.Now()
		if _, err := l.project.Run(ctx, filepath.Dir(f.file), "node", "-e", `require("./index")`); err != nil {
			return err
		}
		loading = append(loading, time.Since(begun).Round(time.Millisecond))
		onlyOrdinary := time.Now().Add(pause)
		if _, err := until(func(a answer) bool { return a.received.After(onlyOrdinary) }); err != nil {
			return err
		}
		version := f.history.last() + 1
		edited := make(chan error, 1)
		begun = time.Now()
		go func() { edited <- f.edit(version, whole) }()
		first, err := until(func(a answer) bool { return a.header.Get("X-Version") == strconv.Itoa(version) })
		if err != nil {
			return err
		}
		if err := <-edited; err != nil {
			return err
		}
		took = append(took, first.Sub(begun).Round(time.Millisecond))
	}
	slices.Sort(took)
	slices.Sort(loading)
	l.report.judge("edit of the Express function to its first answer", fmt.Sprintf("median %v of %v", took[times/2], took),
		"under "+most.String(), took[times/2] < most)
	l.report.saw("node loading that function, for comparison", "median %v of %v", loading[times/2], loading)
	return nil
}

//go:build linux

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
)

// gatewayLog is the name of the gateway's own log.
const gatewayLog = ".gateway"

// line is one of a log.
type line struct{ Request, Level, Text string }

// log reads the log of a function, or of the gateway.
func (p *project) log(ctx context.Context, name string, each func(line)) error {
	cmd := exec.CommandContext(ctx, p.program, "logs", name, "--json")
	cmd.Dir, cmd.Env = p.dir, environment(p.dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	const longestLine = 1 << 20
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, longestLine)
	for lines.Scan() && err == nil {
		var l line
		if err = json.Unmarshal(lines.Bytes(), &l); err == nil {
			each(l)
		}
	}
	if err == nil {
		err = lines.Err()
	}
	if err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return fmt.Errorf("reading the log of %s: %w", name, err)
	}
	return cmd.Wait()
}

// compareLogs compares the logs with the answers. Each refusal has a line of its
// request in the gateway's log that says why; no request that was answered well
// has one; whatever a handler wrote is under the request of its caller.
func (l *ledger) compareLogs(ctx context.Context) error {
	said := make(map[string]string)
	heads := 0
	if err := l.project.log(ctx, gatewayLog, func(one line) {
		if one.Request != "" {
			said[one.Request] += one.Text + "\n"
		}
		if strings.Contains(one.Text, tooSlowHead) {
			heads++
		}
	}); err != nil {
		return err
	}
	l.compareRefusals(said)
	if l.slowHeads > 0 {
		l.report.judge("slow heads that the log explains", fmt.Sprintf("%d of %d", min(heads, l.slowHeads), l.slowHeads), "all", heads >= l.slowHeads)
	}
	lines := 0
	for _, f := range l.project.functions {
		if err := l.project.log(ctx, f.name, func(one line) {
			id, isCaller := strings.CutPrefix(one.Text, "caller ")
			// The answer to one who left is not known.
			caller, known := l.callers[one.Request]
			if !isCaller || !known {
				return
			}
			lines++
			if caller != id {
				l.report.wrong(misplaced, "function %s wrote %q under the request of %s", f.name, one.Text, caller)
			}
		}); err != nil {
			return err
		}
	}
	l.report.none(misplaced, lines)
	return nil
}

// compareRefusals looks for the reason of each refusal. One whose reason is not
// its own wish was hit by another's late crash, once for each of these, or by a
// broken source.
func (l *ledger) compareRefusals(said map[string]string) {
	refused := make(map[string]bool)
	hits, sourceless := 0, 0
	for _, r := range l.refusals {
		refused[r.id] = true
		text, reason := said[r.id], r.request.reason()
		switch {
		case text == "":
			l.report.wrong(unexplained, "%s was refused with %d as %s, which the log does not have", r.request.path, r.status, r.id)
		case reason != "" && strings.Contains(text, reason):
		case strings.Contains(text, lateError) || strings.Contains(text, lateExit):
			hits++
		case r.request.function != nil && strings.Contains(text, brokenText) && r.request.function.history.wasBroken(r.sent, r.received):
			sourceless++
		default:
			l.report.wrong(unexplained, "%s was refused with %d because of %s", r.request.path, r.status, shortened(text))
		}
	}
	for id, text := range said {
		if _, answered := l.callers[id]; answered && !refused[id] {
			l.report.wrong(unexplained, "%s was answered well, and the log has %s", l.callers[id], shortened(text))
		}
	}
	l.report.none(unexplained, len(l.refusals))
	l.report.judge("calls hit by the late crash of another", fmt.Sprintf("%d, of %d such crashes", hits, l.lates), "up to one for each", hits <= l.lates)
	l.report.saw("calls refused while a source was broken", "%d", sourceless)
}

// What the log says: of an error that a handler left behind and of the end of its
// process by that, of a source that is broken, of a head that comes slowly.
const (
	lateError   = `"late for `
	lateExit    = "its process ended during the call (exit status 129)"
	brokenText  = "SyntaxError"
	tooSlowHead = "in the middle of a request's head: it came too slowly"
)

//go:build linux

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// gatewayLog is the name of the gateway's own log.
const gatewayLog = ".gateway"

// line is a line of a log.
type line struct{ Request, Level, Text string }

// log reads the log of a function or of the gateway.
func (p *project) log(ctx context.Context, name string, each func(line)) error {
	cmd := p.Command(ctx, p.Folder, p.Program, "logs", name, "--json")
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

// compareLogs compares the logs with the answers. The gateway's log must explain each
// refusal and have no line about other requests; each handler's lines must be under the
// request of their caller.
func (l *ledger) compareLogs(ctx context.Context) error {
	texts := make(map[string]string)
	heads := 0
	if err := l.project.log(ctx, gatewayLog, func(one line) {
		if one.Request != "" {
			texts[one.Request] += one.Text + "\n"
		}
		if strings.Contains(one.Text, tooSlowHead) {
			heads++
		}
	}); err != nil {
		return err
	}
	l.compareRefusals(texts)
	if l.slowHeads > 0 {
		l.report.judge("slow heads that the log explains", fmt.Sprintf("%d of %d", min(heads, l.slowHeads), l.slowHeads),
			"all", heads >= l.slowHeads)
	}
	lines := 0
	for _, f := range l.project.functions {
		if err := l.project.log(ctx, f.name, func(one line) {
			id, isCaller := strings.CutPrefix(one.Text, "caller ")
			// The request id of a caller who left is unknown.
			caller, known := l.callers[one.Request]
			if !isCaller || !known {
				return
			}
			lines++
			if caller != id {
				l.report.wrong(misplacedLine, "function %s wrote %q under the request of %s", f.name, one.Text, caller)
			}
		}); err != nil {
			return err
		}
	}
	l.report.none(misplacedLine, lines)
	return nil
}

// compareRefusals checks the reason of each refusal in the log: the request's own behaviour,
// the late crash of another request, which may hit one call each, or a broken source.
func (l *ledger) compareRefusals(texts map[string]string) {
	refused := make(map[string]bool)
	hits, sourceless := 0, 0
	for _, r := range l.refusals {
		refused[r.id] = true
		text, reason := texts[r.id], r.request.reason()
		switch {
		case text == "":
			l.report.wrong(unexplained, "%s was refused with %d as request %s, which the log lacks",
				r.request.path, r.status, r.id)
		case reason != "" && strings.Contains(text, reason):
		case strings.Contains(text, lateError) || strings.Contains(text, lateExit):
			hits++
		case r.request.function != nil && saysBroken(text) && r.request.function.history.wasBroken(r.sent, r.received):
			sourceless++
		default:
			l.report.wrong(unexplained, "%s was refused with %d because of %s", r.request.path, r.status, shortened(text))
		}
	}
	for id, text := range texts {
		if _, answered := l.callers[id]; answered && !refused[id] {
			l.report.wrong(unexplained, "%s was answered well, and the log has %s", l.callers[id], shortened(text))
		}
	}
	l.report.none(unexplained, len(l.refusals))
	l.report.judge("calls hit by the late crash of another", fmt.Sprintf("%d, of %d such crashes", hits, l.lateCrashes),
		"up to one for each", hits <= l.lateCrashes)
	l.report.saw("calls refused while a source was broken", "%d", sourceless)
}

// Parts of log lines about an error of a handler after its answer, the end of its process
// by that error, a broken source, and a slow head.
const (
	lateError   = `"late for `
	lateExit    = "its process ended during the call (exit status 129)"
	tooSlowHead = "in the middle of a request's head: it came too slowly"
)

// saysBroken reports whether a line says that a source is broken: in the words of Node.js, or of
// the compiler of TypeScript, with the place.
func saysBroken(text string) bool {
	return strings.Contains(text, "SyntaxError") || strings.Contains(text, "src/index.ts:") &&
		strings.Contains(text, `: Unexpected "}"`)
}

package functions

import (
	"fmt"
	"strings"
	"time"

	"gatewright/prose"
	"gatewright/sandbox/logs"
	"gatewright/tui/layout"
)

// callKey names a function in an environment.
type callKey struct{ environment, function string }

// callStats is what the log of a function says about its last calls.
type callStats struct {
	// durations are the durations of the last calls in their order, from the REPORT lines.
	durations []time.Duration
	// count is the number of calls, failed the number of calls with an error line.
	count, failed int
	last          time.Time
	// tail are the last entries of the log, the oldest first, each in lines for the screen.
	tail [][]string

	failing map[string]bool
}

// mostDurations is how many durations of calls are kept for each function, mostTail how
// many log entries the details show.
const (
	mostDurations = 24
	mostTail      = 30
)

// callsIn finds the calls in log lines.
func callsIn(lines []logs.Line) map[callKey]*callStats {
	all := make(map[callKey]*callStats)
	for _, l := range lines {
		if strings.HasPrefix(l.Function, ".") {
			continue
		}
		key := callKey{l.Environment, l.Function}
		c := all[key]
		if c == nil {
			c = &callStats{failing: make(map[string]bool)}
			all[key] = c
		}
		c.add(l)
	}
	for _, c := range all {
		c.tail = lastOf(c.tail, mostTail)
		c.durations = lastOf(c.durations, mostDurations)
	}
	return all
}

func lastOf[T any](all []T, most int) []T { return all[max(0, len(all)-most):] }

func (c *callStats) add(l logs.Line) {
	duration, isReport := reportDuration(l.Text)
	switch {
	case l.Level == logs.Platform && isReport:
		c.tail = append(c.tail, []string{l.Time.Local().Format("15:04:05.000") + " the call took " + formatDuration(duration)})
		c.count++
		c.last = l.Time
		c.durations = append(c.durations, duration)
	case l.Level != logs.Platform, l.Request == "":
		c.tail = append(c.tail, logLines(l))
	}
	if (l.Level == logs.Error || l.Level == logs.Fatal) && l.Request != "" && !c.failing[l.Request] {
		c.failing[l.Request] = true
		c.failed++
	}
}

// reportDuration is the duration in a REPORT line, which may have an Init Duration
// before it: "REPORT RequestId: 4f1c\tInit Duration: 140.10 ms\tDuration: 3.52 ms\t...".
func reportDuration(text string) (time.Duration, bool) {
	if !strings.HasPrefix(text, "REPORT ") {
		return 0, false
	}
	for field := range strings.SplitSeq(text, "\t") {
		value, ok := strings.CutPrefix(field, "Duration: ")
		if !ok {
			continue
		}
		duration, err := time.ParseDuration(strings.ReplaceAll(value, " ", ""))
		return duration, err == nil && duration >= 0
	}
	return 0, false
}

// logLines are a log line for the screen: the local time, the level, and the text, which may
// have several lines.
func logLines(l logs.Line) []string {
	level := string(l.Level)
	if level == "" {
		level = "-"
	}
	head := l.Time.Local().Format("15:04:05.000") + " " + layout.Pad(prose.PrintableStart(level), len(logs.Platform)) + " "
	var lines []string
	for text := range strings.Lines(l.Text) {
		lines = append(lines, head+prose.PrintableStart(strings.TrimRight(text, "\r\n")))
		head = strings.Repeat(" ", layout.Width(head))
	}
	if len(lines) == 0 {
		return []string{head}
	}
	return lines
}

// sparks are the steps of a sparkline, the lowest first.
var sparks = []rune("▁▂▃▄▅▆▇█")

// sparkline draws durations in their order, the longest with the highest step.
func sparkline(durations []time.Duration) string {
	var most time.Duration
	for _, d := range durations {
		most = max(most, d)
	}
	line := make([]rune, len(durations))
	for i, d := range durations {
		step := 0
		if most > 0 {
			step = int(float64(d) / float64(most) * float64(len(sparks)-1))
		}
		line[i] = sparks[step]
	}
	return string(line)
}

// formatDuration formats a duration in few cells: 0.4 ms, 12 ms, 3.2 s.
func formatDuration(d time.Duration) string {
	const few = 10 * time.Millisecond
	milliseconds := float64(d) / float64(time.Millisecond)
	switch {
	case d < few:
		return fmt.Sprintf("%.1f ms", milliseconds)
	case d < time.Second:
		return fmt.Sprintf("%.0f ms", milliseconds)
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

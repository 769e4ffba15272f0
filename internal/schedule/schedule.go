package schedule

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// The years that a cron expression may name.
const (
	firstYear = 1970
	lastYear  = 2199
)

// Schedule is a rate or a cron expression. Schedules of the same expression are equal. The
// zero Schedule names no time.
type Schedule struct {
	expression string
	// every is the interval of a rate, 0 for cron.
	every time.Duration
	cron  cron
}

// String returns the expression that was parsed.
func (s Schedule) String() string { return s.expression }

// Error says what is wrong with an expression and what to write instead, both in one line.
type Error struct{ Text, Fix string }

// Error gives both as one line.
func (e *Error) Error() string { return e.Text + "; " + e.Fix }

func wrong(fix, text string, args ...any) error {
	return &Error{Text: fmt.Sprintf(text, args...), Fix: fix}
}

// longest is the limit of EventBridge for the ScheduleExpression of a rule, in characters:
// https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutRule.html.
const longest = 256

// Parse reads an expression such as rate(5 minutes) or cron(0 12 * * ? *). Its error is an
// *Error.
func Parse(expression string) (Schedule, error) {
	inside, closed := strings.CutSuffix(expression, ")")
	rate, isRate := strings.CutPrefix(inside, "rate(")
	fields, isCron := strings.CutPrefix(inside, "cron(")
	s := Schedule{expression: expression}
	var err error
	switch {
	case len(expression) > longest:
		err = wrong(fmt.Sprintf("use at most %d", longest), "it has %d characters", len(expression))
	case closed && isRate:
		s.every, err = parseRate(rate)
	case closed && isCron:
		s.cron, err = parseCron(fields)
	default:
		err = wrong("write rate(5 minutes) or cron(0 12 * * ? *)", "it is neither a rate nor a cron expression")
	}
	if err != nil {
		return Schedule{}, err
	}
	return s, nil
}

var units = map[string]time.Duration{"minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour}

// longestRate keeps every interval within the range of time.Duration.
const longestRate = 100 * 366 * 24 * time.Hour

func parseRate(text string) (time.Duration, error) {
	words := strings.Fields(text)
	if len(words) != 2 {
		return 0, wrong("write rate(5 minutes)", "a rate has two words, a value and a unit, and this has %d", len(words))
	}
	value, err := strconv.Atoi(words[0])
	if err != nil || value < 1 || strconv.Itoa(value) != words[0] {
		return 0, wrong("write a whole number from 1 on", "the value %s is not a whole number from 1 on", shown(words[0]))
	}
	singular := strings.TrimSuffix(words[1], "s")
	unit, known := units[singular]
	name := singular
	if value > 1 {
		name += "s"
	}
	switch {
	case !known:
		return 0, wrong("write minutes, hours or days", "the unit %s is not known", shown(words[1]))
	case words[1] != name:
		return 0, wrong(fmt.Sprintf("write rate(%d %s)", value, name), "the unit of %d is %s, not %s", value, name, words[1])
	case value > int(longestRate/unit):
		return 0, wrong(fmt.Sprintf("write %d at most", longestRate/unit), "the value %d is too large", value)
	}
	return time.Duration(value) * unit, nil
}

// NextAfter returns the first time of the schedule after now, in UTC, if previous was one of its
// times. A rate keeps its rhythm; times between previous and now are left out. It is false when
// there is no such time, as for February 31.
func (s Schedule) NextAfter(previous, now time.Time) (time.Time, bool) {
	previous, now = previous.Round(0).UTC(), now.Round(0).UTC()
	switch {
	case s.every > 0:
		missed := max(now.Sub(previous)/s.every, 0)
		return previous.Add((missed + 1) * s.every), true
	case s.expression == "":
		return time.Time{}, false
	}
	return s.cron.next(now)
}

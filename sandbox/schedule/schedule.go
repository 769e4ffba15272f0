package schedule

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"gatewright/model"
)

// The years that a cron expression may speak of.
const (
	firstYear = 1970
	lastYear  = 2199
)

// Schedule is a rate or a cron expression. Two of the same expression are equal.
// The zero Schedule never comes.
type Schedule struct {
	expression string
	// every is the interval of a rate, 0 for cron.
	every time.Duration
	cron  cron
}

// String is the expression that was parsed.
func (s Schedule) String() string { return s.expression }

const howToWrite = "write rate(5 minutes) or cron(0 12 * * ? *)"

// Parse reads an expression such as rate(5 minutes) or cron(0 12 * * ? *). Its
// error names the field that is wrong and what it may be.
func Parse(expression string) (Schedule, error) {
	inside, closed := strings.CutSuffix(expression, ")")
	rate, isRate := strings.CutPrefix(inside, "rate(")
	fields, isCron := strings.CutPrefix(inside, "cron(")
	s := Schedule{expression: expression}
	var err error
	switch {
	case closed && isRate:
		s.every, err = parseRate(rate)
	case closed && isCron:
		s.cron, err = parseCron(fields)
	default:
		err = wrong(howToWrite, "is neither a rate nor a cron expression")
	}
	if err != nil {
		return Schedule{}, about(expression, err)
	}
	return s, nil
}

// wrong is an error that does not say of which expression it is.
func wrong(fix, text string, args ...any) error {
	return &model.Problem{Field: "schedule", Text: fmt.Sprintf(text, args...), Fix: fix}
}

func about(expression string, err error) error {
	problem, ok := err.(*model.Problem)
	if !ok {
		return err
	}
	named := *problem
	named.Text = model.Quote(expression) + " " + problem.Text
	return &named
}

var units = map[string]time.Duration{"minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour}

// longestRate keeps an interval in what time.Duration can count.
const longestRate = 100 * 366 * 24 * time.Hour

func parseRate(text string) (time.Duration, error) {
	fields := strings.Fields(text)
	if len(fields) != 2 {
		return 0, wrong("write rate(5 minutes)", "has %d fields, a rate has two: value and unit", len(fields))
	}
	value, err := strconv.Atoi(fields[0])
	if err != nil || value < 1 || strconv.Itoa(value) != fields[0] {
		return 0, wrong("write a number from 1 on", "has the value %s", model.Quote(fields[0]))
	}
	singular, plural := strings.CutSuffix(fields[1], "s")
	unit, known := units[singular]
	switch {
	case !known:
		return 0, wrong("write minutes, hours or days", "has the unit %s", model.Quote(fields[1]))
	case plural && value == 1:
		return 0, wrong("write "+singular, "has the unit %s for the value 1", fields[1])
	case !plural && value > 1:
		return 0, wrong("write "+singular+"s", "has the unit %s for the value %d", singular, value)
	case value > int(longestRate/unit):
		return 0, wrong(fmt.Sprintf("write %d at most", longestRate/unit), "has the value %d", value)
	}
	return time.Duration(value) * unit, nil
}

// Next is the first time after a given one that the schedule names, in UTC: of a
// rate one interval later, of cron the next minute that fits. It is false where
// none comes any more, as of February 31.
func (s Schedule) Next(after time.Time) (time.Time, bool) {
	after = after.Round(0).UTC()
	switch {
	case s.every > 0:
		return after.Add(s.every), true
	case s.expression == "":
		return time.Time{}, false
	}
	return s.cron.next(after)
}

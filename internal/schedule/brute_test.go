package schedule_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gatewright/internal/schedule"
	_ "gatewright/test/depth" // says how often a property is tried
)

// drawn is one field of an expression and its meaning, written without the code that is
// tested: whether the field allows a minute.
type drawn struct {
	text   string
	allows func(time.Time) bool
}

// set draws a list of numbers, ranges and steps of a field.
func set(t *rapid.T, name string, least, most int, of func(time.Time) int) drawn {
	var items []string
	var numbers []int
	number := rapid.IntRange(least, most)
	for range rapid.IntRange(1, 3).Draw(t, name) {
		from, step := number.Draw(t, "from"), rapid.IntRange(1, most-least).Draw(t, "step")
		to := rapid.IntRange(from, most).Draw(t, "to")
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0:
			items, step, to = append(items, "*"), 1, most
			from = least
		case 1:
			items, to = append(items, fmt.Sprintf("*/%d", step)), most
			from = least
		case 2:
			items, to = append(items, fmt.Sprintf("%d/%d", from, step)), most
		case 3:
			items, step = append(items, fmt.Sprintf("%d-%d", from, to)), 1
		case 4:
			items = append(items, fmt.Sprintf("%d-%d/%d", from, to, step))
		default:
			items, step, to = append(items, fmt.Sprint(from)), 1, from
		}
		for n := from; n <= to; n += step {
			numbers = append(numbers, n)
		}
	}
	return drawn{strings.Join(items, ","), func(at time.Time) bool { return slices.Contains(numbers, of(at)) }}
}

func weekday(at time.Time) int { return int(at.Weekday()) + 1 }

func isWeekday(at time.Time) bool {
	return at.Weekday() != time.Saturday && at.Weekday() != time.Sunday
}

// closest reports whether a date is the weekday nearest to a day of its month.
func closest(at time.Time, day int) bool {
	target := time.Date(at.Year(), at.Month(), day, 0, 0, 0, 0, time.UTC)
	if target.Month() != at.Month() || !isWeekday(at) {
		return false
	}
	distance := func(other int) int { return max(other-day, day-other) }
	for other := 1; other <= 31; other++ {
		candidate := time.Date(at.Year(), at.Month(), other, 0, 0, 0, 0, time.UTC)
		if candidate.Month() == at.Month() && isWeekday(candidate) && distance(other) < distance(at.Day()) {
			return false
		}
	}
	return true
}

func date(t *rapid.T) drawn {
	last := func(at time.Time) bool { return at.AddDate(0, 0, 1).Month() != at.Month() }
	n := rapid.IntRange(1, 31).Draw(t, "day")
	return rapid.SampledFrom([]drawn{
		{"L", last},
		{"LW", func(at time.Time) bool {
			for next := at; ; next = next.AddDate(0, 0, 1) {
				if last(next) {
					return isWeekday(at)
				}
				if isWeekday(next.AddDate(0, 0, 1)) {
					return false
				}
			}
		}},
		{fmt.Sprintf("%dW", n), func(at time.Time) bool { return closest(at, n) }},
		set(t, "dates", 1, 31, time.Time.Day),
	}).Draw(t, "date")
}

func week(t *rapid.T) drawn {
	n, which := rapid.IntRange(1, 7).Draw(t, "weekday"), rapid.IntRange(1, 5).Draw(t, "which")
	name := []string{"SUN", "mon", "Tue", "WED", "THU", "FRI", "SAT"}[n-1]
	return rapid.SampledFrom([]drawn{
		{name, func(at time.Time) bool { return weekday(at) == n }},
		{name + "L", func(at time.Time) bool { return weekday(at) == n && at.AddDate(0, 0, 7).Month() != at.Month() }},
		{fmt.Sprintf("%d#%d", n, which), func(at time.Time) bool {
			return weekday(at) == n && at.AddDate(0, 0, -7*(which-1)).Month() == at.Month() && at.AddDate(0, 0, -7*which).Month() != at.Month()
		}},
		set(t, "weekdays", 1, 7, weekday),
	}).Draw(t, "week")
}

// TestNextIsTheFirstAllowedMinute tries every minute of a few weeks.
func TestNextIsTheFirstAllowedMinute(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		fields := []drawn{
			set(t, "minutes", 0, 59, time.Time.Minute), set(t, "hours", 0, 23, time.Time.Hour),
			date(t), set(t, "months", 1, 12, func(at time.Time) int { return int(at.Month()) }), week(t),
			set(t, "years", 2025, 2030, time.Time.Year),
		}
		// * and steps without an end mean all years.
		fields[5].text = strings.NewReplacer("*", "2025-2030").Replace(fields[5].text)
		if strings.Contains(fields[5].text, "/") {
			fields[5] = drawn{"*", func(time.Time) bool { return true }}
		}
		ignored := rapid.SampledFrom([]int{2, 4}).Draw(t, "?")
		fields[ignored] = drawn{"?", func(time.Time) bool { return true }}
		var texts []string
		for _, f := range fields {
			texts = append(texts, f.text)
		}
		s, err := schedule.Parse("cron(" + strings.Join(texts, " ") + ")")
		if err != nil {
			t.Fatal(err)
		}
		after := time.Unix(rapid.Int64Range(1735689600, 1893456000).Draw(t, "after"), 0).UTC()
		got, ok := s.Next(after)
		end := after.AddDate(0, 0, 45)
		if ok && got.Before(end) {
			end = got
		}
		allowed := func(at time.Time) bool {
			return !slices.ContainsFunc(fields, func(f drawn) bool { return !f.allows(at) })
		}
		for at := after.Truncate(time.Minute).Add(time.Minute); at.Before(end); at = at.Add(time.Minute) {
			if allowed(at) {
				t.Fatalf("%s after %v: got %v (%v), but %v is allowed", s, after, got, ok, at)
			}
		}
		if ok && (!allowed(got) || !got.After(after) || !got.Equal(got.Truncate(time.Minute))) {
			t.Fatalf("%s after %v: got %v, which is not allowed", s, after, got)
		}
	})
}

// Package clock writes times, ages and durations for people, in one way on screens and in
// what commands print. Times are in the time zone of this machine (TZ), and every place that
// shows one names the zone: beside the time, or once for a whole list.
package clock

import (
	"fmt"
	"time"
)

// Moment is a time to the second with its zone: 2026-11-25 13:20:41 CET.
func Moment(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05 MST") }

// Minute is a time to the minute without its zone, where Zone stands beside it or above a
// list: 2026-11-25 13:20.
func Minute(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

// Day is the day of a time: 2026-11-25.
func Day(t time.Time) string { return t.Local().Format("2006-01-02") }

// Second is the time of day to the second, and Thousandth to the millisecond, without day and
// zone: 13:20:41, and 13:20:41.202.
func Second(t time.Time) string { return t.Local().Format("15:04:05") }

// SecondAt is Second for a person to whom it is now, with the day if that is another one.
func SecondAt(t, now time.Time) string {
	if Day(t) != Day(now) {
		return Day(t) + " " + Second(t)
	}
	return Second(t)
}

// DayInZone is the day of a time with the zone, above the times of day of a list:
// 2026-11-25 CET.
func DayInZone(t time.Time) string { return Day(t) + " " + Zone(t) }

// Thousandth is the time of day to the millisecond; see Second.
func Thousandth(t time.Time) string { return t.Local().Format("15:04:05.000") }

// Stamp is a whole time to the millisecond with its zone, as lines of logs begin:
// 2026-11-25 13:20:41.202 CET.
func Stamp(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05.000 MST") }

// Zone is the name of this machine's time zone at a time, such as CET, or its distance from
// UTC if it has no name.
func Zone(t time.Time) string { return t.Local().Format("MST") }

// Age is how long ago something was, in its largest unit: 3 s, 12 min, 5 h, 9 d.
func Age(d time.Duration) string {
	const day = 24 * time.Hour
	switch d = max(d, 0); {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d/time.Second))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d/time.Minute))
	case d < 2*day:
		return fmt.Sprintf("%d h", int(d/time.Hour))
	}
	return fmt.Sprintf("%d d", int(d/day))
}

// Took is how long something took, to what one can use: 0.4 ms, 12 ms, 3.2 s, 2 min 5 s.
func Took(d time.Duration) string {
	milliseconds := float64(d) / float64(time.Millisecond)
	switch {
	case milliseconds < 9.95:
		return fmt.Sprintf("%.1f ms", milliseconds)
	case milliseconds < 999.5:
		return fmt.Sprintf("%.0f ms", milliseconds)
	case d < 59950*time.Millisecond:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Hour:
		d = d.Round(time.Second)
		return fmt.Sprintf("%d min %d s", int(d/time.Minute), int(d%time.Minute/time.Second))
	}
	d = d.Round(time.Minute)
	return fmt.Sprintf("%d h %d min", int(d/time.Hour), int(d%time.Hour/time.Minute))
}

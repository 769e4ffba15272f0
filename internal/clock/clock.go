// Package clock writes times, ages and durations for people, in one way on screens and in what commands
// print. Every place that shows a time names its time zone: next to the time, or once for a whole list. The
// functions write times in the zone of this machine (TZ), those of the same names of [Zoned] in another one.
package clock

import (
	"fmt"
	"time"
)

// Zoned writes times in one time zone. The zero Zoned has the one of this machine.
type Zoned struct{ zone *time.Location }

// In returns what writes times in a zone; nil is that of this machine.
func In(zone *time.Location) Zoned { return Zoned{zone} }

func (z Zoned) format(t time.Time, layout string) string {
	if z.zone == nil {
		return t.Local().Format(layout)
	}
	return t.In(z.zone).Format(layout)
}

// Moment is a time to the second with its zone: 2026-11-25 13:20:41 CET.
func (z Zoned) Moment(t time.Time) string { return z.format(t, "2006-01-02 15:04:05 MST") }

// Minute is a time to the minute without its zone, where Zone stands next to it or above a
// list: 2026-11-25 13:20.
func (z Zoned) Minute(t time.Time) string { return z.format(t, "2006-01-02 15:04") }

// Day is the day of a time: 2026-11-25.
func (z Zoned) Day(t time.Time) string { return z.format(t, "2006-01-02") }

// Second is the time of day to the second, and Thousandth to the millisecond, without day and
// zone: 13:20:41, and 13:20:41.202.
func (z Zoned) Second(t time.Time) string { return z.format(t, "15:04:05") }

// SecondAt is Second for a person to whom it is now, with the day if that is another one.
func (z Zoned) SecondAt(t, now time.Time) string {
	if z.Day(t) != z.Day(now) {
		return z.Day(t) + " " + z.Second(t)
	}
	return z.Second(t)
}

// DayInZone is the day of a time with the zone, above the times of day of a list:
// 2026-11-25 CET.
func (z Zoned) DayInZone(t time.Time) string { return z.Day(t) + " " + z.Zone(t) }

// Thousandth is the time of day to the millisecond; see Second.
func (z Zoned) Thousandth(t time.Time) string { return z.format(t, "15:04:05.000") }

// Stamp is a whole time to the millisecond with its zone, as lines of logs begin:
// 2026-11-25 13:20:41.202 CET.
func (z Zoned) Stamp(t time.Time) string { return z.format(t, "2006-01-02 15:04:05.000 MST") }

// Zone is the name of the time zone at a time, such as CET, or its distance from UTC if it has
// no name.
func (z Zoned) Zone(t time.Time) string { return z.format(t, "MST") }

// Moment is [Zoned.Moment] in the zone of this machine.
func Moment(t time.Time) string { return Zoned{}.Moment(t) }

// Minute is [Zoned.Minute] in the zone of this machine.
func Minute(t time.Time) string { return Zoned{}.Minute(t) }

// Day is [Zoned.Day] in the zone of this machine.
func Day(t time.Time) string { return Zoned{}.Day(t) }

// Second is [Zoned.Second] in the zone of this machine.
func Second(t time.Time) string { return Zoned{}.Second(t) }

// SecondAt is [Zoned.SecondAt] in the zone of this machine.
func SecondAt(t, now time.Time) string { return Zoned{}.SecondAt(t, now) }

// DayInZone is [Zoned.DayInZone] in the zone of this machine.
func DayInZone(t time.Time) string { return Zoned{}.DayInZone(t) }

// Thousandth is [Zoned.Thousandth] in the zone of this machine.
func Thousandth(t time.Time) string { return Zoned{}.Thousandth(t) }

// Stamp is [Zoned.Stamp] in the zone of this machine.
func Stamp(t time.Time) string { return Zoned{}.Stamp(t) }

// Zone is [Zoned.Zone] in the zone of this machine.
func Zone(t time.Time) string { return Zoned{}.Zone(t) }

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
	case d.Round(time.Second) < time.Hour:
		d = d.Round(time.Second)
		return fmt.Sprintf("%d min %d s", int(d/time.Minute), int(d%time.Minute/time.Second))
	}
	d = d.Round(time.Minute)
	return fmt.Sprintf("%d h %d min", int(d/time.Hour), int(d%time.Hour/time.Minute))
}

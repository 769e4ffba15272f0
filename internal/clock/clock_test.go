package clock_test

import (
	"testing"
	"time"

	"gatewright/internal/clock"
)

func TestTimesNameTheirZone(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 25, 23, 20, 41, 202e6, time.UTC)
	clock := clock.In(time.FixedZone("CET", 3600))
	for want, got := range map[string]string{
		"2026-11-26 00:20:41 CET":     clock.Moment(at),
		"2026-11-26 00:20":            clock.Minute(at),
		"2026-11-26":                  clock.Day(at),
		"00:20:41":                    clock.Second(at),
		"00:20:41.202":                clock.Thousandth(at),
		"2026-11-26 00:20:41.202 CET": clock.Stamp(at),
		"CET":                         clock.Zone(at),
		"2026-11-26 CET":              clock.DayInZone(at),
		"00:20:41 ":                   clock.SecondAt(at, at.Add(time.Hour)) + " ",
		"2026-11-26 00:20:41":         clock.SecondAt(at, at.Add(-time.Hour)),
	} {
		if got != want {
			t.Errorf("it is %q, want %q", got, want)
		}
	}
}

func TestWithoutAZoneTimesAreInThatOfThisMachine(t *testing.T) {
	t.Parallel()
	at, now := time.Date(2026, 11, 25, 23, 20, 41, 202e6, time.UTC), time.Now()
	here, none := clock.In(time.Local), clock.In(nil)
	for name, texts := range map[string][3]string{
		"Moment":     {here.Moment(at), none.Moment(at), clock.Moment(at)},
		"Minute":     {here.Minute(at), none.Minute(at), clock.Minute(at)},
		"Day":        {here.Day(at), none.Day(at), clock.Day(at)},
		"Second":     {here.Second(at), none.Second(at), clock.Second(at)},
		"Thousandth": {here.Thousandth(at), none.Thousandth(at), clock.Thousandth(at)},
		"Stamp":      {here.Stamp(at), none.Stamp(at), clock.Stamp(at)},
		"Zone":       {here.Zone(at), none.Zone(at), clock.Zone(at)},
		"DayInZone":  {here.DayInZone(at), none.DayInZone(at), clock.DayInZone(at)},
		"SecondAt":   {here.SecondAt(at, now), none.SecondAt(at, now), clock.SecondAt(at, now)},
	} {
		if texts[1] != texts[0] || texts[2] != texts[0] {
			t.Errorf("%s is %q with this machine's zone, %q without one, and %q as a function", name, texts[0], texts[1], texts[2])
		}
	}
}

func TestAgesAndDurationsAreInOneUnitThatOneCanUse(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration][2]string{
		0:                                    {"0 s", "0.0 ms"},
		400 * time.Microsecond:               {"0 s", "0.4 ms"},
		9960 * time.Microsecond:              {"0 s", "10 ms"},
		12 * time.Millisecond:                {"0 s", "12 ms"},
		999600 * time.Microsecond:            {"0 s", "1.0 s"},
		3200 * time.Millisecond:              {"3 s", "3.2 s"},
		59960 * time.Millisecond:             {"59 s", "1 min 0 s"},
		125 * time.Second:                    {"2 min", "2 min 5 s"},
		59*time.Minute + 59*time.Second:      {"59 min", "59 min 59 s"},
		47*time.Hour + 59*time.Minute:        {"47 h", "47 h 59 min"},
		9*24*time.Hour + 30*time.Minute:      {"9 d", "216 h 30 min"},
		2*time.Hour + 29999*time.Microsecond: {"2 h", "2 h 0 min"},
		9950 * time.Microsecond:              {"0 s", "10 ms"},
		9949 * time.Microsecond:              {"0 s", "9.9 ms"},
		999499 * time.Microsecond:            {"0 s", "999 ms"},
		59949 * time.Millisecond:             {"59 s", "59.9 s"},
		time.Minute:                          {"1 min", "1 min 0 s"},
		time.Hour - time.Second/2 - 1:        {"59 min", "59 min 59 s"},
		time.Hour - time.Second/2:            {"59 min", "1 h 0 min"},
		time.Hour:                            {"1 h", "1 h 0 min"},
		48*time.Hour - 1:                     {"47 h", "48 h 0 min"},
		48 * time.Hour:                       {"2 d", "48 h 0 min"},
	} {
		if got := [2]string{clock.Age(d), clock.Took(d)}; got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
	if got := clock.Age(-time.Second); got != "0 s" {
		t.Errorf("what is still to come was %s ago", got)
	}
}

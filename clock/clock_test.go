package clock_test

import (
	"testing"
	"time"

	"gatewright/clock"
)

func TestTimesNameTheZoneOfThisMachine(t *testing.T) {
	before := time.Local
	defer func() { time.Local = before }()
	time.Local = time.FixedZone("CET", 3600)
	at := time.Date(2026, 11, 25, 23, 20, 41, 202e6, time.UTC)
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

func TestAgesAndDurationsAreInOneUnitThatOneCanUse(t *testing.T) {
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
	} {
		if got := [2]string{clock.Age(d), clock.Took(d)}; got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}

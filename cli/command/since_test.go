package command

import (
	"testing"
	"time"
)

func TestASpanOfTimeIsReadInTheUnitsOfPeople(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"10m": 10 * time.Minute, "1h": time.Hour, "2d": 48 * time.Hour, "1w2d": 9 * 24 * time.Hour, "1d12h": 36 * time.Hour, "1h30m": 90 * time.Minute, "90s": 90 * time.Second,
		"": 0, "0": 0, "0s": 0, "5": 0, "-1h": 0, "+1h": 0, "1d-1h": 0, "1x": 0, "d": 0, "hour": 0, "1.5d": 0, "4000d": 0, "NaN": 0,
	} {
		if got, err := ReadSpan(text); got != want || (err == nil) != (want > 0) {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
}

func TestATimeIsReadAsItIsWrittenHere(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("CET", 3600)
	// What the machine calls now is in any zone.
	now := time.Date(2026, 11, 26, 14, 0, 0, 0, zone).In(time.FixedZone("far", -11*3600))
	for text, want := range map[string]string{
		"2026-11-26T12:30:00Z": "2026-11-26T13:30:00+01:00", "2026-11-26T12:30:00.5Z": "2026-11-26T13:30:00.5+01:00", "2026-11-26 12:30:15.202": "2026-11-26T12:30:15.202+01:00",
		"2026-11-26T12:30": "2026-11-26T12:30:00+01:00", "2026-11-26": "2026-11-26T00:00:00+01:00", "13:30": "2026-11-26T13:30:00+01:00",
		"23:10:05": "2026-11-25T23:10:05+01:00", "noon": "",
	} {
		at, ok := readTime(text, now, zone)
		if got := at.In(zone).Format(time.RFC3339Nano); ok != (want != "") || ok && got != want {
			t.Errorf("%q is %s, %v", text, got, ok)
		}
	}
	s := Since{Zone: zone}
	if s.Set("2199-01-01") == nil || s.Set("sometime") == nil {
		t.Error("a time that cannot be is taken")
	}
	if err := s.Set("1h"); err != nil || !s.Before(now).Equal(now.Add(-time.Hour)) || !s.Given() {
		t.Errorf("an hour ago is %v, %v", s.Before(now), err)
	}
	if err := s.Set("2026-01-02 03:04:05"); err != nil || s.Before(now).Format(time.RFC3339) != "2026-01-02T03:04:05+01:00" {
		t.Errorf("a time without a zone is %v, %v", s.Before(now), err)
	}
}

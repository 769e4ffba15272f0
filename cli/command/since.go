package command

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// Since is a flag with the time from which on something is shown: how long ago, such as 10m,
// 1h or 2d, or a time.
type Since struct {
	// Zone is the zone of times that are given without one; nil is that of this machine.
	Zone *time.Location
	text string
	ago  time.Duration
	at   time.Time
}

// String returns the value as it was given.
func (s *Since) String() string { return s.text }

// Type returns the word that help uses for the value.
func (s *Since) Type() string { return "TIME" }

// Set sets the value of the flag.
func (s *Since) Set(text string) error {
	*s = Since{Zone: s.Zone, text: text}
	if ago, err := ReadSpan(text); err == nil {
		s.ago = ago
		return nil
	}
	at, ok := readTime(text, time.Now(), Streams{Zone: s.Zone}.zone())
	switch {
	case !ok:
		return errors.New("give how long ago, such as 10m, 1h or 2d, or a time, such as 14:30 or 2026-11-26T14:30:00Z")
	case at.After(time.Now()):
		return errors.New("it is in the future")
	}
	s.at = at
	return nil
}

// Given reports whether the flag was given.
func (s *Since) Given() bool { return s.text != "" }

// Before returns the time, for a moment that is now.
func (s *Since) Before(now time.Time) time.Time {
	if s.ago > 0 {
		return now.Add(-s.ago)
	}
	return s.at
}

// ReadSpan reads a span of time: a number with s, m, h, d or w, or several, such as 1h30m.
func ReadSpan(text string) (time.Duration, error) {
	const day, longest = 24 * time.Hour, 10 * 365 * 24 * time.Hour
	wrong := errors.New("give a time such as 10m, 1h or 2d")
	rest, long := text, time.Duration(0)
	for _, unit := range []struct {
		letter string
		length time.Duration
	}{{"w", 7 * day}, {"d", day}} {
		number, after, ok := strings.Cut(rest, unit.letter)
		if !ok {
			continue
		}
		n, err := strconv.ParseUint(number, 10, 12)
		if err != nil {
			return 0, wrong
		}
		long, rest = long+time.Duration(n)*unit.length, after
	}
	if rest != "" || long == 0 {
		more, err := time.ParseDuration(rest)
		if err != nil || more < 0 || strings.HasPrefix(rest, "+") {
			return 0, wrong
		}
		long += more
	}
	if long <= 0 || long > longest {
		return 0, wrong
	}
	return long, nil
}

// readTime reads a time. One without a zone is in the zone given, and a time of day is the last
// one before now.
func readTime(text string, now time.Time, zone *time.Location) (time.Time, bool) {
	now = now.In(zone)
	if at, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return at, true
	}
	for _, layout := range []string{
		"2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02T15:04",
		time.DateOnly,
	} {
		if at, err := time.ParseInLocation(layout, text, zone); err == nil {
			return at, true
		}
	}
	for _, layout := range []string{time.TimeOnly, "15:04"} {
		if at, err := time.Parse(layout, text); err == nil {
			today := time.Date(now.Year(), now.Month(), now.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), zone)
			if today.After(now) {
				today = today.AddDate(0, 0, -1)
			}
			return today, true
		}
	}
	return time.Time{}, false
}

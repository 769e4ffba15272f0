package logs

import "time"

// FileName is the file name of an environment or a function.
var FileName = fileName

// Small are limits that a test can reach.
type Small struct {
	Lines, File, Follow int
	Every               time.Duration
}

// OpenSmall is Open with smaller limits; a zero limit is the usual one.
func OpenSmall(folder string, small Small) (*Store, error) {
	l := usualLimits
	if small.Lines > 0 {
		l.lines = small.Lines
	}
	if small.File > 0 {
		l.file = int64(small.File)
	}
	if small.Follow > 0 {
		l.follow = small.Follow
	}
	if small.Every > 0 {
		l.every = small.Every
	}
	return open(folder, l)
}

// RedactText replaces secret values in a text as Append does.
func RedactText(text string, values []string) string {
	var s Store
	s.Redact(values)
	return redact(text, *s.secrets.Load())
}

// InMemory counts the lines in memory.
func (s *Store) InMemory() int {
	count := 0
	for _, log := range s.all(Query{}) {
		lines, _ := log.inMemory(Query{})
		count += len(lines)
	}
	return count
}

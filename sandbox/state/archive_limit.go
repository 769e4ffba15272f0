package state

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"gatewright/internal/text/phrase"
)

// Limits of what Import unpacks. An archive says nothing true about how large its content is,
// and a few bytes of it can stand for a thousand times as many.
const (
	// freeSize is how much any archive may hold, and usualRatio how many times its own size a
	// larger one may. 20,000 items with the same text were packed to a twentieth.
	freeSize   = 1 << 30
	usualRatio = 100
	// mostFiles is how many files an archive may hold: a sandbox has a log for each function.
	mostFiles = 20_000
	// longestName is the longest name of a file, in bytes, and deepestName its most folders.
	longestName = 512
	deepestName = 8
	// fileOverhead is more than an archive has around each file.
	fileOverhead = 4 << 10
)

// ImportLimits say how much Import unpacks.
type ImportLimits struct {
	// Archive is the length of the archive in bytes; 0 is unknown.
	Archive int64
	// Most is how many bytes the files may have; 0 is a limit that follows from the length.
	Most int64
	// files is how many files there may be; 0 is mostFiles.
	files int
}

// limited reads unpacked data up to a limit.
type limited struct {
	from     io.Reader
	archived *counted
	limits   ImportLimits
	// read is how much was unpacked, with what is around the files; held is how much the files
	// say that they have, which is checked before their content is read.
	read, held int64
	files      int
	// entry is the name of the file that is being read, for the error.
	entry string
}

// counted counts what is read of an archive.
type counted struct {
	from io.Reader
	n    int64
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.from.Read(b)
	c.n += int64(n)
	return n, err
}

// most is how many bytes may be unpacked so far.
func (l *limited) most() int64 {
	if l.limits.Most > 0 {
		return l.limits.Most
	}
	return max(freeSize, usualRatio*max(l.limits.Archive, l.archived.n))
}

// Read fails when more is unpacked than may be.
func (l *limited) Read(b []byte) (int, error) {
	n, err := l.from.Read(b)
	l.read += int64(n)
	if l.read > l.most()+int64(l.files+2)*fileOverhead {
		return n, l.tooLarge(0)
	}
	return n, err
}

// tooLargeError is the error for an archive with more than may be unpacked.
type tooLargeError struct{ text string }

func (e *tooLargeError) Error() string { return e.text }

// tooLarge says which file is too large, how large an archive may be, and what to do. size is
// how large the file says that it is, 0 if it is not known.
func (l *limited) tooLarge(size int64) error {
	text := "the archive unpacks to more than " + sizeText(l.most())
	if l.limits.Most == 0 {
		text += ", the most for an archive of " + sizeText(max(l.limits.Archive, l.archived.n))
	}
	switch {
	case size > 0:
		text += ": its " + phrase.Quote(l.entry) + " has " + sizeText(size)
	case l.entry != "":
		text += ", which is reached in " + phrase.Quote(l.entry)
	}
	return &tooLargeError{text +
		"; nothing is changed; if you know where it comes from, allow more with: gatewright sandbox import FILE " +
		"--max-size 10GB"}
}

// begin refuses a file that may not be unpacked, before anything of it is written.
func (l *limited) begin(name string, size int64) error {
	l.entry = name
	l.files++
	files := mostFiles
	if l.limits.files > 0 {
		files = l.limits.files
	}
	switch {
	case l.files > files:
		return &tooLargeError{fmt.Sprintf("the archive has more than %d files, which no sandbox has; make one with: "+
			"gatewright sandbox export FILE", files)}
	case len(name) > longestName || strings.Count(name, "/") > deepestName:
		const shown = 60
		return fmt.Errorf("the archive has a name of %d bytes that begins with %s, which is not a file of a sandbox; make "+
			"one with: gatewright sandbox export FILE",
			len(name), phrase.Quote(strings.ToValidUTF8(name[:min(shown, len(name))], "")))
	case size > l.most()-l.held:
		return l.tooLarge(size)
	}
	l.held += size
	return nil
}

var sizeUnits = []struct {
	name  string
	bytes int64
}{{"TB", 1 << 40}, {"GB", 1 << 30}, {"MB", 1 << 20}, {"KB", 1 << 10}, {"B", 1}}

// ParseSize reads a number of bytes such as 500MB, 10GB or 1.5GB.
func ParseSize(text string) (int64, error) {
	const most = 1 << 50
	for _, unit := range sizeUnits {
		digits, found := strings.CutSuffix(strings.ToUpper(strings.TrimSpace(text)), unit.name)
		if !found {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
		if size := n * float64(unit.bytes); err == nil && size >= 1 && size <= most {
			return int64(size), nil
		}
		break
	}
	return 0, fmt.Errorf("%s is not a size; write one such as 500MB or 10GB", phrase.Quote(text))
}

func sizeText(n int64) string {
	for _, unit := range sizeUnits {
		if n >= unit.bytes {
			return strconv.FormatFloat(float64(n*10/unit.bytes)/10, 'f', -1, 64) + " " + unit.name
		}
	}
	return "0 B"
}

package prose

import "slices"

// FileDiff is how the text of one file changes, line by line.
type FileDiff struct {
	Path string
	// Created says that the file was not there before, Deleted that it is not afterwards.
	Created, Deleted bool
	// Binary says that the file is not text. It has no lines then.
	Binary bool
	// Old and New are all lines of the file before and after, without their line breaks.
	Old, New []string
	// OldOpen and NewOpen say that the last line has no line break.
	OldOpen, NewOpen bool
	// Lines are what differs, with some lines around it.
	Lines []DiffLine
}

// DiffLine is a line of a FileDiff.
type DiffLine struct {
	// Tone is Added or Removed, or Plain for a line that stays. Changed is for lines
	// between those shown: they stay too, and are not shown.
	Tone Tone
	// Old and New are the numbers of the line before and after, from 1; 0 if it is not
	// there. Of lines that are not shown, they are the numbers of the first.
	Old, New int
	// Hidden is the number of the lines that are not shown.
	Hidden int
	// Pair is the number of the line that an added line was before, or that a removed line
	// is afterwards, if it is still alike; else 0. ChangedWords tells what changed in it.
	Pair int
}

// Text is the text of a line, as it is in the file.
func (d *FileDiff) Text(l DiffLine) string {
	if l.Tone == Removed {
		return d.Old[l.Old-1]
	}
	return d.New[l.New-1]
}

// pairLimit is how many bytes of lines FindPairs compares, and pairReach how many added
// lines it compares with a removed one.
const (
	pairLimit = 512 << 10
	pairReach = 20
)

// FindPairs sets the Pair of lines: it compares removed lines with the added lines that
// follow them, in their order. In a diff of very many lines, the last ones get none.
func (d *FileDiff) FindPairs() {
	budget := pairLimit
	for i := 0; i < len(d.Lines); {
		from := d.end(i, Plain, Changed, Added)
		middle := d.end(from, Removed)
		i = d.end(middle, Added)
		next := middle
		for r := from; r < middle; r++ {
			for a := next; a < min(i, next+pairReach) && budget > 0; a++ {
				removed, added := &d.Lines[r], &d.Lines[a]
				old, now := d.Text(*removed), d.Text(*added)
				budget -= len(old) + len(now)
				if _, _, alike := ChangedWords(old, now); alike {
					removed.Pair, added.Pair = added.New, removed.Old
					next = a + 1
					break
				}
			}
		}
	}
}

// end is the index after the lines of some tones that begin at an index.
func (d *FileDiff) end(at int, tones ...Tone) int {
	for at < len(d.Lines) && slices.Contains(tones, d.Lines[at].Tone) {
		at++
	}
	return at
}

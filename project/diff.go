package project

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/aymanbagabas/go-udiff"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/project/journal"
)

// Diff returns one change as a unified diff. In definitions and in the client
// configuration file the key of a data API is shown as model.Redacted; git
// cannot apply such a diff.
func Diff(c journal.Change) string {
	from, to := diffPath("a/"+c.Path), diffPath("b/"+c.Path)
	if !c.Existed {
		from = "/dev/null"
	}
	if c.Delete {
		to = "/dev/null"
	}
	v := versionsOf(c)
	if v.binary() {
		return fmt.Sprintf("Binary files %s and %s differ\n", from, to)
	}
	diff := v.compare()
	diff.From, diff.To = from, to
	return diff.String()
}

// FileDiff returns one change line by line, with the lines that Diff shows.
func FileDiff(c journal.Change) *prose.FileDiff {
	d := &prose.FileDiff{Path: c.Path, Created: !c.Existed, Deleted: c.Delete}
	v := versionsOf(c)
	if d.Binary = v.binary(); d.Binary {
		return d
	}
	diff := v.compare()
	d.Old, d.New = v.shownOld, v.shownNew
	d.OldOpen, d.NewOpen = unended(d.Old), unended(d.New)
	withoutEnds(d.Old, d.New)
	old, now := 1, 1
	stay := func(n int) {
		switch {
		case n == 1: // as short as a line that says so
			d.Lines = append(d.Lines, prose.DiffLine{Old: old, New: now})
		case n > 1:
			d.Lines = append(d.Lines, prose.DiffLine{Tone: prose.Changed, Old: old, New: now, Hidden: n})
		}
		old, now = old+n, now+n
	}
	for _, hunk := range diff.Hunks {
		stay(hunk.FromLine - old)
		for _, line := range hunk.Lines {
			switch line.Kind {
			case udiff.Delete:
				d.Lines = append(d.Lines, prose.DiffLine{Tone: prose.Removed, Old: old})
				old++
			case udiff.Insert:
				d.Lines = append(d.Lines, prose.DiffLine{Tone: prose.Added, New: now})
				now++
			case udiff.Equal:
				d.Lines = append(d.Lines, prose.DiffLine{Old: old, New: now})
				old, now = old+1, now+1
			}
		}
	}
	if len(diff.Hunks) > 0 {
		stay(len(d.Old) + 1 - old)
	}
	d.FindPairs()
	return d
}

// versions are the text of a file before and after a change, and the lines of both as they
// are shown, with their line breaks.
type versions struct {
	old, now           string
	shownOld, shownNew []string
}

func versionsOf(c journal.Change) versions {
	v := versions{old: string(c.Old)}
	if !c.Delete {
		v.now = string(c.New)
	}
	shown := func(text string) []string {
		if strings.HasSuffix(c.Path, ".json") && !strings.Contains(c.Path, "/src/") && mayHaveKeys(text) {
			text = keys().ReplaceAllStringFunc(text, redacted)
		}
		return slices.Collect(strings.Lines(text))
	}
	v.shownOld, v.shownNew = shown(v.old), shown(v.now)
	return v
}

// binary reports whether one of the texts is none.
func (v *versions) binary() bool {
	return strings.Contains(v.old, "\x00") || strings.Contains(v.now, "\x00")
}

// compare finds the lines that differ. A line that stays is hidden in both versions if it
// is hidden in one of them. The library counts the new lines of a hunk wrongly if an
// earlier hunk has equal lines between its changes, so they are counted here.
func (v *versions) compare() udiff.UnifiedDiff {
	// There is an error only if the edits are not of this text.
	diff, _ := udiff.ToUnifiedDiff("", "", v.old, udiff.Lines(v.old, v.now), udiff.DefaultContextLines)
	longer := 0
	for _, hunk := range diff.Hunks {
		old, now := hunk.FromLine-1, hunk.FromLine-1+longer
		hunk.ToLine = now + 1
		for i := range hunk.Lines {
			switch line := &hunk.Lines[i]; line.Kind {
			case udiff.Delete:
				line.Content = v.shownOld[old]
				old++
			case udiff.Insert:
				line.Content = v.shownNew[now]
				now++
			case udiff.Equal:
				if v.shownOld[old] != line.Content {
					v.shownNew[now] = v.shownOld[old]
				}
				line.Content = v.shownNew[now]
				old, now = old+1, now+1
			}
		}
		longer = now - old
	}
	return diff
}

// unended reports whether the last line has no line break.
func unended(lines []string) bool {
	return len(lines) > 0 && !strings.HasSuffix(lines[len(lines)-1], "\n")
}

// withoutEnds removes the line breaks. If all of them have a carriage return, it is removed
// too; else it stays, because it may be what differs.
func withoutEnds(versions ...[]string) {
	end := "\r\n"
	for _, lines := range versions {
		for _, line := range lines {
			if strings.HasSuffix(line, "\n") && !strings.HasSuffix(line, "\r\n") {
				end = "\n"
			}
		}
	}
	for _, lines := range versions {
		for i, line := range lines {
			lines[i] = strings.TrimSuffix(line, end)
		}
	}
}

// keys matches the members in JSON whose values model.WithoutSecrets hides. The value may
// be on the next line.
var keys = sync.OnceValue(func() *regexp.Regexp {
	const gap = `[-_]*`
	name := strings.Join(strings.Split("apikey", ""), gap) + gap
	return regexp.MustCompile(`(?i)("(?:[^"\\\n]|\\.)*` + name + `"\s*:\s*")((?:[^"\\\n]|\\.)*)"`)
})

// mayHaveKeys reports whether a quoted text ends like the names that keys matches. In a
// large file it saves a search of seconds.
func mayHaveKeys(text string) bool {
	found := 0 // letters of the end
	for i := range len(text) {
		switch c := text[i]; {
		case c == 'e' || c == 'E':
			found = 1
		case (c == 'y' || c == 'Y') && found == 1:
			found = 2
		case c == '"' && found == 2:
			return true
		case c != '-' && c != '_':
			found = 0
		}
	}
	return false
}

// redacted returns a member that keys matched, without its value.
func redacted(member string) string {
	parts := keys().FindStringSubmatch(member)
	if value := parts[2]; value == "" || value == model.APIKeyPlaceholder {
		return member
	}
	return parts[1] + model.Redacted + `"`
}

// diffPath returns a path as `git diff` writes it: quoted and escaped if it has quotes,
// backslashes, control characters or bytes beyond ASCII.
func diffPath(path string) string {
	if phrase.QuotePath(path) == path {
		return path
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(path) {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

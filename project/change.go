package project

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/aymanbagabas/go-udiff"

	"gatewright/model"
	"gatewright/project/journal"
)

// Plan is the list of file changes that make a project define a changed backend.
// Nothing is written before Commit.
type Plan struct {
	// Changes are sorted by path.
	Changes []journal.Change
	// Notes are sentences about further effects of the edit.
	Notes []string

	project *Project
	// state are changes of files in journal.Folder. They are written with the
	// others and not shown.
	state []journal.Change
	// stateMatters says that state is written even if Changes is empty.
	stateMatters bool
}

// Empty reports whether there is nothing to write.
func (p *Plan) Empty() bool { return len(p.Changes) == 0 }

// Kind returns what happens to the file of a change: create, update or delete.
func Kind(c journal.Change) string {
	switch {
	case c.Delete:
		return "delete"
	case c.Existed:
		return "update"
	}
	return "create"
}

// Diff returns the plan as one unified diff, in the form that `git apply` reads.
func (p *Plan) Diff() string {
	var b strings.Builder
	for _, c := range p.Changes {
		b.WriteString(Diff(c))
	}
	return b.String()
}

// Diff returns one change as a unified diff. In definitions and in the client
// configuration file the key of a data API is shown as model.Redacted; git
// cannot apply such a diff.
func Diff(c journal.Change) string {
	from, to := diffPath("a/"+c.Path), diffPath("b/"+c.Path)
	if !c.Existed {
		from = "/dev/null"
	}
	content := c.New
	if c.Delete {
		to, content = "/dev/null", nil
	}
	if bytes.IndexByte(c.Old, 0) >= 0 || bytes.IndexByte(content, 0) >= 0 {
		return fmt.Sprintf("Binary files %s and %s differ\n", from, to)
	}
	diff := udiff.Unified(from, to, string(c.Old), string(content))
	if strings.HasSuffix(c.Path, ".json") && !strings.Contains(c.Path, "/src/") {
		diff = keys().ReplaceAllStringFunc(diff, redacted)
	}
	return diff
}

// keys matches the members in a diff of JSON whose values model.WithoutSecrets
// hides. The value may be on the next line.
var keys = sync.OnceValue(func() *regexp.Regexp {
	const gap = `[-_]*`
	name := strings.Join(strings.Split("apikey", ""), gap) + gap
	return regexp.MustCompile(`(?i)("(?:[^"\\\n]|\\.)*` + name + `"\s*:\s*(?:\n[-+ ]\s*)?")((?:[^"\\\n]|\\.)*)"`)
})

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
	if QuotePath(path) == path {
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

// StaleDiff shows what happened to the files that a refused commit was planned
// against: from what was read to what is there now. It is "" for other errors.
func StaleDiff(err error) string {
	var stale *journal.StaleError
	if !errors.As(err, &stale) {
		return ""
	}
	var b strings.Builder
	for _, f := range stale.Files {
		b.WriteString(Diff(journal.Change{Path: f.Path, Old: f.Planned, Existed: f.Existed, New: f.Found, Delete: !f.Exists}))
	}
	return b.String()
}

// Commit writes every file of the plan, or none. The error is a
// *journal.StaleError if a file changed since it was read (see StaleDiff), and a
// *journal.LockedError while another process writes the project.
func (p *Plan) Commit() error {
	if p.Empty() && !(p.stateMatters && len(p.state) > 0) {
		return nil
	}
	err := journal.Commit(p.project.fsys, slices.Concat(p.Changes, p.state))
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w; see who may write to the project's folder", err)
	}
	return err
}

// Package build builds the program as a release has it: the same bytes from the same commit,
// whatever the folder, the user and the cache.
package build

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"
)

// Stamp is what a release says of itself: its version, and the commit that it was built from.
type Stamp struct {
	Version string
	Commit  string
	// Date is the time of the commit, and so the same in every build of it.
	Date time.Time
	// Author of the commit, as in name <address>.
	Author string
	// Changed says that files differ from the commit. Only snapshots may.
	Changed bool
}

// ErrVersion is the error for a version that is not a semantic one.
var ErrVersion = errors.New("is not a semantic version: write it as 1.2.3 or 1.2.3-rc.1, without v")

// ReadStamp reads the commit that the repository in the folder is at. Without a version the
// stamp is that of a snapshot, and files may differ from the commit.
func ReadStamp(ctx context.Context, folder, version string) (Stamp, error) {
	s := Stamp{Version: version}
	if version != "" {
		parsed, err := semver.StrictNewVersion(version)
		if err != nil || parsed.Metadata() != "" {
			return s, fmt.Errorf("--version %q %w", version, ErrVersion)
		}
	}
	head, err := git(ctx, folder, "log", "-1", "--format=%H%n%ct%n%an <%ae>")
	if err != nil {
		return s, err
	}
	lines := strings.Split(head, "\n")
	if len(lines) != 3 {
		return s, fmt.Errorf("git log said %q in place of a commit", head)
	}
	seconds, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return s, fmt.Errorf("git log: the date of the commit: %w", err)
	}
	s.Commit, s.Date, s.Author = lines[0], time.Unix(seconds, 0).UTC(), lines[2]
	changed, err := git(ctx, folder, "status", "--porcelain")
	if err != nil {
		return s, err
	}
	s.Changed = changed != ""
	if version == "" {
		s.Version, err = snapshot(ctx, folder, s)
		return s, err
	}
	if s.Changed {
		first, _, _ := strings.Cut(changed, "\n")
		return s, fmt.Errorf("a release is built from a commit, and files differ from it (%s): commit them, or build a "+
			"--snapshot", strings.TrimSpace(first))
	}
	return s, nil
}

// snapshot gives a snapshot a version that is later than the last release and earlier than
// any next one.
func snapshot(ctx context.Context, folder string, s Stamp) (string, error) {
	base := "0.0.0"
	tags, err := git(ctx, folder, "tag", "--merged", "HEAD", "--list", "v*", "--sort=-version:refname")
	if err != nil {
		return "", err
	}
	for tag := range strings.SplitSeq(tags, "\n") {
		v, err := semver.StrictNewVersion(strings.TrimPrefix(tag, "v"))
		if err == nil && v.Prerelease() == "" {
			base = v.IncPatch().String()
			break
		}
	}
	version := fmt.Sprintf("%s-snapshot.%s.g%.7s", base, s.Date.Format("20060102150405"), s.Commit)
	if s.Changed {
		version += ".changed"
	}
	return version, nil
}

func git(ctx context.Context, folder string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "git", append([]string{"-C", folder}, args...)...).Output()
	if err != nil {
		return "", Explain("git", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// Explain makes one line of the error of a tool that a release runs.
func Explain(tool string, err error) error {
	var exit *exec.ExitError
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("%s is missing: install it, a release needs it", tool)
	case errors.As(err, &exit) && len(exit.Stderr) > 0:
		return fmt.Errorf("%s: %s", tool, strings.Join(strings.Fields(string(exit.Stderr)), " "))
	}
	return fmt.Errorf("%s: %w", tool, err)
}

package journal_test

import (
	"maps"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/spf13/afero"

	"gatewright/project/disk"
	"gatewright/project/journal"
	"gatewright/test/depth"
)

// setUp makes the project before the commit.
func setUp(t *testing.T, fsys afero.Fs) {
	t.Helper()
	write(t, fsys, "backend/a.json", "old a", 0o644)
	write(t, fsys, "backend/run.sh", "old run", 0o755)
	write(t, fsys, "backend/gone/deep/b.json", "old b", 0o600)
	write(t, fsys, "backend/same.json", "same", 0o644)
	write(t, fsys, "bystander", "keep", 0o644)
}

func mixedChanges() []journal.Change {
	return []journal.Change{
		remove("backend/gone/deep/b.json", "old b"),
		replace("backend/a.json", "old a", "a new a"),
		createFile("backend/new/deep/c.json", "new c"),
		replace("backend/same.json", "same", "same"),
		replace("backend/run.sh", "old run", "new run"),
	}
}

// outcome is the project before and after the mixed changes.
type outcome struct{ old, new map[string]string }

func outcomes(t *testing.T, fsys afero.Fs) outcome {
	t.Helper()
	setUp(t, fsys)
	old := tree(t, fsys)
	if err := journal.Commit(fsys, mixedChanges()); err != nil {
		t.Fatal(err)
	}
	return outcome{old: old, new: tree(t, fsys)}
}

// judge finds out whether the project is old or new, and fails if it is neither.
func (o outcome) judge(t *testing.T, fsys afero.Fs) string {
	t.Helper()
	found := tree(t, fsys)
	switch {
	case maps.Equal(found, o.old):
		return "old"
	case maps.Equal(found, o.new):
		return "new"
	}
	t.Errorf("mixed: %v", found)
	return "mixed"
}

// fresh makes a project for one run. On disk it replaces the project of the last run.
type fresh func(t *testing.T) afero.Fs

// onEachFresh runs a test in memory and on disk, where each run takes longer: there the
// test tries only one second fault in every stride for each first one.
func onEachFresh(t *testing.T, test func(t *testing.T, stride int, make fresh)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			test(t, 1, func(*testing.T) afero.Fs { return disk.Memory() })
		})
	})
	t.Run("disk", func(t *testing.T) {
		dir := t.TempDir()
		synctest.Test(t, func(t *testing.T) {
			fsys := openDisk(t, dir)
			test(t, depth.Rounds(53, 13, 13), func(t *testing.T) afero.Fs {
				for _, name := range []string{"backend", "bystander", journal.Folder} {
					if err := fsys.RemoveAll(name); err != nil {
						t.Fatal(err)
					}
				}
				return fsys
			})
		})
	})
}

// countCalls returns the calls of a commit without faults.
func countCalls(t *testing.T, fsys afero.Fs) []string {
	t.Helper()
	setUp(t, fsys)
	counted := &faultyFS{below: fsys}
	if err := journal.Commit(counted, mixedChanges()); err != nil {
		t.Fatal(err)
	}
	return counted.calls
}

// recoverNow recovers without faults and fails unless everything is swept then.
func recoverNow(t *testing.T, fsys afero.Fs) journal.Recovery {
	t.Helper()
	done, err := journal.Recover(fsys)
	if err != nil {
		t.Errorf("recover: %v", err)
	}
	assertSwept(t, fsys)
	return done
}

func TestAFailingCallLeavesAllOldOrAllNew(t *testing.T) {
	t.Parallel()
	onEachFresh(t, func(t *testing.T, stride int, make fresh) {
		want := outcomes(t, make(t))
		calls := countCalls(t, make(t))
		seen := map[string]int{}
		for at := 1; at <= len(calls); at++ {
			for _, now := range []trouble{{failAt: at}, {lateAt: at}} {
				if now.lateAt > 0 && strings.HasPrefix(calls[at-1], "openfile") {
					continue // no system makes the file and says that it did not
				}
				if skipped := (at+now.lateAt)%depth.Rounds(5, 1, 1) != 0; skipped && stride > 1 {
					continue
				}
				fsys := make(t)
				setUp(t, fsys)
				err := journal.Commit(&faultyFS{below: fsys, trouble: now}, mixedChanges())
				state := want.judgeFiles(t, fsys)
				switch {
				case err == nil && state != "new":
					t.Errorf("success is reported for %s files", state)
				case err != nil && strings.Contains(err.Error(), "no file was changed") && state != "old":
					t.Errorf("%v: but the files are %s", err, state)
				case err != nil && strings.Contains(err.Error(), "\n"):
					t.Errorf("error of more than one line: %q", err)
				}
				if !cleansUp(calls[at-1]) {
					assertSwept(t, fsys)
				}
				recoverNow(t, fsys)
				if after := want.judgeFiles(t, fsys); err == nil && after != "new" {
					t.Errorf("%s after recovery", after)
				}
				if t.Failed() {
					t.Fatalf("%+v, call %q, error %v", now, calls[at-1], err)
				}
				seen[state]++
			}
		}
		t.Logf("%d calls: %v", len(calls), seen)
	})
}

// cleansUp reports whether a call removes a part of the journal, which stays if the call
// fails.
func cleansUp(call string) bool {
	return strings.HasSuffix(call, "/done.json") ||
		strings.HasSuffix(call, " .gatewright/journal") ||
		strings.HasPrefix(call, "remove .gatewright/journal/")
}

// judgeFiles returns judge without the folders: an empty one stays if its removal failed.
func (o outcome) judgeFiles(t *testing.T, fsys afero.Fs) string {
	t.Helper()
	folder := func(name, _ string) bool { return strings.HasSuffix(name, "/") }
	found := files(t, fsys)
	for state, tree := range map[string]map[string]string{"old": o.old, "new": o.new} {
		tree = maps.Clone(tree)
		maps.DeleteFunc(tree, folder)
		if maps.Equal(found, tree) {
			return state
		}
	}
	t.Errorf("mixed: %v", found)
	return "mixed"
}

func TestAKilledCommitIsRecoveredWholeWhereverItStopped(t *testing.T) {
	t.Parallel()
	onEachFresh(t, func(t *testing.T, stride int, make fresh) {
		want := outcomes(t, make(t))
		calls := countCalls(t, make(t))
		killed := func(at int) afero.Fs {
			fsys := make(t)
			setUp(t, fsys)
			_ = journal.Commit(&faultyFS{below: fsys, trouble: trouble{killAt: at}}, mixedChanges())
			return fsys
		}
		seen := map[string]int{}
		recoveries := map[string]bool{}
		runs := 0
		for at := 1; at <= len(calls); at++ {
			if !writes(calls[at-1]) {
				continue
			}
			fsys := killed(at)
			counted := &faultyFS{below: fsys}
			done, err := journal.Recover(counted)
			if err != nil {
				t.Fatalf("killed at %q: %v", calls[at-1], err)
			}
			assertSwept(t, fsys)
			state := want.judge(t, fsys)
			assertTold(t, done, state)
			seen[state]++
			same := strings.Join(counted.calls, "\n")
			if recoveries[same] {
				continue
			}
			recoveries[same] = true

			again := func(now trouble, judge func(*testing.T, afero.Fs) string) {
				fsys := killed(at)
				_, _ = journal.Recover(&faultyFS{below: fsys, trouble: now})
				recoverNow(t, fsys)
				if after := judge(t, fsys); after != state {
					t.Errorf("%s after the first recovery, %s after the second", state, after)
				}
				if t.Failed() {
					t.Fatalf("killed at %q, then %+v in %q", calls[at-1], now, counted.calls)
				}
				runs++
			}
			for i, call := range counted.calls {
				if writes(call) && (i+at)%stride == 0 {
					again(trouble{killAt: i + 1}, want.judge)
				}
				if (i+at)%(3*stride) == 0 {
					again(trouble{failAt: i + 1}, want.judgeFiles)
				}
			}
		}
		t.Logf("%d calls: %v; %d different recoveries, %d second faults", len(calls), seen, len(recoveries), runs)
	})
}

// writes reports whether a call changes the filesystem. A kill at another call has the
// same effect as one at the next such call.
func writes(call string) bool {
	verb, _, _ := strings.Cut(call, " ")
	switch verb {
	case "openfile", "write", "chmod", "mkdir", "mkdirall", "rename", "remove":
		return true
	}
	return false
}

func assertTold(t *testing.T, done journal.Recovery, state string) {
	t.Helper()
	if done.Outcome == journal.Completed && state != "new" || done.Outcome == journal.Discarded && state != "old" {
		t.Errorf("recovery says %v, the files are %s", done.Outcome, state)
	}
}

func TestAKilledRollBackIsRecoveredWhole(t *testing.T) {
	t.Parallel()
	onEachFresh(t, func(t *testing.T, stride int, make fresh) {
		want := outcomes(t, make(t))
		calls := countCalls(t, make(t))
		seen := map[string]int{}
		for first := 1; first <= len(calls); first += stride {
			for second := first + 1 + first%5; ; second += 5 * stride {
				fsys := make(t)
				setUp(t, fsys)
				faulty := &faultyFS{below: fsys, trouble: trouble{failAt: first, killAt: second}}
				err := journal.Commit(faulty, mixedChanges())
				if len(faulty.calls) < second {
					break
				}
				assertTold(t, recoverNow(t, fsys), want.judgeFiles(t, fsys))
				state := want.judgeFiles(t, fsys)
				if err == nil && state != "new" {
					t.Errorf("success is reported for %s files", state)
				}
				if t.Failed() {
					t.Fatalf("failed at %q, killed at %q", calls[first-1], faulty.calls[second-1])
				}
				seen[state]++
			}
		}
		t.Logf("%v", seen)
	})
}

package journal_test

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/afero"

	"gatewright/project/disk"
	"gatewright/project/journal"
	"gatewright/test/await"
	"gatewright/test/depth"
)

// childFolder names, in the environment, the project that a child commits to.
const childFolder = "GATEWRIGHT_TEST_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childFolder); dir != "" {
		fmt.Fprintln(os.Stderr, commitForever(dir))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// commitForever commits one generation after the other and prints the number of each. It
// tries again if another process was faster.
func commitForever(dir string) error {
	fsys, err := disk.Open(dir)
	if err != nil {
		return err
	}
	for {
		now, err := readGeneration(fsys)
		if err != nil {
			return err
		}
		err = journal.Commit(fsys, now.changes())
		var stale *journal.StaleError
		switch {
		case err == nil:
			fmt.Println(now.number + 1)
		case errors.Is(err, journal.ErrLocked), errors.As(err, &stale):
			time.Sleep(time.Millisecond)
		default:
			return err
		}
	}
}

const generationFiles = 4

// generation is a state of the project. All its files have the same content, the number
// of the generation and the id of its process, and even ones have one more file.
type generation struct {
	number  int
	content string
}

func readGeneration(fsys afero.Fs) (generation, error) {
	content, err := afero.ReadFile(fsys, "api/0.json")
	if errors.Is(err, fs.ErrNotExist) {
		return generation{}, nil
	}
	if err != nil {
		return generation{}, err
	}
	number, _, _ := strings.Cut(string(content), " ")
	n, err := strconv.Atoi(number)
	return generation{number: n, content: string(content)}, err
}

// changes returns the changes that make the next generation.
func (g generation) changes() []journal.Change {
	next := fmt.Sprintf("%d by %d", g.number+1, os.Getpid())
	existed := g.number > 0
	var changes []journal.Change
	for i := range generationFiles {
		changes = append(changes, journal.Change{
			Path: fmt.Sprintf("api/%d.json", i), Existed: existed, Old: []byte(g.content), New: []byte(next),
		})
	}
	if g.number%2 == 1 {
		return append(changes, createFile("fn/deep/even.json", next))
	}
	return append(changes, journal.Change{
		Path: "fn/deep/even.json", Existed: existed, Old: []byte(g.content), Delete: true,
	})
}

// assertOneGeneration fails if the project has files of two generations.
func assertOneGeneration(t *testing.T, fsys afero.Fs, now generation) {
	t.Helper()
	want := map[string]string{}
	content := "-rw-r--r-- " + now.content
	if now.number > 0 {
		want["api/"] = ""
		for i := range generationFiles {
			want[fmt.Sprintf("api/%d.json", i)] = content
		}
		if now.number%2 == 0 {
			want["fn/"], want["fn/deep/"], want["fn/deep/even.json"] = "", "", content
		}
	}
	assertEqual(t, tree(t, fsys), want)
	assertSwept(t, fsys)
}

func TestProcessesKilledWhileTheyCommit(t *testing.T) {
	t.Parallel()
	kills := depth.Rounds(8, 30, 100)
	const seed = 20261121
	random := rand.New(rand.NewPCG(seed, seed))
	dir := t.TempDir()
	fsys := openDisk(t, dir)
	outcomes := map[journal.Outcome]int{}
	last := 0
	for kill := range kills {
		reports, err := killChild(t, dir, time.Duration(random.IntN(20_000))*time.Microsecond)
		if err != nil {
			t.Fatal(err)
		}
		committed := reports[len(reports)-1]

		done, err := journal.Recover(fsys)
		if err != nil {
			t.Fatalf("kill %d: %v", kill, err)
		}
		outcomes[done.Outcome]++
		now, err := readGeneration(fsys)
		if err != nil {
			t.Fatal(err)
		}
		if now.number < committed {
			t.Errorf("generation %d was reported, %d is there", committed, now.number)
		}
		if assertOneGeneration(t, fsys, now); t.Failed() {
			t.Fatalf("kill %d, recovery %v", kill, done.Outcome)
		}
		last = now.number
	}
	t.Logf("seed %d, %d kills, %d generations, recovery: %v", seed, kills, last, outcomes)
}

// Two processes never report the same generation, since each is made from the last one.
func TestProcessesTakeOverFromKilledOnes(t *testing.T) {
	t.Parallel()
	const seed, processes = 20261122, 3
	random := rand.New(rand.NewPCG(seed, seed))
	dir := t.TempDir()
	var (
		all     sync.WaitGroup
		reports [processes][]int
		errs    [processes]error
	)
	for i := range processes {
		after := make([]time.Duration, depth.Rounds(2, 4, 8))
		for kill := range after {
			after[kill] = time.Duration(random.IntN(40_000)) * time.Microsecond
		}
		all.Go(func() {
			for _, after := range after {
				more, err := killChild(t, dir, after)
				reports[i] = append(reports[i], more...)
				if err != nil {
					errs[i] = err
					return
				}
			}
		})
	}
	all.Wait()
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}

	fsys := openDisk(t, dir)
	if _, err := journal.Recover(fsys); err != nil {
		t.Fatal(err)
	}
	now, err := readGeneration(fsys)
	if err != nil {
		t.Fatal(err)
	}
	assertOneGeneration(t, fsys, now)
	reported := slices.Sorted(slices.Values(slices.Concat(reports[:]...)))
	if distinct := slices.Compact(slices.Clone(reported)); len(distinct) < len(reported) {
		t.Errorf("generations reported twice: %v", reported)
	}
	if last := reported[len(reported)-1]; last > now.number {
		t.Errorf("generation %d was reported, %d is there", last, now.number)
	}
	t.Logf("seed %d, %d generations, %d of them reported", seed, now.number, len(reported))
}

// killChild starts a process that commits, kills it some time after its first commit and
// returns the generations that it reported, at least one.
func killChild(t *testing.T, dir string, after time.Duration) ([]int, error) {
	child := exec.Command(os.Args[0], "-test.run=^$")
	child.Env = append(os.Environ(), childFolder+"="+dir)
	var complaint strings.Builder
	child.Stderr = &complaint
	output, err := child.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := child.Start(); err != nil {
		return nil, err
	}
	stuck := time.AfterFunc(await.Limit(t), func() { _ = child.Process.Kill() })
	defer stuck.Stop()

	var reports []int
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		report, err := strconv.Atoi(lines.Text())
		if err != nil {
			return reports, err
		}
		if reports = append(reports, report); len(reports) == 1 {
			time.AfterFunc(after, func() { _ = child.Process.Kill() })
		}
	}
	_ = child.Wait() // says that it was killed
	if complaint.Len() > 0 || len(reports) == 0 {
		return reports, fmt.Errorf("the child committed %d times, then failed: %s", len(reports), &complaint)
	}
	return reports, nil
}

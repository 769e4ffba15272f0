package sessions

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"gatewright/test/await"
	"gatewright/test/depth"
)

// TestTheFirstMinuteIsAsTheReadmeSays does what the README says for a first project:
// it runs the commands of each block, with the sandbox next to the others, compares what they
// print with the block below, and makes the change of the block with a difference.
func TestTheFirstMinuteIsAsTheReadmeSays(t *testing.T) {
	t.Parallel()
	depth.Needs(t, "node")
	_, section, found := strings.Cut(readPage(t, "README.md"), "\n## Sixty seconds\n")
	if !found {
		t.Fatal("the README has no such section")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	home := t.TempDir()
	// The README shows the usual port, which may be taken here.
	f := &firstProject{dir: home, port: freePort(t), environment: append(os.Environ(), "GATEWRIGHT_STATE="+t.TempDir(), "TZ=UTC")}
	var out *lockedBuffer
	var last string
	commands, compared, changed := 0, 0, 0
	for _, b := range blocks(section) {
		switch b.language {
		case "sh":
			out = &lockedBuffer{}
			for line := range strings.Lines(b.text) {
				last = strings.TrimSpace(line)
				f.run(t, last, out)
				commands++
				if last == "gatewright sandbox" {
					f.dir = home // the second terminal
				}
			}
		case "text":
			for end := time.Now().Add(await.Limit(t)); !matches(b.text, f.shown(out.String())) && time.Now().Before(end); {
				switch {
				case f.isServing(last):
					time.Sleep(20 * time.Millisecond)
				case changed > 0: // the sandbox looks for changes once in a moment
					out = &lockedBuffer{}
					f.run(t, last, out)
				default:
					end = time.Time{}
				}
			}
			if !matches(b.text, f.shown(out.String())) {
				t.Errorf("%s prints\n%s\nwant\n%s", last, out, b.text)
			}
			compared++
		case "diff":
			f.change(t, b)
			changed++
		default:
			t.Errorf("the test does not know what a block of %q is", b.language)
		}
	}
	if commands < 10 || compared < 4 || changed != 1 {
		t.Errorf("%d commands, %d outputs and %d changes were found", commands, compared, changed)
	}
}

// firstProject is the folder of somebody who follows the README.
type firstProject struct {
	dir, port   string
	environment []string
}

func (f *firstProject) run(t *testing.T, line string, out *lockedBuffer) {
	t.Helper()
	args := strings.Fields(line)
	switch args[0] {
	case "mkdir":
		if err := os.Mkdir(filepath.Join(f.dir, args[1]), 0o755); err != nil {
			t.Fatal(err)
		}
	case "cd":
		f.dir = filepath.Join(f.dir, args[1])
	case "gatewright":
		if f.isServing(line) {
			settings := f.start(t, []string{"update", "project", "--sandbox-port", f.port}, &lockedBuffer{})
			if err := settings.Wait(); err != nil {
				t.Fatal(err)
			}
			sandbox := f.start(t, args[1:], out)
			t.Cleanup(func() { _, _ = sandbox.Process.Kill(), sandbox.Wait() })
			return
		}
		// A command may fail; then the README shows its error.
		_ = f.start(t, args[1:], out).Wait()
		if text := out.String(); text != "" && !strings.HasSuffix(text, "\n") {
			_, _ = out.Write([]byte("\n")) // as the prompt of a shell
		}
	default:
		t.Fatalf("the test does not know the command %s", line)
	}
}

func (f *firstProject) isServing(line string) bool { return line == "gatewright sandbox" }

func (f *firstProject) start(t *testing.T, args []string, out *lockedBuffer) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("gatewright", args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = f.dir, f.environment, out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// endpointID is what differs in the addresses of two projects.
var endpointID = regexp.MustCompile(`(http://127\.0\.0\.1:\d+/)[a-z0-9]{10}/`)

// otherVersion is the line about a machine with another version of Node.js than the cloud.
var otherVersion = regexp.MustCompile(`(?m)^warning: .* but run on Node\.js .*\n`)

// shown is an output as the README shows it.
func (f *firstProject) shown(text string) string {
	text = otherVersion.ReplaceAllString(text, "")
	return endpointID.ReplaceAllString(strings.ReplaceAll(text, ":"+f.port, ":4280"), "${1}ytpl6qb54u/")
}

// change does what a block with a difference shows, in the file that the sentence above names.
func (f *firstProject) change(t *testing.T, b block) {
	t.Helper()
	name := filepath.Join(f.dir, filepath.FromSlash(b.file))
	source, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text := string(source)
	lines := strings.Split(b.text, "\n")
	for i := 0; i+1 < len(lines); i += 2 {
		before, isBefore := strings.CutPrefix(lines[i], "-")
		after, isAfter := strings.CutPrefix(lines[i+1], "+")
		if !isBefore || !isAfter || strings.Count(text, before) != 1 {
			t.Fatalf("%s: the line %q of the README is not there once", b.file, lines[i])
		}
		text = strings.Replace(text, before, after, 1)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// block is a fenced block of a page.
type block struct {
	language, text string
	// file is the last name of a file in the sentence above.
	file string
}

// blocks returns the fenced blocks of a text.
func blocks(text string) []block {
	fence := regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")
	file := regexp.MustCompile("`([\\w./-]+/[\\w./-]+)`")
	var found []block
	end := 0
	for _, at := range fence.FindAllStringSubmatchIndex(text, -1) {
		b := block{language: text[at[2]:at[3]], text: text[at[4]:at[5]]}
		if names := file.FindAllStringSubmatch(text[end:at[0]], -1); len(names) > 0 {
			b.file = names[len(names)-1][1]
		}
		found, end = append(found, b), at[1]
	}
	return found
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// lockedBuffer is a buffer that a process writes while a test reads.
type lockedBuffer struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (b *lockedBuffer) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all.Write(text)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all.String()
}

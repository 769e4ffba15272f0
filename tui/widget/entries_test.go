package widget_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/sandbox/logs"
	"gatewright/sandbox/logs/entry"
	"gatewright/tui/frame/frametest"
	"gatewright/tui/keys"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// TestMain sets the time zone, because the entries show local time.
func TestMain(m *testing.M) {
	time.Local = time.FixedZone("CET", 3600)
	frametest.Main(m)
}

// recorded reads lines that functions really wrote.
func recorded(t testing.TB, name string) []logs.Line {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "..", "sandbox", "logs", "testdata", name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var lines []logs.Line
	scan := bufio.NewScanner(file)
	scan.Buffer(nil, 1<<20)
	for scan.Scan() {
		var l logs.Line
		if err := json.Unmarshal(scan.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l)
	}
	return lines
}

// shelf is a log of the recorded lines, with an editor and a clipboard.
type shelf struct {
	widget.Entries
	opened, copied string
}

func newShelf(t testing.TB, name, function string) *shelf {
	s := &shelf{}
	s.Source = entry.Source{Root: "/home/emma/day", Folder: "backend/function/" + function + "/src"}
	s.Edit = func(name string, line int) tea.Cmd { s.opened = fmt.Sprintf("%s:%d", name, line); return nil }
	s.Copy = func(text string) tea.Cmd { s.copied = text; return nil }
	s.Add(entry.Read(recorded(t, name)))
	return s
}

// keys presses keys as the frame does, and runs the searches that they start.
func (s *shelf) keys(list ...string) {
	for _, key := range list {
		var cmd tea.Cmd
		msg := pressOf(key)
		if b, found := keys.Find(s.Bindings(), msg, s.Typing()); found && b.Disabled == "" && b.Do != nil {
			cmd = b.Do()
		} else if s.Typing() {
			cmd = s.Update(msg)
		}
		if cmd != nil {
			s.Update(cmd())
		}
	}
}

func pressOf(key string) tea.KeyPressMsg {
	codes := map[string]tea.KeyPressMsg{
		"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown},
		"pgdown": {Code: tea.KeyPgDown}, "pgup": {Code: tea.KeyPgUp}, "home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd},
		"ctrl+e": {Code: 'e', Mod: tea.ModCtrl}, "ctrl+u": {Code: 'u', Mod: tea.ModCtrl}, "ctrl+d": {Code: 'd', Mod: tea.ModCtrl},
		"backspace": {Code: tea.KeyBackspace},
	}
	if msg, ok := codes[key]; ok {
		return msg
	}
	return tea.KeyPressMsg{Code: []rune(key)[0], Text: key}
}

func (s *shelf) view(w, h int) string {
	return ansi.Strip(strings.Join(s.Draw(theme.New(theme.Dark), w, h), "\n"))
}

// cursor is the line that the cursor is on.
func (s *shelf) cursor(w, h int) string {
	for line := range strings.Lines(s.view(w, h)) {
		if strings.HasPrefix(line, "▌") {
			return strings.TrimSpace(strings.TrimPrefix(line, "▌"))
		}
	}
	return ""
}

func TestALogIsDrawnAtEverySize(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string][]string{
		"first":  {"home"},
		"error":  {"home", "]", "]", "]"},
		"search": {"home", "/", "a", "m", "o", "u", "n", "t"},
		"whole":  {"home", "j", "z", "]", "z"},
		"json":   {"/", "s", "t", "o", "c", "k", "enter"},
		"end":    {},
	} {
		for _, size := range [][2]int{{56, 11}, {76, 20}, {96, 26}, {116, 32}} {
			s := newShelf(t, "node24", "trouble")
			s.keys(keys...)
			got := s.view(size[0], size[1]) + "\n" + s.Note() + "\n" + s.Position() + "\n"
			frametest.Golden(t, fmt.Sprintf("entries_%s_%dx%d", name, size[0], size[1]), got)
		}
	}
}

func TestTheNextErrorIsAnErrorOrAnInvocationThatDied(t *testing.T) {
	t.Parallel()
	s := newShelf(t, "node24", "trouble")
	s.keys("home")
	var found []string
	for range 40 {
		before := s.cursor(100, 30)
		s.keys("]")
		if now := s.cursor(100, 30); now != before {
			found = append(found, strings.TrimSpace(now[len("20:28:14.000 "):]))
			continue
		}
		break
	}
	all := strings.Join(found, "\n")
	for _, want := range []string{
		"ERROR Error: the shelf is empty", "ERROR string: just a string", "failed: timed out after 2.00 seconds",
		"failed: the process ended, exit status 3", "ERROR Uncaught Exception: Error: thrown later", "ERROR pino error",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not found among\n%s", want, all)
		}
	}
	for _, no := range []string{"NodeDeprecationWarning", "DEP0123", "502: function"} {
		if strings.Contains(all, no) {
			t.Errorf("%q is found as an error", no)
		}
	}
	if s.Note() != "no error after this line" {
		t.Errorf("at the last one the note is %q", s.Note())
	}
	back := 0
	for before := ""; s.cursor(100, 30) != before; back++ {
		before = s.cursor(100, 30)
		s.keys("[")
	}
	if back != len(found) {
		t.Errorf("there are %d steps back, and %d forward", back, len(found))
	}
}

func TestAFileOpensAtTheLineOfTheFrame(t *testing.T) {
	t.Parallel()
	s := newShelf(t, "node24", "trouble")
	s.keys("home", "/", "a", "m", "o", "u", "n", "t", "enter", "ctrl+e")
	if want := "backend/function/trouble/src/lib/prices.js:3"; s.opened != want {
		t.Errorf("on the message, the first place of the stack is opened: %q, want %q", s.opened, want)
	}
	s.keys("down", "down", "down", "down", "ctrl+e")
	if want := "backend/function/trouble/src/index.js:16"; s.opened != want {
		t.Errorf("on a frame, its place is opened: %q, want %q", s.opened, want)
	}
	s.opened = ""
	s.keys("home", "ctrl+e")
	if s.opened != "" {
		t.Errorf("on a line without a place, %q is opened", s.opened)
	}
}

func TestAnEntryIsCopiedAsItWasWritten(t *testing.T) {
	t.Parallel()
	s := newShelf(t, "python", "snake")
	s.keys("home", "/", "t", "r", "a", "c", "e", "b", "a", "c", "k", "enter")
	for range 10 {
		s.keys("y")
		if strings.HasPrefix(s.copied, "Traceback") {
			break
		}
		s.keys("n")
	}
	if !strings.HasPrefix(s.copied, "Traceback (most recent call last):\n  File \"/home/emma/day/backend") || !strings.HasSuffix(s.copied, "KeyError: 'price'") {
		t.Errorf("of a stack that was printed line by line, this is copied:\n%s", s.copied)
	}
	s.keys("esc", "home", "y")
	if want := "ef97ddc6-"; !strings.HasPrefix(s.copied, want) || !strings.Contains(s.copied, "failed: ValueError") {
		t.Errorf("of an invocation this is copied: %s", s.copied)
	}
}

func TestASearchFindsWhatIsFoldedToo(t *testing.T) {
	t.Parallel()
	s := newShelf(t, "node24", "trouble")
	s.keys("home", "/", "B", "i", "l", "l", "e", "d", "enter")
	if view := s.view(110, 20); !strings.Contains(view, "Billed Duration") || !strings.HasPrefix(s.Note(), "match 1 of 16") {
		t.Errorf("the note is %q, the view\n%s", s.Note(), view)
	}
	s.keys("esc")
	if s.Note() != "" {
		t.Errorf("after the search the note is %q", s.Note())
	}
	s.keys("/", "q", "q", "q", "q")
	if s.Note() != "nothing has qqqq" {
		t.Errorf("of a text that is nowhere the note is %q", s.Note())
	}
}

func TestNewEntriesAreSearchedToo(t *testing.T) {
	t.Parallel()
	s := newShelf(t, "node24", "trouble")
	s.keys("/", "q", "q", "q", "q", "enter")
	s.Add(entry.Read([]logs.Line{{Text: "QQQQ one"}, {Text: "two"}}))
	s.keys("n")
	if got := s.Note(); got != "match 1 of 1" || !strings.Contains(s.cursor(80, 20), "QQQQ one") {
		t.Errorf("the note is %q, the cursor on %q", got, s.cursor(80, 20))
	}
}

func TestASearchRunsWhileEntriesAreAdded(t *testing.T) {
	t.Parallel()
	s := &shelf{}
	all := longLog(20_000)
	s.Add(entry.Read(all[:10_000]))
	s.keys("/", "x", "backspace")
	cmd := s.Update(pressOf("7"))
	found := make(chan tea.Msg)
	go func() { found <- cmd() }()
	for at := 10_000; at < 20_000; at += 100 {
		s.Add(entry.Read(all[at : at+100]))
	}
	s.Update(<-found)
	want := 0
	for _, l := range all {
		if strings.Contains(l.Text, "7") || strings.Contains(l.Request, "7") {
			want++
		}
	}
	if note := s.Note(); !strings.HasSuffix(note, fmt.Sprintf(" of %d", want)) {
		t.Errorf("%d entries have the text, and the note is %q", want, note)
	}
}

func TestUnfoldedAnInvocationHasItsLinesAsTheyWere(t *testing.T) {
	t.Parallel()
	s := newShelf(t, "node24", "trouble")
	s.keys("home", "z")
	view := s.view(150, 30)
	for _, want := range []string{"START RequestId", "END RequestId", "REPORT RequestId", "502: function trouble"} {
		if strings.Count(view, want) != 1 {
			t.Errorf("unfolded, %q is there %d times in\n%s", want, strings.Count(view, want), view)
		}
	}
	s.keys("z")
	if view := s.view(150, 30); strings.Contains(view, "RequestId") {
		t.Errorf("folded again the view is\n%s", view)
	}
	s.keys("*", "home")
	if view := s.view(150, 60); strings.Count(view, "START RequestId") < 3 {
		t.Errorf("all unfolded the view is\n%s", view)
	}
}

func TestTheDayIsNamedWhereItChanges(t *testing.T) {
	t.Parallel()
	s := &shelf{}
	at := time.Date(2026, 11, 25, 22, 59, 59, 0, time.UTC)
	s.Add(entry.Read([]logs.Line{{Time: at, Text: "before"}, {Time: at.Add(time.Minute), Text: "after"}}))
	view := s.view(60, 8)
	if !strings.Contains(view, "2026-11-25 CET") || !strings.Contains(view, "23:59:59       before") || !strings.Contains(view, "2026-11-26 CET") || !strings.Contains(view, "00:00:59       after") {
		t.Errorf("the view is\n%s", view)
	}
}

func TestInterleavedInvocationsNameTheirRequests(t *testing.T) {
	t.Parallel()
	s := &shelf{}
	var lines []logs.Line
	for _, request := range []string{"aaaaaaaa-1", "bbbbbbbb-2"} {
		lines = append(lines, logs.Line{Request: request, Function: "f", Level: logs.Platform, Text: "START RequestId: " + request})
	}
	for _, request := range []string{"aaaaaaaa-1", "aaaaaaaa-1", "bbbbbbbb-2"} {
		lines = append(lines, logs.Line{Request: request, Function: "f", Level: logs.Info, Text: "hello"})
	}
	s.Add(entry.Read(lines))
	view := s.view(80, 8)
	if strings.Count(view, "aaaaaaaa hello") != 1 || strings.Count(view, "bbbbbbbb hello") != 1 || strings.Count(view, "has not ended") != 2 {
		t.Errorf("the view is\n%s", view)
	}
}

// longLog has a million lines of calls, with an error in every hundredth.
func longLog(n int) []logs.Line {
	lines := make([]logs.Line, 0, n)
	at := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	for i := 0; len(lines) < n; i++ {
		request := fmt.Sprintf("%08x-aaaa-bbbb-cccc-%012x", i, i)
		add := func(level logs.Level, text string) {
			lines = append(lines, logs.Line{Time: at.Add(time.Duration(len(lines)) * time.Millisecond), Environment: "dev", Function: "f", Request: request, Level: level, Text: text})
		}
		add(logs.Platform, "START RequestId: "+request+" Version: $LATEST")
		add(logs.Info, fmt.Sprintf("GET /items?limit=10 for customer %d gave 10 items", i))
		add(logs.Info, fmt.Sprintf(`{"level":"info","msg":"listed","customer":%d,"items":10}`, i))
		if i%100 == 0 {
			add(logs.Error, `Invoke Error 	{"errorType":"Error","errorMessage":"no","stack":["Error: no","    at handler (/p/src/index.js:1:1)"]}`)
		}
		add(logs.Platform, "END RequestId: "+request)
		add(logs.Platform, "REPORT RequestId: "+request+"\tDuration: 3.52 ms\tBilled Duration: 4 ms\tMemory Size: 128 MB\tMax Memory Used: 45 MB")
	}
	return lines[:n]
}

func TestOfALongLogTheLastEntriesAreKeptAndTheRestIsCounted(t *testing.T) {
	t.Parallel()
	s := &shelf{}
	const n = entry.Most + 10_000
	all := longLog(n)
	for at := 0; at < n; at += 4096 {
		s.Add(entry.Read(all[at:min(n, at+4096)]))
	}
	if position := s.Position(); !strings.Contains(position, fmt.Sprintf("of %d, the first ", n)) || !strings.HasSuffix(position, " dropped") {
		t.Errorf("the position is %q", position)
	}
	s.keys("home")
	if view := s.view(100, 20); !strings.Contains(view, "earlier lines were dropped") {
		t.Errorf("at the beginning the view is\n%s", view)
	}
	s.keys("]", "]", "z", "end", "[", "up", "pgup", "*", "f")
	if !s.Following() {
		t.Error("it does not follow")
	}
}

// BenchmarkKeys presses keys in a log to which a million lines were added, and draws it: a
// key should take less than 16 ms.
func BenchmarkKeys(b *testing.B) {
	s := &shelf{}
	const n = 1_000_000
	all := longLog(n)
	for at := 0; at < n; at += 4096 {
		s.Add(entry.Read(all[at:min(n, at+4096)]))
	}
	th := theme.New(theme.Dark)
	for _, key := range []string{"up", "down", "pgup", "pgdown", "home", "end", "]", "[", "z", "*", "f"} {
		b.Run(key, func(b *testing.B) {
			for b.Loop() {
				s.keys(key)
				s.Draw(th, 116, 32)
			}
		})
	}
	b.Run("4096 more lines", func(b *testing.B) {
		more := entry.Read(all[:4096])
		for b.Loop() {
			s.Add(more)
			s.Draw(th, 116, 32)
		}
	})
	b.Run("a letter of a search", func(b *testing.B) {
		s.keys("/")
		for b.Loop() {
			s.Update(pressOf("x"))
			s.Update(pressOf("backspace"))
			s.Draw(th, 116, 32)
		}
	})
}

func TestTheEndOfALogIsItsLastLine(t *testing.T) {
	t.Parallel()
	s := newShelf(t, "python", "snake")
	s.view(100, 20)
	n := s.Len()
	if got, want := s.Position(), fmt.Sprintf("line %d of %d", n, n); got != want {
		t.Errorf("at the end the position is %q, want %q", got, want)
	}
	s.keys("home")
	if got, want := s.Position(), fmt.Sprintf("line 1 of %d", n); got != want {
		t.Errorf("at the beginning the position is %q, want %q", got, want)
	}
}

func TestTheSourceOfAStackOfPythonIsItsNewestCall(t *testing.T) {
	t.Parallel()
	s := newShelf(t, "python", "snake")
	s.view(100, 20)
	s.keys("home", "/", "s", "u", "b", "s", "c", "r", "i", "p", "t", "a", "b", "l", "e", "enter", "ctrl+e")
	if want := "backend/function/snake/src/prices.py:2"; s.opened != want {
		t.Errorf("opened %q, want %q", s.opened, want)
	}
}

package learn_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/course"
	"gatewright/flow/session"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/frame/frametest"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/learn"
	"gatewright/tui/route"
)

func TestMain(m *testing.M) { frametest.Main(m) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// courseIn starts a course whose folder is removed after the test.
func courseIn(t testing.TB) *course.Course {
	t.Helper()
	c, err := course.Begin("", t.TempDir(), filepath.Join(t.TempDir(), "no-program"))
	must(t, err)
	t.Cleanup(func() { must(t, c.Close()) })
	return c
}

// screen is the course on a screen.
type screen struct {
	*frametest.Terminal
	session *session.Session
}

// study opens the lesson with an ID; "" opens the list of lessons.
func study(t testing.TB, c *course.Course, theme, id string, w, h int) *screen {
	t.Helper()
	s, err := session.Open(c.Dir, func(name string) string {
		if name == "GATEWRIGHT_STATE" {
			return c.State
		}
		return ""
	})
	must(t, err)
	t.Cleanup(func() { _ = s.Project.Close() })
	context := new(frame.Context)
	pages := learn.NewPages(context, c, s)
	return &screen{frametest.Open(t, frame.New(frame.Options{
		Start: route.Course{Lesson: id}, Context: context, Theme: theme, Env: []string{"TERM=xterm-256color"},
		Make: func(to frame.Route) (frame.Page, error) {
			if page := pages.Page(to); page != nil {
				return page, nil
			}
			return elsewhere{to}, nil
		},
	}), w, h), s}
}

// elsewhere is a page of another package.
type elsewhere struct{ route frame.Route }

func (elsewhere) Init() tea.Cmd            { return nil }
func (elsewhere) Update(tea.Msg) tea.Cmd   { return nil }
func (e elsewhere) View() string           { return fmt.Sprintf("this is %#v", e.route) }
func (elsewhere) SetSize(layout.Layout)    {}
func (elsewhere) Bindings() []keys.Binding { return nil }
func (elsewhere) Dirty() bool              { return false }
func (elsewhere) Typing() bool             { return false }

// checkFolder has the page check the folder, which it does by itself each second.
func (s *screen) checkFolder() *screen {
	s.Run(frame.Announce(session.WrittenMsg{}))
	return s
}

// keyCounter counts the keys of a person who knows only what the screen shows.
type keyCounter struct {
	*screen
	n int
}

// press presses keys that the footer or the help shows.
func (c *keyCounter) press(names ...string) {
	c.Helper()
	for _, name := range names {
		if !c.named(name) {
			c.Fatalf("nothing on the screen names the key %s:\n%s", name, c.Screen())
		}
		c.Keys(name)
		c.n++
	}
}

func (c *keyCounter) named(key string) bool {
	lines := strings.Split(c.Screen(), "\n")
	shown := func(text string) bool {
		for _, word := range strings.Fields(strings.NewReplacer(",", " ", "/", " ").Replace(text)) {
			if word == keys.Name(key) || word == key {
				return true
			}
		}
		return false
	}
	if shown(lines[len(lines)-1]) {
		return true
	}
	c.Keys("f1")
	defer c.Keys("esc")
	for range 4 {
		if shown(c.Screen()) {
			return true
		}
		c.Keys("pgdown")
	}
	return false
}

// types types a text into the focused field.
func (c *keyCounter) types(text string) {
	c.Keys(text)
	c.n += len(text)
}

func TestLessonOneIsDoneWithKeysThatTheScreenShows(t *testing.T) {
	t.Parallel()
	taken := courseIn(t)
	c := &keyCounter{screen: study(t, taken, "none", "", 80, 24)}
	c.Shows("0 of 6 lessons done", "▌ [ ] 1 A first API")
	c.press("enter")
	c.Shows("Lesson 1 of 6", "Progress: 1 thing missing")
	c.press("enter", "enter")
	c.Shows("Which API?", "Lesson 1: Make an API that serves books.")
	c.types("shop")
	c.press("enter")
	c.types("/books")
	c.press("enter", "enter")
	c.Shows("Who may do what under /books?")
	c.press("[", "enter", "enter", "enter", "ctrl+s", "enter")
	c.Shows("this is route.Dashboard{")
	if first := c.session.First; first == nil || first.Request() != "GET /books" || first.Environment != "dev" {
		t.Errorf("the first request is %v", first)
	}
	c.press("esc")
	c.checkFolder().Shows("Progress: done", "[x] Done", "backend/api/shop/cli-inputs.json")
	if c.n > 40 {
		t.Errorf("it took %d keys, more than 40", c.n)
	}
	if !taken.Done("first-api") {
		t.Error("the saved progress does not have the lesson")
	}
	c.Keys("G").Shows("gatewright init --name bookshop && gatewright add api shop", "enter goes on with lesson 2")
	c.Keys("enter").Shows("Lesson 2 of 6", "Progress: 1 thing missing")
	c.Keys("esc").Shows("1 of 6 lessons done", "[x] 1 A first API", "▌ [ ] 2")
}

func TestAnUnfinishedLessonSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	taken := courseIn(t)
	term := study(t, taken, "none", "access", 80, 24)
	term.Shows("Lesson 3 of 6")
	term.Keys("tab").Shows("/books/{isbn} is open: anyone may do anything. Restrict it.", "Guests may, under /books/{isbn}: everything")
	term.Keys("enter").Shows("Which path of the API shop?", "/books/{isbn}")
	term.Keys("enter", "enter").Shows("▐open▌").Keys("]", "]", "down", "down", "right", "space", "a", "Editors", "enter")
	term.Keys("space", "right", "space", "right", "space").Shows("members of Editors").Keys("enter").Shows("Review")
	term.Keys("ctrl+s", "esc")
	term.checkFolder().Shows("1 thing missing", "Members of Editors may not read /books/{isbn}. The path names their", "group, so the entry of the group is the only one")
	if taken.Done("access") {
		t.Error("it counts as done")
	}
	term.Keys("I", "I", "I", "I").Shows("Hint 4 of 4", "Editors need read in the entry of their")
	term.Keys("I").Shows("not available: there are no more hints")
	term.Keys("R").Shows("Start the lesson over?")
	term.Keys("tab", "enter").Shows("done: the folder is as it was when the lesson began", "/books/{isbn} is open")
}

func TestThePagesMatchTheirGoldens(t *testing.T) {
	shortTemporaryFolder(t)
	for _, size := range [][2]int{{60, 15}, {80, 24}, {120, 40}, {200, 60}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			at := func(term *screen, name string) {
				term.Helper()
				frametest.Golden(term, fmt.Sprintf("%s_%dx%d", name, size[0], size[1]), withoutFolder(term.Screen()))
			}
			term := study(t, courseIn(t), "none", "", size[0], size[1])
			at(term, "list")
			term.Keys("2")
			at(term, "lesson")
			// In a narrow window the number of lines of the folder's path varies.
			if size[0] > 60 {
				term.Keys("tab", "I")
				at(term, "missing")
				return
			}
			for _, theme := range []string{"dark", "light"} {
				styled := study(t, courseIn(t), theme, "first-api", size[0], size[1])
				frametest.Golden(t, "first_api_60x15_"+theme, strings.ReplaceAll(styled.Model.View().Content, "\x1b", "␛")+"\n")
			}
		})
	}
}

// courseFolder is the path of the course's folder, which differs in every run.
var courseFolder = regexp.MustCompile(`(/|[A-Z]:\\)\S*gatewright-learn-\d+\S*`)

// shortTemporaryFolder makes the path of the folder for temporary files short: those of Windows
// and macOS do not fit in a pane.
func shortTemporaryFolder(t *testing.T) {
	t.Helper()
	if len(os.TempDir()) <= len("/dev/shm/temporary") {
		return
	}
	root, variable := "/tmp", "TMPDIR"
	if runtime.GOOS == "windows" {
		root, variable = filepath.VolumeName(os.TempDir())+`\`, "TMP"
	}
	short, err := os.MkdirTemp(root, "t")
	if err != nil {
		t.Skip("not tested: the paths of temporary files are too long for the goldens: ", err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(short) })
	t.Setenv(variable, short)
}

// withoutFolder is a screen with dots in place of the path of the course's folder. A path
// that does not fit in its pane has more lines; the panes of the goldens are wide enough for
// that of a usual TMPDIR.
func withoutFolder(screen string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(screen, "\n") {
		if at := courseFolder.FindStringIndex(line); at != nil {
			end := at[1] + len(line[at[1]:]) - len(strings.TrimLeft(line[at[1]:], " "))
			line = line[:at[0]] + "..." + strings.Repeat(" ", end-at[0]-len("...")) + line[end:]
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

func TestAFunctionThatCannotRunHasARecordedAnswer(t *testing.T) {
	t.Setenv("PATH", "")
	term := study(t, courseIn(t), "none", "testing", 80, 24)
	term.Keys("tab").Shows("Without Node.js", "Node.js is not on this machine").Hides("No request for /books")
	term.Keys("r").Shows("Recorded, not run here", "recorded for the", `"statusCode": 200`)
}

func TestTheEditedEventIsChecked(t *testing.T) {
	t.Parallel()
	taken := courseIn(t)
	term := study(t, taken, "none", "testing", 80, 24)
	term.Keys("tab").Shows("has the httpMethod POST, not GET")
	l, err := course.FindLesson("testing")
	must(t, err)
	must(t, taken.SaveEvent(l, `{"httpMethod": "GET", "path": "/books", "queryStringParameters": {"limit": 5}}`))
	term.checkFolder().Shows("has the limit 5, which is a number")
	term.Keys("e").Shows("The event of the function books", `"limit": 5`)
	term.Keys("x").Shows("not yet: line 1 is not valid JSON").Keys("backspace", "ctrl+s").Shows("done: the event is saved")
}

func TestFilesOfALessonCanBeViewed(t *testing.T) {
	t.Parallel()
	taken := courseIn(t)
	term := study(t, taken, "none", "paths", 80, 24)
	term.Keys("F").Shows("not available: the lesson has made no files yet")
	must(t, os.WriteFile(filepath.Join(taken.Dir, "backend", "notes.txt"), []byte("mine\x1b[2J\n"), 0o644))
	term.checkFolder().Keys("F").Shows("View a file", "backend/notes.txt")
	term.Keys("enter").Shows("mine␛[2J")
	if strings.Contains(term.Model.View().Content, "\x1b[2J") {
		t.Error("a control sequence of the file reaches the terminal")
	}
}

func TestTheOutputOfATypedCommandIsShown(t *testing.T) {
	t.Parallel()
	term := study(t, courseIn(t), "none", "paths", 80, 24)
	term.Keys(":", "enter").Shows("error: type a command").Keys("logs -f", "enter").Shows("gatewright logs does not end by itself")
	term.Keys("esc").Shows("Lesson 2 of 6")
}

func TestOtherPagesAreOneKeyAway(t *testing.T) {
	t.Parallel()
	term := study(t, courseIn(t), "none", "outputs", 80, 24)
	term.Keys("enter").Shows("this is route.Dashboard").Keys("esc").Shows("Lesson 5 of 6")
	term.Keys("ctrl+p", "dashboard", "enter").Shows("this is route.Dashboard").Keys("esc")
	term.Keys("y").Shows("not available: it is shown when the task is done")
	term.Keys(">").Shows("Lesson 6 of 6").Keys(">").Shows("not available: this is the last lesson")
	term.Keys("enter").Shows(`this is route.Console{API:"shop", Path:"/books"`)
	term.Keys("esc", "esc").Shows("of 6 lessons done", "▌ [ ] 6 Testing and push")
	term.Keys("/", "outp").Shows("1 of 6", "▌ [ ] 5 Outputs").Keys("enter", "enter").Shows("Lesson 5 of 6")
}

// TestRandomKeysBreakNothing leaves out the keys that start or send something.
func TestRandomKeysBreakNothing(t *testing.T) {
	t.Parallel()
	const seed, events = 21, 3000
	random := rand.New(rand.NewPCG(seed, seed))
	taken := courseIn(t)
	term := study(t, taken, "none", "access", 80, 24)
	names := []string{
		"enter", "esc", "tab", "shift+tab", "up", "down", "left", "right", "home", "end", "pgdown", "pgup", "space", "backspace", "delete", "f1",
		"ctrl+z", "ctrl+y", "ctrl+s", "ctrl+u", "ctrl+d", "ctrl+p",
	}
	for i := range events {
		switch random.IntN(12) {
		case 0:
			term.W, term.H = random.IntN(210), random.IntN(70)
			term.Model, _ = term.Model.Update(tea.WindowSizeMsg{Width: term.W, Height: term.H})
		case 1, 2, 3:
			term.Keys(string("aeRgIjkqty/ {}?1234<>FGu"[random.IntN(24)]))
		case 4:
			term.Send(tea.PasteMsg{Content: "pasted\x1b[2J\n名前"})
		default:
			term.Keys(names[random.IntN(len(names))])
		}
		term.Quit = false
		if i%5 == 0 {
			checkWindow(t, term, i)
		}
	}
	entries, err := os.ReadDir(filepath.Dir(taken.Dir))
	must(t, err)
	others := make(map[string]bool)
	for _, entry := range entries {
		others[entry.Name()] = true
	}
	delete(others, "bookshop")
	delete(others, "state")
	if len(others) > 0 {
		t.Errorf("the page left %v beside the folder of the course", slices.Sorted(maps.Keys(others)))
	}
}

// checkWindow fails if the text is larger than the window.
func checkWindow(t *testing.T, term *screen, event int) {
	t.Helper()
	lines := strings.Split(term.Model.View().Content, "\n")
	if len(lines) > max(1, term.H) {
		t.Fatalf("event %d: %d lines in a window of %dx%d", event, len(lines), term.W, term.H)
	}
	for _, line := range lines {
		if layout.Width(line) > term.W {
			t.Fatalf("event %d: a line of %d cells in a window of %dx%d: %q", event, layout.Width(line), term.W, term.H, line)
		}
	}
}

// TestALessonIsStartedOverAfterAYesAndItsHintsComeOneByOne also shows the beginning of a long file.
func TestALessonIsStartedOverAfterAYesAndItsHintsComeOneByOne(t *testing.T) {
	t.Parallel()
	taken := courseIn(t)
	l, err := course.FindLesson("paths")
	must(t, err)
	term := study(t, taken, "none", "paths", 100, 60)
	for i := range l.Hints {
		term.Hides(fmt.Sprintf("Hint %d of", i+1)).Keys("I").Shows(fmt.Sprintf("Hint %d of %d", i+1, len(l.Hints)))
	}
	term.Keys("I").Shows("not available: there are no more hints")
	notes := filepath.Join(taken.Dir, "backend", "notes.txt")
	must(t, os.WriteFile(notes, []byte(strings.Repeat("x", 64<<10)+"the end"), 0o644))
	term.checkFolder().Keys("F", "enter", "end").Shows("...").Hides("the end")
	term.Keys("esc", "R").Shows("Start the lesson over?", "What you made in it is removed.").Keys("enter")
	if _, err := os.Stat(notes); err != nil {
		t.Errorf("without a yes, the file is gone: %v", err)
	}
	term.Keys("R", "tab", "enter").Shows("the folder is as it was when the lesson began").Hides("Hint 1 of")
	if _, err := os.Stat(notes); !os.IsNotExist(err) {
		t.Errorf("after a yes, the file is still there: %v", err)
	}
}

// TestAThingOfThePaletteLeadsToItsLesson has things of other kinds too.
func TestAThingOfThePaletteLeadsToItsLesson(t *testing.T) {
	t.Parallel()
	s, err := session.Open(t.TempDir(), func(name string) string { return map[string]string{"GATEWRIGHT_STATE": t.TempDir()}[name] })
	must(t, err)
	pages := learn.NewPages(&frame.Context{}, courseIn(t), s)
	things := pages.Lessons()
	if len(things) != len(course.Lessons()) {
		t.Fatalf("there are %d lessons", len(things))
	}
	for i, l := range course.Lessons() {
		if got := things[i]; got.Kind != "lesson" || got.Name != l.Title || got.About != fmt.Sprintf("number %d of the course", l.Number) {
			t.Errorf("lesson %d is %+v", i, got)
		}
		if cmd, ok := pages.GoTo(things[i]); !ok || cmd == nil {
			t.Errorf("nothing goes to %s", l.Title)
		}
	}
	if _, ok := pages.GoTo(dialog.Thing{Kind: "path", To: "/books"}); ok {
		t.Error("a path is taken for a lesson")
	}
	if learn.NewPages(&frame.Context{}, nil, s).Lessons() != nil {
		t.Error("without a course there are lessons")
	}
	must(t, s.Project.Close())
}

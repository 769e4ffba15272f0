package app

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/course"
	"gatewright/flow/session"
	"gatewright/tui/dialog"
	"gatewright/tui/learn"
	"gatewright/tui/wizard"
)

// courseIn begins a course whose folder is removed with the test.
func courseIn(t testing.TB, into string) *course.Course {
	t.Helper()
	c, err := course.Begin(into, t.TempDir(), filepath.Join(t.TempDir(), "no-program"))
	must(t, err)
	t.Cleanup(func() { must(t, c.Close()) })
	return c
}

// study opens the course, with the lesson of an ID or, for "", with the list.
func study(t testing.TB, c *course.Course, theme, id string, w, h int) *terminal {
	t.Helper()
	s, err := session.Open(c.Dir, func(name string) string {
		if name == "GATEWRIGHT_STATE" {
			return c.State
		}
		return ""
	})
	must(t, err)
	t.Cleanup(func() { _ = s.Project.Close() })
	return begin(t, Options{Dir: c.Dir, Theme: theme, Start: learn.Route{Lesson: id}, Course: c, Environ: []string{"TERM=xterm-256color"}}, s, w, h)
}

// looks has the lesson look at its folder, which it does by itself each second.
func (term *terminal) looks() *terminal {
	term.send(wizard.Written{})
	return term
}

// counted are the keys that somebody presses who knows nothing but the screen.
type counted struct {
	*terminal
	n int
}

// press presses keys that the screen names: in its last line, or in the help.
func (c *counted) press(names ...string) {
	c.t.Helper()
	for _, name := range names {
		if !c.named(name) {
			c.t.Fatalf("nothing on the screen names the key %s:\n%s", name, c.screen())
		}
		c.keys(name)
		c.n++
	}
}

func (c *counted) named(key string) bool {
	lines := strings.Split(c.screen(), "\n")
	shown := func(text string) bool {
		for _, word := range strings.Fields(strings.NewReplacer(",", " ", "/", " ").Replace(text)) {
			if word == dialog.KeyName(key) || word == key {
				return true
			}
		}
		return false
	}
	if shown(lines[len(lines)-1]) {
		return true
	}
	c.keys("f1")
	defer c.keys("esc")
	for range 4 {
		if shown(c.screen()) {
			return true
		}
		c.keys("pgdown")
	}
	return false
}

// types types a text into the field that has the focus.
func (c *counted) types(text string) {
	c.keys(text)
	c.n += len(text)
}

func TestLessonOneIsDoneWithKeysThatTheScreenShows(t *testing.T) {
	taken := courseIn(t, "")
	c := &counted{terminal: study(t, taken, "none", "", 80, 24)}
	c.shows("0 of 6 lessons done", "> [ ] 1 A first API")
	c.press("enter")
	c.shows("Lesson 1 of 6", "How far: 1 thing missing")
	c.press("enter", "enter", "enter", "enter")
	c.shows("A friendly name for the API?")
	c.types("shop")
	c.press("enter")
	c.types("/books")
	c.press("enter", "enter", "enter", "enter", "enter", "down", "down", "enter", "enter")
	c.shows("Restrict access to /books?")
	c.press("down", "enter", "enter", "w", "enter")
	c.looks().shows("How far: done", "[x] Done", "backend/api/shop/cli-inputs.json")
	if c.n > 40 {
		t.Errorf("it took %d keys, more than 40", c.n)
	}
	if !taken.Done("first-api") {
		t.Error("the progress does not have it")
	}
	c.keys("G").shows("gatewright init --name bookshop && gatewright add api shop", "enter goes on with lesson 2")
	c.keys("enter").shows("Lesson 2 of 6", "How far: 1 thing missing")
	c.keys("esc").shows("1 of 6 lessons done", "[x] 1 A first API", "> [ ] 2")
}

func TestALessonThatIsDoneWronglySaysWhatIsMissing(t *testing.T) {
	taken := courseIn(t, "")
	term := study(t, taken, "none", "access", 80, 24)
	term.shows("Lesson 3 of 6")
	term.keys("tab").shows("/books/{isbn} is open: everybody may do everything. Restrict it.", "Guests may, under /books/{isbn}: everything")
	term.keys("enter").shows("Which path?", "/books/{isbn}")
	term.keys("enter", "enter", "enter", "up", "enter", "down", "down", "down", "down", "enter", "tab", "Editors", "enter")
	term.keys("down", "space", "enter", "down", "space", "enter", "down", "down", "space", "down", "space", "enter").shows("Review")
	term.keys("w", "enter").looks().shows("1 thing missing", "Members of Editors may not read /books/{isbn}. The path names their group,", "so the entry of the group is the only one")
	if taken.Done("access") {
		t.Error("it counts as done")
	}
	term.keys("h", "h", "h", "h").shows("Hint 4 of 4", "Editors need read in their own entry.")
	term.keys("h").shows("not available: there is no other hint")
	term.keys("b").shows("Begin the lesson anew?")
	term.keys("tab", "enter").looks().shows("/books/{isbn} is open")
}

func TestTheScreensOfTheCourseLookAsTheirGoldens(t *testing.T) {
	for _, size := range [][2]int{{60, 15}, {80, 24}, {120, 40}, {200, 60}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			at := func(term *terminal, name string) {
				term.t.Helper()
				term.compare(fmt.Sprintf("course_%s_%dx%d", name, size[0], size[1]), withoutFolder(term.screen()))
			}
			term := study(t, courseIn(t, ""), "none", "", size[0], size[1])
			at(term, "list")
			term.keys("2")
			at(term, "lesson")
			// Where both panes are in view the folder is behind the help.
			if size[0] < 100 {
				term.keys("?")
				at(term, "help")
				term.keys("esc")
			}
			// The folder's path takes one line or more; where there is little room the
			// rest depends on that.
			if size[0] > 60 {
				term.keys("tab", "h")
				at(term, "missing")
			}
			for _, theme := range []string{"dark", "light"} {
				if size[0] == 60 {
					styled := study(t, courseIn(t, ""), theme, "first-api", size[0], size[1])
					styled.styled("course_styles_" + theme)
				}
			}
		})
	}
}

// withoutFolder is a screen without the path of the course's folder, which is
// another one each time.
func withoutFolder(screen string) string {
	var b strings.Builder
	folder := false
	for line := range strings.SplitSeq(screen, "\n") {
		left, right, two := strings.Cut(line, "│")
		part := &left
		if two {
			part = &right
		}
		switch text := strings.TrimSpace(*part); {
		case folder && text == "" || strings.HasPrefix(text, "enter "):
			folder = false
		case folder:
			*part = ""
		case text == "The folder":
			folder = true
		}
		if two {
			left += "│" + right
		}
		b.WriteString(strings.TrimRight(left, " ") + "\n")
	}
	return b.String()
}

func TestAFunctionThatCannotRunIsAnsweredFromARecord(t *testing.T) {
	t.Setenv("PATH", "")
	term := study(t, courseIn(t, ""), "none", "testing", 80, 24)
	term.keys("tab").shows("Without Node.js", "Node.js is not on this machine")
	if strings.Contains(term.screen(), "No request for /books") {
		t.Error("a request is asked for that nothing can answer")
	}
	term.keys("r").shows("Recorded, not run here", "recorded for the", `"statusCode": 200`)
}

func TestTheEventIsEditedAndTheCheckSeesIt(t *testing.T) {
	taken := courseIn(t, "")
	term := study(t, taken, "none", "testing", 80, 24)
	term.keys("tab").shows("has the httpMethod POST, not GET")
	must(t, taken.SaveEvent(mustFind(t, "testing"), `{"httpMethod": "GET", "path": "/books", "queryStringParameters": {"limit": 5}}`))
	term.looks().shows("has the limit 5, which is a number")
	term.keys("e").shows("The event of the function books", `"limit": 5`)
	term.keys("esc")
}

func mustFind(t testing.TB, id string) course.Lesson {
	t.Helper()
	l, err := course.FindLesson(id)
	must(t, err)
	return l
}

func TestFilesOfALessonCanBeLookedInto(t *testing.T) {
	taken := courseIn(t, "")
	term := study(t, taken, "none", "paths", 80, 24)
	term.keys("f").shows("not available: the lesson has made no files yet")
	put(t, taken.Dir, "backend/notes.txt", "mine\x1b[2J\n")
	term.looks().keys("f").shows("Look into a file", "backend/notes.txt")
	term.keys("enter").shows("mine␛[2J")
	if strings.Contains(term.model.View().Content, "\x1b[2J") {
		t.Error("a terminal would obey the file")
	}
}

func TestTheCourseIsOpenedFromTheWelcome(t *testing.T) {
	term := open(t, folder(t), "none", 80, 24, nil)
	term.shows("Learn the flow  six lessons in a folder of their own")
	term.keys("down", "down")
	term.shows("> Learn the flow")
	other := open(t, filepath.Join(t.TempDir()), "none", 80, 24, learn.Route{})
	other.shows("there is no page for learn.Route")
}

// TestRandomKeysInTheCourseBreakNothing leaves out the keys that start or send
// something.
func TestRandomKeysInTheCourseBreakNothing(t *testing.T) {
	const seed, events = 21, 3000
	random := rand.New(rand.NewPCG(seed, seed))
	taken := courseIn(t, "")
	term := study(t, taken, "none", "access", 80, 24)
	names := slices.Sorted(maps.Keys(named))
	names = slices.DeleteFunc(names, func(name string) bool { return name == "ctrl+c" })
	for i := range events {
		switch random.IntN(12) {
		case 0:
			term.w, term.h = random.IntN(210), random.IntN(70)
			term.model, _ = term.model.Update(tea.WindowSizeMsg{Width: term.w, Height: term.h})
		case 1, 2, 3:
			r := rune("abeghjkqrty/ {}?1234xfG"[random.IntN(23)])
			term.send(tea.KeyPressMsg{Code: r, Text: string(r)})
		case 4:
			term.send(tea.PasteMsg{Content: "pasted\x1b[2J\n名前"})
		default:
			term.send(named[names[random.IntN(len(names))]])
		}
		term.quit = false
		if i%5 == 0 {
			checkWindow(t, term, i)
		}
	}
	entries, err := os.ReadDir(filepath.Dir(taken.Dir))
	must(t, err)
	for _, entry := range entries {
		if entry.Name() != "bookshop" && entry.Name() != "state" {
			t.Errorf("%s lies beside the folder of the course", entry.Name())
		}
	}
}

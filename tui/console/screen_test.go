package console

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/request"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/sandbox/call"
	"gatewright/sandbox/logs"
	"gatewright/test/depth"
	"gatewright/tui/frame"
	"gatewright/tui/frame/frametest"
	"gatewright/tui/layout"
	"gatewright/tui/route"
)

// golden compares the window and its escape sequences with a golden, which has ␛
// for an escape character.
func (term *terminal) golden(name string) {
	term.Helper()
	rows := strings.Split(strings.ReplaceAll(term.Model.View().Content, "\x1b", "␛"), "\n")
	for i, row := range rows {
		rows[i] = strings.TrimRight(row, " ")
	}
	frametest.Golden(term, name, strings.Join(rows, "\n")+"\n")
}

// example is an answer with all parts of the report.
func example(f request.Form) request.Exchange {
	return request.Exchange{
		Form: f, At: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Function: "echo",
		Answer: call.Answer{
			Status: 403, Latency: 3400 * time.Microsecond, Headers: http.Header{"Content-Type": {"application/json"}, "X-Amzn-Errortype": {"AccessDeniedException"}},
			Body:    []byte(`{"Message":"no","list":[1,"two",{"three":null}],"hostile":"\u001b[2J"}`),
			Refusal: []string{"DELETE /dev/open 403: path /open is private: guests may not delete; sign in"},
			Written: []logs.Line{
				{Time: time.Date(2026, 3, 1, 12, 0, 0, 1e6, time.Local), Level: logs.Info, Text: "served\tDELETE"},
				{Time: time.Date(2026, 3, 1, 12, 0, 0, 2e6, time.Local), Level: logs.Error, Text: "Error: no shelf 7"},
				{Time: time.Date(2026, 3, 1, 12, 0, 0, 3e6, time.Local), Level: logs.Platform, Text: "REPORT RequestId: 1"},
			},
		},
	}
}

// answer gives an answer to the page.
func (term *terminal) answer(x request.Exchange) {
	term.tell(frame.ThenMsg(func() tea.Cmd { return term.page.takeAnswer(x, request.Describe(x), nil) }))
}

func TestTheConsoleMatchesItsGoldens(t *testing.T) {
	t.Parallel()
	dir := written(t, shop(t))
	for _, size := range []struct{ w, h int }{{60, 15}, {80, 24}, {120, 40}, {200, 60}} {
		for _, theme := range []string{"dark", "light", "none"} {
			term := open(t, dir, theme, size.w, size.h, Options{}, route.Console{Path: "/books/{isbn}", Method: "DELETE"})
			name := fmt.Sprintf("%dx%d-%s", size.w, size.h, theme)
			term.to("{isbn}").keys("enter", "978", "enter", "enter", "enter").golden("request-" + name)
			term.answer(example(term.page.at.Form))
			term.golden("answer-" + name)
		}
	}
}

// TestRandomKeysAndSizesBreakNothing presses ten thousand keys.
func TestRandomKeysAndSizesBreakNothing(t *testing.T) {
	dir := written(t, shop(t))
	term := open(t, dir, "dark", 80, 24, Options{}, route.Console{})
	term.answer(example(term.page.at.Form))
	random := rand.New(rand.NewPCG(8, 5))
	// q is left out, because it leaves the page.
	names := strings.Fields("enter esc tab shift+tab up down left right home end pgdown pgup space backspace delete ctrl+s ctrl+r ctrl+u ctrl+d c . [ ] m H d v y Y E z i u n N g G j k a / { 1 é ? -")
	// Texts that go to an editor stay there, because no editor is run.
	t.Setenv("TMPDIR", t.TempDir())
	events := depth.Rounds(1111, 3333, 10000)
	for i := range events {
		switch random.IntN(40) {
		case 0:
			w, h := 40+random.IntN(180), 10+random.IntN(60)
			term.Model.Update(tea.WindowSizeMsg{Width: w, Height: h})
		case 1:
			term.Model.Update(tea.PasteMsg{Content: "a\n\x1b[2J{\"b\": 1}"})
		case 2:
			term.Model.Update(tea.MouseClickMsg{X: random.IntN(200), Y: random.IntN(60), Button: tea.MouseLeft})
		case 3:
			term.Model.Update(tea.MouseWheelMsg{X: random.IntN(200), Y: random.IntN(60), Button: tea.MouseWheelDown})
		default:
			_, cmd := term.Model.Update(pressed(names[random.IntN(len(names))]))
			if cmd != nil && random.IntN(4) == 0 {
				quickly(term, cmd)
			}
		}
		checkFrame(t, term, i)
	}
}

// pressed is the press of a key by its name or character.
func pressed(name string) tea.KeyPressMsg {
	if key, ok := frametest.Key(name); ok {
		return key
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// quickly runs a command; if it ends within 20 ms, the page gets its message.
func quickly(term *terminal, cmd tea.Cmd) {
	result := make(chan tea.Msg, 1)
	go func() { result <- cmd() }()
	select {
	case msg := <-result:
		if msg != nil {
			term.Model.Update(msg)
		}
	case <-time.After(20 * time.Millisecond):
	}
}

func checkFrame(t *testing.T, term *terminal, i int) {
	t.Helper()
	content := term.Model.View().Content
	lines := strings.Split(content, "\n")
	l := term.page.layout.Size
	if l.Empty() {
		return
	}
	for _, line := range lines {
		if strings.Contains(line, "\x1b[2J") {
			t.Fatalf("event %d: a control sequence reaches the terminal: %q", i, line)
		}
		if layout.Width(line) > 220 {
			t.Fatalf("event %d: a line of %d cells", i, layout.Width(line))
		}
	}
}

// large is a project with one API of n paths.
func large(t testing.TB, n int) string {
	b := shop(t)
	paths := make([]*access.Path, 0, n)
	for i := range n {
		paths = append(paths, &access.Path{Name: fmt.Sprintf("/things%d/{id}", i), Function: "echo", Access: access.Access{Setting: access.Open}})
	}
	must(t, edit.AddAPI(b, &access.API{Label: "large", Paths: paths}))
	return written(t, b)
}

// BenchmarkKey measures a key and the View after it, with an answer of a megabyte and an
// API of 10,000 paths.
func BenchmarkKey(b *testing.B) {
	term := open(b, large(b, 10_000), "dark", 120, 40, Options{}, route.Console{API: "large"})
	x := example(term.page.at.Form)
	list := make([]map[string]string, 20_000)
	for i := range list {
		list[i] = map[string]string{"title": fmt.Sprint("a title of a book ", i)}
	}
	x.Answer.Body, _ = json.Marshal(list)
	term.answer(x)
	for _, run := range []struct{ name, first, second string }{
		{"request", "down", "up"}, {"answer", "pgdown", "pgup"}, {"mode", "]", "["}, {"resize", "", ""}, {"choose", "enter", "esc"},
	} {
		b.Run(run.name, func(b *testing.B) {
			if run.name == "choose" {
				term.to("Path")
			}
			for i := range b.N {
				name := run.first
				if i%2 == 1 {
					name = run.second
				}
				if run.name == "resize" {
					term.Model.Update(tea.WindowSizeMsg{Width: 120 + i%2, Height: 40})
				} else {
					_, cmd := term.Model.Update(pressed(name))
					if cmd != nil {
						term.Model.Update(cmd())
					}
				}
				if term.Model.View().Content == "" {
					b.Fatal("nothing is drawn")
				}
			}
		})
	}
}

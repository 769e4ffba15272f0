package console

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
	"gatewright/request"
	"gatewright/sandbox/call"
	"gatewright/tui/layout"
)

var update = flag.Bool("update", false, "write the goldens")

// golden compares the window with a file that was looked at, escape sequences and
// all: an escape character is written as ␛.
func (term *terminal) golden(name string) {
	term.t.Helper()
	rows := strings.Split(strings.ReplaceAll(term.model.View().Content, "\x1b", "␛"), "\n")
	for i, row := range rows {
		rows[i] = strings.TrimRight(row, " ")
	}
	got := strings.Join(rows, "\n") + "\n"
	file := filepath.Join("testdata", name+".golden")
	if *update {
		must(term.t, os.MkdirAll("testdata", 0o755))
		must(term.t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	must(term.t, err)
	if got != string(want) {
		term.t.Errorf("%s: the window is\n%s\nwant\n%s", name, got, want)
	}
}

// example is an answer with everything in it.
func example(f request.Form) request.Exchange {
	return request.Exchange{
		Form: f, At: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Function: "echo",
		Answer: call.Answer{
			Status: 403, Latency: 3400 * time.Microsecond, Headers: http.Header{"Content-Type": {"application/json"}, "X-Amzn-Errortype": {"AccessDeniedException"}},
			Body:    []byte(`{"Message":"no","list":[1,"two",{"three":null}],"hostile":"\u001b[2J"}`),
			Refusal: []string{"DELETE /dev/open 403: path /open is private: guests may not delete; sign in"},
			Log:     []string{"12:00:00.001  INFO  served\tDELETE", "12:00:00.002  PLATFORM  REPORT RequestId: 1"},
		},
	}
}

// answer puts an answer into the page, as if it had come.
func (term *terminal) answer(x request.Exchange) {
	term.send(answeredMsg{of: term.page, s: term.page.sending, exchange: x, lines: request.Tell(x)})
}

func TestTheConsoleIsDrawnAsBefore(t *testing.T) {
	dir := written(t, shop(t))
	for _, size := range []struct{ w, h int }{{60, 15}, {80, 24}, {120, 40}, {200, 60}} {
		for _, theme := range []string{"dark", "light", "none"} {
			term := open(t, dir, theme, size.w, size.h, Options{}, Route{Path: "/books/{isbn}", Method: "DELETE"})
			name := fmt.Sprintf("%dx%d-%s", size.w, size.h, theme)
			term.to("{isbn}").keys("enter", "978", "enter", "enter", "enter").golden("request-" + name)
			term.answer(example(term.page.form))
			term.golden("answer-" + name)
		}
	}
}

// TestKeysAndSizesOfAnyKindBreakNothing presses what comes, ten thousand times.
func TestKeysAndSizesOfAnyKindBreakNothing(t *testing.T) {
	dir := written(t, shop(t))
	term := open(t, dir, "dark", 80, 24, Options{}, Route{})
	term.answer(example(term.page.form))
	random := rand.New(rand.NewPCG(8, 5))
	var names []string
	for name := range named {
		names = append(names, name)
	}
	// esc and q may leave; a command that reads files is not what this is about.
	names = append(names, strings.Split("s r m l d y Y n N g G j k a / { 1 é ? -", " ")...)
	const events = 10_000
	for i := range events {
		switch random.IntN(40) {
		case 0:
			w, h := 40+random.IntN(180), 10+random.IntN(60)
			term.model.Update(tea.WindowSizeMsg{Width: w, Height: h})
		case 1:
			term.model.Update(tea.PasteMsg{Content: "a\n\x1b[2J{\"b\": 1}"})
		case 2:
			term.model.Update(tea.MouseClickMsg{X: random.IntN(200), Y: random.IntN(60), Button: tea.MouseLeft})
		case 3:
			term.model.Update(tea.MouseWheelMsg{X: random.IntN(200), Y: random.IntN(60), Button: tea.MouseWheelDown})
		default:
			name := names[random.IntN(len(names))]
			msg, ok := named[name]
			if !ok {
				msg = tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
			}
			_, cmd := term.model.Update(msg)
			if cmd != nil && random.IntN(4) == 0 {
				quickly(term, cmd)
			}
		}
		checkFrame(t, term, i)
	}
}

// quickly carries out what a command does at once.
func quickly(term *terminal, cmd tea.Cmd) {
	result := make(chan tea.Msg, 1)
	go func() { result <- cmd() }()
	select {
	case msg := <-result:
		if msg != nil && !isTimer(msg) {
			term.model.Update(msg)
		}
	case <-time.After(20 * time.Millisecond):
	}
}

func checkFrame(t *testing.T, term *terminal, i int) {
	t.Helper()
	content := term.model.View().Content
	lines := strings.Split(content, "\n")
	l := term.page.layout.Size
	if l.Empty() {
		return
	}
	for _, line := range lines {
		if strings.Contains(line, "\x1b[2J") {
			t.Fatalf("event %d: a terminal is made to obey: %q", i, line)
		}
		if layout.Width(line) > 220 {
			t.Fatalf("event %d: a line of %d cells", i, layout.Width(line))
		}
	}
}

// large is a project of one API with many paths.
func large(t testing.TB, n int) string {
	b := shop(t)
	paths := make([]*model.Path, 0, n)
	for i := range n {
		paths = append(paths, &model.Path{Name: fmt.Sprintf("/things%d/{id}", i), Function: "echo", Access: model.Access{Setting: model.Open}})
	}
	must(t, b.AddAPI(&model.API{Label: "large", Paths: paths}))
	return written(t, b)
}

// BenchmarkKey is a key and the window after it, in a console that shows an answer
// of a megabyte, for an API with 10,000 paths.
func BenchmarkKey(b *testing.B) {
	term := open(b, large(b, 10_000), "dark", 120, 40, Options{}, Route{API: "large"})
	x := example(term.page.form)
	list := make([]map[string]string, 20_000)
	for i := range list {
		list[i] = map[string]string{"title": fmt.Sprint("a title of a book ", i)}
	}
	x.Answer.Body, _ = json.Marshal(list)
	term.answer(x)
	for _, run := range []struct{ name, first, second string }{
		{"request", "down", "up"}, {"answer", "pgdown", "pgup"}, {"mode", "m", "m"}, {"resize", "", ""}, {"choose", "enter", "esc"},
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
					term.model.Update(tea.WindowSizeMsg{Width: 120 + i%2, Height: 40})
				} else {
					msg, ok := named[name]
					if !ok {
						msg = tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
					}
					_, cmd := term.model.Update(msg)
					if cmd != nil {
						term.model.Update(cmd())
					}
				}
				if term.model.View().Content == "" {
					b.Fatal("nothing is drawn")
				}
			}
		})
	}
}

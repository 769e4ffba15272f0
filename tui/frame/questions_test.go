package frame

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"gatewright/test/await"
)

// asked is what the work gets for a question that is answered by keys, and the window before them.
func asked(t *testing.T, question func(q *Questions) string, keys string) (got, window string) {
	t.Helper()
	s, q, answers := start(t, "none", 80, 24), NewQuestions(), make(chan string, 1)
	p := s.doing()
	go func() { answers <- question(q) }()
	await.Until(t, "a question", func() bool {
		q.box.mu.Lock()
		defer q.box.mu.Unlock()
		return len(q.box.items) == 1
	})
	q.End()
	s.run(s.begin(p, q.Listen()))
	s.press(keys)
	window = s.view()
	s.press("enter")
	return await.Next(t, "the answer", answers), window
}

func TestLongWorkGetsTheAnswersToItsQuestions(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	sure := func(q *Questions) string { return fmt.Sprint(q.Sure(ctx, "Push?", "It costs.", "Push")) }
	text := func(hidden bool) func(*Questions) string {
		return func(q *Questions) string { return fmt.Sprint(q.Text(ctx, "Password", "Of emma.", hidden)) }
	}
	code := func(q *Questions) string { return fmt.Sprint(q.Code(ctx, "arn:mfa\x1b[2J")) }
	for _, test := range []struct {
		name       string
		question   func(*Questions) string
		keys, want string
	}{
		{"a yes", sure, "tab", "<nil>"},
		{"no yes", sure, "tab tab", ErrNo.Error()},
		{"enter alone", sure, "", ErrNo.Error()},
		{"esc", sure, "esc", ErrNo.Error()},
		{"a text", text(false), "a b", "ab<nil>"},
		{"no text", text(false), "a esc", ErrNo.Error()},
		{"a hidden text", text(true), "a b", "ab<nil>"},
		{"no hidden text", text(true), "a esc", ErrNo.Error()},
		{"a code after a refused one", code, "1 2 3 4 5 enter 6", "123456<nil>"},
		{"a code with a letter", code, "1 2 3 4 5 x enter backspace 7", "123457<nil>"},
		{"no code", code, "1 esc", ErrNo.Error()},
	} {
		got, window := asked(t, test.question, test.keys)
		if got != test.want {
			t.Errorf("%s gives %q, want %q, in\n%s", test.name, got, test.want, window)
		}
		if typed := strings.Contains(window, "› ab"); typed != (test.name == "a text") || strings.Contains(window, "\x1b") {
			t.Errorf("of %s is shown\n%s", test.name, window)
		}
	}
}

func TestAQuestionEndsWithItsWork(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	q := NewQuestions()
	_, err := q.Text(ctx, "t", "x", false)
	if sure := q.Sure(ctx, "t", "x", "yes"); !errors.Is(sure, context.Canceled) || !errors.Is(err, context.Canceled) {
		t.Errorf("they end with %v, %v", sure, err)
	}
}

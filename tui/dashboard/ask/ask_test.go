package ask

import (
	"fmt"
	"strings"
	"testing"

	"gatewright/tui/dashboard/board"
	"gatewright/tui/dashboard/board/boardtest"
)

func TestAQuestionIsAnsweredWithItsRuleAndWhatWouldChangeIt(t *testing.T) {
	t.Parallel()
	b := board.New("", nil, "")
	b.Snap = boardtest.Snapshot(boardtest.Library(t, "Admins", "Editors"), "dev")
	questions := New(b)
	ask := func(values ...string) string {
		q, at, err := questions.question(values)
		if err != nil {
			return fmt.Sprintf("%d: %v", at, err)
		}
		found, err := findAnswer(b.Snap, q, "")
		if err != nil {
			return err.Error()
		}
		return text(found.Words())
	}
	for _, test := range []struct{ who, method, raw, want string }{
		{"guest", "GET", "/news", "yes: /news is open to everybody"},
		{"group:Editors", "DELETE", "/books/1", "no: members of Editors may not delete under /books/{isbn}"},
		{"group:Editors", "DELETE", "/books/1", "gatewright update path shop '/books/{isbn}' --group Editors=read,update,delete"},
		{"group:Editors,Admins", "PUT", "/books/1", "members of Admins, the first in order of the caller's groups"},
		{"guest", "GET", "/nowhere", "no: no path serves /nowhere"},
		{"group:Editor", "GET", "/news", "0: group Editor: not found; did you mean Editors?"},
		{"emma", "GET", "/news", "0: to ask about a user, run: gatewright can USER METHOD PATH"},
		{"guest", "GET", "news", "2: "},
	} {
		if text := ask(test.who, test.method, test.raw); !strings.Contains(text, test.want) {
			t.Errorf("%s %s %s is answered\n%s\nwithout %q", test.who, test.method, test.raw, text, test.want)
		}
	}
}

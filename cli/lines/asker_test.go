package lines

import (
	"bufio"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/flow"
	"gatewright/internal/text/prose"
)

// typed is an asker to whom lines are typed, with what it prints.
func typed(lines ...string) (*asker, *strings.Builder) {
	var out strings.Builder
	a := newAsker(strings.NewReader(strings.Join(lines, "\n")), &out, errEnded)
	return &a, &out
}

func TestLinesArePrintedAsATerminalMayShowThem(t *testing.T) {
	t.Parallel()
	a, out := typed("\t one \x1b[1m two\r", "back", "<", "quit", "", "Quit")
	a.say("a%s\nb", "\x1b[2J\tx")
	if err := a.note("n%d", 1); err != nil {
		t.Error(err)
	}
	a.points("None:", "-", nil)
	a.points("Two\u202e:", "-", []string{"a\nb", "c\x07"})
	a.offer([]prose.Option{{Title: "A", Detail: "d"}, {Title: "B\x1b"}, {Title: "C", Detail: "d", Disabled: "no"}})
	for range 7 {
		text, err := a.line("What\x1b")
		fmt.Fprintf(out, "%q %v\n", text, err)
	}
	if diff := cmp.Diff(`a␛[2J    x
b
n1
Two�:
- a
b
- c␇
  1. A (d)
  2. B␛
  3. C (not available: no)
What␛: "one \x1b[1m two" <nil>
What␛: "" back
What␛: "" back
What␛: "" you left the wizard; your answers are saved as a draft
What␛: "" <nil>
What␛: "Quit" <nil>
What␛: 
"" the input ended before the request was filled in; nothing was sent
`, out.String()); diff != "" {
		t.Errorf("%s\n%s", diff, out)
	}
}

func TestASecretIsReadAsItIs(t *testing.T) {
	t.Parallel()
	a, out := typed(" back ", "<")
	asked := ""
	a.hidden = func(question string) (string, error) { asked = question; return "hidden", errBack }
	for _, hidden := range []bool{false, true, false, false} {
		text, err := a.secret("The\x1b code", hidden)
		fmt.Fprintf(out, "%q %v\n", text, err)
	}
	want := "The␛ code: \" back \" <nil>\n\"hidden\" back\nThe␛ code: \"<\" <nil>\nThe␛ code: \"\" " + errEnded.Error() + "\n"
	if diff := cmp.Diff(want, out.String()); diff != "" || asked != "The␛ code: " {
		t.Errorf("%s\nasked %q", diff, asked)
	}
	a, _ = typed(strings.Repeat("x", 1<<20))
	if _, err := a.secret("s", false); !errors.Is(err, bufio.ErrTooLong) {
		t.Errorf("a secret that is too long: %v", err)
	}
	a, _ = typed(strings.Repeat("x", 1<<20))
	if _, err := a.line("l"); !errors.Is(err, bufio.ErrTooLong) {
		t.Errorf("a line that is too long: %v", err)
	}
	a, _ = typed(strings.Repeat("x", 1<<20-1))
	if text, err := a.line("l"); err != nil || len(text) != 1<<20-1 {
		t.Errorf("the longest line: %d bytes, %v", len(text), err)
	}
}

func TestADecisionIsAWordOrItsFirstLetter(t *testing.T) {
	t.Parallel()
	a, out := typed("ye", "?", "Y", "NO", "t", "yes", "n", "", "<")
	for range 3 {
		word, err := a.decide("Go on?", "It goes on.", "tests")
		fmt.Fprintf(out, "%q %v\n", word, err)
	}
	for range 3 {
		yes, err := a.yes("Sure?", "Say it.")
		fmt.Fprintf(out, "%v %v\n", yes, err)
	}
	if diff := cmp.Diff(`Go on? yes, no or tests: Answer yes, no or tests.
Go on? yes, no or tests: It goes on.
Go on? yes, no or tests: "yes" <nil>
Go on? yes, no or tests: "no" <nil>
Go on? yes, no or tests: "tests" <nil>
Sure? yes or no: true <nil>
Sure? yes or no: false <nil>
Sure? yes or no: Answer yes or no.
Sure? yes or no: false back
`, out.String()); diff != "" {
		t.Errorf("%s\n%s", diff, out)
	}
}

func TestAFieldIsAskedForUntilItsAnswerIsTaken(t *testing.T) {
	t.Parallel()
	options := []prose.Option{{Key: "a", Title: "A"}, {Key: "b", Title: "B"}, {Key: "c", Title: "C", Disabled: "gone"}}
	var got strings.Builder
	for _, test := range []struct {
		field flow.Field
		lines []string
	}{
		{flow.Field{Label: "Name", Value: "old"}, []string{"?", "bad", "new"}},
		{flow.Field{Label: "Name", Placeholder: "such"}, []string{"none"}},
		{flow.Field{Label: "Name"}, []string{""}},
		{flow.Field{Kind: flow.Choice, Value: "b", Options: options}, []string{"0", "4", "3", "1,2", "none", "x", "2"}},
		{flow.Field{Kind: flow.Choice, Value: "b", Options: options}, []string{"quit"}},
		{flow.Field{Label: "Which", Kind: flow.Several, Chosen: []string{"a", "b"}, Options: options}, []string{"1, 5", "2 ,1"}},
		{flow.Field{Label: "Which", Kind: flow.Several, Options: options}, []string{"none"}},
		{flow.Field{Label: "Which", Kind: flow.Several, Options: options}, nil},
	} {
		a, out := typed(test.lines...)
		err := a.ask(test.field, "Explained.", func(value string, chosen []string) error {
			if value == "bad" {
				return errors.New("is bad")
			}
			a.say("set %q %q", value, chosen)
			return nil
		})
		fmt.Fprintf(&got, "%s%v\n", out, err)
	}
	if diff := cmp.Diff(`Name (now old): Explained.
Name (now old): is bad
Name (now old): set "new" []
<nil>
Name (such): set "" []
<nil>
Name: 
the input ended before the request was filled in; nothing was sent
Your choice (now 2): 0 is not one of the numbers 1 to 3
Your choice (now 2): 4 is not one of the numbers 1 to 3
Your choice (now 2): 3 is not available: gone
Your choice (now 2): choose one
Your choice (now 2): none is not one of the numbers 1 to 3
Your choice (now 2): x is not one of the numbers 1 to 3
Your choice (now 2): set "b" ["b"]
<nil>
Your choice (now 2): you left the wizard; your answers are saved as a draft
Which, numbers separated by commas, or none (now 1, 2): 5 is not one of the numbers 1 to 3
Which, numbers separated by commas, or none (now 1, 2): set "b" ["b" "a"]
<nil>
Which, numbers separated by commas, or none: set "" []
<nil>
Which, numbers separated by commas, or none: 
the input ended before the request was filled in; nothing was sent
`, got.String()); diff != "" {
		t.Errorf("%s\n%s", diff, got.String())
	}
}

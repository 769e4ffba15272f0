package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"gatewright/internal/prove"
)

func TestAnErrorIsOneLineWithTheExitCodeOfItsKind(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err  error
		code Exit
		said string
	}{
		{nil, ExitDone, ""},
		{ExitDiffers, ExitDiffers, ""},
		{fmt.Errorf("told already: %w", Exit(4)), 4, ""},
		{errors.New("a\nb\x1b[1m c\u2028d\u202ee"), ExitFailed, "gatewright: a b [1m c d e\n"},
		{errors.New("gatewright call needs a METHOD"), ExitFailed, "gatewright: call needs a METHOD\n"},
		{Misuse("--%s is empty", "as"), ExitUsage, "gatewright: --as is empty\n"},
		{fmt.Errorf("in a group: %w", Misuse("wrong")), ExitUsage, "gatewright: in a group: wrong\n"},
		{errors.Join(errors.New("one"), ExitInterrupted), ExitInterrupted, ""},
	} {
		var errs bytes.Buffer
		if code := ExitOf(tt.err, Streams{Err: &errs}); code != tt.code || errs.String() != tt.said {
			t.Errorf("%v ends with %d and says %q", tt.err, code, errs.String())
		}
	}
}

func TestAWrongFlagIsNamedWithWhatWasMeant(t *testing.T) {
	t.Parallel()
	root := &cobra.Command{Use: "gatewright", SilenceErrors: true, SilenceUsage: true}
	root.SetFlagErrorFunc(FlagError)
	root.SetOut(io.Discard)
	send := &cobra.Command{Use: "send NAME", RunE: func(*cobra.Command, []string) error { return nil }}
	send.Flags().Bool("json", false, "")
	send.Flags().BoolP("yes", "y", false, "")
	send.Flags().String("query", "", "")
	hidden := send.Flags().VarPF(&Since{}, "since", "s", "")
	hidden.Hidden = true
	root.AddCommand(send)
	for line, want := range map[string]string{
		"send --jsn":                "gatewright send has no flag --jsn; did you mean gatewright send --json?",
		"send --nothing-like-it":    "gatewright send has no flag --nothing-like-it; see: gatewright send --help",
		"send -x":                   "gatewright send has no flag -x; see: gatewright send --help",
		"send --query":              "--query needs a value; see: gatewright send --help",
		"send --json=perhaps":       "--json cannot be perhaps: give true or false; see: gatewright send --help",
		"send -y=perhaps":           "--yes cannot be perhaps: give true or false; see: gatewright send --help",
		"send --json=true -y":       "<nil>",
		"--jsn sned":                "there is no flag --jsn; see: gatewright --help",
		"send --since some\x1btime": `--since cannot be "some\x1btime": give how long ago, such as 10m, 1h or 2d, or a time, such as 14:30 or 2026-11-26T14:30:00Z; see: gatewright send --help`,
	} {
		root.SetArgs(strings.Split(line, " "))
		err := root.Execute()
		var usage *usageError
		if err != nil && !errors.As(err, &usage) {
			t.Errorf("%q is no misuse: %v", line, err)
		}
		if fmt.Sprint(err) != want {
			t.Errorf("%q says\n%v\nwant\n%s", line, err, want)
		}
	}
}

func TestTheEnvironmentIsThatOfTheStreams(t *testing.T) {
	t.Parallel()
	s := Streams{Environ: append(make([]string, 0, 9), "A=1", "B=", "A=2", "C", "D=x=y")}
	for name, want := range map[string]string{"A": "2 true", "B": " true", "C": " false", "D": "x=y true", "E": " false", "PATH": " false"} {
		value, found := s.LookupEnv(name)
		if got := fmt.Sprint(value, " ", found); got != want || s.Getenv(name) != value {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	one, other := s.Environment("A=3"), s.Environment("A=4")
	if one[len(one)-1] != "A=3" || other[len(other)-1] != "A=4" || !slices.Equal(one[:5], s.Environ) {
		t.Errorf("the environments are %q and %q", one, other)
	}
}

func TestDifferencesAreWrittenWithTheirSigns(t *testing.T) {
	t.Parallel()
	all := []prove.Difference{{Direction: prove.More}, {Direction: prove.Less}, {}}
	var b, want strings.Builder
	WriteDifferences(&b, all, nil, []string{"what GET /a does"}, 0, Palette{})
	for i, sign := range []string{"▲ ", "▼ ", ""} {
		want.WriteString("  " + sign + all[i].String() + "\n")
	}
	want.WriteString("  not known: what GET /a does\n")
	if diff := cmp.Diff(want.String(), b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestJSONOfStrangersIsEscapedForATerminal(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := PrintJSON(&out, map[string]any{"a": "<b>&\x1b[1m\u202e\U000e0001é\n", "list": Listed[string](nil)}); err != nil {
		t.Fatal(err)
	}
	const want = "{\n  \"a\": \"<b>&\\u001b[1m\\u202e\\udb40\\udc01é\\n\",\n  \"list\": []\n}\n"
	if out.String() != want {
		t.Errorf("it is %q", out.String())
	}
}

package dialog_test

import (
	"strings"
	"testing"

	"gatewright/flow/matrix"
	"gatewright/internal/text/prose"
	"gatewright/tui/dialog"
)

func TestEveryDialogGivesWhatIsAtHand(t *testing.T) {
	t.Parallel()
	same := func(m matrix.Matrix) matrix.Matrix { return m }
	options := []prose.Option{{Key: "a", Title: "first", Detail: "one"}, {Key: "b", Title: "second", Detail: "two"}}
	for _, test := range []struct {
		name   string
		dialog dialog.Dialog
		keys   []string
		want   string
	}{
		{"a text", dialog.Text("t", "one\ntwo\n"), nil, "one\ntwo"},
		{"lines with tones", dialog.Lines("t", prose.InTone(prose.Code, `{"a": 1}`, "{}")), nil, "{\"a\": 1}\n{}"},
		{"a form with a line that is not shown", dialog.Form("t", []dialog.Question{{Name: "password", Value: "v", Masked: true}}, nil, nil), nil, ""},
		{"a question", dialog.Sure("t", "Really?\nThink.", "Do it", nil), nil, "Really?\nThink."},
		{"a plan", dialog.Agree("t", "+ a\n- b", "Write", "", nil), nil, "+ a\n- b"},
		{"a plan with a word to type", dialog.Agree("t", "+ a\n- b", "Push", "prod", nil), []string{"p"}, "+ a\n- b"},
		{"a line", dialog.Input("t", "", nil, nil), []string{"y", "o"}, "yo"},
		{"JSON", dialog.EditJSON(dialog.Editing{Title: "t", Text: "{}"}), nil, "{}"},
		{"a form", dialog.Form("t", []dialog.Question{{Name: "n", Value: "v"}, {Name: "m", Value: "w"}}, nil, nil), []string{"tab"}, "w"},
		{"a choice", dialog.Choose("t", options, "", nil), []string{"down"}, "second  two"},
		{"several", dialog.Several("t", options, nil, nil, nil), nil, "[ ] first  one"},
		{"nothing in a choice", dialog.Choose("t", options, "", nil), []string{"z", "z"}, ""},
		{"a palette", dialog.Palette("t", nil, []dialog.Thing{{Kind: "path", Name: "/books", About: "of shop"}}, nil), nil, "path  /books  of shop"},
	} {
		answer(test.dialog, test.keys...)
		plainView(test.dialog, 80, 24)
		if got := test.dialog.(dialog.Copier).Copied(); got != test.want {
			t.Errorf("%s gives %q, want %q", test.name, got, test.want)
		}
	}
	access := dialog.Access("t", matrix.Matrix{Path: "/books"}, nil, same, dialog.AccessThen{})
	if got := access.(dialog.Copier).Copied(); !strings.Contains(got, "signed-in users") || strings.Contains(got, "\x1b") {
		t.Errorf("a matrix gives %q", got)
	}
}

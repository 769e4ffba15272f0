package request

import (
	"strings"
	"testing"

	"gatewright/sandbox/call"
)

// A few thousand brackets would be gigabytes if all of them were shown indented, each with all
// that is in it.
func TestADeeplyNestedAnswerDoesNotFillTheMemory(t *testing.T) {
	t.Parallel()
	const depth = 9000
	body := []byte(strings.Repeat("[", depth) + "1" + strings.Repeat("]", depth))
	if _, err := Pick(body, "$..*"); err == nil || !strings.Contains(err.Error(), `selects more than 32 MB; give a narrower path`) {
		t.Errorf("%v", err)
	}
	if got, err := Pick(body, "$"); err != nil || got.Text != string(body) {
		t.Errorf("%.40s... of %d bytes (%v)", got.Text, len(got.Text), err)
	}
	for _, line := range Describe(Exchange{Answer: call.Answer{Status: 200, Body: body}}) {
		if len(line.Text) > 8<<10 {
			t.Errorf("a line has %d bytes: %.40s...", len(line.Text), line.Text)
		}
	}
}

// A line for each of many elements deep inside is too much as well.
func TestElementsCountForTheLengthOfIndentedJSON(t *testing.T) {
	t.Parallel()
	nested := func(elements int) []byte {
		return []byte(strings.Repeat("[", 1000) + "1" + strings.Repeat(",1", elements-1) + strings.Repeat("]", 1000))
	}
	if text, ok := indented(nested(15_000)); !ok || len(text) < mostIndented*4/5 {
		t.Errorf("%d bytes, %v", len(text), ok)
	}
	if text, ok := indented(nested(17_000)); ok {
		t.Errorf("%d bytes", len(text))
	}
}

// What a path picks is shown up to a limit, and copied whole and as it is.
func TestWhatAPathPicksIsCopiedWhole(t *testing.T) {
	t.Parallel()
	const values = 5000
	body := []byte(`[` + strings.Repeat(`{"a": "<b> & c", "n": 1.50}, `, values-1) + `{"a": "<b> & c", "n": 1.50}]`)
	got, err := Pick(body, "$[*].a")
	must(t, err)
	if got.Count != values || strings.Count(got.Text, `"<b> & c"`) != values {
		t.Errorf("%d values, %.60s", got.Count, got.Text)
	}
	if last := got.Lines[len(got.Lines)-1].Text; len(got.Lines) > mostLines+10 || last != "the rest is not shown; the path selects 5000 values" {
		t.Errorf("%d lines, the last is %q", len(got.Lines), last)
	}
	got, err = Pick(body, "$..n")
	must(t, err)
	if !strings.HasPrefix(got.Text, "[\n  1.50,\n  1.50,") {
		t.Errorf("%.40q", got.Text)
	}
}

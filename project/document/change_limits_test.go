package document

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestChangeRefusesAPlaceThatIsNoObject(t *testing.T) {
	t.Parallel()
	tests := []struct{ disk, before, after, pointer string }{
		{`{"paths": 5}`, `{"paths":{"/a":1}}`, `{"paths":{"/a":2}}`, "/paths"},
		{`{"paths": {"/a": [1]}}`, `{"paths":{"/a":{"x":1}}}`, `{"paths":{"/a":{"x":2}}}`, "/paths/~1a"},
		{`[]`, ``, `{"a":1}`, ""},
		{`{"old": "x"}`, `{"old":{"x":1}}`, `{"new":{"x":2}}`, "/old"},
	}
	for _, tt := range tests {
		d := mustParse(t, tt.disk)
		got, err := d.Change([]byte(tt.before), []byte(tt.after))
		var place *PlaceError
		if !errors.As(err, &place) || place.Pointer != tt.pointer || got != nil {
			t.Errorf("%s: got %q, %v, want a PlaceError at %q", tt.disk, got, err, tt.pointer)
		}
		if text := err.Error(); !strings.Contains(text, tt.pointer) || !strings.Contains(text, place.Kind.String()) {
			t.Errorf("%s: the message is %q", tt.disk, text)
		}
		if string(d.Bytes()) != tt.disk {
			t.Errorf("%s: the document changed to %s", tt.disk, d.Bytes())
		}
	}
}

func TestNewArraysLookLikeTheOnlyOneFarAway(t *testing.T) {
	t.Parallel()
	far := strings.Repeat("  \"k\": null,\n", 2*exampleRange)
	for i := range 2 * exampleRange {
		far = strings.Replace(far, `"k"`, fmt.Sprintf(`"k%d"`, i), 1)
	}
	disk := "{\n  \"first\": [ 1 ],\n" + far + "  \"last\": {}\n}"
	got := mustChange(t, disk, `{"last":{}}`, `{"last":{"new":[1,2]}}`)
	want := strings.Replace(disk, "{}", "{\n    \"new\": [ 1, 2 ]\n  }", 1)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDeepArraysAreChanged(t *testing.T) {
	t.Parallel()
	nested := func(value string) string {
		return strings.Repeat("[", maxDepth) + value + strings.Repeat("]", maxDepth)
	}
	if got := mustChange(t, nested("1"), nested("1"), nested("2")); got != nested("2") {
		t.Errorf("got %d bytes that are not the wanted ones", len(got))
	}
}

func TestChangeSaysWhichTextIsBroken(t *testing.T) {
	t.Parallel()
	d := mustParse(t, `{}`)
	for _, tt := range []struct{ before, after, want string }{
		{`{`, `{}`, "before the change"},
		{`{}`, `{"a":1,"a":1}`, "after the change"},
	} {
		_, err := d.Change([]byte(tt.before), []byte(tt.after))
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s to %s: got %v", tt.before, tt.after, err)
		}
	}
}

func TestChangeWithoutADifferenceReturnsTheBytesThemselves(t *testing.T) {
	t.Parallel()
	d := mustParse(t, "{ \"a\" : [1,2.0] }\n\n")
	got, err := d.Change([]byte(`{"a":[1,2]}`), []byte(`{"a":[1,2]}`))
	if err != nil || !bytes.Equal(got, d.Bytes()) || &got[0] != &d.Bytes()[0] {
		t.Errorf("got %q, %v", got, err)
	}
}

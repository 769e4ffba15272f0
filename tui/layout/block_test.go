package layout

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTextIsCutPaddedAndSetTogether(t *testing.T) {
	t.Parallel()
	const red, end = "\x1b[31m", "\x1b[m"
	for name, texts := range map[string][2]string{
		"no room to cut":                        {Cut("abc", 0), ""},
		"less than no room":                     {Cut("abc", -1), ""},
		"cut":                                   {Cut("abcd", 3), "ab…"},
		"as it is":                              {Cut("abc", 3), "abc"},
		"one cell":                              {Cut("abc", 1), "…"},
		"wide characters":                       {Cut("名前", 4), "名前"},
		"wide characters, cut":                  {Cut("名前", 3), "名…"},
		"the middle":                            {CutMiddle("/books/{isbn}/pages", 10), "/book…ages"},
		"the middle of what fits":               {CutMiddle("/books/x", 8), "/books/x"},
		"too narrow for a middle":               {CutMiddle("/books/xy", 7), "/books…"},
		"the narrowest middle":                  {CutMiddle("/books/xy", 8), "/boo…/xy"},
		"padded":                                {Pad("ab", 4), "ab  "},
		"not padded":                            {Pad("abcd", 4), "abcd"},
		"padded, with a style":                  {Pad(red+"ab"+end, 4), red + "ab" + end + "  "},
		"clipped":                               {Clip("abc\nd\ne", 2, 2), "ab\nd"},
		"clipped to more lines":                 {Clip("abc", 3, 3), "abc\n\n"},
		"clipped to nothing":                    {Clip("abc", 0, 1), ""},
		"clipped to no line":                    {Clip("abc", 1, 0), ""},
		"clipped less than nothing":             {Clip("abc", -1, -1), ""},
		"clipped, with an open style":           {Clip(red+"ab\ncd", 3, 2), red + "ab" + end + "\ncd"},
		"clipped, with a style that ends":       {Clip(red+"ab"+end, 3, 1), red + "ab" + end},
		"a block":                               {Block("abc\nd", 2, 3), "ab\nd \n  "},
		"a block of nothing":                    {Block("abc", 0, 1), ""},
		"a block of no line":                    {Block("abc", 1, 0), ""},
		"beside":                                {Beside("a \nb ", "c\nd"), "a c\nb d"},
		"beside nothing":                        {Beside("a\nb", ""), "a\nb"},
		"nothing beside":                        {Beside("", "c\nd"), "c\nd"},
		"beside less":                           {Beside("a\nb", "c"), "ac\nb"},
		"beside more":                           {Beside("a", "c\nd"), "ac"},
		"over":                                  {Over("abcd\nefgh", "X", 1, 1), "abcd\ne" + end + "X" + end + "gh"},
		"over the first line":                   {Over("abcd\nefgh", "X", 0, 0), end + "X" + end + "bcd\nefgh"},
		"over, from above":                      {Over("abcd\nefgh", "X\nY", 3, -1), "abc" + end + "Y" + end + "\nefgh"},
		"over, and below":                       {Over("abcd\nefgh", "X\nY", 0, 1), "abcd\n" + end + "X" + end + "fgh"},
		"over, beyond the end of a line":        {Over("a", "X", 3, 0), "a  " + end + "X" + end},
		"after":                                 {After("abcd", 2), "cd"},
		"after all":                             {After("abcd", 9), ""},
		"after half of a wide character":        {After("名前x", 1), " 前x"},
		"composed":                              {Composed("e\u0301"), "é"},
		"composed with another mark":            {Composed("o\u0308 a\u0300"), "ö à"},
		"with a mark of the second half":        {Composed("a\u0345"), "a\u0345"},
		"characters of ASCII for the others":    {ASCII("╭─┤ ▌▲ ✓ … é"), "+-+ >^ x ~ é"},
		"characters of ASCII for the thick box": {ASCII("┏━┓┃┗┛"), "#=##" + "##"},
	} {
		if texts[0] != texts[1] {
			t.Errorf("%s: %q, want %q", name, texts[0], texts[1])
		}
	}
	for line, w := range map[string]int{
		"": 0, "abc": 3, "名": 2, "é": 1, "e\u0301": 1, "─│╿←↓…›‹≠·": 10, "▌": 1, red + "ab" + end: 2, "\x1b[1;38:5:7mab": 2, "\x1b]0;title\x07ab": 2,
		"a\u0301b": 2, "…\u0301": 1, "👩‍💻": 2, "\x1b[": 0, "\x1b[2Jab": 2,
	} {
		if got := Width(line); got != w {
			t.Errorf("%q has %d cells, want %d", line, got, w)
		}
	}
	for _, tt := range []struct {
		text string
		w    int
		want []string
	}{
		{"a b c", 0, nil},
		{"one two", 3, []string{"one", "two"}},
		{"one-two three", 8, []string{"one-two", "three"}},
		{"--dry-run --env", 10, []string{"--dry-run", "--env"}},
	} {
		if diff := cmp.Diff(tt.want, Wrap(tt.text, tt.w)); diff != "" {
			t.Errorf("%q in %d cells (-want +got):\n%s", tt.text, tt.w, diff)
		}
	}
	if diff := cmp.Diff([]string{"backend/", "function/", "books"}, WrapPath("backend/function/books", 10)); diff != "" {
		t.Errorf("a path (-want +got):\n%s", diff)
	}
}

func TestAPlaceIsInARectangleOrBesideIt(t *testing.T) {
	t.Parallel()
	r := Rect{X: 2, Y: 3, W: 4, H: 5}
	for at, want := range map[[2]int]bool{
		{2, 3}: true, {5, 7}: true, {1, 3}: false, {2, 2}: false, {6, 7}: false, {5, 8}: false, {0, 0}: false,
	} {
		if r.Contains(at[0], at[1]) != want {
			t.Errorf("%v is in it: %v", at, !want)
		}
	}
	if !(Rect{W: 0, H: 3}).Empty() || !(Rect{W: 3, H: 0}).Empty() || (Rect{W: 1, H: 1}).Empty() {
		t.Error("a rectangle without cells is not empty, or one with a cell is")
	}
}

package theme_test

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"testing"

	"charm.land/lipgloss/v2"

	"gatewright/internal/text/prose"
	"gatewright/model/access"
	"gatewright/tui/theme"
)

func TestThemesAreReadByTheirNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"dark", "light", "high-contrast", "none"} {
		kind, ok := theme.Parse(name)
		if !ok || kind.String() != name || theme.New(kind).Kind != kind {
			t.Errorf("%q is read as %v, %t", name, kind, ok)
		}
	}
	for _, name := range []string{"", "auto", "Dark", "blue"} {
		if kind, ok := theme.Parse(name); ok {
			t.Errorf("%q is read as %v", name, kind)
		}
	}
}

// styles are all styles of a theme by the names of their fields.
func styles(t *testing.T, kind theme.Kind) map[string]lipgloss.Style {
	t.Helper()
	styles := make(map[string]lipgloss.Style)
	value := reflect.ValueOf(*theme.New(kind))
	for i := range value.NumField() {
		if style, ok := value.Field(i).Interface().(lipgloss.Style); ok {
			styles[value.Type().Field(i).Name] = style
		}
	}
	if len(styles) < 20 {
		t.Fatalf("only %d styles were found", len(styles))
	}
	return styles
}

func TestNoneHasNoColour(t *testing.T) {
	t.Parallel()
	attributesOnly := regexp.MustCompile(`^(\x1b\[([1-9](;[1-9])*)?m|x)*$`)
	for name, style := range styles(t, theme.None) {
		if drawn := style.Render("x"); !attributesOnly.MatchString(drawn) {
			t.Errorf("%s draws %q", name, drawn)
		}
	}
}

func TestImportantStylesAreVisibleWithoutColour(t *testing.T) {
	t.Parallel()
	all := styles(t, theme.None)
	for _, name := range []string{"Title", "Selected", "Cursor", "Error", "Warning", "Key", "ButtonFocused", "Disabled"} {
		if drawn := all[name].Render("x"); drawn == "x" {
			t.Errorf("%s looks like ordinary text", name)
		}
	}
}

func TestNoStyleAddsCells(t *testing.T) {
	t.Parallel()
	for _, kind := range []theme.Kind{theme.Dark, theme.Light, theme.HighContrast, theme.None} {
		for name, style := range styles(t, kind) {
			if w := lipgloss.Width(style.Render("four")); w != 4 {
				t.Errorf("%s of %s makes four cells %d", name, kind, w)
			}
		}
	}
}

// TestTextCanBeRead requires the contrast of WCAG 2.1 (https://www.w3.org/TR/WCAG21/,
// 1.4.3, and 1.4.6 for high contrast) on common backgrounds of terminals.
func TestTextCanBeRead(t *testing.T) {
	t.Parallel()
	tests := []struct {
		kind       theme.Kind
		background string
		least      float64
	}{
		{theme.Dark, "#1e1e1e", 4.5},
		{theme.Light, "#fafafa", 4.5},
		{theme.HighContrast, "#000000", 7},
	}
	for _, test := range tests {
		all := styles(t, test.kind)
		for name, tone := range map[string]prose.Tone{"a warning": prose.Warning, "an error": prose.Bad, "a note": prose.Note} {
			all[name+" in the header"] = theme.New(test.kind).InHeader(tone)
		}
		for name, style := range all {
			if name == "Border" || name == "Cursor" {
				continue // a line is not text, and the cursor takes the colours of its cell
			}
			back := style.GetBackground()
			if _, none := back.(lipgloss.NoColor); none {
				back = lipgloss.Color(test.background)
			}
			if got := contrast(luminance(style.GetForeground().RGBA()), luminance(back.RGBA())); got < test.least {
				t.Errorf("%s of %s has a contrast of %.1f, less than %.1f", name, test.kind, got, test.least)
			}
		}
	}
}

func contrast(a, b float64) float64 { return (max(a, b) + 0.05) / (min(a, b) + 0.05) }

func luminance(r, g, b, _ uint32) float64 {
	linear := func(c uint32) float64 {
		v := float64(c) / math.MaxUint16
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

func TestSixteenColoursTellTheMeaningsApart(t *testing.T) {
	t.Parallel()
	for _, kind := range []theme.Kind{theme.Dark, theme.Light, theme.HighContrast} {
		in16 := theme.NewFor(kind, theme.Colours16)
		seen := make(map[string]string)
		for name, style := range map[string]lipgloss.Style{
			"create": in16.Create, "read": in16.Read, "update": in16.Update, "delete": in16.Delete, "more open": in16.Wider, "bad": in16.Error, "good": in16.Good,
		} {
			drawn := style.Bold(false).Render("x")
			if other, again := seen[drawn]; again {
				t.Errorf("in %s, %s looks like %s", kind, name, other)
			}
			seen[drawn] = name
		}
	}
}

// TestEachMeaningHasItsStyle has all tones and actions, in each theme and each number of colours.
func TestEachMeaningHasItsStyle(t *testing.T) {
	t.Parallel()
	drawn := func(s lipgloss.Style) string { return s.Render("x") }
	for _, kind := range []theme.Kind{theme.Dark, theme.Light, theme.HighContrast, theme.None} {
		for _, depth := range []theme.Depth{theme.TrueColour, theme.Colours256, theme.Colours16} {
			th := theme.NewFor(kind, depth)
			for tone, want := range map[prose.Tone]lipgloss.Style{
				prose.Plain: th.Base, prose.Muted: th.Muted, prose.Strong: th.Accent, prose.Title: th.Title, prose.Good: th.Good, prose.Warning: th.Warning,
				prose.Bad: th.Error, prose.Note: th.Note, prose.Added: th.Added, prose.Removed: th.Removed, prose.Changed: th.Changed,
				prose.Updated: th.Updated, prose.Code: th.Base, prose.Wider: th.Wider,
			} {
				if drawn(th.Of(tone)) != drawn(want) {
					t.Errorf("in %s at depth %d, tone %d is %q, want %q", kind, depth, tone, drawn(th.Of(tone)), drawn(want))
				}
				header := th.Header.Bold(want.GetBold())
				if kind != theme.None && tone != prose.Plain {
					header = header.Foreground(want.GetForeground())
				}
				if drawn(th.InHeader(tone)) != drawn(header) {
					t.Errorf("in %s at depth %d, in the header, tone %d is %q, want %q", kind, depth, tone, drawn(th.InHeader(tone)), drawn(header))
				}
			}
			for action, want := range map[access.Action]lipgloss.Style{
				access.Create: th.Create, access.Read: th.Read, access.Update: th.Update, access.Delete: th.Delete, 0: th.Base,
			} {
				if drawn(th.Action(action)) != drawn(want) {
					t.Errorf("in %s at depth %d, action %d is %q, want %q", kind, depth, action, drawn(th.Action(action)), drawn(want))
				}
			}
			if kind == theme.None {
				continue
			}
			// What is added is good, and what is removed is bad; a thing that is updated has the colour of the action.
			for name, pair := range map[string][2]lipgloss.Style{
				"added": {th.Added, th.Good}, "removed": {th.Removed, th.Error.Bold(false)}, "updated": {th.Updated, th.Update}, "changed": {th.Changed, th.Note},
				"a key": {th.Key, th.Title}, "what a key does": {th.KeyText, th.Muted}, "a match": {th.Match.Underline(false), th.Accent}, "a pane": {th.PaneTitle, th.Muted},
				"the pane with the focus": {th.BorderFocused, th.Accent}, "a button": {th.Button, th.Base}, "the focused button": {th.ButtonFocused, th.Selected},
				"the product": {th.Product, th.Selected}, "the placeholder": {th.Placeholder.Background(th.Field.GetBackground()), th.Field.Foreground(th.Muted.GetForeground())},
			} {
				if drawn(pair[0]) != drawn(pair[1]) {
					t.Errorf("in %s at depth %d, %s is %q, want %q", kind, depth, name, drawn(pair[0]), drawn(pair[1]))
				}
			}
		}
	}
}

// TestColoursOfATerminalAreOfItsDepth compares a few of each palette, and the window of high contrast.
func TestColoursOfATerminalAreOfItsDepth(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind  theme.Kind
		depth theme.Depth
		want  string
	}{
		{theme.Dark, theme.TrueColour, "\x1b[38;2;216;222;233mx\x1b[m \x1b[38;2;154;165;184mx\x1b[m \x1b[38;2;158;206;106mx\x1b[m false"},
		{theme.Dark, theme.Colours256, "\x1b[38;5;253mx\x1b[m \x1b[38;5;247mx\x1b[m \x1b[38;2;158;206;106mx\x1b[m false"},
		{theme.Dark, theme.Colours16, "\x1b[97mx\x1b[m \x1b[37mx\x1b[m \x1b[92mx\x1b[m false"},
		{theme.Light, theme.TrueColour, "\x1b[38;2;31;39;51mx\x1b[m \x1b[38;2;82;93;110mx\x1b[m \x1b[38;2;26;107;42mx\x1b[m false"},
		{theme.Light, theme.Colours256, "\x1b[38;5;235mx\x1b[m \x1b[38;5;240mx\x1b[m \x1b[38;2;26;107;42mx\x1b[m false"},
		{theme.Light, theme.Colours16, "\x1b[30mx\x1b[m \x1b[90mx\x1b[m \x1b[32mx\x1b[m false"},
		{theme.None, theme.Colours16, "x x x false"},
	} {
		th := theme.NewFor(tt.kind, tt.depth)
		if got := fmt.Sprint(th.Base.Render("x"), " ", th.Muted.Render("x"), " ", th.Good.Render("x"), " ", th.Background != nil); got != tt.want {
			t.Errorf("%s at depth %d is %q, want %q", tt.kind, tt.depth, got, tt.want)
		}
	}
	for _, depth := range []theme.Depth{theme.TrueColour, theme.Colours256, theme.Colours16} {
		th := theme.NewFor(theme.HighContrast, depth)
		if th.Background == nil || th.Foreground == nil || luminance(th.Background.RGBA()) != 0 || luminance(th.Foreground.RGBA()) < 0.99 {
			t.Errorf("the window of high contrast at depth %d is %v on %v", depth, th.Foreground, th.Background)
		}
	}
}

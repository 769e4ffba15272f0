package theme_test

import (
	"math"
	"reflect"
	"regexp"
	"testing"

	"charm.land/lipgloss/v2"

	"gatewright/prose"
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

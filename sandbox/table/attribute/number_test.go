package attribute

import (
	"math/big"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// numbers draws canonical numbers of every size and precision.
var numbers = rapid.Custom(func(t *rapid.T) string {
	count := rapid.SampledFrom([]int{1, 1, 2, 3, 17, 18, 19, 37, 38}).Draw(t, "count")
	digits := make([]byte, count)
	for i := range digits {
		digits[i] = rapid.SampledFrom([]byte("0019")).Draw(t, "digit")
	}
	exponent := rapid.OneOf(rapid.IntRange(-3, 3), rapid.IntRange(-130, 125)).Draw(t, "exponent")
	sign := rapid.SampledFrom([]string{"", "-"}).Draw(t, "sign")
	text := sign + string(digits[:1]) + "." + string(digits[1:]) + "e" + strconv.Itoa(exponent)
	canonical, err := CanonicalNumber(text)
	if err != nil {
		return "0"
	}
	return canonical
})

func exact(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(text)
	}
	return r
}

func TestNumbersComeBackCanonical(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"0": "0", "-0": "0", "+0.00": "0", "0e1000": "0", "00042": "42", "+3": "3", "1.0": "1", "3.1400": "3.14", ".123": "0.123", "5.": "5",
		"1.5E2": "150", "1e+5": "100000", "100": "100", "-17e-5": "-0.00017", "0001.230": "1.23", "-7.1234": "-7.1234",
		"1E-130": "0." + strings.Repeat("0", 129) + "1",
		"9.9999999999999999999999999999999999999E+125": strings.Repeat("9", 38) + strings.Repeat("0", 88),
		"0." + strings.Repeat("0", 37) + "1":           "0." + strings.Repeat("0", 37) + "1",
		"12345678901234567890123456789012345678":       "12345678901234567890123456789012345678",
		"1" + strings.Repeat("0", 60):                  "1" + strings.Repeat("0", 60),
		"10" + strings.Repeat("0", 300) + "e-300":      "10",
	} {
		got, err := CanonicalNumber(text)
		if err != nil || got != want {
			t.Errorf("%s: %q, %v; want %s", text, got, err, want)
		}
	}
}

func TestNumbersThatCannotBeStoredAreRefusedWithTheReason(t *testing.T) {
	t.Parallel()
	const overflow, underflow, precision, numeric = "Number overflow. Attempting to store a number with magnitude larger than supported range",
		"Number underflow. Attempting to store a number with magnitude smaller than supported range",
		"Attempting to store more than 38 significant digits in a Number",
		"The parameter cannot be converted to a numeric value: "
	for text, want := range map[string]string{
		"":      "The parameter cannot be converted to a numeric value",
		"1e126": overflow, "11e125": overflow, "-1e126": overflow, "1e99999999999999999999999": overflow,
		"1e-131": underflow, "0.9e-130": underflow, "-1e-99999999999999999999": underflow,
		"123456789012345678901234567890123456789":   precision,
		"-1.23456789012345678901234567890123456789": precision,
		"1" + strings.Repeat("0", 37) + "1":         precision,
		"dog":                                       numeric + "dog", "NaN": numeric + "NaN", "Infinity": numeric + "Infinity", "1 ": numeric + "1 ", "-": numeric + "-", ".": numeric + ".",
		"1e": numeric + "1e", "1e+": numeric + "1e+", "1.2.3": numeric + "1.2.3", "--1": numeric + "--1", "1_0": numeric + "1_0", "0x10": numeric + "0x10",
		"e5": numeric + "e5", "1e5.5": numeric + "1e5.5", "١": numeric + "١",
	} {
		if _, err := CanonicalNumber(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestNumbersAreComparedExactly(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := numbers.Draw(t, "a"), numbers.Draw(t, "b")
		got, ok := Compare(&Value{Kind: N, Text: a}, &Value{Kind: N, Text: b})
		if want := exact(a).Cmp(exact(b)); !ok || got != want {
			t.Fatalf("%s and %s: %d, want %d", a, b, got, want)
		}
	})
}

func TestSumsAreExactOrRefused(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := numbers.Draw(t, "a"), numbers.Draw(t, "b")
		for name, c := range map[string]struct {
			got  func(a, b string) (string, error)
			want *big.Rat
		}{
			"+": {Add, new(big.Rat).Add(exact(a), exact(b))},
			"-": {Subtract, new(big.Rat).Sub(exact(a), exact(b))},
		} {
			// Two numbers of 38 digits above 1E-130 need fewer than 300 decimals.
			want, refused := CanonicalNumber(c.want.FloatString(300))
			got, err := c.got(a, b)
			if (err != nil) != (refused != nil) {
				t.Fatalf("%s %s %s: %v, want %v", a, name, b, err, refused)
			}
			if err == nil && got != want {
				t.Fatalf("%s %s %s is %s, want %s", a, name, b, got, want)
			}
		}
	})
}

func TestASumThatIsTooLongIsCalledAnOverflow(t *testing.T) {
	t.Parallel()
	const overflow = "Number overflow. Attempting to store a number with magnitude larger than supported range"
	large := "1" + strings.Repeat("0", 50)
	if _, err := Add(large, "1"); err == nil || err.Error() != overflow {
		t.Error(err)
	}
	if _, err := Subtract("9"+strings.Repeat("0", 125), "-9"+strings.Repeat("0", 125)); err == nil || err.Error() != overflow {
		t.Error(err)
	}
}

func FuzzCanonicalNumber(f *testing.F) {
	for _, text := range []string{"0", "-1.5e-3", "1e125", "123456789012345678901234567890123456789", ".", "1e9999999999999999"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		canonical, err := CanonicalNumber(text)
		if err != nil {
			return
		}
		if again, err := CanonicalNumber(canonical); err != nil || again != canonical {
			t.Fatalf("%q is %q, which is %q, %v", text, canonical, again, err)
		}
		// Zero may have a huge exponent, which the reference would compute.
		if canonical != "0" && len(text) < 400 && exact(text).Cmp(exact(canonical)) != 0 {
			t.Fatalf("%q is %q", text, canonical)
		}
	})
}

package strip

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatewright/sandbox/traffic"
)

// tenth is to what times are shown.
const tenth = 100 * time.Microsecond

// Tenths is a time in milliseconds, to a tenth: 2,587.3.
func Tenths(d time.Duration) string { return inTenths(tenths(d)) }

func tenths(d time.Duration) int { return int(d.Round(tenth) / tenth) }

func inTenths(n int) string { return inThousands(n/10) + "." + strconv.Itoa(n%10) }

// Exact is a time to a microsecond: 2,587.318 ms.
func Exact(d time.Duration) string {
	d = d.Round(time.Microsecond)
	return fmt.Sprintf("%s.%03d ms", inThousands(int(d/time.Millisecond)), d%time.Millisecond/time.Microsecond)
}

func inThousands(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// rounded are the times of parts in a unit, of which the sum is that of the whole time: each ends at the
// unit that is nearest to where it ended.
func rounded(parts []traffic.Part, unit func(time.Duration) int) []int {
	all, end, before := make([]int, len(parts)), time.Duration(0), 0
	for i, p := range parts {
		end += p.Took
		all[i] = unit(end) - before
		before += all[i]
	}
	return all
}

// named are the parts of a call, each with its name and its time.
func named(c *traffic.Call) []string {
	words := make([]string, len(c.Parts))
	for i, n := range rounded(c.Parts, tenths) {
		words[i] = string(c.Parts[i].Kind) + " " + inTenths(n)
	}
	return words
}

// Words are the parts of a call in one line: gate 0.4, wait 2.0, handler 2,586.6 ms. The numbers add up
// to Tenths of its time.
func Words(c *traffic.Call) string {
	if len(c.Parts) == 0 {
		return ""
	}
	return strings.Join(named(c), ", ") + " ms"
}

// Difference says how much longer than in another call each part took, and the whole. The numbers are
// those of their strips.
func Difference(c, other *traffic.Call) string {
	here, there := rounded(c.Parts, tenths), rounded(other.Parts, tenths)
	var words []string
	for _, kind := range traffic.PartKinds {
		is := func(p traffic.Part) bool { return p.Kind == kind }
		i, j := slices.IndexFunc(c.Parts, is), slices.IndexFunc(other.Parts, is)
		switch {
		case i >= 0 && j >= 0:
			words = append(words, string(kind)+" "+signed(here[i]-there[j]))
		case i >= 0:
			words = append(words, fmt.Sprintf("%s %s (only here)", kind, signed(here[i])))
		case j >= 0:
			words = append(words, fmt.Sprintf("%s %s (only there)", kind, signed(-there[j])))
		}
	}
	return "all " + signed(tenths(c.Took)-tenths(other.Took)) + " ms: " + strings.Join(words, ", ")
}

func signed(n int) string {
	if n < 0 {
		return "-" + inTenths(-n)
	}
	return "+" + inTenths(n)
}

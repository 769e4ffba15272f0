package strip_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gatewright/internal/text/prose"
	"gatewright/sandbox/traffic"
	"gatewright/tui/dashboard/requests/strip"
	"gatewright/tui/layout"
)

// callOf is a call with parts, "name microseconds" each.
func callOf(failed bool, parts ...any) *traffic.Call {
	c := &traffic.Call{Failed: failed}
	for i := 0; i < len(parts); i += 2 {
		p := traffic.Part{Kind: parts[i].(traffic.PartKind), Took: time.Duration(parts[i+1].(int)) * time.Microsecond}
		c.Parts, c.Took = append(c.Parts, p), c.Took+p.Took
	}
	return c
}

// used adds what a call used.
func used(c *traffic.Call, resource, operation string, at, took int, failed bool) *traffic.Call {
	c.Uses = append(c.Uses, traffic.Use{
		Resource: resource, Operation: operation, At: time.Duration(at) * time.Microsecond,
		Took: time.Duration(took) * time.Microsecond, Failed: failed, Why: "why",
	})
	return c
}

// text is what is drawn, with the bad segments in brackets.
func text(lines []strip.Segments) string {
	var b strings.Builder
	for _, line := range lines {
		for _, s := range line {
			if s.Tone == prose.Bad {
				s.Text = "[" + s.Text + "]"
			}
			b.WriteString(s.Text)
		}
		b.WriteString("\n")
	}
	return strings.ReplaceAll(b.String(), "  \n", "\n")
}

var cold = []any{traffic.Gate, 400, traffic.Wait, 2000, traffic.Start, 412_000, traffic.Handler, 2_587_000, traffic.Answer, 90}

func TestTheStripOfACall(t *testing.T) {
	t.Parallel()
	timed := used(callOf(true, cold...), "table/orders", "PutItem", 500_000, 3000, false)
	used(timed, "function/mail", "Invoke", 510_000, 2_400_000, true)
	warm := used(callOf(false, traffic.Gate, 300, traffic.Handler, 9000, traffic.Answer, 200), "pool", "ListUsers", 9100, 100, false)
	warm.UsesLeft = 3
	for _, of := range []struct {
		name string
		call *traffic.Call
		w    int
		want string
	}{
		{"cold and failed", timed, 100, `
▌·▬▬▬▬▬▬▬▬▬▬▬▬[━ handler 2,587.0 failed ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━]▐ 3,001.5 ms
▌ gate 0.4  · wait 2.0  ▬ start 412.0  ▐ answer 0.1
                ▤ orders put 3.0
                [ƒ mail invoke failed 2,400.0 ·········································]
`},
		{"warm", warm, 80, `
▌▌━ handler 9.0 ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━▐▐ 9.5 ms
▌ gate 0.3  ▐ answer 0.2
                                                  pool listusers 0.1 ◇·
and 3 further uses
`},
		{"refused", callOf(false, traffic.Gate, 600), 60, `
▌ gate 0.6 ▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌▌ 0.6 ms
`},
		{"too narrow", warm, 59, "\n"},
		{"failed before its handler", callOf(true, traffic.Gate, 100, traffic.Start, 60_000, traffic.Answer, 80), 80, `
▌[▬ start 60.0 failed ▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬]▐ 60.2 ms
▌ gate 0.1  ▐ answer 0.1
`},
		{"without parts", &traffic.Call{}, 80, "\n"},
	} {
		if difference := cmp.Diff(of.want, "\n"+text(strip.Draw(of.call, of.w))); difference != "" {
			t.Errorf("the strip of a call that is %s differs (-want +got):\n%s", of.name, difference)
		}
	}
	if got, want := strip.Words(timed), "gate 0.4, wait 2.0, start 412.0, handler 2,587.0, answer 0.1 ms"; got != want {
		t.Errorf("in words it is %q, want %q", got, want)
	}
	if got, want := strip.Difference(timed, warm), "all +2,992.0 ms: gate +0.1, wait +2.0 (only here), start +412.0 (only here), handler +2,578.0, answer -0.1"; got != want {
		t.Errorf("the difference is %q, want %q", got, want)
	}
}

// TestAStripIsOfItsParts draws random parts, in all scales, with random uses.
func TestAStripIsOfItsParts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := &traffic.Call{Failed: rapid.Bool().Draw(t, "failed")}
		took := rapid.OneOf(rapid.Int64Range(1, 200_000), rapid.Int64Range(1, 60_000_000_000))
		for _, kind := range traffic.PartKinds {
			if rapid.Bool().Draw(t, string(kind)) || len(c.Parts) == 0 && kind == traffic.Answer {
				p := traffic.Part{Kind: kind, Took: time.Duration(took.Draw(t, "took"))}
				c.Parts, c.Took = append(c.Parts, p), c.Took+p.Took
			}
		}
		for range rapid.IntRange(0, 6).Draw(t, "uses") {
			at := rapid.Int64Range(0, int64(c.Took)).Draw(t, "at")
			used(c, "table/t", "PutItem", int(at/1000), int((int64(c.Took)-at)/2000), rapid.Bool().Draw(t, "bad"))
		}
		w := rapid.IntRange(60, 200).Draw(t, "w")
		lines := strip.Draw(c, w)
		if got := lines[0].Width(); got != w {
			t.Fatalf("the strip takes %d cells of %d:\n%s", got, w, text(lines))
		}
		for _, line := range lines {
			if line.Width() > w {
				t.Fatalf("a line takes %d cells of %d:\n%s", line.Width(), w, text(lines))
			}
		}
		bar := lines[0][:len(lines[0])-1]
		room := w - layout.Width(lines[0][len(bar)].Text)
		for i, s := range bar {
			exact := float64(room) * float64(c.Parts[i].Took) / float64(c.Took)
			if n := layout.Width(s.Text); s.Part != c.Parts[i].Kind || n < 1 || float64(n) > exact+2 || float64(n) < exact-6 {
				t.Fatalf("part %d takes %d cells, and %.1f in proportion:\n%s", i, n, exact, text(lines))
			}
		}
		// The names and numbers of the bar and of the lines below it are those of the words.
		sum, all := 0, text(lines)
		for _, word := range strings.Split(strings.TrimSuffix(strip.Words(c), " ms"), ", ") {
			if !strings.Contains(all, " "+word) {
				t.Fatalf("%q is not named:\n%s", word, all)
			}
			_, number, _ := strings.Cut(word, " ")
			var whole, tenths int
			if _, err := fmt.Sscanf(strings.ReplaceAll(number, ",", ""), "%d.%d", &whole, &tenths); err != nil {
				t.Fatal(err)
			}
			sum += 10*whole + tenths
		}
		if want := strip.Tenths(c.Took); strip.Tenths(time.Duration(sum)*100*time.Microsecond) != want {
			t.Fatalf("the numbers of %s make %d tenths, not %s", strip.Words(c), sum, want)
		}
		// Twice the time takes twice the cells.
		// Half the time takes half the cells.
		double := &traffic.Call{Took: 2 * c.Took, Parts: []traffic.Part{{Kind: traffic.Gate, Took: 2 * c.Took}}}
		pair := strip.Pair(double, c, w)
		cells := func(line strip.Segments) int { return line.Width() - layout.Width(line[len(line)-1].Text) }
		if whole, n := cells(pair[0]), cells(pair[1]); n != max(whole/2, len(c.Parts)) || pair[0].Width() > w || pair[1].Width() > w {
			t.Fatalf("half the time takes %d cells, and the whole %d:\n%s", n, whole, text(pair))
		}
	})
}

package dashboard

import (
	"fmt"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// BenchmarkFirstFrame is what a person waits for at the start of a project of 200
// APIs with 10,000 paths: reading it, and drawing the first tab. On two cores that were
// idle it took 67 to 71 ms and 59 MB of allocations, where 105 ms and 71 MB were taken
// before access was worked out beside the comparison and equal paths were told at once.
// A person does not wait for it with nothing in view: the program, started anew in a
// terminal of 120x40, had its first frame after 29 ms, and the rows after 160 to 200 ms,
// with 65 MB resident.
func BenchmarkFirstFrame(b *testing.B) {
	dir := spread(b, 200, 10_000)
	deployed(b, dir)
	for b.Loop() {
		_ = opened(b, dir, 120, 40).View()
	}
}

// BenchmarkTab is a key and the View after it on each of the tabs of that project.
func BenchmarkTab(b *testing.B) {
	dir := spread(b, 200, 10_000)
	deployed(b, dir)
	p := opened(b, dir, 120, 40)
	keys := []string{"down", "end", "up", "o"}
	for i := range p.tabs {
		p.toTab(i)
		b.Run(nameOfTab(p.tabs[i]), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				press(p, keys[i%len(keys)])
				_ = p.View()
			}
		})
	}
}

// BenchmarkDashboard is a key and the View after it in the list of an API of many
// paths, what a reading costs Update, and what it costs the command.
func BenchmarkDashboard(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		dir := paths(b, n)
		deployed(b, dir)
		p := opened(b, dir, 120, 40)
		_ = p.View()
		b.Run(fmt.Sprintf("view/%d", n), func(b *testing.B) {
			for b.Loop() {
				_ = p.View()
			}
		})
		b.Run(fmt.Sprintf("key+view/%d", n), func(b *testing.B) {
			keys := []string{"down", "up"}
			for i := 0; b.Loop(); i++ {
				press(p, keys[i%2])
				_ = p.View()
			}
		})
		b.Run(fmt.Sprintf("filter+view/%d", n), func(b *testing.B) {
			press(p, "/", "thing9")
			back := tea.KeyPressMsg{Code: tea.KeyBackspace}
			for i := 0; b.Loop(); i++ {
				if i%2 == 0 {
					press(p, "9")
				} else {
					p.Update(back)
				}
				_ = p.View()
			}
			p.Update(tea.KeyPressMsg{Code: tea.KeyEscape})
		})
		b.Run(fmt.Sprintf("take/%d", n), func(b *testing.B) {
			snap, print, err := read(dir, "")
			must(b, err)
			for b.Loop() {
				p.Update(wasRead{of: p, asked: p.asked, snap: snap, print: print})
			}
		})
		b.Run(fmt.Sprintf("read/%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := read(dir, ""); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("fingerprint/%d", n), func(b *testing.B) {
			for b.Loop() {
				_ = fingerprint(dir)
			}
		})
	}
}

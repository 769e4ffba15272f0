package cloud

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"gatewright/cli/command"
	"gatewright/deploy/contract"
	"gatewright/internal/clock"
)

// View shows the progress of a push: in a terminal as a block that is drawn again,
// elsewhere as lines.
type View struct {
	clock  clock.Zoned
	out    io.Writer
	silent bool
	live   bool
	paint  command.Palette

	mu    sync.Mutex
	tree  *contract.Tree
	began time.Time
	text  string
	drawn int
	stop  chan struct{}
	ended chan struct{}
}

// NewView returns a view on the error output of a command; a silent one shows nothing.
func NewView(streams command.Streams, silent bool) *View {
	out := streams.Err
	return &View{
		clock: streams.Clock(), out: out, silent: silent, live: !silent && streams.CanDraw(out), paint: streams.Colors(out),
		tree: contract.NewTree(0), began: time.Now(),
	}
}

// Expect says how many resources will change.
func (v *View) Expect(resources int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.tree, v.began = contract.NewTree(resources), time.Now()
}

// Add shows a step.
func (v *View) Add(p contract.Progress) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.silent {
		return
	}
	if r := p.Resource; r != nil {
		v.tree.Add(*r)
	}
	switch {
	case v.live:
		v.addLive(p)
	case p.Resource != nil:
		if line := v.plainLine(p.Resource); line != "" {
			command.Say(v.out, "%s", line)
		}
	case p.Total == 0:
		command.Say(v.out, "%s", p.Text)
	}
}

// plainLine is the line of a resource's step; one that only begins has none.
func (v *View) plainLine(r *contract.ResourceProgress) string {
	if r.Going() {
		return ""
	}
	line := v.clock.Second(r.Time) + " " + v.clock.Zone(r.Time) + "  " + r.Name + ": " + r.Words()
	if r.Reason != "" && (r.Failed || strings.HasSuffix(string(r.Status), "_FAILED")) {
		line += ": " + r.Reason
	}
	return line
}

func (v *View) addLive(p contract.Progress) {
	if p.Resource == nil {
		v.text = p.String()
	}
	if v.stop == nil {
		v.stop, v.ended, v.began = make(chan struct{}), make(chan struct{}), time.Now()
		go v.tick(v.stop, v.ended)
	}
	v.draw()
}

// tick draws the block again each second, since it has the time.
func (v *View) tick(stop, ended chan struct{}) {
	defer close(ended)
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-stop:
			return
		case <-ticker.C:
			v.mu.Lock()
			v.draw()
			v.mu.Unlock()
		}
	}
}

// mostBranches is how many branches the block has at most; the others are counted.
const mostBranches = 12

// draw draws the block in the place of the last one. The lock is held.
func (v *View) draw() {
	width := command.WidthOf(v.out)
	if width == 0 {
		width = 80
	}
	lines := v.lines(width)
	var b strings.Builder
	if v.drawn > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", v.drawn)
	}
	b.WriteString("\r\x1b[J")
	for _, line := range lines {
		b.WriteString(line + "\n")
	}
	v.drawn = len(lines)
	_, _ = io.WriteString(v.out, b.String())
}

// lines are the lines of the block: each branch with its count, failures first, and the state
// of the whole.
func (v *View) lines(width int) []string {
	var lines []string
	branches := v.tree.Branches()
	more := max(0, len(branches)-mostBranches)
	for _, branch := range branches[:len(branches)-more] {
		lines = append(lines, v.branch(branch, width)...)
	}
	if more > 0 {
		lines = append(lines, v.paint.Muted(fmt.Sprintf("  and %d more", more)))
	}
	elapsed := clock.Took(time.Since(v.began))
	state := command.Shortened(v.text, width-20)
	if done, total := v.tree.Count(); total > 0 {
		state = fmt.Sprintf("%s %d of %d  %s", bar(done, total), done, total, command.Shortened(v.text, max(10, width-45)))
	}
	return append(lines, fmt.Sprintf("%s  %s", state, elapsed))
}

// branch are the lines of a branch: its name and count, and below it what goes on or failed.
func (v *View) branch(b *contract.Branch, width int) []string {
	mark, paint := "✓", v.paint.Good
	switch {
	case b.Failed():
		mark, paint = "✗", v.paint.Bad
	case b.Going():
		mark, paint = "•", v.paint.Muted
	}
	head := fmt.Sprintf("%d/%d", b.Done(), len(b.Resources))
	lines := []string{paint(mark) + " " + command.Shortened(b.Name(), max(10, width-14)) + "  " + v.paint.Muted(head)}
	for i := range b.Resources {
		if r := &b.Resources[i]; r.Failed {
			lines = append(lines, v.paint.Bad("    "+command.Shortened(r.Name+" failed: "+r.Reason, width-5)))
		}
	}
	return lines
}

// bar is a bar of twenty cells.
func bar(done, total int) string {
	const cells = 20
	full := min(cells, done*cells/max(1, total))
	return strings.Repeat("█", full) + strings.Repeat("░", cells-full)
}

// End leaves the last block on the screen and stops drawing. What comes later begins below it.
func (v *View) End() {
	v.mu.Lock()
	stop, ended := v.stop, v.ended
	v.stop, v.drawn, v.text = nil, 0, ""
	v.mu.Unlock()
	if stop != nil {
		close(stop)
		<-ended
	}
}

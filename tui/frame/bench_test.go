package frame

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// bare is a Bubble Tea model that does nothing but hold a text.
type bare struct {
	text  string
	moved int
}

func (b *bare) Init() tea.Cmd { return nil }

func (b *bare) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(tea.KeyPressMsg); ok {
		b.moved++
	}
	return b, nil
}

func (b *bare) View() tea.View { return tea.View{Content: b.text, AltScreen: true} }

// stillPage always has the same text, so that a benchmark with it measures the frame.
type stillPage struct {
	*listPage
	text string
}

func (p *stillPage) Update(tea.Msg) tea.Cmd { return nil }
func (p *stillPage) View() string           { return p.text }

// BenchmarkKey measures one key and the View after it, at 120x40: "bare" is Bubble Tea
// alone with a text of that size, "frame" is the frame with a page of constant text,
// "page" and "help" draw all of their lines.
func BenchmarkKey(b *testing.B) {
	list := start(&testing.T{}, "dark", 120, 40)
	text := list.model.View().Content
	still := New(Options{
		Start: listRoute{"still"},
		Make: func(Route) (Page, error) {
			return &stillPage{listPage: &listPage{}, text: strings.Repeat(strings.Repeat("x", 119)+"\n", 37)}, nil
		},
	})
	still.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	help := start(&testing.T{}, "dark", 120, 40)
	help.press("?")
	for _, run := range []struct {
		name  string
		model tea.Model
	}{{"bare", &bare{text: text}}, {"frame", still}, {"page", list.model}, {"help", help.model}} {
		b.Run(run.name, func(b *testing.B) {
			b.ReportAllocs()
			down, up := key("down"), key("up")
			for i := range b.N {
				press := down
				if i%2 == 1 {
					press = up
				}
				run.model.Update(press)
				if run.model.View().Content == "" {
					b.Fatal("nothing is drawn")
				}
			}
		})
	}
}

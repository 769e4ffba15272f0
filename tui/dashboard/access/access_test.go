package access

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dashboard/board/boardtest"
	"gatewright/tui/keys"
	"gatewright/tui/theme"
)

// shows is the tab of a backend, as it is read for dev.
func shows(b *model.Backend) *Tab {
	t := New(board.New("", nil, ""))
	t.board.Snap = boardtest.Snapshot(b, "dev")
	t.Read(&board.Reading{Snapshot: t.board.Snap})()
	return t
}

func drawn(t *Tab, w, h int) string {
	lines := t.List.Draw(theme.New(theme.None), w, h, true)
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(ansi.Strip(line)), " ")
	}
	return strings.Join(lines, "\n")
}

func TestTheMatrixSaysWhoMayDoWhat(t *testing.T) {
	t.Parallel()
	tab := shows(boardtest.Library(t, "Admins", "Editors", "Readers"))
	const want = `path public guests signed-in Admins Editors Readers
▌ shop 3 paths
/books · guests ·R·· CR·· cr·· cr·· cr··
/books/{isbn} ···· ·R·· ···D ·RU· ·r··
/news ! open CRUD CRUD CRUD CRUD CRUD`
	if got := drawn(tab, 100, 20); got != want {
		t.Errorf("the rows are\n%s\nwant\n%s", got, want)
	}
	tab.List.Move(2)
	told := strings.Join(prose.Texts(tab.Detail()), "\n")
	for _, want := range []string{
		"guests are not served", "signed-in users may read (GET, HEAD)", "members of Admins may delete (DELETE)",
		"members of Editors may read (GET, HEAD), update", "members of Readers act as signed-in", "act as Admins and lose read, update",
	} {
		if !strings.Contains(told, want) {
			t.Errorf("%q is not in\n%s", want, told)
		}
	}
}

func TestColumnsThatDoNotFitScroll(t *testing.T) {
	t.Parallel()
	var groups []string
	for i := range 12 {
		groups = append(groups, fmt.Sprintf("Group%02d", i))
	}
	tab := shows(boardtest.Library(t, append(groups, "Admins", "Editors")...))
	heading := func() string {
		first, _, _ := strings.Cut(drawn(tab, 58, 20), "\n")
		return first
	}
	press := func(of keys.Meaning) {
		heading()
		for _, b := range tab.Bindings() {
			if b.Has(of.Keys()[0]) && b.Disabled == "" {
				b.Do()
			}
		}
	}
	if line := heading(); !strings.Contains(line, "guests") || strings.Contains(line, "Editors") || !strings.Contains(line, "→") {
		t.Errorf("at first the heading is %q", line)
	}
	for range 40 {
		press(keys.Right)
	}
	if line := heading(); strings.Contains(line, "guests") || !strings.Contains(line, "Editors") || !strings.Contains(line, "←") {
		t.Errorf("at the end the heading is %q", line)
	}
	for range 40 {
		press(keys.Left)
	}
	if line := heading(); !strings.Contains(line, "guests") {
		t.Errorf("back at the beginning the heading is %q", line)
	}
}

func TestTheMostOpenPathsCanStandFirst(t *testing.T) {
	t.Parallel()
	tab := shows(boardtest.Library(t, "Admins", "Editors"))
	for !tab.List.Flat() {
		keys.Order.Do(tab.List.Bindings())
	}
	text := drawn(tab, 80, 20)
	news, books, isbn := strings.Index(text, "/news of shop"), strings.Index(text, "/books of shop"), strings.Index(text, "/books/{isbn} of shop")
	if news < 0 || news >= books || books >= isbn {
		t.Errorf("the rows stand as in\n%s", text)
	}
}

// BenchmarkMatrix measures keys, filters, orders and readings with many paths and groups.
func BenchmarkMatrix(b *testing.B) {
	groups := []string{"Admins", "Editors"}
	for i := range 20 {
		groups = append(groups, fmt.Sprintf("Group%d", i))
	}
	backend := boardtest.Library(b, groups...)
	for a := range 200 {
		api := &access.API{Label: fmt.Sprintf("api%d", a)}
		for i := range 50 {
			api.Paths = append(api.Paths, boardtest.Path(fmt.Sprintf("/area%d/thing%d/{id}", i%10, i), access.Private,
				boardtest.Grant(access.Authenticated, "", access.Read), boardtest.Grant(access.Group, groups[i%len(groups)], access.Create)))
		}
		if err := edit.AddAPI(backend, api); err != nil {
			b.Fatal(err)
		}
	}
	tab := shows(backend)
	th := theme.New(theme.None)
	b.Run("key+view", func(b *testing.B) {
		steps := []int{1, -1}
		for i := 0; b.Loop(); i++ {
			tab.List.Move(steps[i%2])
			tab.List.Sideways(steps[i%2])
			_ = tab.Bindings()
			_ = tab.Detail()
			_ = tab.List.Draw(th, 200, 60, true)
		}
	})
	b.Run("filter+view", func(b *testing.B) {
		for b.Loop() {
			for _, r := range "thing9" {
				tab.List.Type(tea.KeyPressMsg{Code: r, Text: string(r)})
			}
			_ = tab.List.Draw(th, 200, 60, true)
			tab.List.Unfilter()
		}
	})
	b.Run("sort+view", func(b *testing.B) {
		for b.Loop() {
			keys.Order.Do(tab.List.Bindings())
			_ = tab.List.Draw(th, 200, 60, true)
		}
	})
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			_ = matrixOf(sides{now: backend, here: backend})
		}
	})
	b.Run("first view", func(b *testing.B) {
		for b.Loop() {
			tab.List.SetColumns(tab.columns())
			_ = tab.List.Draw(th, 200, 60, true)
		}
	})
}

func TestWhatIsMoreOpenThanPushedComesFirstWithTheRequestThatShowsIt(t *testing.T) {
	t.Parallel()
	was := boardtest.Library(t, "Admins", "Editors")
	now, err := was.Edit(func(b *model.Backend) error {
		if err := edit.UpdatePath(b, "shop", "/news", boardtest.Path("/news", access.Private, boardtest.Grant(access.Authenticated, "", access.Read))); err != nil {
			return err
		}
		if err := edit.AddPath(b, "shop", boardtest.Path("/new", access.Protected, boardtest.Grant(access.Guest, "", access.Read))); err != nil {
			return err
		}
		return edit.AddPath(b, "shop", boardtest.Path("/books/{isbn}/loans", access.Protected, boardtest.Grant(access.Guest, "", access.Read)))
	})
	if err != nil {
		t.Fatal(err)
	}
	tab := New(board.New("", nil, ""))
	tab.board.Snap = boardtest.Snapshot(now, "dev")
	reading := &board.Reading{Snapshot: tab.board.Snap}
	reading.Status.Was = was
	reading.Status.Access, _ = access.Compare(was.Gate(), now.Gate())
	tab.Read(reading)()
	const want = `path public guests signed-in Admins Editors
▌ shop 5 paths, 2 more open, 1 less open
/books/{isbn}/loans ▲+ · guests ····→·R·· ·R··→···· ···D→···· ·RU·→····
/new ▲+ · guests ·R·· ···· ···· ····
/news ▼ CRUD→···· CRUD→·R·· CRUD→·r·· CRUD→·r··
/books · guests ·R·· CR·· cr·· cr··
/books/{isbn} ···· ·R·· ···D ·RU·`
	if got := drawn(tab, 100, 20); got != want {
		t.Errorf("the rows are\n%s\nwant\n%s", got, want)
	}
	if note, short := tab.Note(); note.Text != "▲ 2 paths more open, ▼ 1 less" || note.Tone != prose.Wider || short != "▲ 2" {
		t.Errorf("the head says %+v, %q", note, short)
	}
	tab.List.Move(1)
	if told := strings.Join(prose.Texts(tab.Detail()), "\n"); !strings.Contains(told, "▲ guests may now read") || !strings.Contains(told, "GET /books/1/loans by a guest: 403 before, served by f now") {
		t.Errorf("the details are\n%s", told)
	}
	keys.Order.Do(tab.List.Bindings())
	if got := drawn(tab, 100, 20); strings.Index(got, "/news") < strings.Index(got, "/books/{isbn} ") {
		t.Errorf("in the order of matching the rows are\n%s", got)
	}
}

// BenchmarkChanges measures reading, keys and staging in a large project of which every path,
// or one, has changed since the last push.
func BenchmarkChanges(b *testing.B) {
	large := func(setting access.Setting, changed int) *model.Backend {
		backend := boardtest.Library(b, "Admins", "Editors")
		for a := range 200 {
			api := &access.API{Label: fmt.Sprintf("api%d", a)}
			for i := range 50 {
				p := boardtest.Path(fmt.Sprintf("/area%d/thing%d/{id}", i%10, i), access.Private, boardtest.Grant(access.Authenticated, "", access.Read))
				if a*50+i < changed {
					p = boardtest.Path(p.Name, setting, boardtest.Grant(access.Authenticated, "", access.Read, access.Delete))
				}
				api.Paths = append(api.Paths, p)
			}
			if err := edit.AddAPI(backend, api); err != nil {
				b.Fatal(err)
			}
		}
		return backend
	}
	was, th := large(access.Private, 0), theme.New(theme.None)
	for name, changed := range map[string]int{"one": 1, "all": 10_000} {
		now := large(access.Protected, changed)
		tab := compared(was, now)
		b.Run(name+"/compare", func(b *testing.B) {
			for b.Loop() {
				access.Compare(was.Gate(), now.Gate())
			}
		})
		b.Run(name+"/rows", func(b *testing.B) {
			for b.Loop() {
				matrixOf(tab.read.sides)
			}
		})
		b.Run(name+"/key+view", func(b *testing.B) {
			steps := []int{1, -1}
			for i := 0; b.Loop(); i++ {
				tab.List.Move(steps[i%2])
				_ = tab.Bindings()
				_ = tab.Detail()
				_ = tab.List.Draw(th, 200, 60, true)
			}
		})
		b.Run(name+"/alone+view", func(b *testing.B) {
			for b.Loop() {
				tab.showAlone(!tab.alone)
				_ = tab.List.Draw(th, 200, 60, true)
			}
		})
		b.Run(name+"/stage", func(b *testing.B) {
			r := tab.rows[1]
			p := stagedPath{api: r.api.Label, path: r.Path.Name, was: r.Path.Access}
			p.to.Access = p.was.With(access.Principal{}, access.EveryAction)
			waiting := stage{}.with(p, now.Groups)
			for b.Loop() {
				s, err := tab.read.with(waiting)
				if err != nil {
					b.Fatal(err)
				}
				matrixOf(s)
			}
		})
	}
}

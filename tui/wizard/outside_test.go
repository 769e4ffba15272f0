package wizard_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/deploy/deploytest"
	"gatewright/flow"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/tui/frame"
	"gatewright/tui/route"
)

var (
	users  = access.Principal{}
	guests = access.Principal{Kind: access.Guest}
)

// look has the wizard look at the files now.
func (s *screen) look() *screen {
	s.Run(frame.Announce(s.page.Watches()[0].Poll()))
	return s
}

// ruled changes the rules of a path of the bookshop, as another terminal would.
func ruled(t testing.TB, dir, path string, rules access.Access) {
	t.Helper()
	deploytest.Change(t, dir, func(b *model.Backend) error {
		next := *b.API("bookshop").Path(path)
		next.Access = rules
		return edit.UpdatePath(b, "bookshop", path, &next)
	})
}

// bookshop is a folder with the sample, and a wizard that changes /orders of it, at its access:
// signed-in users may create and read.
func bookshop(t testing.TB) (string, *screen) {
	t.Helper()
	dir := folder(t)
	open(t, dir, route.Wizard{Start: route.FromSample}, 200, 60).Keys("ctrl+s", "ctrl+s")
	term := open(t, dir, route.Wizard{Task: flow.Task{API: "bookshop", Path: "/orders"}}, 120, 36)
	return dir, &screen{Terminal: term.Keys("enter", "enter").Shows("Who may do what under /orders?"), dir: dir, page: term.page}
}

func orders(t testing.TB, dir string) string {
	t.Helper()
	return reload(t, dir).Backend.API("bookshop").Path("/orders").Access.String()
}

func TestWhatChangesOutsideIsLaidUnderTheAnswersAtEveryStep(t *testing.T) {
	t.Parallel()
	const steps = 4
	for step := range steps {
		dir, term := bookshop(t)
		outside := func(at int) {
			if at == step {
				ruled(t, dir, "/orders", reload(t, dir).Backend.API("bookshop").Path("/orders").Access.Granted(access.Grant{To: guests, Actions: access.EveryAction}))
				if at < steps-1 {
					term.look().Shows("bookshop /orders changed outside: ▲ guests may now create, read, update and delete under /orders")
				}
			}
		}
		outside(0)
		term.Keys("up", "up", "up", "up", "down", "down", "right", "right", "right", "space") // signed-in users may delete
		outside(1)
		term.Keys("ctrl+s")
		outside(2)
		term.Shows("Review", "/orders")
		outside(3)
		term.Keys("ctrl+s")
		if step == steps-1 {
			term.Shows("nothing was written yet: bookshop /orders changed outside: ▲ guests").Keys("ctrl+s")
		}
		term.Shows("Written")
		if got := orders(t, dir); got != "guests: all; signed-in users: create, read, delete; members of Sellers: all" {
			t.Errorf("changed outside at step %d: %s", step, got)
		}
	}
}

func TestWhoChangedNothingHasTheFilesOfNow(t *testing.T) {
	t.Parallel()
	dir, term := bookshop(t)
	ruled(t, dir, "/orders", access.Access{Setting: access.Open})
	term.Keys("ctrl+s").Shows("▲ everybody may now", "nothing to write")
	term.Keys("e", "esc", "esc").Shows("▐open▌")
}

func TestWhatBothChangedIsAskedWithBothValues(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ key, want string }{
		{"k", "signed-in users: create, read, delete; members of Sellers: all"},
		{"t", "signed-in users: read; members of Sellers: all"},
	} {
		dir, term := bookshop(t)
		term.Keys("up", "up", "up", "up", "down", "down", "right", "right", "right", "space")
		ruled(t, dir, "/orders", reload(t, dir).Backend.API("bookshop").Path("/orders").Access.With(users, access.ActionSet(access.Read)))
		term.look().Shows("Both changed signed-in users under /orders", "yours: everything but update", "outside: read")
		// Who decides later is asked before the review.
		term.Keys("esc", "ctrl+s").Shows("Both changed signed-in users under /orders").Keys(test.key).Shows("Review")
		term.Keys("ctrl+s")
		if got := orders(t, dir); got != test.want {
			t.Errorf("after %s: %s", test.key, got)
		}
	}
}

func TestABrokenFileKeepsTheLastGoodState(t *testing.T) {
	t.Parallel()
	dir, term := bookshop(t)
	file := filepath.Join(dir, "backend", "api", "bookshop", "cli-inputs.json")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	term.Keys("up", "up", "up", "up", "down", "down", "right", "right", "right", "space", "ctrl+s").Shows("Review", "▲")
	half := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	half(string(text[:len(text)/2]))
	term.look().Shows("cli-inputs.json", "the last version that was read stays", "Review", "▲")
	term.Keys("ctrl+s").Shows("nothing was written", "cli-inputs.json").Hides("Written:")
	half(strings.Replace(string(text), `"lambdaFunction": "health"`, `"lambdaFunction": "orders"`, 1))
	term.Keys("up")
	term.look().Shows("bookshop /health changed outside: it opened nothing").Keys("ctrl+s").Shows("Written")
	if b := reload(t, dir).Backend.API("bookshop"); b.Path("/health").Function != "orders" || !strings.Contains(b.Path("/orders").Access.String(), "delete") {
		t.Errorf("it is %+v and %+v", b.Path("/health"), b.Path("/orders"))
	}
}

func TestAProjectThatIsMadeOutsideIsTheProjectOfTheWizard(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	term := open(t, dir, route.Wizard{Start: route.FromSample}, 200, 60)
	term.Keys("ctrl+s").Shows("Review")
	deploytest.Write(t, dir, &model.Backend{Project: model.Project{Name: "mine", ApplicationID: "a", Region: "eu-west-1", Dialect: model.Neutral}})
	term.Keys("ctrl+s").Shows("nothing was written yet").Keys("ctrl+s").Shows("Written")
	if p := reload(t, dir).Backend; p.Project.Name != "mine" || p.API("bookshop") == nil {
		t.Errorf("the project is %+v", p.Project)
	}
}

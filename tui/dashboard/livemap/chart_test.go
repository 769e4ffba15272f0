package livemap

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/graph"
	"gatewright/model/modeltest"
	"gatewright/sandbox/traffic"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// shown is the chart of a backend, at noon.
func shown(b *model.Backend) *chart {
	c := newChart(func() time.Time { return noon })
	c.sum, c.seen = func() prose.Line { return prose.Line{} }, func(string, string) string { return "" }
	c.show(graph.Of(b, nil), nil)
	return c
}

func shop(t *testing.T) *model.Backend {
	t.Helper()
	b := modeltest.Backend(t, []string{"Admins", "Editors"},
		accesstest.Restricted("/books", "books", accesstest.ToGuests(access.Read), accesstest.ToGroup("Admins", access.Read, access.Update)),
		accesstest.Restricted("/books/{isbn}/loans", "books", accesstest.ToUsers(access.Create)),
		accesstest.Restricted("/orders", "orders", accesstest.ToGroup("Admins", access.Create)))
	b.Tables = []*model.Table{{Name: "books"}}
	b.Function("books").Access = []model.ResourceAccess{{Resource: "table/books", Actions: access.ActionSet(access.Read)}}
	return b
}

// screen is what the chart draws, without colour.
func (c *chart) screen(w, h int) string {
	return ansi.Strip(strings.Join(c.Draw(theme.New(theme.None), w, h, false), "\n"))
}

// rowOf is the line with a text.
func rowOf(t *testing.T, screen, text string) string {
	t.Helper()
	for line := range strings.SplitSeq(screen, "\n") {
		if strings.Contains(line, text) {
			return line
		}
	}
	t.Fatalf("no line has %q in\n%s", text, screen)
	return ""
}

// TestKeysAndSizesNeverBreakTheMap walks with random keys over random backends in windows of any size.
func TestKeysAndSizesNeverBreakTheMap(t *testing.T) {
	t.Parallel()
	th := theme.New(theme.Dark)
	rapid.Check(t, func(t *rapid.T) {
		c := shown(modeltest.Draw(t))
		for range 12 {
			bindings := c.Bindings()
			if b := bindings[rapid.IntRange(0, len(bindings)-1).Draw(t, "key")]; b.Disabled == "" && b.Do != nil {
				b.Do()
			}
			w, h := rapid.IntRange(1, 220).Draw(t, "w"), rapid.IntRange(1, 40).Draw(t, "h")
			for _, line := range c.Draw(th, w, h, true) {
				if got := layout.Width(line); got > w {
					t.Fatalf("a line has %d cells in %d: %q", got, w, line)
				}
			}
			c.Click(rapid.IntRange(0, w).Draw(t, "x"), rapid.IntRange(0, h).Draw(t, "y"))
			if _, ok := c.node(); len(c.shown) > 0 && !ok {
				t.Fatalf("the cursor is on nothing: row %d of %d, %v", c.row, len(c.shown), c.at)
			}
		}
	})
}

func TestEveryPathIsOnTheMapOnceWithItsLetters(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := modeltest.Draw(t)
		c := shown(b)
		c.folds = newFolds()
		c.arrange()
		count := make(map[key]int)
		for _, r := range c.all {
			if !r.heading && len(r.paths) == 1 {
				count[key{r.api, r.paths[0].Name}]++
			}
		}
		for _, api := range b.APIs {
			for _, p := range api.Paths {
				if count[key{api.Label, p.Name}] != 1 {
					t.Fatalf("%s of %s stands %d times", p.Name, api.Label, count[key{api.Label, p.Name}])
				}
			}
		}
	})
}

func TestAWalkLightsWhatBelongsTogether(t *testing.T) {
	t.Parallel()
	c := shown(shop(t))
	if c.lit != nil {
		t.Error("before anybody walks something is dark")
	}
	c.sideways(1)
	c.sideways(1)
	if n, _ := c.node(); n != (graph.Node{Kind: graph.Resource, Name: "table/books"}) {
		t.Fatalf("to the right of a function is %v", n)
	}
	if c.isLit(graph.Node{Kind: graph.Path, API: "shop", Name: "/orders"}) || !c.isLit(graph.Node{Kind: graph.Path, API: "shop", Name: "/books"}) {
		t.Error("a table lights a path that does not reach it, or not one that does")
	}
	for range 9 {
		c.sideways(-1)
	}
	if n, _ := c.node(); n != (graph.Node{Kind: graph.Caller, Name: "guests"}) {
		t.Errorf("at the left end is %v", n)
	}
	c.whole()
	if c.lit != nil {
		t.Error("esc leaves something dark")
	}
}

func TestAFilterKeepsTheLinesBetweenWhatStays(t *testing.T) {
	t.Parallel()
	c := shown(shop(t))
	c.filter.SetValue("table/books")
	c.arrange()
	screen := c.screen(120, 10)
	if !strings.Contains(screen, "/books") || !strings.Contains(screen, "▤ books") || strings.Contains(screen, "/orders") {
		t.Errorf("of a table stays\n%s", screen)
	}
}

func TestManyPathsFoldAndNoneIsLost(t *testing.T) {
	t.Parallel()
	c := shown(accesstest.ManyPaths(300))
	folded := 0
	for _, r := range c.all {
		folded += max(0, len(r.paths))
	}
	if len(c.all) > 150 || folded != 300 {
		t.Errorf("300 paths have %d rows with %d paths", len(c.all), folded)
	}
}

// call is a call to a path of the shop.
func call(n uint64, method, path, function string, status int) *traffic.Call {
	return &traffic.Call{
		Number: n, Time: noon, Kind: traffic.Request, Environment: "dev", API: "shop", Method: method, Target: path, Path: path, Function: function, Status: status,
		Failed: status >= 500, Why: map[bool]string{true: "guests may not update under /books"}[status == 403],
	}
}

func TestARequestTravelsAndARefusedOneStopsAtTheGateWithTheReason(t *testing.T) {
	t.Parallel()
	c, now := shown(shop(t)), noon
	c.now = func() time.Time { return now }
	c.came(call(1, "GET", "/books", "books", 200), 0, noon)
	at := func(d time.Duration) string {
		now = noon.Add(d)
		c.prune(now)
		return rowOf(t, c.screen(120, 10), "╞═ /books")
	}
	early, later := at(atGate+onEdge/4), at(atGate+onEdge*3/4)
	if a, b := strings.Index(early, "●"), strings.Index(later, "●"); a < 0 || b <= a {
		t.Errorf("it is at %d, then at %d:\n%s\n%s", a, b, early, later)
	}
	if row := at(10 * time.Second); strings.Contains(row, "●") || c.frame(now) != 0 {
		t.Errorf("when it is over the map goes on moving: %s", row)
	}
	noon := now
	c.came(call(2, "PUT", "/books", "", 403), 0, noon)
	if row := rowOf(t, c.screen(120, 10), "/books"); !strings.Contains(row, "✗ PUT refused: guests may not update under /books") {
		t.Errorf("a refused request shows %s", row)
	}
	now = now.Add(time.Second)
	if wait := c.frame(now); wait < time.Second {
		t.Errorf("while only a sentence stands there, the map is drawn again after %s", wait)
	}
}

// TestWhatFailedStandsClearOfWhatStoodThere: "502 Node.js ..." over "cold 12 ms" is not "5024Node.js ...".
func TestWhatFailedStandsClearOfWhatStoodThere(t *testing.T) {
	t.Parallel()
	c := shown(shop(t))
	c.workers = map[string]traffic.FunctionState{"books": {Idle: 1}}
	failed := call(1, "GET", "/books", "books", 502)
	failed.Why, c.lasted["books"] = "Node.js is not installed", 3400*time.Microsecond
	c.came(failed, 0, noon)
	c.now = func() time.Time { return noon.Add(atGate + onEdge + inside) }
	if row := rowOf(t, c.screen(120, 10), "╞═ /books"); !strings.Contains(row, "! 502 Node.js is not installed") {
		t.Errorf("a failed request shows %s", row)
	}
}

func TestManyRequestsASecondAreAFlowWithTheirNumber(t *testing.T) {
	t.Parallel()
	c := shown(shop(t))
	for i := range 90 {
		c.came(call(uint64(i), "GET", "/books", "books", 200), 0, noon)
	}
	row := rowOf(t, c.screen(160, 10), "/books")
	if !strings.Contains(row, " 90/s ") || !strings.Contains(row, "█") || strings.Contains(row, "●") {
		t.Errorf("90 requests in a second are %s", row)
	}
	c.trips = nil // the first ones were points
	if wait := c.frame(noon); wait != 0 {
		t.Errorf("a flow, which is drawn with what comes, is drawn again after %s", wait)
	}
}

func TestNothingMovesWithoutMotion(t *testing.T) {
	t.Parallel()
	c := shown(shop(t))
	c.still = true
	c.came(call(1, "PUT", "/books", "", 403), 0, noon)
	c.came(call(2, "GET", "/books", "books", 200), 0, noon)
	if screen := c.screen(120, 10); len(c.trips) != 0 || strings.Contains(screen, "●") {
		t.Errorf("without motion it shows\n%s", screen)
	}
}

func TestUsesAreShownAsTheyWereCounted(t *testing.T) {
	t.Parallel()
	tab := &Tab{chart: shown(shop(t))}
	tab.chart.used = usesOf([]traffic.UseCounts{
		{Function: "books", Resource: "table/books", Operation: "PutItem", Calls: 2, Failed: 1}, {Function: "books", Resource: "table/books", Operation: "GetItem", Calls: 40},
	})
	tab.chart.seen = tab.seen
	if row := rowOf(t, tab.chart.screen(160, 10), "▤ books"); !strings.Contains(row, "·R·· get 40  put 2 (1 failed)") {
		t.Errorf("the uses are %s", row)
	}
	// What it used and the definitions do not say is drawn too, as not certain.
	tab.chart.used[useKey{"books", "secret/key"}] = []traffic.UseCounts{{Function: "books", Resource: "secret/key", Operation: "GetSecretValue", Calls: 3}}
	tab.chart.arrange()
	if row := rowOf(t, tab.chart.screen(160, 12), "secret key"); !strings.Contains(row, "╌▶") || !strings.Contains(row, " 3") {
		t.Errorf("a use that the definitions do not say is %s", row)
	}
}

func TestTheCallsAreThoseOfTheEnvironmentThatIsShown(t *testing.T) {
	t.Parallel()
	there := *call(2, "GET", "/orders", "orders", 200)
	there.Environment, there.Ran = "qa", time.Second
	batch := &board.Batch{Moment: traffic.Moment{Calls: []traffic.Call{*call(1, "GET", "/books", "books", 200), there}}}
	tab := &Tab{chart: shown(shop(t))}
	for _, of := range []struct{ environment, path string }{{"dev", "/books"}, {"qa", "/orders"}, {"dev", "/books"}} {
		tab.board = told(of.environment, batch)
		tab.shows(of.environment)
		if len(tab.chart.lasted) > 0 {
			t.Errorf("%s begins with what functions took in another environment: %v", of.environment, tab.chart.lasted)
		}
		tab.Follow(batch)()
		if came := tab.came(graph.Node{}); len(came) != 2 || !strings.Contains(came[1].Text, " "+of.path+" ") {
			t.Errorf("in %s came %v", of.environment, came)
		}
		if tab.chart.lasted["orders"] > 0 != (of.environment == "qa") {
			t.Errorf("in %s functions took %v", of.environment, tab.chart.lasted)
		}
	}
}

// told is the board of an environment, which was told of calls.
func told(environment string, batch *board.Batch) *board.Board {
	b := board.New("", nil, environment)
	b.Told.Take(batch, noon)
	return b
}

// TestWhatUsesATableIsNotSaidToBeNothingWhereItIsNotKnown in projects of the Amplify CLI.
func TestWhatUsesATableIsNotSaidToBeNothingWhereItIsNotKnown(t *testing.T) {
	t.Parallel()
	b := shop(t)
	b.Layout = modeltest.Kept
	c := shown(b)
	screen := c.screen(160, 12)
	if !strings.Contains(screen, "? use not known") || strings.Contains(screen, "used by no function") {
		t.Errorf("where rights are not known the map is\n%s", screen)
	}
	c.used = usesOf([]traffic.UseCounts{{Function: "books", Resource: "table/books", Operation: "Scan", Calls: 1}})
	c.arrange()
	if screen := c.screen(160, 12); strings.Count(screen, "▤ books") != 1 {
		t.Errorf("a table that a function used is on the map not once:\n%s", screen)
	}
}

func TestTheRequestsOfAThingAreItsOwn(t *testing.T) {
	t.Parallel()
	batch := &board.Batch{Moment: traffic.Moment{Calls: []traffic.Call{
		*call(1, "GET", "/books", "books", 200), *call(2, "GET", "/orders", "orders", 200), *call(3, "GET", "/books", "books", 502),
	}}}
	tab := &Tab{chart: shown(shop(t)), board: told("dev", batch)}
	tab.chart.walked = true
	lines := tab.came(graph.Node{Kind: graph.Function, Name: "orders"})
	if len(lines) != 2 || lines[0].Text != "1 of the last 3 calls" || !strings.Contains(lines[1].Text, "GET /orders") {
		t.Errorf("the requests of orders are %v", lines)
	}
}

func TestAsManyCallersAsFitAreShownAndTheOneAtHandAlways(t *testing.T) {
	t.Parallel()
	var groups []string
	for i := range 12 {
		groups = append(groups, fmt.Sprintf("Group%d", i))
	}
	c := shown(modeltest.Backend(t, groups, accesstest.Open("/a", "f")))
	for _, w := range []int{60, 76, 120, 200} {
		for at := range c.callers {
			c.at = column{kind: graph.Caller, caller: at}
			c.screen(w, 5)
			if p := c.places; at < p.first || at >= p.first+len(p.gates) {
				t.Errorf("in %d cells caller %d is not in view: %d from %d", w, at, len(p.gates), p.first)
			}
			if titles := strings.SplitN(c.screen(w, 5), "\n", 2)[0]; !strings.Contains(titles, " function ") {
				t.Errorf("in %d cells the titles are %q", w, titles)
			}
			if w < oneCaller && len(c.places.gates) != 1 {
				t.Errorf("in %d cells there are %d callers", w, len(c.places.gates))
			}
		}
	}
	if slices.Index(c.callers, "Group11") != 13 {
		t.Errorf("the callers are %q", c.callers)
	}
}

func TestTheNumberOfAFlowIsThatOfASecondHoweverFarApartBatchesAre(t *testing.T) {
	t.Parallel()
	c := shown(shop(t))
	for n := range 200 {
		of := call(uint64(n), "GET", "/books", "books", 200)
		of.Time, of.Took = noon.Add(time.Duration(n)*25*time.Millisecond), time.Millisecond
		now := noon.Add(time.Duration(n/30+1) * 750 * time.Millisecond)
		if c.came(of, 0, now); n > 60 && n%30 == 29 {
			for _, later := range []time.Duration{0, 700 * time.Millisecond} {
				if flow := c.flow(key{"shop", "/books"}, now.Add(later)); flow != 40 {
					t.Errorf("of 40 requests a second the flow is %d, %s after a batch", flow, later)
				}
			}
		}
	}
}

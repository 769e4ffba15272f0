package dashboard_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/tui/app"
	"gatewright/tui/app/apptest"
	"gatewright/tui/frame/frametest"
	"gatewright/tui/route"
)

func TestMain(m *testing.M) { frametest.Main(m) }

func TestEveryTabLooksAsItsGolden(t *testing.T) {
	t.Parallel()
	dir := apptest.ChangedShop(t)
	for _, size := range [][2]int{{60, 15}, {80, 24}, {120, 40}, {200, 60}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			term := apptest.OpenReadOnly(t, dir, "none", size[0], size[1], route.Dashboard{})
			at := func(name string) { term.Golden(fmt.Sprintf("%s_%dx%d", name, size[0], size[1])) }
			for _, name := range apptest.Tabs {
				term.Tab(name)
				at(name)
				term.Keys("down", "down", "down")
				at(name + "_below")
			}
			term.Keys("2", "/", "isbn")
			at("apis_filtered")
			term.Keys("zz", "enter")
			at("apis_nothing_matches")
			term.Keys("esc", "end", "enter")
			at("apis_whole_row")
			term.Keys("esc", "o")
			at("apis_ordered")
			term.Keys("g", "down", "down", "v")
			at("apis_difference")
			term.Keys("esc")
			term.Tab("environments").Keys("right", "right")
			at("environments_qa")
			term.Keys("left", "left")
			term.Tab("activity").Keys("g", "down", "down", "enter")
			at("activity_unfolded")
			term.Tab("outputs").Keys("g", "]", "]", "enter")
			at("outputs_planned")
			term.Keys("[", "[", "E")
			at("choose_environment")
			term.Keys("down", "enter", "2")
			at("apis_prod")
			term.Keys("ctrl+p")
			at("palette")
			term.Keys("filt")
			at("palette_filtered")
			term.Keys("esc", "?")
			at("help")
		})
	}
}

// TestStylesAreThoseOfTheTheme compares each tab with its escape sequences.
func TestStylesAreThoseOfTheTheme(t *testing.T) {
	t.Parallel()
	dir := apptest.ChangedShop(t)
	for _, theme := range []string{"dark", "light", "high-contrast", "none"} {
		term := apptest.OpenReadOnly(t, dir, theme, 60, 15, route.Dashboard{})
		for _, name := range apptest.Tabs {
			term.Tab(name).Keys("down", "down")
			term.Styled(fmt.Sprintf("%s_60x15_styles_%s", name, theme))
		}
	}
}

var colourCode = regexp.MustCompile("\x1b\\[[0-9;]*(3[0-8]|4[0-8]|9[0-7]|10[0-7])[;m]")

func TestNothingIsShownByColourOnly(t *testing.T) {
	t.Parallel()
	o := app.Options{Dir: apptest.ChangedShop(t), Start: route.Dashboard{}, Environ: []string{"TERM=xterm-256color", "NO_COLOR=1"}}
	term := apptest.Begin(t, o, nil, 80, 40)
	for name, want := range map[string][]string{
		"apis":         {" APIs]", "▌ admin", "+ new", "~ changed", "= no change", "~ function", "- removed"},
		"functions":    {" Functions", "▌ "},
		"access":       {" Access", "▌ "},
		"problems":     {" Problems", "▌ ?  /{proxy+}"},
		"environments": {" Envs]", "▌ ≠ provider", "[dev]"},
		"tables":       {" Tables", "no table"},
		"outputs":      {" Outputs]", "▌ "},
		"definitions":  {" Def", "▌ "},
		"activity":     {" Activity", "~ Update     API shop", "+ Create     API admin"},
	} {
		term.Tab(name).Shows(want...)
		if code := colourCode.FindString(term.Model.View().Content); code != "" {
			t.Errorf("there is the colour %q in %s", code, want[0])
		}
	}
}

func TestAnEmptyTabSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	b := &model.Backend{}
	apptest.Must(t, edit.SetProject(b, model.Project{Name: "bare", ApplicationID: "app2", Dialect: model.Neutral}))
	term := apptest.OpenReadOnly(t, apptest.Written(t, b), "none", 80, 24, route.Dashboard{}).Tab("apis")
	term.Shows("no environment", "no API yet; design one with: gatewright add api")
	term.Tab("environments").Shows("the project has no environment; add one with: gatewright add env NAME")
	term.Tab("activity").Shows("what a push would do is unknown", "! the project has no environment")
	term.Keys("E").Shows("not available: there is no other environment")

	fresh := apptest.Written(t, apptest.Shop(t))
	apptest.Must(t, os.Remove(filepath.Join(fresh, "client_config.json")))
	term = apptest.OpenReadOnly(t, fresh, "none", 80, 24, route.Dashboard{Environment: "qa"})
	term.Golden("never_pushed_80x24")
	term.Tab("outputs").Golden("no_client_file_80x24")
	term.Tab("activity").Shows("6 to create, and nothing was pushed yet")
}

func TestABrokenFileIsNamedAndTheRestIsShown(t *testing.T) {
	t.Parallel()
	dir := apptest.ChangedShop(t)
	apptest.Put(t, dir, "backend/function/books/function.json", `{"name": "books",`)
	apptest.Put(t, dir, "client_config.json", "{\n  \"version\": \"1\",\n  \"auht\": {}\n}\n")
	term := apptest.OpenReadOnly(t, dir, "none", 80, 24, route.Dashboard{})
	term.Golden("broken_80x24")
	term.Tab("activity").Shows("! backend/function/books/function.json:1:", "Activity", "is unknown")
	term.Tab("outputs").Golden("broken_client_80x24")
	term.Tab("environments").Shows("[dev]", "prod")
}

func TestAnAmplifyProjectIsShown(t *testing.T) {
	t.Parallel()
	dir := apptest.Folder(t)
	apptest.Must(t, os.CopyFS(dir, os.DirFS("../../testdata/amplify")))
	term := apptest.OpenReadOnly(t, dir, "none", 80, 24, route.Dashboard{})
	term.Golden("amplify_80x24")
	term.Tab("activity").Shows("amplify/#current-cloud-backend", "run: amplify pull, or amplify status")
	term.Tab("outputs").Shows("amplify_outputs.json does not exist")
}

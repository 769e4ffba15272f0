package dashboard

import (
	"slices"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/tui/layout"
)

func TestLongNamesLeaveEveryColumnItsPlace(t *testing.T) {
	long := strings.Repeat("long-name-", 6)
	b := &model.Backend{}
	must(t, b.SetProject(model.Project{Name: long, ApplicationID: long, Dialect: model.Neutral}))
	for _, name := range []string{"a", "b", "c", "d"} {
		must(t, b.AddEnvironment(&model.Environment{Name: long + name, Provider: model.Local, Branch: name, Guarded: true}))
	}
	must(t, b.AddFunction(&model.Function{Name: long, Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler"}))
	must(t, b.AddAPI(api(long, path("/"+strings.Repeat("segment/", 20)+"end", long))))
	dir := t.TempDir()
	fsys, err := disk.Open(dir)
	must(t, err)
	start := project.New(fsys, fsys.Close)
	plan, err := start.Plan(b)
	must(t, err)
	must(t, plan.Commit())
	must(t, start.Close())
	for _, size := range [][2]int{{60, 15}, {80, 24}, {120, 40}, {200, 50}} {
		p := opened(t, dir, size[0], size[1])
		for _, want := range []string{"open to everybody", "long-", "long-", "≠ branch|provider", "long-", "\"version\": \"1\"", "long-", "Create"} {
			text := shown(p)
			for line := range strings.Lines(text) {
				if layout.Width(strings.TrimSuffix(line, "\n")) != size[0] {
					t.Errorf("at %v a line has %d cells: %q", size, layout.Width(strings.TrimSuffix(line, "\n")), line)
				}
			}
			if !strings.Contains(text, " (guarded)  never pushed") {
				t.Errorf("at %v the environment is not told:\n%s", size, text)
			}
			found := false
			for _, one := range strings.Split(want, "|") {
				found = found || strings.Contains(text, one)
			}
			if !found {
				t.Errorf("at %v %q is not in\n%s", size, want, text)
			}
			press(p, "tab")
		}
	}
}

func TestColumnsFitWhateverTheWindow(t *testing.T) {
	a := apisTab{apiTable: apiTable{pathW: 70, functionW: 40, accessW: 90, marks: true, endpoints: true}}
	for w := layout.MinWidth - 4; w < 300; w++ {
		c := a.columns(w)
		sum := c.path + c.function + c.access + c.mark + c.endpoint + 3*len(gap)
		if c.endpoint > 0 {
			sum += len(gap)
		}
		if sum > w || slices.Min([]int{c.path, c.function, c.access, c.mark}) <= 0 {
			t.Errorf("in %d cells the columns are %+v, %d cells", w, c, sum)
		}
	}
}

package dashboard

import (
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/tui/layout"
)

func TestLongNamesLeaveRoomForEveryColumn(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long-name-", 6)
	b := &model.Backend{}
	must(t, edit.SetProject(b, model.Project{Name: long, ApplicationID: long, Dialect: model.Neutral}))
	for _, name := range []string{"a", "b", "c", "d"} {
		must(t, edit.AddEnvironment(b, &model.Environment{Name: long + name, Provider: model.Local, Branch: name, Guarded: true}))
	}
	must(t, edit.AddFunction(b, &model.Function{Name: long, Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler"}))
	must(t, edit.AddAPI(b, api(long, path("/"+strings.Repeat("segment/", 20)+"end", long))))
	dir := folderOf(t, b)
	for _, size := range [][2]int{{60, 15}, {80, 24}, {120, 40}, {200, 50}} {
		w := opened(t, dir, size[0], size[1])
		for _, want := range []string{"open to everybody", "long-", "long-", "no sandbox is running", "▌", "no sandbox is running|no user pool", "≠ branch|provider", "long-", "\"version\": \"1\"", "long-", "Create"} {
			lines := strings.Split(w.Screen(), "\n")
			for _, line := range lines[:len(lines)-2] {
				if layout.Width(line) != size[0] {
					t.Errorf("at %v a line has %d cells: %q", size, layout.Width(line), line)
				}
			}
			w.Shows(" (guarded)  never pushed")
			found := false
			for one := range strings.SplitSeq(want, "|") {
				found = found || strings.Contains(w.Screen(), one)
			}
			if !found {
				t.Errorf("at %v %q is not in\n%s", size, want, w.Screen())
			}
			w.press(">")
		}
	}
}

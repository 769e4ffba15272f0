package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/tui/dashboard"
)

// configured is the shop with a storage and two outputs, pushed to dev.
func configured(t testing.TB) string {
	t.Helper()
	b := shop(t)
	b.Storage = &model.Storage{Region: "eu-west-1"}
	must(t, b.AddNamedOutput("uploads", model.Outputs{"storage": map[string]any{"bucket_name": "uploads"}}))
	must(t, b.AddNamedOutput("limits", model.Outputs{"custom": map[string]any{"limits": map[string]any{"pages": 20}}}))
	dir := folder(t)
	written(t, dir, b)
	pushed(t, dir, "dev")
	return dir
}

func readAll(t testing.TB, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	must(t, err)
	return string(data)
}

// at brings the cursor to the line that has a text.
func (term *terminal) at(text string) *terminal {
	term.t.Helper()
	return term.keys("home", "/", text, "enter")
}

func TestEachLineOfTheFileSaysWhereItIsFrom(t *testing.T) {
	dir := configured(t)
	term := look(t, dir, "none", 160, 40, dashboard.Route{}).tab("Outputs")
	for text, want := range map[string]string{
		"bucket_name":  "/storage/bucket_name is from addOutput call uploads",
		"pages":        "/custom/limits/pages is from addOutput call limits",
		"apiname":      "/custom/API/shop/apiName is from the last push of dev, 2026-03-01 12:00",
		"user_pool_id": "/auth/user_pool_id is from the last push of dev",
		`"version"`:    "the version of the file's format",
	} {
		got := strings.Join(strings.Fields(strings.ReplaceAll(term.at(text).side(), "│", " ")), " ")
		if !strings.Contains(got, want) {
			t.Errorf("of %s it says\n%s", text, got)
		}
		term.keys("esc")
	}
	got := strings.Join(strings.Fields(term.at(`"storage"`).side()), " ")
	if !strings.Contains(got, "/storage is from addOutput call uploads and the definition storage") {
		t.Errorf("of a section it says\n%s", got)
	}
}

// side is what the window shows beside the rows.
func (term *terminal) side() string {
	var text []string
	for line := range strings.SplitSeq(term.screen(), "\n") {
		if _, right, ok := strings.Cut(line, "│"); ok {
			text = append(text, right)
		}
	}
	return strings.Join(text, "\n")
}

func TestTheFileIsShownInBothDialects(t *testing.T) {
	dir := configured(t)
	before := everyFile(t, dir)
	term := look(t, dir, "none", 160, 40, dashboard.Route{}).tab("Outputs")
	term.shows("client_config.json on disk, of environment dev", `"cloud_region": "eu-west-1"`)
	term.keys("D").shows("in the words of amplify (amplify_outputs.json)", `"aws_region": "eu-west-1"`)
	if strings.Contains(term.screen(), "cloud_region") {
		t.Errorf("words of the other dialect are shown:\n%s", term.screen())
	}
	if got := strings.Join(strings.Fields(term.at("bucket_name").side()), " "); !strings.Contains(got, "addOutput call uploads") {
		t.Errorf("there it says\n%s", got)
	}
	term.keys("esc", "S").shows("A client of amplify_outputs.json", "Amplify.configure")
	term.keys("esc", "D", "S").shows("A client of client_config.json", "aws_region: config.auth.cloud_region")
	if diff := cmp.Diff(before, everyFile(t, dir)); diff != "" {
		t.Errorf("files differ (- before, + after):\n%s", diff)
	}
}

func TestAnOutputIsAddedEditedRemovedAndAllIsTakenBack(t *testing.T) {
	dir := configured(t)
	before := readAll(t, dir, "client_config.json")
	term := open(t, dir, "none", 120, 40, dashboard.Route{}).tab("Outputs")
	term.keys("A").shows("Name of the output")
	term.keys("limits", "enter").shows("there is an output of that name already")
	term.keys("ctrl+u", "mail", "enter").shows("Output mail", `"custom": {`)
	term.keys(`"support": "a@b.c`).shows("not yet: line 3 is no JSON")
	term.keys(`"`, "ctrl+s").shows("done: output mail added", "u takes it back")
	if got := readAll(t, dir, "backend/outputs/mail.json"); !strings.Contains(got, `"support": "a@b.c"`) {
		t.Errorf("the output is\n%s", got)
	}
	if got := readAll(t, dir, "client_config.json"); !strings.Contains(got, `"support": "a@b.c"`) {
		t.Errorf("the file is\n%s", got)
	}
	term.at("support").keys("E").shows("Output mail", `"support": "a@b.c"`)
	term.keys("down", "down", "end", "left", "om", "ctrl+s").shows("done: output mail changed")
	if got := readAll(t, dir, "client_config.json"); !strings.Contains(got, `"support": "a@b.com"`) {
		t.Errorf("the file is\n%s", got)
	}
	term.keys("x").shows("Remove output mail", "outputs/mail.json")
	term.keys("r").shows("done: output mail removed")
	if got := readAll(t, dir, "client_config.json"); strings.Contains(got, "support") {
		t.Errorf("the file is\n%s", got)
	}
	term.keys("esc", "u", "u", "u").shows("taken back: output mail added")
	if got := readAll(t, dir, "client_config.json"); got != before {
		t.Errorf("taken back the file is\n%s\nit was\n%s", got, before)
	}
}

func TestAConflictIsSaidWithBothOriginsWhileItIsTyped(t *testing.T) {
	dir := configured(t)
	term := open(t, dir, "none", 120, 40, dashboard.Route{}).tab("Outputs")
	term.keys("A", "more", "enter", `"limits": {"pages": 30}`)
	term.shows(`not yet: output more: /custom/limits/pages is 20 (output limits) and 30 (output more)`, `!     "limits": {"pages": 30}`)
	term.keys("ctrl+u", `"API": {"shop": {"apiName": "other"}}`)
	term.shows(`/custom/API/shop/apiName is "shop" (generated) and "other" (output more)`)
	term.keys("ctrl+s").shows("Output more")
	term.keys("ctrl+u", "up", "end", "backspace", "backspace", "left", "left", "left", "x").shows("not yet: ")
	term.keys("esc").shows("what was typed would be lost")
	term.keys("esc").shows("Outputs]")
	if _, err := os.Stat(filepath.Join(dir, "backend", "outputs", "more.json")); !os.IsNotExist(err) {
		t.Errorf("an output was written: %v", err)
	}
}

func TestTheFileIsWrittenForTheEnvironmentThatIsShown(t *testing.T) {
	dir := configured(t)
	term := open(t, dir, "none", 120, 40, dashboard.Route{}).tab("Outputs")
	term.keys("V").shows("not available: a write would change nothing of it")
	term.keys("right", "right", "V").shows("Write client_config.json", "The file is of environment dev now, and would be of qa.")
	term.keys("w").shows("done: client_config.json written for qa", "of environment qa")
	must(t, os.Remove(filepath.Join(dir, "client_config.json")))
	term.keys("r", "V").shows("done: client_config.json written for qa")
	if got := readAll(t, dir, "client_config.json"); !strings.Contains(got, `"bucket_name": "uploads"`) {
		t.Errorf("the file is\n%s", got)
	}
}

func TestAProblemIsMarkedInItsLineAndToldFirst(t *testing.T) {
	dir := configured(t)
	text := readAll(t, dir, "client_config.json")
	put(t, dir, "client_config.json", strings.Replace(text, `"bucket_name": "uploads"`, `"bucket_name": 7`, 1))
	term := look(t, dir, "none", 160, 40, dashboard.Route{}).tab("Outputs")
	term.shows("Outputs !]", `!    "bucket_name": 7`)
	if got := term.at("bucket_name").side(); !strings.HasPrefix(strings.TrimSpace(got), "error: client_config.json:") {
		t.Errorf("there it says\n%s", got)
	}
}

func TestAReadOnlyDashboardWritesNoOutput(t *testing.T) {
	dir := configured(t)
	before := everyFile(t, dir)
	term := look(t, dir, "none", 120, 40, dashboard.Route{}).tab("Outputs")
	for _, key := range []string{"A", "E", "x", "V"} {
		term.keys(key).shows("not available: this dashboard only reads")
	}
	if diff := cmp.Diff(before, everyFile(t, dir)); diff != "" {
		t.Errorf("files differ (- before, + after):\n%s", diff)
	}
}

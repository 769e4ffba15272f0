package outputs_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/tui/app/apptest"
	"gatewright/tui/frame/frametest"
	"gatewright/tui/route"
)

func TestMain(m *testing.M) { frametest.Main(m) }

// writable opens the tab in a dashboard, readable in a read-only dashboard.
func writable(t testing.TB, dir string, w, h int) *apptest.Terminal {
	t.Helper()
	return apptest.Open(t, dir, "none", w, h, route.Dashboard{}).Tab("Outputs")
}

func readable(t testing.TB, dir string, w, h int) *apptest.Terminal {
	t.Helper()
	return apptest.OpenReadOnly(t, dir, "none", w, h, route.Dashboard{}).Tab("Outputs")
}

// broken writes a value of the wrong type into the client configuration file.
func broken(t testing.TB, dir string) {
	t.Helper()
	text := apptest.Get(t, dir, "client_config.json")
	apptest.Put(t, dir, "client_config.json", strings.Replace(text, `"bucket_name": "uploads"`, `"bucket_name": 7`, 1))
}

func TestOutputsLookAsTheirGoldens(t *testing.T) {
	t.Parallel()
	dir := apptest.Configured(t)
	broken(t, dir)
	for _, size := range [][2]int{{60, 15}, {80, 24}, {120, 40}, {200, 60}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			term := writable(t, dir, size[0], size[1])
			at := func(name string) { term.Golden(fmt.Sprintf("%s_%dx%d", name, size[0], size[1])) }
			term.At("bucket_name")
			at("problem")
			term.Keys("esc", "D")
			at("other_dialect")
			term.Keys("D", "S")
			at("snippet")
			term.Keys("esc", "a", "more", "enter", `"limits": {"pages": 30}`)
			at("conflict")
		})
	}
}

func TestEachLineOfTheFileHasItsOrigin(t *testing.T) {
	t.Parallel()
	term := readable(t, apptest.Configured(t), 220, 40)
	for text, want := range map[string]string{
		"bucket_name":  "/storage/bucket_name is from output uploads",
		"pages":        "/custom/limits/pages is from output limits",
		"apiname":      "/custom/API/shop/apiName is from the last push of dev, 2026-03-01 12:00",
		"user_pool_id": "/auth/user_pool_id is from the last push of dev",
		`"version"`:    "the version of the file's format",
		`"storage"`:    "/storage is from output uploads and the definition storage",
	} {
		if got := term.At(text).Side(); !strings.Contains(got, want) {
			t.Errorf("of %s it says\n%s", text, got)
		}
		term.Keys("esc")
	}
}

func TestTheFileIsShownInBothDialects(t *testing.T) {
	t.Parallel()
	dir := apptest.Configured(t)
	unchanged := apptest.Unchanged(t, dir)
	term := readable(t, dir, 160, 40)
	term.Shows("client_config.json on disk, for dev", `"cloud_region": "eu-west-1"`)
	term.Keys("D").Shows(", as amplify_outputs.json", `"aws_region": "eu-west-1"`).Hides("cloud_region")
	if got := term.At("bucket_name").Side(); !strings.Contains(got, "output uploads") {
		t.Errorf("there it says\n%s", got)
	}
	term.Keys("esc", "S").Shows("Client code for amplify_outputs.json", "Amplify.configure")
	term.Keys("esc", "D", "S").Shows("Client code for client_config.json", "aws_region: config.auth.cloud_region")
	unchanged()
}

func TestAnOutputIsAddedEditedRemovedAndAllIsUndone(t *testing.T) {
	t.Parallel()
	dir := apptest.Configured(t)
	client := func() string { return apptest.Get(t, dir, "client_config.json") }
	before := client()
	term := writable(t, dir, 120, 40)
	term.Keys("a").Shows("Name of the output")
	term.Keys("limits", "enter").Shows("this output exists already")
	term.Keys("ctrl+u", "mail", "enter").Shows("Output mail", `"custom": {`)
	term.Keys(`"support": "a@b.c`).Shows("not yet: line 3 is not valid JSON")
	term.Keys(`"`, "ctrl+s").Shows("done: output mail added", "u undoes it")
	if got := apptest.Get(t, dir, "backend/outputs/mail.json"); !strings.Contains(got, `"support": "a@b.c"`) {
		t.Errorf("the output is\n%s", got)
	}
	if got := client(); !strings.Contains(got, `"support": "a@b.c"`) {
		t.Errorf("the file is\n%s", got)
	}
	term.At("support").Keys("e").Shows("Output mail", `"support": "a@b.c"`)
	term.Keys("down", "down", "end", "left", "om", "ctrl+s").Shows("done: output mail changed")
	if got := client(); !strings.Contains(got, `"support": "a@b.com"`) {
		t.Errorf("the file is\n%s", got)
	}
	term.Keys("d").Shows("Remove output mail", "outputs/mail.json")
	term.Keys("r").Shows("done: output mail removed")
	if got := client(); strings.Contains(got, "support") {
		t.Errorf("the file is\n%s", got)
	}
	term.Keys("esc", "u", "u", "u").Shows("undid: output mail added")
	if got := client(); got != before {
		t.Errorf("after undo the file is\n%s\nit was\n%s", got, before)
	}
}

func TestAConflictIsShownWithBothOriginsWhileTyping(t *testing.T) {
	t.Parallel()
	dir := apptest.Configured(t)
	term := writable(t, dir, 120, 40)
	term.Keys("a", "more", "enter", `"limits": {"pages": 30}`)
	term.Shows(`not yet: output more: /custom/limits/pages is 20 (output limits) and 30 (output more)`, `!     "limits": {"pages": 30}`)
	term.Keys("ctrl+u", `"API": {"shop": {"apiName": "other"}}`)
	term.Shows(`/custom/API/shop/apiName is "shop" (generated) and "other" (output more)`)
	term.Keys("ctrl+s").Shows("Output more")
	term.Keys("ctrl+u", "up", "end", "backspace", "backspace", "left", "left", "left", "x").Shows("not yet: ")
	term.Keys("esc").Shows("your changes would be lost")
	term.Keys("esc").Shows("Outputs]")
	if _, err := os.Stat(filepath.Join(dir, "backend", "outputs", "more.json")); !os.IsNotExist(err) {
		t.Errorf("an output was written: %v", err)
	}
}

func TestTheFileIsWrittenForTheEnvironmentThatIsShown(t *testing.T) {
	t.Parallel()
	dir := apptest.Configured(t)
	term := writable(t, dir, 120, 40)
	term.Keys("ctrl+s").Shows("not available: a write would not change the file")
	term.Keys("]", "]", "ctrl+s").Shows("Write client_config.json", "The file is for environment dev now, and would be for qa.")
	term.Keys("w").Shows("done: client_config.json written for qa", "on disk, for qa")
	apptest.Must(t, os.Remove(filepath.Join(dir, "client_config.json")))
	term.Keys("ctrl+r", "ctrl+s").Shows("done: client_config.json written for qa")
	if got := apptest.Get(t, dir, "client_config.json"); !strings.Contains(got, `"bucket_name": "uploads"`) {
		t.Errorf("the file is\n%s", got)
	}
}

func TestAProblemIsMarkedInItsLineAndShownFirst(t *testing.T) {
	t.Parallel()
	dir := apptest.Configured(t)
	broken(t, dir)
	term := readable(t, dir, 160, 40)
	term.Shows("Outputs !]", `!    "bucket_name": 7`)
	if got := term.At("bucket_name").Side(); !strings.HasPrefix(got, "error: client_config.json:") {
		t.Errorf("there it says\n%s", got)
	}
}

func TestAReadOnlyDashboardWritesNoOutput(t *testing.T) {
	t.Parallel()
	dir := apptest.Configured(t)
	unchanged := apptest.Unchanged(t, dir)
	term := readable(t, dir, 120, 40)
	for _, key := range []string{"a", "e", "d", "ctrl+s"} {
		term.Keys(key).Shows("not available: this dashboard is read-only")
	}
	unchanged()
}

// TestEveryWindowHoldsWhatIsDrawn presses the keys of the tab in windows of many sizes.
func TestEveryWindowHoldsWhatIsDrawn(t *testing.T) {
	t.Parallel()
	term := writable(t, apptest.Configured(t), 130, 30)
	for w := 20; w < 160; w += 13 {
		term.Resize(w, 8+w/5)
		for _, name := range []string{"down", "enter", "D", "S", "down", "esc", "a", "enter", "n", "enter", "{", "esc", "esc", "end", "e", "esc", "d", "esc", "ctrl+s", "esc", "tab", "down", "esc"} {
			term.Keys(name).Fits(fmt.Sprint(name, " in ", w, " cells"))
		}
	}
}

// TestAFileOfOneLineIsShownIndentedAndItsProblemStaysAtItsValue has a file that a minifier wrote.
func TestAFileOfOneLineIsShownIndentedAndItsProblemStaysAtItsValue(t *testing.T) {
	t.Parallel()
	dir := apptest.Configured(t)
	broken(t, dir)
	var line bytes.Buffer
	apptest.Must(t, json.Compact(&line, []byte(apptest.Get(t, dir, "client_config.json"))))
	apptest.Put(t, dir, "client_config.json", line.String())
	term := readable(t, dir, 160, 40)
	term.Shows("client_config.json on disk, for dev, shown indented", "Outputs !]", `!    "bucket_name": 7`)
	if got := term.At("bucket_name").Side(); !strings.HasPrefix(got, "error: client_config.json:") || !strings.Contains(got, "/storage/bucket_name is from output uploads") {
		t.Errorf("there it says\n%s", got)
	}
}

func TestWhatAWriteWouldLoseOrReveal(t *testing.T) {
	t.Parallel()
	dir := apptest.Configured(t)
	text := apptest.Get(t, dir, "client_config.json")
	apptest.Put(t, dir, "client_config.json", strings.Replace(text, `"limits": {`, `"mine": {"a": 1},
    "limits": {`, 1))
	term := writable(t, dir, 120, 40)
	if got := term.At("mine").Side(); !strings.Contains(got, "/custom/mine is in this file only, and is kept") {
		t.Errorf("of what no definition has it says\n%s", got)
	}
	was := apptest.Definition(t, dir)
	term.Keys("esc", "a", "enter").Shows("New output").Keys("up", "end", "ctrl+u", `"data": {"api_key": "da2-secret"`, "ctrl+s")
	term.Shows("This puts the key of the data API into a file that is committed;", "create backend/outputs/data.json").Keys("esc")
	if got := apptest.Definition(t, dir); got != was {
		t.Errorf("without a yes it writes\n%s", got)
	}
}

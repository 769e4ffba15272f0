package sessions

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTheReadmeShowsTheRealOutput follows the README from an empty folder on: each command of
// these sections, in their order, must print what the README shows below it. A line of three
// dots stands for any lines.
func TestTheReadmeShowsTheRealOutput(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "bookshop")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	environment := []string{"HOME=" + t.TempDir(), "GATEWRIGHT_STATE=" + t.TempDir()}
	commands := 0
	for _, title := range []string{"From an empty folder to a written API", "Environments", "Signing in", "The client configuration file"} {
		_, section, found := strings.Cut(string(text), "\n## "+title+"\n")
		if !found {
			t.Fatalf("there is no section %q", title)
		}
		section, _, _ = strings.Cut(section, "\n## ")
		for _, example := range examples(section) {
			line, want, _ := strings.Cut(example, "\n")
			args := strings.Fields(line)
			switch args[0] {
			case "cat":
				if err := os.WriteFile(filepath.Join(dir, args[1]), []byte(want), 0o644); err != nil {
					t.Fatal(err)
				}
			case "gatewright":
				cmd := exec.Command("gatewright", args[1:]...)
				cmd.Dir, cmd.Env = dir, environment
				// A command may fail; then the README shows its error.
				out, _ := cmd.CombinedOutput()
				if !matches(want, string(out)) {
					t.Errorf("%s: %s prints\n%s\nwant\n%s", title, line, out, want)
				}
				commands++
			default:
				t.Errorf("%s: the test does not know the command %s", title, args[0])
			}
		}
	}
	if commands < 10 {
		t.Errorf("only %d commands were found", commands)
	}
}

// examples returns the commands of a text, each with the output that is shown below it.
func examples(text string) []string {
	var found []string
	inside := false
	for line := range strings.Lines(text) {
		code, isCode := strings.CutPrefix(line, "    ")
		command, isCommand := strings.CutPrefix(code, "$ ")
		switch {
		case isCode && isCommand:
			found, inside = append(found, command), true
		case isCode && inside, line == "\n" && inside:
			found[len(found)-1] += code
		default:
			inside = false
		}
	}
	for i, example := range found {
		found[i] = strings.TrimRight(example, "\n") + "\n"
	}
	return found
}

// matches reports whether an output is the wanted one. Times may differ.
func matches(want, output string) bool {
	moment := regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC`)
	pattern := "^"
	for line := range strings.Lines(moment.ReplaceAllString(want, "TIME")) {
		if strings.TrimSpace(line) == "..." {
			pattern += `(?s:.*)`
			continue
		}
		pattern += regexp.QuoteMeta(line)
	}
	return regexp.MustCompile(pattern + "$").MatchString(moment.ReplaceAllString(output, "TIME"))
}

package sessions

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// story are the pages whose examples are one story, from an empty folder on.
var story = []string{
	"wizard.md", "running.md", "access.md", "signing-in.md", "client-configuration.md", "build-servers.md", "files.md", "commands.md", "installing.md",
}

// TestThePagesShowTheRealOutput follows the story: each command must print what the page shows
// below it. A line of three dots stands for any lines.
func TestThePagesShowTheRealOutput(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "bookshop")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	// TestMain puts the program into the folder that is first in PATH.
	environment := append(os.Environ(), "HOME="+t.TempDir(), "GATEWRIGHT_STATE="+t.TempDir(), "TZ=UTC", "CI=false")
	commands := 0
	for _, page := range story {
		for _, example := range examples(readPage(t, "docs/"+page)) {
			line, want, _ := strings.Cut(example, "\n")
			args := words(line)
			switch args[0] {
			case "cat":
				if err := os.WriteFile(filepath.Join(dir, args[1]), []byte(want), 0o644); err != nil {
					t.Fatal(err)
				}
			case "gatewright":
				cmd := exec.Command("gatewright", args[1:]...)
				cmd.Dir, cmd.Env = dir, environment
				// A command may fail; then the page shows its error.
				out, _ := cmd.CombinedOutput()
				if !matches(want, string(out)) {
					t.Errorf("%s: %s prints\n%s\nwant\n%s", page, line, out, want)
				}
				commands++
			default:
				t.Errorf("%s: the test does not know the command %s", page, args[0])
			}
		}
	}
	if commands < 10 {
		t.Errorf("only %d commands were found", commands)
	}
}

// TestEveryExampleIsInTheStory looks for pages with examples that no test would run.
func TestEveryExampleIsInTheStory(t *testing.T) {
	for _, page := range pages(t) {
		if len(examples(readPage(t, page))) > 0 && !slices.Contains(story, strings.TrimPrefix(page, "docs/")) {
			t.Errorf("%s has examples and is not in the story", page)
		}
	}
}

// words splits a command line as shells do: blanks between quotes separate nothing.
func words(line string) []string {
	var found []string
	for _, word := range regexp.MustCompile(`(?:[^\s'"]|'[^']*'|"[^"]*")+`).FindAllString(line, -1) {
		found = append(found, regexp.MustCompile(`'([^']*)'|"([^"]*)"`).ReplaceAllString(word, "$1$2"))
	}
	return found
}

// readPage reads a page, by its path in the project.
func readPage(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

// pages lists the pages for users, by their paths in the project.
func pages(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"README.md"}
	for _, name := range found {
		names = append(names, "docs/"+filepath.Base(name))
	}
	if len(names) < 10 {
		t.Fatalf("only %q were found", names)
	}
	return names
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
		// Within a line, three dots stand for the rest of it.
		if begin, ok := strings.CutSuffix(line, "...\n"); ok {
			pattern += regexp.QuoteMeta(begin) + ".*\n"
			continue
		}
		pattern += regexp.QuoteMeta(line)
	}
	output = strings.TrimRight(strings.ReplaceAll(output, "\r\n", "\n"), "\n") + "\n"
	return regexp.MustCompile(pattern + "$").MatchString(moment.ReplaceAllString(output, "TIME"))
}

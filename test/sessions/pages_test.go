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
	"start/first-api.md", "guides/tables.md", "guides/users.md", "why/access.md", "guides/functions.md", "guides/front-end.md",
	"guides/test-access.md", "guides/contract-first.md", "guides/environments.md", "reference/files.md", "start/install.md",
}

// samples are the pages whose examples run in a copy of a sample project.
var samples = map[string]string{"guides/amplify-project.md": "amplify"}

// TestThePagesShowTheRealOutput follows the story: each command must print what the page shows
// below it. A line of three dots stands for any lines.
func TestThePagesShowTheRealOutput(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "bookshop")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	environment := quiet(t)
	commands := 0
	for _, page := range story {
		commands += follow(t, page, dir, environment)
	}
	if commands < 20 {
		t.Errorf("only %d commands were found", commands)
	}
	for page, sample := range samples {
		copied := t.TempDir()
		if err := os.CopyFS(copied, os.DirFS(filepath.Join("..", "..", "testdata", sample))); err != nil {
			t.Fatal(err)
		}
		if follow(t, page, copied, quiet(t)) == 0 {
			t.Errorf("%s has no examples", page)
		}
	}
}

// quiet is an environment in which the state is that of nobody, and no build server shows.
// TestMain puts the program into the folder that is first in PATH.
func quiet(t *testing.T) []string {
	return append(os.Environ(), "HOME="+t.TempDir(), "GATEWRIGHT_STATE="+t.TempDir(), "TZ=UTC", "CI=false")
}

// follow runs the examples of a page in a folder, and returns how many there are.
func follow(t *testing.T, page, dir string, environment []string) int {
	t.Helper()
	commands := 0
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
	return commands
}

// TestEveryExampleIsInTheStory looks for pages with examples that no test would run.
func TestEveryExampleIsInTheStory(t *testing.T) {
	for _, page := range pages(t) {
		name := strings.TrimPrefix(page, "docs/")
		if len(examples(readPage(t, page))) > 0 && !slices.Contains(story, name) && samples[name] == "" {
			t.Errorf("%s has examples, and is neither in the story nor has it a sample", page)
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
	names := []string{"README.md"}
	for _, folder := range []string{"docs", "docs/start", "docs/guides", "docs/reference", "docs/why"} {
		found, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(folder), "*.md"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			names = append(names, folder+"/"+filepath.Base(name))
		}
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

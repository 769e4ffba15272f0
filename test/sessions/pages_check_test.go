package sessions

import (
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"gatewright/cli"
	"gatewright/cli/command"
	"gatewright/model/access"
)

func commandTree() *cobra.Command {
	return cli.NewRoot(command.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard})
}

// TestEveryCommandInThePagesExists parses each command line in the pages, in examples and in
// sentences: its commands and flags must be there.
func TestEveryCommandInThePagesExists(t *testing.T) {
	seen, tree := 0, commandTree()
	for _, page := range pages(t) {
		for _, line := range commandLines(readPage(t, page)) {
			seen++
			for _, words := range alternatives(strings.Fields(line)) {
				cmd, rest, err := tree.Find(words)
				if len(words) == 0 || words[0] == "help" {
					continue
				}
				// A word in capitals stands for a name.
				isName := len(rest) > 0 && (strings.HasPrefix(rest[0], "-") || strings.ToUpper(rest[0]) == rest[0])
				if err == nil && cmd.HasSubCommands() && len(rest) > 0 && !isName {
					t.Errorf("%s: gatewright %s: there is no command %s", page, line, rest[0])
					continue
				}
				if err == nil {
					cmd.InitDefaultHelpFlag()
					err = cmd.ParseFlags(rest)
				}
				if err != nil {
					t.Errorf("%s: gatewright %s: %v", page, line, err)
				}
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d command lines were found", seen)
	}
}

// commandLines returns the command lines of the program in a page, without its name, and
// without what a shell would do with them.
func commandLines(text string) []string {
	inline := regexp.MustCompile("`(?:npx )?gatewright ([^`]+)`")
	short := regexp.MustCompile("`(" + strings.Join(commandNames(), "|") + ")( [^`]+)`")
	afterwards := regexp.MustCompile(`\s+(#|\||>|>>|<|&&|;)(\s.*)?$|\).*$|\.\.\.$`)
	var lines []string
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
			continue
		}
		code, isCode := strings.CutPrefix(line, "    ")
		if isCode || fenced {
			code = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(code), "$ "), "npx ")
			if command, ok := strings.CutPrefix(code, "gatewright "); ok {
				lines = append(lines, afterwards.ReplaceAllString(command, ""))
			}
			continue
		}
		for _, found := range inline.FindAllStringSubmatch(line, -1) {
			lines = append(lines, found[1])
		}
		// Sentences leave out the name of the program.
		for _, found := range short.FindAllStringSubmatch(line, -1) {
			lines = append(lines, found[1]+found[2])
		}
	}
	return lines
}

// commandNames are the names of the commands that follow that of the program.
func commandNames() []string {
	var names []string
	for _, cmd := range commandTree().Commands() {
		names = append(names, cmd.Name())
	}
	return names
}

// alternatives returns the command lines that a notation stands for: [x] may be left out, and
// a|b is one of both.
func alternatives(words []string) [][]string {
	lines := [][]string{nil}
	for _, word := range words {
		word = strings.NewReplacer("[", "", "]", "", `\|`, "|", "'", "").Replace(word)
		if word == "..." {
			continue
		}
		choices := []string{word}
		if len(words) > 1 && !strings.HasPrefix(word, "-") && !strings.ContainsAny(word, "={") {
			choices = strings.Split(word, "|")
		}
		var longer [][]string
		for _, line := range lines {
			for _, choice := range choices {
				longer = append(longer, append(line[:len(line):len(line)], choice))
			}
		}
		lines = longer
	}
	return lines
}

// TestEachPageIsShortAndLeadsOn holds the pages to what a reader can take in: they say first what they are for, and
// last where to go next.
func TestEachPageIsShortAndLeadsOn(t *testing.T) {
	t.Parallel()
	made := regexp.MustCompile(`^docs/reference/(commands|exit-codes|fields-\w+)\.md$`)
	total := 0
	for _, page := range pages(t) {
		text := readPage(t, page)
		words := len(strings.Fields(text))
		if !made.MatchString(page) {
			total += words
		}
		if words > 1200 {
			t.Errorf("%s has %d words, and not at most 1,200", page, words)
		}
		if lines := strings.Count(text, "\n"); page == "README.md" && lines > 120 {
			t.Errorf("README.md has %d lines, and not at most 120", lines)
		}
		if strings.Count(page, "/") == 2 && !strings.Contains(text, "\nNext: ") {
			t.Errorf("%s does not say where to go next", page)
		}
		if title := regexp.MustCompile(`^# .+\n\n[^#|\n]`); !title.MatchString(text) {
			t.Errorf("%s does not begin with its title and what it is for", page)
		}
	}
	if total > 15000 {
		t.Errorf("the pages that are written by hand have %d words, and not at most 15,000", total)
	}
}

// TestThePageOfMeasurementsHasTheComparison looks for each row of the last comparison on the page.
func TestThePageOfMeasurementsHasTheComparison(t *testing.T) {
	t.Parallel()
	page, rows := readPage(t, "docs/why/measured.md"), 0
	for line := range strings.Lines(readPage(t, "test/compare.txt")) {
		if strings.HasPrefix(line, "|") {
			rows++
			if !strings.Contains(page, line) {
				t.Errorf("docs/why/measured.md lacks the row of test/compare.txt\n%s", line)
			}
		}
	}
	if rows < 6 {
		t.Errorf("only %d rows were found", rows)
	}
}

// TestTheRulesInThePageOfAccessExist asks for the sentence of each rule in the page.
func TestTheRulesInThePageOfAccessExist(t *testing.T) {
	_, table, _ := strings.Cut(readPage(t, "docs/why/access.md"), "| rule | what it means |")
	rules := regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\|").FindAllStringSubmatch(table, -1)
	if len(rules) < 5 {
		t.Errorf("only %d rules were found", len(rules))
	}
	for _, rule := range rules {
		if sentence, _ := access.RuleSentence(rule[1], "", []string{"/books"}); sentence == "" {
			t.Errorf("docs/why/access.md names the rule %s, which does not exist", rule[1])
		}
	}
}

// TestLinksInThePagesLeadSomewhere follows every link within the project, to a file and to a
// heading in it.
func TestLinksInThePagesLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	seen := 0
	for _, page := range append(pages(t), "CONTRIBUTING.md", "CHANGELOG.md") {
		for _, found := range link.FindAllStringSubmatch(readPage(t, page), -1) {
			target, anchor, _ := strings.Cut(found[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			seen++
			file := page
			if target != "" {
				file = path.Join(path.Dir(page), target)
			}
			if _, err := os.Stat(filepath.Join("..", "..", filepath.FromSlash(file))); err != nil {
				t.Errorf("%s links to %s, which does not exist", page, found[1])
				continue
			}
			if anchor != "" && !anchors(readPage(t, file))[anchor] {
				t.Errorf("%s links to %s, and there is no such heading", page, found[1])
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d links were found", seen)
	}
}

// anchors are the names by which links find the headings of a page: lower case, without signs,
// with hyphens for spaces
// (https://docs.github.com/en/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax#section-links).
func anchors(text string) map[string]bool {
	all := make(map[string]bool)
	heading := regexp.MustCompile(`(?m)^#{1,6} (.+)$`)
	signs := regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	for _, found := range heading.FindAllStringSubmatch(text, -1) {
		all[strings.ReplaceAll(signs.ReplaceAllString(strings.ToLower(found[1]), ""), " ", "-")] = true
	}
	return all
}

package manual_test

import (
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gatewright/cli"
	"gatewright/cli/command"
	"gatewright/cli/manual"
	"gatewright/test/depth"
)

var edition = manual.Edition{Version: "1.2.3", Date: time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)}

func tree(t *testing.T) *cobra.Command {
	t.Helper()
	return cli.NewRoot(command.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Dir: t.TempDir()})
}

func pages(t *testing.T) map[string][]byte {
	t.Helper()
	all := manual.Pages(tree(t), edition)
	if len(all) < 80 {
		t.Fatalf("there are only %d pages", len(all))
	}
	return all
}

func TestEveryCommandHasAPageWithItsFlags(t *testing.T) {
	t.Parallel()
	all := pages(t)
	root := tree(t)
	for _, path := range [][]string{{}, {"add", "api"}, {"update", "auth"}, {"call"}, {"user", "add"}, {"env", "diff"}, {"sandbox", "export"}, {"generate", "outputs"}, {"completion", "bash"}} {
		cmd, rest, err := root.Find(path)
		if err != nil || len(rest) > 0 {
			t.Fatalf("%v: %v", path, err)
		}
		name := strings.Join(append([]string{"gatewright"}, path...), "-") + ".1"
		text := strings.ReplaceAll(string(all[name]), `\-`, "-")
		for _, part := range []string{cmd.Short, cmd.CommandPath()} {
			if !strings.Contains(text, strings.ReplaceAll(part, "'", `\(aq`)) {
				t.Errorf("%s lacks %q", name, part)
			}
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Name != "help" && !strings.Contains(text, `\fB--`+f.Name+`\fR`) {
				t.Errorf("%s lacks --%s", name, f.Name)
			}
		})
	}
	for _, fact := range slices.Concat(command.ExitCodes, command.Variables) {
		if !strings.Contains(strings.ReplaceAll(string(all["gatewright.1"]), `\-`, "-"), fact.Name) {
			t.Errorf("the page of the program lacks %s", fact.Name)
		}
	}
}

// TestPagesHaveOnlyKnownRequests checks that no text is taken for a request, that every page is
// ASCII, which all readers can show, and that the pages that others name exist.
func TestPagesHaveOnlyKnownRequests(t *testing.T) {
	t.Parallel()
	all := pages(t)
	known := regexp.MustCompile(`^\.(TH|SH|SS|TP|PP|RS 2|RE|nf|fi|nh|ad l|br)( ".*)?$`)
	named := regexp.MustCompile(`\\fB([a-z\\-]+)\\fR\(1\)`)
	for name, text := range all {
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSuffix(line, "\n")
			if strings.HasPrefix(line, ".") && !known.MatchString(line) || strings.HasPrefix(line, "'") || line == "" || strings.ContainsAny(line, "\t\r") {
				t.Errorf("%s has the line %q", name, line)
			}
			if strings.ContainsFunc(line, func(r rune) bool { return r > 126 }) {
				t.Errorf("%s has a character that is not ASCII: %q", name, line)
			}
			for _, other := range named.FindAllStringSubmatch(line, -1) {
				if page := strings.ReplaceAll(other[1], `\-`, "-") + ".1"; all[page] == nil {
					t.Errorf("%s names the page %s, which does not exist", name, page)
				}
			}
		}
	}
}

// TestAReaderOfPagesFindsNoFault gives the pages to mandoc, a strict reader.
func TestAReaderOfPagesFindsNoFault(t *testing.T) {
	t.Parallel()
	depth.Needs(t, "mandoc")
	dir := t.TempDir()
	if _, err := manual.Write(tree(t), dir, edition); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "man", "man1", "*.1"))
	out, _ := exec.Command("mandoc", append([]string{"-T", "lint", "-W", "warning"}, files...)...).CombinedOutput()
	if len(out) > 0 || len(files) < 80 {
		t.Errorf("%d files: %s", len(files), out)
	}
}

func TestTheSameCommandsGiveTheSameFiles(t *testing.T) {
	t.Parallel()
	first, second := pages(t), pages(t)
	for name, text := range first {
		if string(second[name]) != string(text) {
			t.Errorf("%s differs", name)
		}
	}
	if !strings.HasPrefix(string(first["gatewright.1"]), `.TH "GATEWRIGHT" 1 "2026-11-26" "gatewright 1.2.3"`) {
		t.Errorf("the page begins %.80s", first["gatewright.1"])
	}
}

package command

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gatewright/internal/text/phrase"
	"gatewright/tui/layout"
)

// briefWidth and briefHeight are what --help has at most: a terminal of 24 lines, with the prompt.
const briefWidth, briefHeight = 80, 23

// Brief returns the text of --help: the first paragraph of what a command does, three examples, and
// flags while there is room, those of its usage and examples first.
func Brief(cmd *cobra.Command, width int) string {
	if width == 0 || width > briefWidth {
		width = briefWidth
	}
	about, _, _ := strings.Cut(cmp.Or(cmd.Long, cmd.Short), "\n\n")
	examples, root := examplesOf(cmd), cmd.Root().Name()
	b := startOf(cmd, about, examples[:min(len(examples), 3)], width)
	var groups []Fact
	for _, g := range cmd.Groups() {
		groups = append(groups, Fact{g.Title, strings.Join(commandNames(shown(cmd, g.ID)), ", ")})
	}
	if groups == nil {
		groups = factsOf(shown(cmd))
	}
	writeFacts(b, "Commands", groups, width)
	flags := flagsByWeight(cmd)
	n := min(len(flags), max(0, briefHeight-len("\n\n\n\n")-strings.Count(b.String(), "\n")))
	writeFlags(b, flags[:n], width, firstClause)
	more := "In full"
	if hidden := len(flags) - n; !cmd.HasParent() {
		more = "Each command, exit codes, environment variables"
	} else if hidden > 0 {
		more = phrase.Count(hidden, "more flag") + ", and how it works"
	}
	return b.String() + "\n" + Folded("", more+": "+strings.Replace(cmd.CommandPath(), root, root+" help", 1), width)
}

// Help returns all that is said of a command, wrapped between words to a width in cells. Width 0
// means that nothing is wrapped.
func Help(cmd *cobra.Command, width int) string {
	b := startOf(cmd, cmp.Or(cmd.Long, cmd.Short), examplesOf(cmd), width)
	for _, g := range cmd.Groups() {
		writeFacts(b, strings.TrimSuffix(g.Title, ":"), factsOf(shown(cmd, g.ID)), width)
	}
	var flags []*pflag.Flag
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			flags = append(flags, f)
		}
	})
	if cmd.HasParent() {
		writeFacts(b, "Commands", factsOf(shown(cmd)), width)
		writeFlags(b, flags, width, func(f *pflag.Flag, _ int) string { return FlagUsage(f) })
		return b.String() + "\n" + Folded("", "Exit codes and environment variables: "+cmd.Root().Name()+" help", width)
	}
	writeFlags(b, flags, width, func(f *pflag.Flag, _ int) string { return FlagUsage(f) })
	writeFacts(b, "Exit codes", ExitCodes, width)
	writeFacts(b, "Environment variables", Variables, width)
	return b.String()
}

// startOf begins a help: what a command does, how it is typed, and examples.
func startOf(cmd *cobra.Command, about string, examples []string, width int) *strings.Builder {
	var b strings.Builder
	use := "Usage: " + cmd.UseLine()
	if layout.Width(use) > briefWidth {
		use = strings.TrimSuffix(use, " [flags]")
	}
	b.WriteString(wrapProse(about, width) + "\n\n" + Folded("", use, width))
	if len(examples) > 0 {
		b.WriteString("\nExamples:\n" + strings.Join(examples, "\n") + "\n")
	}
	return &b
}

// shown lists the commands below one that help shows; with the title of a group, those in it.
func shown(cmd *cobra.Command, groups ...string) []*cobra.Command {
	return slices.DeleteFunc(slices.Clone(cmd.Commands()), func(c *cobra.Command) bool {
		return !c.IsAvailableCommand() && c.Name() != "help" || groups != nil && c.GroupID != groups[0]
	})
}

// factsOf returns commands with what they do.
func factsOf(commands []*cobra.Command) (facts []Fact) {
	for _, cmd := range commands {
		facts = append(facts, Fact{cmd.Name(), cmd.Short})
	}
	return facts
}

// writeFlags writes flags, each with what says says of it in a width.
func writeFlags(b *strings.Builder, flags []*pflag.Flag, width int, says func(*pflag.Flag, int) string) {
	facts, widest := make([]Fact, len(flags)), 0
	for i, f := range flags {
		value, _ := pflag.UnquoteUsage(f)
		name := strings.TrimRight("    --"+f.Name+" "+value, " ")
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + "," + name[len("-x,"):]
		}
		facts[i].Name, widest = name, max(widest, layout.Width(name))
	}
	for i, f := range flags {
		facts[i].Means = says(f, briefWidth-2*len(gap)-widest)
	}
	writeFacts(b, "Flags", facts, width)
}

// FlagUsage is what a flag does, with its default, unless that is what a flag of its kind has if
// nothing is given.
func FlagUsage(f *pflag.Flag) string {
	_, usage := pflag.UnquoteUsage(f)
	if slices.Contains([]string{"", "false", "0", "0s", "[]"}, f.DefValue) {
		return usage
	}
	return usage + " (default " + f.DefValue + ")"
}

// firstClause returns what a flag does, without the last clauses, which do not fit into a width.
func firstClause(f *pflag.Flag, width int) string {
	text := FlagUsage(f)
	if before, after, found := strings.Cut(text, " (default"); found && strings.HasSuffix(after, ")") &&
		layout.Width(text) > width {
		text = before
	}
	for _, end := range []string{"; ", ", such as ", ": "} {
		for layout.Width(text) > width && strings.Contains(text, end) {
			text = text[:strings.LastIndex(text, end)]
		}
	}
	return text
}

// Examples are lines of a command's examples. One without the program's name begins with it.
func Examples(lines ...string) string {
	for i, line := range lines {
		if !strings.Contains(line, "gatewright ") {
			line = "gatewright " + line
		}
		lines[i] = "  " + line
	}
	return strings.Join(lines, "\n")
}

// examplesOf lists the examples of a command; a group has the first one of each of its commands.
func examplesOf(cmd *cobra.Command) (lines []string) {
	subs := cmd.Commands()
	if cmd.Example != "" {
		return strings.Split(cmd.Example, "\n")
	}
	for _, sub := range subs {
		if of := examplesOf(sub); len(subs) == 1 {
			return of
		} else if of != nil {
			lines = append(lines, of[0])
		}
	}
	return lines
}

// common are the flags that many commands have. Brief names them last.
var common = []string{"confirm", "dry-run", "diff", "json", "theme", "accessible", "no-motion"}

// flagsByWeight lists the flags of a command in the order in which its usage and its examples name
// them, then the others.
func flagsByWeight(cmd *cobra.Command) (flags []*pflag.Flag) {
	text := strings.NewReplacer("\n", " ", "=", " ", ")", " ", "|", " ").Replace(cmd.Use+" "+cmd.Example) + " "
	weight := make(map[*pflag.Flag]int)
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		at := strings.Index(text, " --"+f.Name+" ")
		if at < 0 && f.Shorthand != "" {
			at = strings.Index(text, " -"+f.Shorthand+" ")
		}
		if i := slices.Index(common, f.Name); i >= 0 && !strings.Contains(cmd.Use, "--"+f.Name) {
			at = 2*len(text) + i
		} else if at < 0 {
			at = len(text)
		}
		weight[f] = at
		flags = append(flags, f)
	})
	slices.SortStableFunc(flags, func(a, b *pflag.Flag) int { return cmp.Compare(weight[a], weight[b]) })
	return flags
}

// wrapProse wraps paragraphs, which empty lines separate. Lines that are set further in stay as they
// are.
func wrapProse(text string, width int) string {
	isWide := func(line string) bool { return layout.Width(line) > width }
	if width == 0 || !slices.ContainsFunc(strings.Split(text, "\n"), isWide) {
		return text
	}
	paragraphs := strings.Split(text, "\n\n")
	for i, p := range paragraphs {
		if !strings.HasPrefix(p, " ") {
			paragraphs[i] = strings.Join(wordWrapped(strings.ReplaceAll(p, "\n", " "), width), "\n")
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

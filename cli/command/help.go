package command

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/internal/text/lazyregexp"
	"gatewright/tui/layout"
)

// Help returns the help of a command, wrapped between words to a width in cells. Width 0
// means that nothing is wrapped.
func Help(cmd *cobra.Command, width int) string {
	usage, more := cmd.UsageString(), ""
	if at := strings.LastIndex(usage, "\nUse \""); at >= 0 {
		usage, more = usage[:at], usage[at:]
	}
	return wrapProse(cmp.Or(cmd.Long, cmd.Short), width) + "\n\n" + wrapUsage(usage, width) + programFacts(cmd, width) +
		wrapUsage(more, width)
}

// wrapProse wraps a text of sentences. A line that does not end a sentence continues in the
// next line.
func wrapProse(text string, width int) string {
	isWide := func(line string) bool { return layout.Width(line) > width }
	lines := strings.Split(text, "\n")
	if width == 0 || !slices.ContainsFunc(lines, isWide) {
		return text
	}
	var paragraphs []string
	open := false
	for _, line := range lines {
		if open {
			paragraphs[len(paragraphs)-1] += " " + line
		} else {
			paragraphs = append(paragraphs, line)
		}
		open = line != "" && !strings.HasSuffix(line, ".") && !strings.HasSuffix(line, ":")
	}
	var b strings.Builder
	for _, paragraph := range paragraphs {
		b.WriteString(strings.Join(wordWrapped(paragraph, width), "\n") + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// usageEntry matches a line of a usage: a flag or a command with the gap, and its
// description.
var usageEntry = lazyregexp.New(`^(\s+\S.*?\s{2,})(\S.*)$`)

// wrapUsage wraps the descriptions of flags and commands in their column. Examples stay
// whole, because they are copied from the terminal.
func wrapUsage(usage string, width int) string {
	if width == 0 {
		return usage
	}
	var b strings.Builder
	examples := false
	for line := range strings.Lines(usage) {
		if !strings.HasPrefix(line, " ") {
			examples = strings.HasPrefix(line, "Examples:")
		}
		parts := usageEntry().FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if examples || parts == nil {
			b.WriteString(line)
			continue
		}
		b.WriteString(appendWrapped(parts[1], parts[2], width) + "\n")
	}
	return b.String()
}

package command

import (
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/tui/layout"
)

// Help is the help of a command. In a terminal of so many cells its lines are
// wrapped between words; width 0 is none, and lines are as long as they are.
func Help(cmd *cobra.Command, width int) string {
	about := cmd.Long
	if about == "" {
		about = cmd.Short
	}
	return flowing(about, width) + "\n\n" + hung(cmd.UsageString(), width)
}

// flowing is a text of sentences. A line that does not end a sentence goes on in
// the next one.
func flowing(text string, width int) string {
	wide := func(line string) bool { return layout.Width(line) > width }
	lines := strings.Split(text, "\n")
	if width == 0 || !slices.ContainsFunc(lines, wide) {
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

// described is a line that says something of a flag or a command: what stands
// before it, with the gap, and what it says.
var described = regexp.MustCompile(`^(\s+\S.*?\s{2,})(\S.*)$`)

// hung wraps what a usage says of flags and commands in its own column. Examples
// are copied from where they stand, and stay whole.
func hung(usage string, width int) string {
	if width == 0 {
		return usage
	}
	var b strings.Builder
	examples := false
	for line := range strings.Lines(usage) {
		if !strings.HasPrefix(line, " ") {
			examples = strings.HasPrefix(line, "Examples:")
		}
		parts := described.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if examples || parts == nil {
			b.WriteString(line)
			continue
		}
		b.WriteString(hanging(parts[1], parts[2], width) + "\n")
	}
	return b.String()
}

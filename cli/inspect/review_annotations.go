package inspect

import (
	"strconv"
	"strings"

	"gatewright/cli/command"
)

// mostAnnotations is how many warnings, and how many notices, GitHub shows of a step:
// https://github.com/actions/toolkit/blob/main/docs/problem-matchers.md#limitations. Of more, the
// last one says how many.
const mostAnnotations = 10

// workflowCommands returns a command for each difference, which shows it at its line:
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions. What is opened
// is a warning, what is closed a notice, and a test that breaks an error.
func (r reviewReport) workflowCommands() string {
	var warnings, notices, errors []string
	for _, why := range r.Incomplete {
		warnings = append(warnings, annotation("warning", "not all is known", why, reviewedPlace{}))
	}
	for _, a := range r.Access {
		text := a.Text + ": " + a.Before + " before, " + a.After + " now"
		if a.Gained {
			warnings = append(warnings, annotation("warning", "opened", text+"\n"+a.Command, a.Place))
		} else {
			notices = append(notices, annotation("notice", "closed", text, a.Place))
		}
	}
	for _, o := range r.Opened {
		warnings = append(warnings, annotation("warning", "opened", o.Text, o.Place))
	}
	for _, t := range r.Tests {
		errors = append(errors, annotation("error", "access test", t.Name+": "+t.Text, t.Place))
	}
	return limited("error", errors) + limited("warning", warnings) + limited("notice", notices)
}

// limited returns as many commands of one kind as are shown.
func limited(kind string, all []string) string {
	if n := len(all); n > mostAnnotations {
		more := strconv.Itoa(n-mostAnnotations+1) + " more, which the log of the command gatewright review shows"
		all = append(all[:mostAnnotations-1:mostAnnotations-1], annotation(kind, "and more", more, reviewedPlace{}))
	}
	return strings.Join(all, "")
}

// annotation is a workflow command. The place is left out if it is none, and its line if that is
// not in the new file.
func annotation(kind, title, text string, at reviewedPlace) string {
	var properties []string
	add := func(name, value string) { properties = append(properties, name+"="+escapedProperty(value)) }
	if at.File != "" {
		add("file", at.File)
		if at.Line > 0 && !at.InBase {
			add("line", strconv.Itoa(at.Line))
			add("col", strconv.Itoa(at.Column))
		}
	}
	add("title", "gatewright review: "+title)
	return "::" + kind + " " + strings.Join(properties, ",") + "::" + escapedMessage(text) + "\n"
}

// escapedMessage escapes a text as the runner reads it:
// https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts.
func escapedMessage(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.NewReplacer("%", "%25", "\r", "%0D").Replace(command.OneLine(line))
	}
	return strings.Join(lines, "%0A")
}

func escapedProperty(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escapedMessage(strings.ReplaceAll(text, "\n", " ")))
}

package inspect

import (
	"strconv"
	"strings"

	"gatewright/cli/command"
	"gatewright/project/review"
)

const (
	// commentMark begins the comment, by which a workflow finds its own one.
	commentMark = "<!-- gatewright review -->\n"
	// mostComment is how many bytes a comment has at most. GitHub takes 65,536 characters; see
	// https://github.com/orgs/community/discussions/27190.
	mostComment = 65_000
	// forCounts is what is kept free of it for the lines that count what is left out.
	forCounts = 1_000
)

// section is a part of the comment: a title and entries, of which the last may be left out.
type section struct {
	title   string
	entries []string
}

// comment returns the report as a comment for a pull request: what is opened first. Entries are
// left out from the end and counted if it would be too long.
func (r reviewReport) comment() string {
	var b strings.Builder
	b.WriteString(commentMark)
	b.WriteString("### " + r.headline() + "\n\n")
	b.WriteString("From " + code(r.Base) + " to " + code(r.Head))
	if r.Environment != "" {
		b.WriteString(", environment " + code(r.Environment))
	}
	b.WriteString(": " + r.summary() + ".\n")
	full := false
	for _, s := range r.sections() {
		left := 0
		for i, entry := range s.entries {
			full = full || b.Len()+len(s.title)+len(entry) > mostComment-forCounts
			if full {
				left = len(s.entries) - i
				break
			}
			if i == 0 {
				b.WriteString("\n" + s.title + "\n\n")
			}
			b.WriteString(entry)
		}
		switch {
		case left == len(s.entries) && left > 0:
			b.WriteString("\n" + s.title + "\n\n- " + strconv.Itoa(left) + ", which do not fit here\n")
		case left > 0:
			b.WriteString("- and " + strconv.Itoa(left) + " more\n")
		}
	}
	return b.String()
}

// headline is the title of the comment.
func (r reviewReport) headline() string {
	switch opened, _ := r.counts(); {
	case len(r.Tests) > 0:
		return "gatewright review: access tests break"
	case opened > 0:
		return "gatewright review: this change opens access"
	case !r.Complete:
		return "gatewright review: this change may open access"
	}
	return "gatewright review: nothing is opened"
}

// sections are the parts of the comment, the most important first.
func (r reviewReport) sections() []section {
	opened, closed := section{title: "**Opened**"}, section{title: "**Closed**"}
	for _, why := range r.Incomplete {
		opened.entries = append(opened.entries, "- not all is known: "+code(why)+"\n")
	}
	for i, a := range r.Access {
		to := &closed
		if a.Gained {
			to = &opened
		}
		to.entries = append(to.entries, accessEntry(r.found.Access[i], a))
	}
	for _, o := range r.Opened {
		opened.entries = append(opened.entries, "- "+code(o.Text)+placeEntry(o.Place)+"\n")
	}
	tests := section{title: "**Access tests that break**"}
	for _, t := range r.Tests {
		tests.entries = append(tests.entries, "- "+code(t.Name)+": "+code(t.Text)+placeEntry(t.Place)+"\n")
	}
	resources := section{title: "**Resources**"}
	for _, one := range r.Resources {
		entry := "- " + code(one.title()) + "\n"
		reasons := one.Reasons
		if more := one.sourceText(false); more != "" {
			reasons = append([]string{more}, reasons...)
		}
		const mostReasons = 6
		for i, reason := range reasons {
			if i == mostReasons && len(reasons) > mostReasons+1 {
				entry += "  - and " + strconv.Itoa(len(reasons)-mostReasons) + " more\n"
				break
			}
			entry += "  - " + code(reason) + "\n"
		}
		resources.entries = append(resources.entries, entry)
	}
	files := section{title: "**Files**"}
	for _, f := range r.Files {
		files.entries = append(files.entries, "- "+f.Change+" "+code(f.Path)+"\n")
	}
	notes := section{title: "**Notes**"}
	for _, note := range r.Notes {
		notes.entries = append(notes.entries, "- "+code(note)+"\n")
	}
	return []section{opened, tests, r.proofSection(), closed, resources, files, notes}
}

// accessEntry is one difference: who may do what where, the answers, the place, the command.
func accessEntry(a review.Access, shown reviewedAccess) string {
	may := " may now "
	if !a.Gained {
		may = " may no longer "
	}
	where, name, _ := strings.Cut(a.Where(), " ")
	entry := "- " + code(a.Callers()) + may + a.Actions.String() + " " + where + " " + code(name) + " of API " +
		code(a.API) + ": " + code(a.Example()) +
		" was " + answered(shown.Before) + " and is " + answered(shown.After) + " now" + placeEntry(shown.Place) + "\n"
	if a.Gained {
		entry += "  - " + code(shown.Command) + "\n"
	}
	return entry
}

// answered shows an answer, whose function has any name.
func answered(text string) string {
	if text == review.Refused {
		return "refused (403)"
	}
	if function, named := strings.CutPrefix(text, "served by "); named {
		return "served by " + code(function)
	}
	return text
}

func placeEntry(p reviewedPlace) string {
	if at := p.text(); at != "" {
		return " (" + code(at) + ")"
	}
	return ""
}

// code shows a text as code, in which Markdown has no meaning, so that a name makes no link, no
// mention and no HTML: https://github.github.com/gfm/#code-spans. The fence is longer than any row of
// backticks in the text.
func code(text string) string {
	text = command.OneLine(text)
	longest, row := 0, 0
	for _, r := range text {
		if row++; r != '`' {
			row = 0
		}
		longest = max(longest, row)
	}
	fence := strings.Repeat("`", longest+1)
	if longest > 0 || strings.HasPrefix(text, " ") || strings.HasSuffix(text, " ") || text == "" {
		text = " " + text + " "
	}
	return fence + text + fence
}

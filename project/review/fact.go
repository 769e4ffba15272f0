package review

import (
	"path"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/project/amplify"
	"gatewright/project/status"
)

// openedFacts adds what a project of the Amplify CLI opens next to APIs and functions, and names the files
// that changed and may open something, and that are not read.
func (r *Review) openedFacts(add adder, base, head State) {
	had, files := make(map[amplify.Fact]bool), make(map[string]bool)
	for _, f := range base.facts() {
		had[f], files[f.File] = true, true
	}
	var unread []string
	var frames []amplify.Fact
	words := make(map[amplify.Fact][]string)
	for _, f := range head.facts() {
		frame := amplify.Fact{File: f.File, Frame: f.Frame}
		switch {
		case had[f], f.Word == "" && !files[f.File], answered(base, head, f):
		case f.Frame == "":
			unread = append(unread, phrase.QuotePath(f.File))
		default:
			if words[frame] == nil {
				frames = append(frames, frame)
			}
			words[frame] = append(words[frame], phrase.Quote(f.Word))
		}
		had[f] = true
	}
	for _, f := range frames {
		slices.Sort(words[f])
		add(OpensUsers, Place{File: f.File}, "%s", strings.Replace(f.Frame, "%", phrase.Enumerated(words[f]), 1))
	}
	if slices.Sort(unread); len(unread) > 0 {
		r.incomplete("changed, but not reviewed: " + phrase.List(slices.Compact(unread)) + "; what they allow is unknown")
	}
}

func (s State) facts() []amplify.Fact {
	if p := s.project(); p != nil {
		return p.Amplify.Facts()
	}
	return nil
}

// answers are files from which the Amplify CLI makes a template. They are compared.
var answers = []string{
	"cli-inputs.json", "parameters.json", "api-params.json", "storage-params.json", "user-pool-group-precedence.json",
}

// answered reports whether a fact is of such a template, which changed with its answers.
func answered(base, head State, f amplify.Fact) bool {
	folder := path.Dir(f.File)
	category := path.Base(path.Dir(folder))
	return f.Frame == "" && strings.Contains(f.File, "template.") &&
		(category == "api" || category == "auth" || category == "storage") &&
		slices.ContainsFunc(answers, func(name string) bool {
			return base.Deployment == nil || len(status.FileSince(head.project(), base.Deployment, path.Join(folder, name))) > 0
		})
}

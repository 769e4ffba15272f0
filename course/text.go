package course

import (
	"embed"
	"strings"
)

//go:embed texts/*.md
var texts embed.FS

// The headings that part the text of a lesson.
const (
	taskHeading  = "\n## Your task\n"
	hintsHeading = "\n## Hints\n"
	recapHeading = "\n## Recap\n"
)

// read fills in the texts of a lesson. They are part of the program: one that
// lacks a part breaks it.
func (l *Lesson) read() {
	data, err := texts.ReadFile("texts/" + l.ID + ".md")
	text := string(data)
	title, text, titled := strings.Cut(strings.TrimPrefix(text, "# "), "\n")
	page, text, tasked := strings.Cut(text, taskHeading)
	task, text, hinted := strings.Cut(text, hintsHeading)
	hints, recap, recapped := strings.Cut(text, recapHeading)
	if err != nil || !titled || !tasked || !hinted || !recapped {
		panic("the text of the lesson " + l.ID + " lacks a part")
	}
	l.Title, l.Page, l.Task, l.Recap = title, strings.TrimSpace(page), strings.TrimSpace(task), strings.TrimSpace(recap)
	for _, block := range Blocks(hints) {
		if block.Kind == Item {
			l.Hints = append(l.Hints, block.Source)
		}
	}
}

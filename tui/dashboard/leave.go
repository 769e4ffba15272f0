package dashboard

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/draft"
	"gatewright/model"
	"gatewright/project"
	"gatewright/prose"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/wizard"
)

// toBegin is a walk of the wizard that is to begin, with the project as its files
// are now and the draft that is kept for it.
type toBegin struct {
	of      *Page
	route   wizard.Route
	project *project.Project
	draft   *draft.Draft
	err     error
}

// toWizard begins a walk of the wizard. The draft of another would be lost to it,
// so where there is one it asks first.
func (p *Page) toWizard(route wizard.Route) tea.Cmd {
	if refused := p.doing("reading"); refused != nil {
		return refused
	}
	s := p.writes
	return func() tea.Msg {
		msg := toBegin{of: p, route: route}
		if msg.project, msg.err = s.Read(); msg.err != nil {
			return msg
		}
		kept, ok, err := s.Drafts.Load()
		if ok {
			msg.draft = &kept
		}
		msg.err = err
		return msg
	}
}

const draftDialog = "page/draft"

// begin shows the wizard, or asks about the draft.
func (p *Page) begin(msg toBegin) tea.Cmd {
	if msg.of != p {
		return nil
	}
	p.busy, p.drawn.stale = "", true
	if msg.project != nil {
		p.writes.Take(msg.project)
	}
	switch {
	case msg.project == nil:
		return frame.Say(frame.Error, "%v", msg.err)
	case slices.Contains(msg.project.Legacy(), msg.route.Task.API):
		return frame.Say(frame.Warn, "%s is an older format, read and not edited; run: gatewright migrate", prose.Fit(msg.route.Task.API))
	case msg.err != nil:
		return tea.Batch(frame.Go(msg.route), frame.Say(frame.Warn, "%v", msg.err))
	case msg.draft == nil || msg.route.Start == wizard.FromDraft:
		return frame.Go(msg.route)
	}
	p.beginning = &msg
	return frame.Open(dialog.Confirm(draftDialog, "There is a draft", "A new walk takes the place of the draft of "+msg.draft.Saved.Local().Format("2 Jan 15:04")+".",
		dialog.Button{ID: "resume", Label: "Go on with the draft"}, dialog.Button{ID: "begin", Label: "Begin anew"}, dialog.Button{ID: "cancel", Label: "Cancel", Cancel: true}))
}

// answerDraft begins with the draft or without.
func (p *Page) answerDraft(action dialog.Action) tea.Cmd {
	if p.beginning == nil {
		return nil
	}
	of := *p.beginning
	p.beginning = nil
	switch action {
	case dialog.Pressed("resume"):
		return frame.Go(wizard.Route{Task: of.draft.Task, Start: wizard.FromDraft})
	case dialog.Pressed("begin"):
		return frame.Go(of.route)
	}
	return nil
}

// edited says that the editor ended.
type edited struct {
	of  *Page
	err error
}

// noEditor is why no file can be opened in an editor; "" where one can.
func (p *Page) noEditor() string {
	if why := p.readOnly(); why != "" {
		return why
	}
	if strings.TrimSpace(p.writes.Editor) == "" {
		return "set EDITOR to the command of your editor"
	}
	return ""
}

// editFile opens a file of the project in the editor, and reads the project again
// when that ends. The name is relative to the project's folder.
func (p *Page) editFile(name string) tea.Cmd {
	if why := p.noEditor(); why != "" {
		return frame.Say(frame.Warn, "not available: %s", why)
	}
	words := strings.Fields(p.writes.Editor)
	command := exec.Command(words[0], append(words[1:], filepath.Join(p.writes.Root(), filepath.FromSlash(name)))...)
	return frame.Exec(command, func(err error) tea.Msg { return edited{p, err} })
}

func (p *Page) takeEdited(msg edited) tea.Cmd {
	if msg.of != p {
		return nil
	}
	if msg.err != nil {
		return tea.Batch(p.load(), frame.Say(frame.Error, "the editor %s: %v", prose.Fit(p.writes.Editor), msg.err))
	}
	return p.load()
}

// toEdit is the file of a function that is to be opened.
type toEdit struct {
	of   *Page
	name string
	err  error
}

// editFunction opens the file that a function begins in.
func (p *Page) editFunction(f *model.Function) tea.Cmd {
	if why := p.noEditor(); why != "" {
		return frame.Say(frame.Warn, "not available: %s", why)
	}
	root, layout := p.writes.Root(), p.snap.layout
	return func() tea.Msg {
		name, err := sourceOf(root, layout, f)
		return toEdit{p, name, err}
	}
}

func (p *Page) takeToEdit(msg toEdit) tea.Cmd {
	switch {
	case msg.of != p:
		return nil
	case msg.err != nil:
		return frame.Say(frame.Error, "%v", msg.err)
	}
	return p.editFile(msg.name)
}

// sourceOf is the file that a function begins in: that of its Express app, else
// the one of its handler, else the first that there is.
func sourceOf(root string, layout project.Layout, f *model.Function) (string, error) {
	folder := "backend/function/" + f.Name + "/src"
	if layout == project.Amplify {
		folder = "amplify/" + folder
	}
	entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(folder)))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("function %s has no folder %s", model.Quote(f.Name), model.Quote(folder))
		}
		return "", fmt.Errorf("opening the sources of function %s: %w", model.Quote(f.Name), err)
	}
	module, _, _ := strings.Cut(f.Handler[strings.LastIndex(f.Handler, "/")+1:], ".")
	best, rank := "", 0
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		name := e.Name()
		worth := 1
		switch stem, _, _ := strings.Cut(name, "."); {
		case f.Template == model.Express && name == "app.js":
			worth = 4
		case stem == module && filepath.Ext(name) != ".json":
			worth = 3
		case name == "main.go":
			worth = 2
		}
		if worth > rank {
			best, rank = folder+"/"+name, worth
		}
	}
	if best == "" {
		return "", fmt.Errorf("function %s has no file in %s", model.Quote(f.Name), model.Quote(folder))
	}
	return best, nil
}

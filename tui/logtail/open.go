package logtail

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/session"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/project"
	"gatewright/sandbox"
	"gatewright/sandbox/live"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/logs/entry"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// Tail is a log to open.
type Tail struct {
	// Root is the folder of the project.
	Root string
	// Title is the title of the dialog.
	Title string
	// Query selects the lines; all that are kept if it has no Last.
	Query logs.Query
	// Folder is the folder of the function in the project, which its stacks lead to; "" for
	// none.
	Folder string
	// Read reads the lines and gives each to put until ctx ends; what it says is shown below
	// them. nil reads the logs of the sandbox, and follows them if it runs.
	Read func(ctx context.Context, put func(logs.Line) error, say func(string)) error
	// Empty is shown while Read has given no line.
	Empty string
	// Closed is called when the dialog is closed; it may be nil.
	Closed func()
	// Edited follows after a file was opened in the editor, with its error; it may be nil.
	Edited func(error) tea.Cmd
	// ReadOnly is why no file may be opened; "" if one may.
	ReadOnly string
}

// Of is the log of a function of an environment.
func Of(root string, layout project.Layout, environment, function string) Tail {
	return Tail{
		Root: root, Title: "log of " + prose.PrintableStart(function) + " in " + prose.PrintableStart(environment),
		Query: logs.Query{Environment: environment, Function: function}, Folder: layout.FunctionFolder(function),
	}
}

// Open opens the dialog.
func (of Tail) Open(s *session.Session) tea.Cmd {
	ctx, cancel := context.WithCancel(context.Background())
	log := dialog.NewLog(of.Title, func() tea.Cmd {
		cancel()
		if of.Closed != nil {
			of.Closed()
		}
		return nil
	})
	log.Entries.Source = sourceIn(of.Root, of.Folder)
	log.Entries.Copy = func(text string) tea.Cmd {
		return frame.Copy(text, phrase.Count(len(text), "byte"))
	}
	log.Entries.NoEditor = of.ReadOnly
	if log.Entries.NoEditor == "" {
		log.Entries.NoEditor = s.NoEditor()
	}
	log.Entries.Edit = func(name string, line int) tea.Cmd { return of.edit(s, name, line) }
	if of.Query.Last == 0 {
		of.Query.Last = entry.Most
	}
	read := of.Read
	if read == nil {
		root, query := of.Root, of.Query
		read = func(ctx context.Context, put func(logs.Line) error, _ func(string)) error {
			return readLogs(ctx, root, query, put)
		}
	}
	feed := newFeed(log, of.Empty)
	return tea.Batch(frame.Open(log), feed.listen, func() tea.Msg {
		feed.end(read(ctx, func(l logs.Line) error { return feed.put(ctx, l) }, func(note string) { feed.say(ctx, note) }))
		return nil
	})
}

// sourceIn is where a function's source is. Stacks may have the project's folder without
// symbolic links.
func sourceIn(root, folder string) entry.Source {
	if folder == "" {
		return entry.Source{}
	}
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		real = root
	}
	return entry.Source{Root: root, Real: real, Folder: folder + "/src"}
}

// edit opens a file of the project at a line.
func (of Tail) edit(s *session.Session, name string, line int) tea.Cmd {
	return func() tea.Msg {
		file, ok := writtenAs(of.Root, name)
		if !ok {
			return frame.Say(frame.Warn, "%s no longer exists", prose.Printable(name))()
		}
		return of.exec(s, file, line)()
	}
}

// writtenAs is the file that a person wrote: a file that a compiler made of TypeScript is not
// in the project, but stands next to its source in the copy that ran. It reads the folder.
func writtenAs(root, name string) (string, bool) {
	stem := strings.TrimSuffix(name, path.Ext(name))
	for _, file := range []string{name, stem + ".ts", stem + ".tsx", stem + ".mts", stem + ".cts"} {
		if info, err := os.Stat(filepath.Join(root, filepath.FromSlash(file))); err == nil && info.Mode().IsRegular() {
			return file, true
		}
	}
	return "", false
}

func (of Tail) exec(s *session.Session, name string, line int) tea.Cmd {
	return frame.Exec(s.EditAt(filepath.Join(of.Root, filepath.FromSlash(name)), line), func(err error) tea.Msg {
		return frame.ThenMsg(func() tea.Cmd {
			switch {
			case of.Edited != nil:
				return of.Edited(err)
			case err != nil:
				return frame.Say(frame.Error, "the editor %s: %v", prose.Printable(s.Editor), err)
			}
			return nil
		})
	})
}

// readLogs reads the logs of the sandbox, and follows them if it runs. The error is
// sandbox.ErrNotRunning if none runs.
func readLogs(ctx context.Context, root string, query logs.Query, put func(logs.Line) error) error {
	log, err := live.OpenLogs(root)
	if err != nil {
		return err
	}
	err = log.Read(ctx, query, true, put)
	if err == nil && !log.Running() {
		return sandbox.ErrNotRunning
	}
	return err
}

// noteOf says why no more lines come.
func noteOf(err error) string {
	switch {
	case err == nil:
		return "the sandbox has ended"
	case errors.Is(err, sandbox.ErrNotRunning):
		return "no sandbox is running: these lines were kept"
	}
	return "error: " + err.Error()
}

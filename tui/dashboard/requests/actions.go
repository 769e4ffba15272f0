package requests

import (
	"cmp"
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/request"
	"gatewright/internal/clock"
	"gatewright/internal/text/prose"
	"gatewright/project"
	"gatewright/project/plan"
	"gatewright/sandbox"
	"gatewright/sandbox/call"
	"gatewright/sandbox/traffic"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
	"gatewright/tui/route"
)

// Bindings are the keys of a call.
func (t *Tab) Bindings() []keys.Binding {
	r, ok := t.List.Row()
	ok = ok && r.lost == 0
	if !ok {
		r = new(row)
	}
	absent := "there is no request"
	if t.board.Followed && !t.read {
		absent = "the requests are not read yet"
	}
	none := keys.When(!ok, absent)
	c := &r.call
	gone := keys.When(!t.board.Sandbox.Runs() || t.board.Sandbox.Client == nil, "the sandbox that remembers it has ended")
	noRequest := keys.When(!c.IsRequest(), "a "+string(c.Kind)+" sends no request")
	if c.Kind == traffic.Invoke {
		noRequest = keys.When(true, "a call through Lambda's API sends no request to an API")
	}
	noFunction := keys.When(c.Function == "", "no function was called")
	noAPI := keys.When(c.API == "", "no API has this address")
	hold := keys.Choose.Does("pause", "hold the list still; new calls wait", t.pause)
	if t.held {
		hold = keys.Choose.Does("go on", "go on with the calls that waited, newest first", t.pause)
	}
	return []keys.Binding{
		keys.Open.Does("everything",
			"show why it is marked ("+traffic.Marks+
				"), the event, the result, the response, the headers and the log of this request",
			func() tea.Cmd { return t.everything(r) }).Shown().Unless(none, gone),
		keys.Call.Does("console", "open the console with this request", func() tea.Cmd { return t.toConsole(r) }).Shown(),
		keys.Again.Does("send again", "send the same request as the same caller; asks first if it may change data",
			func() tea.Cmd { return t.again(r) }).Shown().Unless(none, gone, noRequest, noAPI),
		keys.Copy.Does("curl", "copy the request as a command, with placeholders for credentials",
			func() tea.Cmd { return t.copyCurl(r) }).Shown().Unless(none, gone, noRequest, noAPI),
		hold.Shown().Unless(keys.When(!t.held && t.List.Len() == 0, absent)),
		keys.Add.Does("keep event", "keep the function's event as a file next to its source, for gatewright mock",
			func() tea.Cmd { return t.askName(r) }).
			Unless(t.board.ReadOnly(), none, gone, noFunction),
		t.compare(r, none),
		keys.Log.Does("log", "show the log of this request", func() tea.Cmd { return t.showLog(r) }).Unless(none, gone),
		t.board.ChooseWindow(),
	}
}

// withDetail asks the sandbox for all of a call, outside Update, and gives it to then inside.
func (t *Tab) withDetail(r *row, then func(traffic.Detail) tea.Cmd) tea.Cmd {
	client := t.board.Sandbox.Client
	return func() tea.Msg {
		d, err := detailOf(client, r)
		return frame.ThenMsg(func() tea.Cmd {
			if err != nil {
				return frame.Say(frame.Warn, "%s", prose.PrintableStart(err.Error()))
			}
			return then(d)
		})
	}
}

// toConsole opens the console with a call filled in; without one, as it is.
func (t *Tab) toConsole(r *row) tea.Cmd {
	if r.call.API == "" || !t.board.Sandbox.Runs() || t.board.Sandbox.Client == nil {
		return frame.Go(route.Console{Environment: t.board.Wanted()})
	}
	return t.withDetail(r, func(d traffic.Detail) tea.Cmd {
		to := route.Console{
			API: d.API, Path: d.Path, Method: d.Method, Environment: d.Environment,
			Test: d.Kind == traffic.Test,
		}
		sent, err := request.Remember(d)
		if err != nil {
			return tea.Batch(frame.Go(to), frame.Say(frame.Warn, "%s", prose.PrintableStart(err.Error())))
		}
		to.Filled = route.Filled{
			Target: d.Target, Headers: strings.Join(call.HeaderLines(sent.Headers), "\n"),
			Body: string(sent.Body), As: sent.As,
		}
		if why := cmp.Or(sent.CannotAgain(), sent.Caller); why != "" {
			text := "fill in the rest: " + why
			if sent.CannotAgain() == "" {
				text = "it will be sent as " + why
			}
			return tea.Batch(frame.Go(to), frame.Say(frame.Warn, "%s", prose.PrintableStart(text)))
		}
		return frame.Go(to)
	})
}

// again sends a call again. It asks first if that may change data, if the caller is another,
// or if it goes to what was pushed and not to the working tree.
func (t *Tab) again(r *row) tea.Cmd {
	return t.withDetail(r, func(d traffic.Detail) tea.Cmd {
		sent, err := request.Remember(d)
		if err != nil {
			return frame.Say(frame.Warn, "not sent: %s", prose.PrintableStart(err.Error()))
		}
		if why := sent.CannotAgain(); why != "" {
			return frame.Say(frame.Warn, "not sent: %s; c opens it in the console, where you fill that in",
				prose.PrintableStart(why))
		}
		api, ok := t.served(d)
		if !ok {
			return frame.Say(frame.Warn, "not sent: the sandbox no longer serves the API %s in environment %s",
				prose.PrintableStart(d.API), prose.PrintableStart(d.Environment))
		}
		send := func() tea.Cmd { return t.send(api, sent) }
		text, word := t.question(d, sent)
		if text == "" {
			return send()
		}
		return frame.Open(dialog.Agree("Send it again?", text, "Send", word, send))
	})
}

// question is what to ask before a call is sent again, and the word to type; both are "" if
// there is nothing to ask.
func (t *Tab) question(d traffic.Detail, sent request.Remembered) (text, word string) {
	form := request.Form{Method: d.Method}
	asThen := prose.PrintableStart(d.Who.String())
	var parts []string
	if form.Changes() {
		parts = append(parts, "It may change data.")
	}
	if sent.Caller != "" {
		parts = append(parts, "It is sent as "+prose.PrintableStart(sent.Caller)+".")
	} else if len(parts) > 0 {
		parts = append(parts, "It is sent as "+asThen+", as before.")
	}
	if o := t.board.Sandbox; o.Status.Environment != d.Environment {
		parts = append(parts,
			"It is sent to environment "+prose.PrintableStart(d.Environment)+" as last pushed, not to the working tree.")
		for i := range t.board.Snap.Environments {
			if e := &t.board.Snap.Environments[i]; e.Name == d.Environment && e.Guarded && form.Changes() {
				word = e.Name
			}
		}
	}
	if len(parts) == 0 {
		return "", ""
	}
	return prose.PrintableStart(d.Name()) + "\n\n" + strings.Join(parts, "\n"), word
}

// served is the API that a call went to.
func (t *Tab) served(d traffic.Detail) (sandbox.ServedAPI, bool) {
	if t.board.Sandbox == nil {
		return sandbox.ServedAPI{}, false
	}
	for _, api := range t.board.Sandbox.Status.APIs {
		if api.Environment == d.Environment && api.Label == d.API {
			return api, true
		}
	}
	return sandbox.ServedAPI{}, false
}

// send sends a request, and says what was answered.
func (t *Tab) send(api sandbox.ServedAPI, sent request.Remembered) tea.Cmd {
	client := t.board.Sandbox.Client
	return func() tea.Msg {
		const longest = time.Minute
		ctx, cancel := context.WithTimeout(context.Background(), longest)
		defer cancel()
		// The log is not shown, and waiting for it takes longer.
		sent.Function = ""
		answer, err := call.Send(ctx, client, api, sent.Request)
		return frame.ThenMsg(func() tea.Cmd {
			what := prose.PrintableStart(sent.Method + " " + sent.Path)
			if err != nil {
				return frame.Say(frame.Error, "%s got no response: %s", what, prose.PrintableStart(err.Error()))
			}
			level := frame.Good
			if answer.Status >= 400 {
				level = frame.Warn
			}
			return frame.Say(level, "sent again: %s returned %d in %s", what, answer.Status, clock.Took(answer.Latency))
		})
	}
}

// copyCurl copies a call as a command.
func (t *Tab) copyCurl(r *row) tea.Cmd {
	return t.withDetail(r, func(d traffic.Detail) tea.Cmd {
		sent, err := request.Remember(d)
		if err != nil {
			return frame.Say(frame.Warn, "nothing to copy: %s", prose.PrintableStart(err.Error()))
		}
		api, ok := t.served(d)
		if !ok {
			return frame.Say(frame.Warn, "the sandbox no longer serves the API, so its address is not known")
		}
		command, note := sent.Curl(d, api)
		text := "sent to the clipboard: " + command
		if note != "" {
			text = "sent to the clipboard (" + note + "): " + command
		}
		return frame.CopySaying(command, prose.PrintableStart(text))
	})
}

// askName asks for the name of the file that keeps the event of a call.
func (t *Tab) askName(r *row) tea.Cmd {
	return t.withDetail(r, func(d traffic.Detail) tea.Cmd {
		text, err := request.EventText(d)
		if err != nil {
			return frame.Say(frame.Warn, "%s", prose.PrintableStart(err.Error()))
		}
		title := "Keep the event as " + t.board.Snap.Layout.FunctionFolder(d.Function) + "/src/event-NAME.json"
		return frame.Open(dialog.InputWith(title, request.EventName(d), request.CheckEventName, func(name string) tea.Cmd {
			return t.board.Commit("kept the event", func(p *project.Project) (*plan.Plan, error) {
				return plan.Event(p, d.Function, name, text)
			})
		}))
	})
}

// listedLeft says what of a call is not shown.
func listedLeft(d *traffic.Detail) []prose.Line {
	if len(d.Left) == 0 {
		return nil
	}
	return []prose.Line{{Tone: prose.Note, Text: prose.PrintableStart("left out: " + strings.Join(d.Left, "; "))}}
}

var _ board.Tab = (*Tab)(nil)

package requests

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/sandbox"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/traffic"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/logtail"
)

// everything shows all that is known of a call, in sections.
func (t *Tab) everything(r *row) tea.Cmd {
	client := t.board.Sandbox.Client
	return func() tea.Msg {
		d, err := detailOf(client, r)
		if err != nil {
			return frame.ThenMsg(func() tea.Cmd { return frame.Say(frame.Warn, "%s", prose.PrintableStart(err.Error())) })
		}
		log, err := logOf(client, &d.Call)
		lines := sections(&d, grouped(&d.Call, log, err), len(log))
		draw := drawsParts(&d.Call, nil, "")
		return frame.ThenMsg(func() tea.Cmd { return frame.Open(dialog.Drawn(r.called, lines, draw)) })
	}
}

// showLog shows the log of a call: what its function wrote, and the gateway about it.
func (t *Tab) showLog(r *row) tea.Cmd {
	if t.showing {
		// The key was pressed twice.
		return nil
	}
	t.showing = true
	b := t.board
	tail := logtail.Tail{
		Root: b.Snap.Root, Title: "log of " + r.called,
		Query:  logs.Query{Environment: r.call.Environment, Request: r.call.Request},
		Closed: func() { t.showing = false }, Edited: b.Edited, ReadOnly: b.ReadOnly(),
	}
	if r.call.Function != "" {
		tail.Folder = b.Snap.Layout.FunctionFolder(r.call.Function)
	}
	return tail.Open(b.Session)
}

// logOf is the log of a call, read outside Update.
func logOf(client *sandbox.Client, c *traffic.Call) (log []logs.Line, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	const most = 1000
	err = client.Logs(ctx, logs.Query{Environment: c.Environment, Request: c.Request, Last: most}, false,
		func(l logs.Line) error {
			log = append(log, l)
			return nil
		})
	return log, err
}

// sections are all that is known of a call: how it went, what was sent, what the function got
// and returned, what was answered, and the log, of so many entries.
func sections(d *traffic.Detail, log []prose.Line, entries int) []prose.Line {
	all := verdict(&d.Call)
	if c := &d.Call; c.Refused() && c.Who.As != "" && !c.Who.Allowed {
		all = append(all, prose.Line{Text: prose.PrintableStart(c.Why)})
	}
	if d.Fix != "" {
		all = append(all, prose.Line{Text: prose.PrintableStart("to do: " + d.Fix)})
	}
	all = append(append(all, origin(&d.Call)...), listedLeft(d)...)
	section := func(title string, lines []prose.Line) {
		if len(lines) == 0 {
			return
		}
		all = append(all, prose.Line{}, prose.Line{Tone: prose.Title, Text: title})
		all = append(all, lines...)
	}
	section("Time", inParts(&d.Call))
	if d.Gone {
		return append(all, prose.Line{Tone: prose.Warning, Text: goneText})
	}
	if d.IsRequest() {
		section("Request", message(d.Headers, d.Body, d.Base64))
		section("Response", message(d.AnswerHeaders, d.AnswerBody, d.AnswerBase64))
	}
	section("Event", bodyLines(d.Event))
	section("Result", bodyLines(d.Result))
	section("Log ("+phrase.Count(entries, "line")+")", log)
	return all
}

// message are headers and a body, which may be in base64.
func message(headers []traffic.Header, body string, inBase64 bool) []prose.Line {
	var lines []prose.Line
	for _, h := range headers {
		lines = append(lines, prose.Line{Tone: prose.Muted, Text: prose.Printable(h.Name + ": " + h.Value)})
	}
	if body == "" {
		return lines
	}
	if len(lines) > 0 {
		lines = append(lines, prose.Line{})
	}
	if inBase64 {
		return append(lines, byteLines(body)...)
	}
	return append(lines, bodyLines(body)...)
}

// byteLines say of a body in base64 how many bytes it has, and show the first of them as
// numbers and characters.
func byteLines(body string) []prose.Line {
	const most = 256
	bytes := bytesOf(body)
	say := "the body is not text: " + phrase.Count(len(bytes), "byte")
	if len(bytes) > most {
		say += "; the first " + strconv.Itoa(most) + ":"
	}
	lines := []prose.Line{{Tone: prose.Note, Text: say}}
	for line := range strings.Lines(hex.Dump(bytes[:min(len(bytes), most)])) {
		lines = append(lines, prose.Line{Tone: prose.Code, Text: strings.TrimRight(line, "\n")})
	}
	return lines
}

// bytesOf are the bytes of a body in base64, as far as it is kept.
func bytesOf(body string) []byte {
	bytes, _ := base64.StdEncoding.DecodeString(body)
	return bytes
}

// bodyLines are the lines of a body: JSON indented and in colours, any other text as it is.
func bodyLines(body string) []prose.Line {
	if body == "" {
		return nil
	}
	tone := prose.Plain
	var indented bytes.Buffer
	if json.Indent(&indented, []byte(body), "", "  ") == nil {
		tone, body = prose.Code, indented.String()
	}
	var lines []prose.Line
	for line := range strings.Lines(body) {
		lines = append(lines, prose.Line{Tone: tone, Text: prose.Printable(strings.TrimRight(line, "\r\n"))})
	}
	return lines
}

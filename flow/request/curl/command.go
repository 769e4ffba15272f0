// Package curl reads commands of curl as people paste them: over several lines, with the quotes
// of sh, cmd and PowerShell, as browsers copy them. What it does not understand it says by
// name. It runs nothing and reads no file.
package curl

import (
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model/access"
)

// Command is the request that a command of curl sends.
type Command struct {
	Method, URL string
	// Headers are lines such as "X-Trace: 1".
	Headers []string
	Body    string
	// User is the user of gatewright whose token the command gets; "" for none.
	User string
	// Notes say by name what is left out or not understood.
	Notes []string
}

// Is reports whether a text is a command of curl.
func Is(text string) bool {
	name, _, _ := strings.Cut(withoutPrompt(text), " ")
	name = strings.TrimRight(name, "\r\n^`\\")
	return slices.Contains([]string{"curl", "curl.exe"}, strings.ToLower(path.Base(name))) &&
		strings.ContainsAny(withoutPrompt(text), " \n")
}

// withoutPrompt is a text without what people copy with it: the marks of code in a document, and
// the prompt.
func withoutPrompt(text string) string {
	text = strings.TrimSpace(text)
	if rest, fenced := strings.CutPrefix(text, "```"); fenced {
		_, text, _ = strings.Cut(rest, "\n")
		text, _, _ = strings.Cut(text, "\n```")
	} else if inner, marked := strings.CutPrefix(text, "`"); marked {
		text = strings.TrimSuffix(inner, "`")
	}
	text = strings.TrimSpace(text)
	for _, prompt := range []string{"$ ", "% ", "> ", "# "} {
		text = strings.TrimPrefix(text, prompt)
	}
	return strings.TrimSpace(text)
}

// Parse reads a command.
func Parse(text string) (Command, error) {
	if !Is(text) {
		return Command{}, errors.New("this is not a command of curl; paste one such as: curl -X POST http://... -d '{}'")
	}
	w, ok := split(withoutPrompt(text))
	if !ok {
		return Command{}, errors.New("a quote in the command of curl does not end; copy the whole command")
	}
	p := parser{}
	for _, name := range w.shells {
		if !strings.HasPrefix(name, tokenCommand) {
			p.note(name + " is not replaced: the shell would do that")
		}
	}
	if w.rest != "" {
		first, _, _ := strings.Cut(w.rest, "\n")
		p.note("left out: " + first)
	}
	p.arguments(w.all[1:])
	return p.command()
}

// tokenCommand is the beginning of the part of a command that gets a user's token, in the
// commands that this program makes.
const tokenCommand = "$(gatewright token"

// parser collects what the arguments say.
type parser struct {
	out    Command
	method string
	// data is the body so far, query what is added to the URL.
	data  strings.Builder
	query []string
	// json says that the data is declared as JSON, noType that a header says it has no type;
	// else it is declared as a form.
	hasData, get, head, json, noType bool
	// multipart and upload say that a body was left out, which curl would send by POST or PUT.
	multipart, upload bool
	// asIs says that dots in the path stay.
	asIs bool
	// powerShell says that the command is one of PowerShell itself, which also has a curl.
	powerShell bool
}

func (p *parser) note(text string) { p.out.Notes = append(p.out.Notes, text) }

// arguments reads the words after the name of the program.
func (p *parser) arguments(words []string) {
	for i := 0; i < len(words); i++ {
		word := words[i]
		next := func() string {
			if i+1 >= len(words) {
				p.note(word + " has no value")
				return ""
			}
			i++
			return words[i]
		}
		switch {
		case word == "--next" || word == "-:":
			p.note("left out: everything after " + word)
			return
		case strings.HasPrefix(word, "--"):
			p.long(word[2:], next)
		case len(word) > 1 && word[0] == '-':
			p.short(word, next)
		default:
			p.address(word)
		}
	}
}

// short reads options of one letter, which may stand together, the last one with its value.
func (p *parser) short(word string, next func() string) {
	if slices.Contains(ofPowerShell, strings.ToLower(word)) {
		p.powerShell = true
		return
	}
	for i := 1; i < len(word); i++ {
		name, known := letters[word[i]]
		if !known {
			p.note("-" + word[i:i+1] + " is not understood")
			return
		}
		if !takesValue(name) {
			p.long(name, next)
			continue
		}
		if value := word[i+1:]; value != "" {
			next = func() string { return value }
		}
		p.long(name, next)
		return
	}
}

func (p *parser) address(text string) {
	if p.out.URL != "" {
		p.note("left out: the second URL " + text)
		return
	}
	p.out.URL = text
}

func (p *parser) header(line string) {
	name, value, ok := strings.Cut(line, ":")
	switch {
	case strings.HasPrefix(line, "@"):
		p.note("the headers of the file " + line[1:] + " are not read")
	case !ok && strings.HasSuffix(line, ";"):
		p.out.Headers = append(p.out.Headers, strings.TrimSuffix(line, ";")+":")
	case !ok:
		p.note("the header " + line + " has no colon")
	case strings.TrimSpace(value) == "":
		// curl leaves out a header of its own.
		p.noType = p.noType || strings.EqualFold(name, "Content-Type")
	case strings.EqualFold(name, "Authorization") && strings.Contains(value, tokenCommand):
		_, user, _ := strings.Cut(value, " -- ")
		if w, ok := split(strings.TrimSuffix(strings.TrimSpace(user), ")")); ok && len(w.all) == 1 {
			p.out.User = w.all[0]
		}
	default:
		p.out.Headers = append(p.out.Headers, name+": "+strings.TrimSpace(value))
	}
}

// body adds data; file says that a leading @ names a file.
func (p *parser) body(text string, file bool) {
	p.hasData = true
	switch {
	case file && text == "@-":
		p.note("the body comes from standard input; paste it yourself")
	case file && strings.HasPrefix(text, "@"):
		p.note("the body is in the file " + text[1:] + ": paste it yourself")
	default:
		p.add(text)
	}
}

// add adds to the body, as the next part of a form.
func (p *parser) add(text string) {
	if p.data.Len() > 0 && !p.json {
		p.data.WriteByte('&')
	}
	p.data.WriteString(text)
}

// encoded is what --data-urlencode and --url-query make of a text; ok is false for a file.
func (p *parser) encoded(text string) (part string, ok bool) {
	name, content, named := strings.Cut(text, "=")
	switch {
	case !named && strings.Contains(text, "@"):
		p.note("the data in the file " + text[strings.Index(text, "@")+1:] + " is not read")
		return "", false
	case !named:
		return url.QueryEscape(text), true
	case name == "":
		return url.QueryEscape(content), true
	}
	return name + "=" + url.QueryEscape(content), true
}

func (p *parser) hasHeader(name string) bool {
	return slices.ContainsFunc(p.out.Headers, func(line string) bool {
		have, _, _ := strings.Cut(line, ":")
		return strings.EqualFold(have, name)
	})
}

// command is the request.
func (p *parser) command() (Command, error) {
	switch {
	case p.powerShell:
		return Command{},
			errors.New("this is PowerShell's own curl (Invoke-WebRequest), which is not supported; copy the request as cURL, " +
				"for bash or cmd")
	case p.out.URL == "":
		return Command{}, errors.New("the command of curl has no URL")
	}
	if p.json {
		for _, name := range []string{"Content-Type", "Accept"} {
			if !p.hasHeader(name) {
				p.out.Headers = append(p.out.Headers, name+": application/json")
			}
		}
	}
	if p.get {
		p.query = append(p.query, p.data.String())
	} else if p.hasData {
		p.out.Body = p.data.String()
		switch {
		case p.hasHeader("Content-Type"):
		case p.noType:
			p.note("a body without a Content-Type is sent as application/json")
		default:
			p.out.Headers = append(p.out.Headers, "Content-Type: application/x-www-form-urlencoded")
		}
	}
	p.complete()
	p.out.Method = strings.ToUpper(p.method)
	switch {
	case p.out.Method != "":
	case p.head:
		p.out.Method = http.MethodHead
	case p.upload:
		p.out.Method = http.MethodPut
	case p.hasData && !p.get, p.multipart:
		p.out.Method = http.MethodPost
	default:
		p.out.Method = http.MethodGet
	}
	if !slices.Contains(access.Methods, p.out.Method) {
		return Command{}, errors.New("the method " + phrase.Quote(p.out.Method) + " is not a method of an API")
	}
	return p.out, nil
}

// basic is the header that -u stands for.
func basic(user string) string {
	return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(user))
}

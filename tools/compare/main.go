//go:build linux

// Command compare makes the same project with this program and with its peers, does the same with each, and writes
// a table in Markdown to test/compare.txt. The project has the path /books with a handler in Node.js; guests may read
// and not delete, where the tool has a word for it. No tool gets an account.
//
//	go run ./tools/compare    # on a quiet machine, some minutes
//
// It runs on Linux only, and installs the peers with npm. It exits with 1 if a figure is missing.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"gatewright/tools/measure"
)

func main() {
	rounds := flag.Int("rounds", 5, "number of `rounds`; each figure is the median")
	flag.Parse()
	log.SetFlags(0)
	// A panic lets servers and folders be cleared away.
	defer func() {
		if failure := recover(); failure != nil {
			log.Fatal(failure)
		}
	}()
	text := run(*rounds)
	fmt.Print(text)
	check(os.WriteFile("test/compare.txt", []byte(text), 0o644))
}

// run returns the table.
func run(rounds int) string {
	work := must(os.MkdirTemp("", "compare"))
	defer func() { _ = os.RemoveAll(work) }()
	built := must(measure.New(context.Background(), work))
	var ran []*attempt
	for i, t := range tools {
		folder := filepath.Join(work, fmt.Sprint(i), "project")
		a := &attempt{tool: t, Project: &measure.Project{Program: built.Program, Folder: folder}}
		check(os.MkdirAll(filepath.Join(folder, filepath.Dir(a.handler)), 0o755))
		must(a.script(a.make).Output())
		ran = append(ran, a)
	}
	machine := measure.Machine(peers...)
	for round := range rounds {
		for _, a := range ran {
			log.Printf("round %d: %s", round+1, a.name)
			a.round(2 * round)
		}
	}
	for _, a := range ran {
		a.tell()
	}
	return fmt.Sprintf("%s%d rounds, the tools in turn; milliseconds are the median (least..most)\n\n%s%s", machine,
		rounds, markdown(ran), notes)
}

// attempt is a tool with its project, and what came of it.
type attempt struct {
	tool
	*measure.Project
	started, first, reload []float64
	// refused is what a guest got who may not delete, told what was said before a deploy that lets guests delete.
	refused, told string
}

// script runs in the project, and finds no account.
func (a *attempt) script(text string) *exec.Cmd {
	command := a.Command(context.Background(), a.Folder, "sh", "-ec", text)
	command.Env = append(command.Env, "PATH=node_modules/.bin:"+filepath.Dir(a.Program)+":"+os.Getenv("PATH"),
		"PORT="+must(measure.FreePort()), "OTHER="+must(measure.FreePort()), "SLS_TELEMETRY_DISABLED=1", "AWS_PROFILE=",
		"AWS_ACCESS_KEY_ID=", "AWS_CONFIG_FILE=/dev/null", "AWS_SHARED_CREDENTIALS_FILE=/dev/null",
		"AWS_EC2_METADATA_DISABLED=true")
	return command
}

// write writes an edition of the handler, and returns its text.
func (a *attempt) write(number int) string {
	text := fmt.Sprint("edition ", number)
	source := fmt.Sprintf("exports.handler = async () => ({ statusCode: 200, body: %q });\n", text)
	check(os.WriteFile(filepath.Join(a.Folder, a.handler), []byte(source), 0o600))
	return text
}

// round starts the tool, calls the API, and edits the handler.
func (a *attempt) round(number int) {
	text, address, warning := a.write(number), "", ""
	began := time.Now()
	s := must(measure.Serve(a.script("exec "+a.serve), func(line string) bool {
		if found := a.address.FindStringSubmatch(line); found != nil {
			address = strings.Replace(found[1], "localhost", "127.0.0.1", 1) + a.path
		}
		if strings.Contains(line, "authoriz") {
			warning = "; the tool says “" + line + "”"
		}
		return address != "" && strings.Contains(line, a.ready)
	}))
	defer s.Kill()
	a.started = append(a.started, since(began))
	a.first = append(a.first, until(address, text))
	a.reload = append(a.reload, until(address, a.write(number+1)))
	status, body := ask(http.MethodDelete, address)
	if len(body) > 80 {
		body = body[:80] + "…"
	}
	a.refused = fmt.Sprintf("%d `%s`", status, body) + warning
	if strings.HasPrefix(body, "edition") {
		a.refused = fmt.Sprintf("%d: the handler runs", status) + warning
	}
}

// until calls an API until its response is a text, and returns how long that took.
func until(address, text string) float64 {
	const patience, pause = 20 * time.Second, 2 * time.Millisecond
	for began := time.Now(); ; time.Sleep(pause) {
		status, body := ask(http.MethodGet, address)
		if body == text {
			return since(began)
		}
		if time.Since(began) > patience {
			panic(fmt.Sprintf("GET %s: the response is %d %q, want %q", address, status, body, text))
		}
	}
}

func ask(method, address string) (status int, body string) {
	response := must(http.DefaultClient.Do(must(http.NewRequest(method, address, nil))))
	defer func() { _ = response.Body.Close() }()
	return response.StatusCode, string(must(io.ReadAll(response.Body)))
}

// tell lets guests delete, and keeps what the tool says before a deploy of that: the line that names the path and the
// right, or else the failure, or else the last line.
func (a *attempt) tell() {
	must(a.script(a.widen).Output())
	out, _ := a.script(a.before).CombinedOutput()
	// Escape sequences colour, move and hide things in a terminal. How long it took was not measured.
	text := regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]| \\([0-9]+s\\)").ReplaceAllString(strings.TrimSpace(string(out)), "")
	for _, wanted := range []string{"(?i).*delete.*/books.*", "(?i).*failed.*", ".*$"} {
		if line := regexp.MustCompile(wanted).FindString(text); line != "" {
			a.told = fmt.Sprintf("`%s`: “%s”", a.before, strings.TrimSpace(line))
			return
		}
	}
}

func since(began time.Time) float64 { return time.Since(began).Seconds() * 1e3 }

// markdown is the table, with a column for each tool.
func markdown(ran []*attempt) string {
	var b strings.Builder
	for _, row := range []struct {
		name string
		of   func(*attempt) string
	}{
		{"", func(a *attempt) string { return a.name }},
		{"---", func(*attempt) string { return "---" }},
		{"from the command to ready, ms", func(a *attempt) string { return measure.Spread(a.started) }},
		{"the first response after that, ms", func(a *attempt) string { return measure.Spread(a.first) }},
		{"from an edit of the handler to its response, ms", func(a *attempt) string { return measure.Spread(a.reload) }},
		{"`DELETE /books` by a guest", func(a *attempt) string { return a.refused }},
		{"before a deploy that lets guests delete", func(a *attempt) string { return a.told }},
	} {
		b.WriteString("| " + row.name)
		for _, a := range ran {
			b.WriteString(" | " + strings.ReplaceAll(row.of(a), "|", "\\|"))
		}
		b.WriteString(" |\n")
	}
	return b.String()
}

func check(err error) {
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		err = fmt.Errorf("%w\n%s", err, exit.Stderr)
	}
	if err != nil {
		panic(err)
	}
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

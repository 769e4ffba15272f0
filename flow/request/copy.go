package request

import (
	"crypto/rand"
	"errors"
	"strconv"
	"strings"

	"gatewright/sandbox"
	"gatewright/sandbox/call"
)

// Curl returns the curl command that sends the same request, and a note about it. Where a saved
// request names variables of the process, the shell takes them.
func (s *Snapshot) Curl(f Form) (command, note string, err error) {
	m := marks{of: rand.Text()}
	if f, err = f.expanded(m.mark); err != nil {
		return "", "", err
	}
	r, err := f.Request()
	if err != nil {
		return "", "", err
	}
	if env := s.EnvironmentOf(f); env != nil && env.Cloud != nil {
		command, note = call.CurlToCloud(sandbox.ServedAPI{
			Environment: env.Name, Label: f.API,
			Endpoint: env.Cloud.URL(f.API),
		}, r)
	} else {
		api, served := servedTo(f, s.Status.APIs)
		if !served {
			return "", "", errors.New("the sandbox does not serve this API, so its address is not known")
		}
		command, note = call.Curl(api, r)
	}
	if len(m.names) > 0 {
		command = m.inShell(command)
		note = strings.TrimPrefix(note+"; set the variables that it uses in your shell", "; ")
	}
	return command, note, nil
}

// marks stand for variables while a command is made, because they need no quotes in a shell and no encoding in a URL.
type marks struct {
	of    string
	names []string
}

// mark returns the mark of a variable.
func (m *marks) mark(name string) (text string, ok bool) {
	m.names = append(m.names, name)
	return m.of + strconv.Itoa(len(m.names)-1) + ".", true
}

// inShell replaces the marks of a command by what a shell replaces by the variables, outside of single quotes.
func (m *marks) inShell(command string) string {
	var b strings.Builder
	quoted := false
	for i := 0; i < len(command); i++ {
		switch c := command[i]; {
		case strings.HasPrefix(command[i:], m.of):
			number, _, _ := strings.Cut(command[i+len(m.of):], ".")
			i += len(m.of) + len(number)
			n, err := strconv.Atoi(number)
			if err != nil || n >= len(m.names) {
				continue
			}
			text := `"${` + m.names[n] + `}"`
			if quoted {
				text = "'" + text + "'"
			}
			b.WriteString(text)
		case c == '\\' && !quoted && i+1 < len(command):
			b.WriteString(command[i : i+2])
			i++
		default:
			quoted = quoted != (c == '\'')
			b.WriteByte(c)
		}
	}
	return b.String()
}

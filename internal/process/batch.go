// Package process starts programs and ends them with all that they started ([Group]).
//
// Some programs are batch files of Windows, as npm and the command of Visual Studio Code are (npm.cmd,
// code.cmd): [Guard] sees to it that no argument becomes a command. Windows gives a batch file its arguments
// through cmd.exe, for which & | < > ^ and % have a meaning that the quotes of package os/exec do not remove:
// a file "a&b.js" would run b.js. See https://nvd.nist.gov/vuln/detail/CVE-2024-24576.
package process

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// Guard changes a command that is about to start if its program is a batch file, and
// returns it. If an argument cannot be given to one, the command does not start, with an
// error that says so. On other systems it does nothing.
func Guard(cmd *exec.Cmd) *exec.Cmd {
	guard(cmd)
	return cmd
}

// line returns the line that cmd.exe is given to run a batch file.
func line(file string, args []string) (string, error) {
	var text strings.Builder
	// /d: no commands of the registry first; /e:on and /v:off: % as below, and ! is a
	// letter; /s: only the first and the last quote are taken away.
	text.WriteString(`cmd.exe /d /e:on /v:off /s /c "`)
	for i, word := range append([]string{file}, args...) {
		if strings.ContainsAny(word, "\x00\r\n\"") {
			return "", fmt.Errorf("%s is a batch file, which cannot be given the argument %s; take line breaks and quotes out "+
				"of it",
				strconv.Quote(file), strconv.Quote(word))
		}
		if i > 0 {
			text.WriteByte(' ')
		}
		text.WriteByte('"')
		// %cd:~,% is nothing, and cmd.exe reads no variable across it.
		text.WriteString(strings.ReplaceAll(word, "%", "%%cd:~,%"))
		// The program that the batch file starts takes \" for a quote.
		for range len(word) - len(strings.TrimRight(word, `\`)) {
			text.WriteByte('\\')
		}
		text.WriteByte('"')
	}
	text.WriteByte('"')
	return text.String(), nil
}

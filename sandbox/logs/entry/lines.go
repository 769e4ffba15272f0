package entry

import (
	"fmt"
	"strings"

	"gatewright/internal/clock"
	"gatewright/internal/text/prose"
	"gatewright/sandbox/logs"
)

// InLines is a log where no viewer has room: the time, the level and the text of each line, in
// the tone of its severity. A long line is cut.
func InLines(log ...logs.Line) []prose.Line {
	var lines []prose.Line
	for _, e := range Read(log) {
		head := fmt.Sprintf("%s %-5s ", clock.Thousandth(e.Time), e.Severity.Word())
		for text := range strings.SplitSeq(strings.TrimRight(e.Text, "\r\n"), "\n") {
			text = strings.TrimSuffix(text, "\r")
			lines = append(lines,
				prose.Line{Tone: e.Severity.tone(&e), Text: strings.TrimRight(head+prose.PrintableStart(text), " ")})
			head = strings.Repeat(" ", len(head))
		}
	}
	return lines
}

package invoke

import (
	"strings"

	"gatewright/model"
	"gatewright/sandbox/logs"
)

// mostTail is how much of a log a caller gets: its last 4 KB.
const mostTail = 4 << 10

// tail is the end of the log of a call, as Lambda writes it.
func (s *Service) tail(q *request) []byte {
	var b strings.Builder
	for _, l := range s.options.Logs.Read(logs.Query{
		Environment: q.called.Environment, Function: q.called.Name,
		Request: q.id,
	}) {
		b.WriteString(lambdaLine(q.called.Interpreter, l))
		b.WriteByte('\n')
	}
	text := b.String()
	return []byte(text[max(0, len(text)-mostTail):])
}

// lambdaLine is a line of a log as the runtime of its function writes it
// (https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html,
// https://docs.aws.amazon.com/lambda/latest/dg/python-logging.html).
func lambdaLine(interpreter string, l logs.Line) string {
	const stamp = "2006-01-02T15:04:05.000Z"
	switch at := l.Time.UTC().Format(stamp); {
	case l.Level == logs.Platform && strings.HasPrefix(l.Text, "REPORT "):
		return l.Text + "\t"
	case l.Level == logs.Platform || l.Level == "":
		return l.Text
	case interpreter == string(model.NodeJS):
		return at + "\t" + l.Request + "\t" + string(l.Level) + "\t" + l.Text
	case strings.HasPrefix(l.Text, "["+string(l.Level)+"]"):
		return l.Text
	default:
		return "[" + string(l.Level) + "]\t" + at + "\t" + l.Request + "\t" + l.Text
	}
}

package preview

import "gatewright/model"

// Problems are the warnings and notes that a backend did not have before, a line
// each.
func Problems(was, next *model.Backend) []string {
	had := make(map[string]bool)
	for _, problem := range was.Check() {
		had[problem.Error()] = true
	}
	var lines []string
	for _, problem := range next.Check() {
		if line := problem.Error(); !had[line] {
			lines = append(lines, problem.Level.String()+": "+line)
		}
	}
	return lines
}

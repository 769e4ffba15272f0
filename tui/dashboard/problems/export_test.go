package problems

import "gatewright/flow/validation"

// LinesOf are the lines of all problems of a report, as copying each row gives them.
func LinesOf(r *validation.Report) []string {
	var lines []string
	for _, row := range rowsOf(r).rows {
		if !row.isGroup() {
			lines = append(lines, row.line)
		}
	}
	return lines
}

package render

import "gatewright/model"

// IgnoredFiles are the lines that a project's .gitignore holds: what is
// generated, what belongs to this machine, and what installs put beside sources.
func IgnoredFiles(dialect model.Dialect) []string {
	return []string{"/" + ClientFileName(dialect), "/.gatewright/", "node_modules/", "__pycache__/"}
}

package render

import "gatewright/model"

// IgnoredFiles returns the lines of a project's .gitignore: generated files, the state of the
// sandbox and local deployments, and the folders of package managers.
func IgnoredFiles(dialect model.Dialect) []string {
	return []string{"/" + ClientFileName(dialect), "/.gatewright/", "node_modules/", "__pycache__/"}
}

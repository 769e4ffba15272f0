package source

import (
	"strings"

	"gatewright/internal/file/ignore"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// LeftOut is the problem of a handler whose file a rule leaves out: Lambda would not find it. It is nil
// for any other. at is the folder src, with slashes, and project the folder that rules are named from.
func (h Handler) LeftOut(rules ignore.Rules, at, project string) *model.Problem {
	name, inside := strings.CutPrefix(h.File, Folder+"/")
	if !inside {
		return nil
	}
	parts := strings.Split(name, "/")
	for i := range parts {
		if rule := rules.Find(at+"/"+strings.Join(parts[:i+1], "/"), i < len(parts)-1); rule != nil {
			return &model.Problem{
				Text: "its handler's file " + phrase.QuotePath(name) + " is left out " + rule.Words(project),
				Fix:  "name another file as its handler, or have " + ignore.Name + " keep it: !" + name,
			}
		}
	}
	return nil
}

package validate

import (
	"gatewright/project"
	"gatewright/project/read"
)

// savedRequests checks the saved requests: their schema, their own rules, and whether what they name exists.
func (v *validation) savedRequests(p *project.Project) {
	names, problems := read.JSONFiles(p.FS, p.Layout.RequestsFolder())
	for _, problem := range problems {
		v.add(byLoading, problem)
	}
	backend := readable(p)
	for _, name := range names {
		path := p.Layout.RequestFile(name)
		read, err := read.JSON(p.FS, path)
		if err == nil {
			v.bySchema(read, "request")
		}
		f, problem := p.ReadRequest(name)
		if problem != nil {
			v.add(byLoading, problem)
			continue
		}
		for _, found := range append(f.Request.Check(), f.Request.CheckIn(backend)...) {
			v.add(byRules, read.Problem(found.Level, found.Pointer, found.Fix, "%s", found.Text))
		}
	}
}

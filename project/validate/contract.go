package validate

import (
	"errors"
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project"
	"gatewright/project/read"
)

// mostUnserved is how many operations of one contract are reported that no path serves.
const mostUnserved = 20

// contracts checks the contracts of APIs: that each can be read, and that the API serves its operations.
func (v *validation) contracts(p *project.Project) {
	for _, api := range readable(p).APIs {
		file := p.ContractFile(api.Label)
		text, err := p.Contract(api.Label)
		v.unread(err)
		if text == nil {
			continue
		}
		d, err := openapi.Read(file, text)
		var fault *cfn.SyntaxError
		switch {
		case errors.As(err, &fault):
			v.add(byLoading, &read.Problem{File: file, Line: fault.Line, Column: fault.Column, Text: fault.Text})
		case err != nil:
			v.add(byLoading, &read.Problem{File: file, Text: err.Error(), Fix: "fix the document, or remove the file"})
		default:
			v.unserved(d, access.NewRouter(api, nil, access.Terms{}), api.Label)
		}
	}
}

// unserved warns of operations of a contract that no path of its API serves.
func (v *validation) unserved(d *openapi.Document, router *access.Router, label string) {
	count := 0
	for _, item := range d.Items {
		for _, o := range item.Operations {
			method := o.Method
			if method == openapi.AnyMethod {
				method = "GET"
			}
			if _, served := router.Match(method, exampleOf(item.Name)); served || !slices.Contains(access.Methods, method) {
				continue
			}
			if count++; count > mostUnserved {
				return
			}
			v.add(byRules, &read.Problem{
				File: d.Name, Line: o.Line, Column: o.Column, Pointer: o.Pointer, Level: model.Warning,
				Text: "has the operation " + o.Method + " " + phrase.Quote(item.Name) + ", which no path of the API " +
					phrase.Quote(label) + " serves",
				Fix: "add the path, or remove the operation from the contract",
			})
		}
	}
}

// exampleOf returns a raw path that a path of a document matches.
func exampleOf(name string) string {
	var b strings.Builder
	for rest := name; rest != ""; {
		before, after, isVariable := strings.Cut(rest, "{")
		b.WriteString(before)
		if !isVariable {
			break
		}
		b.WriteString("x")
		_, rest, _ = strings.Cut(after, "}")
	}
	return b.String()
}

package example

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// Preference is what a request asks for among the answers of an operation. The zero value asks
// for nothing.
type Preference struct {
	// Status is the status of the answer; 0 for any.
	Status int
	// Example is the name of an example; "" for any.
	Example string
}

// Preferred is Of for the answer that is asked for. If the contract has none with the status,
// that is the one for its class, such as 4XX, else the default one. An example without a status
// is looked for in the answer of Of first, and then in the others in their order. The error is
// one line: the contract has no such answer, or no such example.
func Preferred(d *openapi.Document, o *openapi.Operation, p Preference) (Answer, error) {
	answers := d.Answers(o)
	chosen, status := choose(answers)
	if p.Status != 0 {
		found := answerOf(answers, p.Status)
		if found == nil {
			return Answer{}, &model.Problem{
				Field: nameOf(o), Text: fmt.Sprintf("the contract has no response %d for it", p.Status),
				Fix: "ask for one that it has, or add it",
			}
		}
		chosen, status = *found, p.Status
	}
	if p.Example == "" {
		return of(d, o, chosen, status)
	}
	a, found, err := named(d, o, chosen, status, p.Example)
	for _, other := range answers {
		if !found && p.Status == 0 && statusOf(other.Status) > 0 {
			a, found, err = named(d, o, other, statusOf(other.Status), p.Example)
		}
	}
	if !found {
		return Answer{}, noSuchExample(o, answers, p)
	}
	return a, err
}

// answerOf returns the answer for a status; nil if there is none.
func answerOf(answers []openapi.Answer, status int) *openapi.Answer {
	for _, name := range []string{strconv.Itoa(status), strconv.Itoa(status/100) + "XX", "default"} {
		for i, a := range answers {
			if strings.EqualFold(a.Status, name) {
				return &answers[i]
			}
		}
	}
	return nil
}

// named makes an answer of its example with a name; found says whether it has one.
func named(
	d *openapi.Document, o *openapi.Operation, chosen openapi.Answer, status int, name string,
) (a Answer, found bool, err error) {
	is := func(e cfn.Member) bool { return e.Name == name }
	var contents []openapi.Content
	for _, c := range chosen.Contents {
		if slices.ContainsFunc(c.Examples, is) {
			contents = append(contents, c)
		}
	}
	if len(contents) == 0 {
		return Answer{}, false, nil
	}
	content := preferred(contents)
	wanted := content.Examples[slices.IndexFunc(content.Examples, is)]
	if content.Example = wanted.Value; wanted.Value == nil {
		return Answer{}, true, &model.Problem{
			Field: nameOf(o), Text: "the example " + phrase.Quote(name) + " has no value in the contract",
			Fix: fmt.Sprintf("write its value there, at line %d", wanted.Line),
		}
	}
	a, err = ofContent(d, o, chosen, content, status)
	return a, true, err
}

// noSuchExample says which examples there are.
func noSuchExample(o *openapi.Operation, answers []openapi.Answer, p Preference) error {
	text, fix := "the contract has no example "+phrase.Quote(p.Example)+" of it", "add it"
	if p.Status != 0 {
		text = fmt.Sprintf("the contract has no example %s of its response %d", phrase.Quote(p.Example), p.Status)
		if one := answerOf(answers, p.Status); one != nil {
			answers = []openapi.Answer{*one}
		}
	}
	var has []string
	for _, a := range answers {
		for _, c := range a.Contents {
			for _, e := range c.Examples {
				if name := phrase.Quote(e.Name); !slices.Contains(has, name) {
					has = append(has, name)
				}
			}
		}
	}
	if len(has) > 0 {
		fix = "ask for one that it has (" + phrase.List(has) + "), or add it"
	}
	return &model.Problem{Field: nameOf(o), Text: text, Fix: fix}
}

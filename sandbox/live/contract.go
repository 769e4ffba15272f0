package live

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"gatewright/internal/openapi"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/sandbox"
	"gatewright/sandbox/gateway"
)

// liveContract is the contract of an API as it was last read.
type liveContract struct {
	text     []byte
	document *openapi.Document
	contract *gateway.Contract
}

// ContractCheck says which requests and answers are checked against the contract of their API.
type ContractCheck int

// NoContracts holds none against a contract; KeptContracts those of APIs that have one, unless
// it cannot be read; and AllContracts needs them to be readable, and warns of APIs without one.
const (
	NoContracts ContractCheck = iota
	KeptContracts
	AllContracts
)

// setContracts gives the APIs of the working tree their contracts, if anything needs them. The
// error is about a contract that cannot be read, or an example that no contract has.
func (l *live) setContracts(p *project.Project, s *served) error {
	mocked := len(l.options.Mock) > 0
	if l.options.Contracts == NoContracts && !mocked {
		return nil
	}
	read, without := make(map[string]*liveContract), []string(nil)
	for i := range s.APIs {
		api := &s.APIs[i]
		c, err := l.contractOf(p, api.Label)
		switch {
		case err != nil && l.options.Contracts == KeptContracts && !mocked:
			l.warn(sandbox.Event{
				Kind: sandbox.EventContract, Environment: s.Name,
				Text: "API " + phrase.Quote(api.Label) + " is not checked against its contract: " + err.Error(),
			})
			continue
		case err != nil:
			return err
		case c == nil:
			without = append(without, api.Label)
			continue
		}
		read[api.Label] = c
		api.Contract, api.CheckContract, api.Mock = c.contract, l.options.Contracts != NoContracts, mocksOf(l.options.Mock, c)
	}
	if mocked && len(read) == 0 {
		return noExamples(p, without)
	}
	if err := checkMocks(l.options.Mock, read); err != nil {
		return err
	}
	warn := func(label, text string) {
		l.warn(sandbox.Event{
			Kind: sandbox.EventContract, Environment: s.Name,
			Text: "API " + phrase.Quote(label) + " " + text,
		})
	}
	for _, label := range without {
		if mocked || l.options.Contracts == AllContracts {
			warn(label, noContract(p.ContractFile(label), mocked))
		}
	}
	for _, label := range slices.Sorted(maps.Keys(read)) {
		if l.options.Contracts != NoContracts {
			for _, text := range read[label].contract.Unjudged() {
				warn(label, "is not checked for a part of its contract: "+text)
			}
		}
	}
	s.contracts = read
	return nil
}

// noContract says what it means that an API has no contract, which would be in a file.
func noContract(file string, mocked bool) string {
	text := "has no contract, so nothing of it is checked"
	if mocked {
		text = "has no contract, so its functions respond"
	}
	return text + "; put its OpenAPI document into " + phrase.Quote(file)
}

// contractOf reads the contract of an API, or returns the one that was read if it is still the
// same; nil for none.
func (l *live) contractOf(p *project.Project, label string) (*liveContract, error) {
	text, err := p.Contract(label)
	if err != nil || text == nil {
		return nil, err
	}
	if have := l.servedContracts()[label]; have != nil && bytes.Equal(have.text, text) {
		return have, nil
	}
	d, err := openapi.Read(p.ContractFile(label), text)
	if err != nil {
		return nil, err
	}
	return &liveContract{text: text, document: d, contract: gateway.NewContract(d)}, nil
}

// servedContracts are the contracts that are served now.
func (l *live) servedContracts() map[string]*liveContract {
	if len(l.serving) == 0 {
		return nil
	}
	return l.serving[0].contracts
}

// noExamples is the error of a project whose APIs have no contract, when their examples are to
// be the answers.
func noExamples(p *project.Project, labels []string) error {
	problem := &model.Problem{Text: "there is no example to respond with: no API has a contract", Fix: "add an API first"}
	if len(labels) > 0 {
		problem.Fix = "put the OpenAPI document of API " + phrase.Quote(labels[0]) + " into " +
			phrase.Quote(p.ContractFile(labels[0]))
	}
	return problem
}

// checkMocks refuses a path of Mock of which no contract has an example, which may be a slip.
func checkMocks(mocked []string, contracts map[string]*liveContract) error {
	for _, path := range mocked {
		known := false
		for _, c := range contracts {
			known = known || hasOperations(c.document, path)
		}
		if !known {
			return &model.Problem{
				Text: "no contract has the path " + phrase.Quote(path) +
					" or one below it, so there is no example to respond with",
				Fix: "give a path of the contract, such as " + phrase.Quote(somePath(contracts)),
			}
		}
	}
	return nil
}

// mocksOf are the paths of Mock that concern an API: all its paths, or those that its contract
// has. Another API may have the others.
func mocksOf(mocked []string, c *liveContract) (paths []string) {
	for _, path := range mocked {
		if path == "/" || hasOperations(c.document, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// hasOperations reports whether a document has operations of a path, or of one below it.
func hasOperations(d *openapi.Document, path string) bool {
	return slices.ContainsFunc(d.Items, func(item *openapi.Item) bool {
		return len(item.Operations) > 0 &&
			(gateway.Covers(path, item.Name) || strings.HasSuffix(item.Name, "+}") && gateway.Covers(item.Name, path))
	})
}

// somePath is the first of the paths of contracts in alphabetical order.
func somePath(contracts map[string]*liveContract) string {
	var names []string
	for _, c := range contracts {
		for _, item := range c.document.Items {
			names = append(names, item.Name)
		}
	}
	if len(names) == 0 {
		return "/"
	}
	return slices.Min(names)
}

// contractsInUse says of each contract of an environment what it is used for.
func (l *live) contractsInUse(s served) (texts []string) {
	for _, label := range slices.Sorted(maps.Keys(s.contracts)) {
		text, name := "API "+phrase.Quote(label), phrase.Quote(s.contracts[label].document.Name)
		if l.options.Contracts != NoContracts {
			texts = append(texts, text+" is checked against "+name)
		}
		mocked := mocksOf(l.options.Mock, s.contracts[label])
		if len(mocked) == 0 {
			continue
		}
		text += " answers with the examples of " + name
		if !slices.Contains(mocked, "/") {
			text += " under " + phrase.List(mocked)
		}
		texts = append(texts, text)
	}
	return texts
}

// reportContracts reports contracts that are others than before.
func (l *live) reportContracts(before map[string]*liveContract) {
	now := l.servedContracts()
	say := func(label, text string) {
		l.say(sandbox.Event{
			Kind: Definition, Environment: l.environment,
			Text: "the contract of API " + phrase.Quote(label) + " " + text,
		})
	}
	for _, label := range slices.Sorted(maps.Keys(now)) {
		switch was := before[label]; {
		case was == nil:
			say(label, "is new")
		case was != now[label]:
			say(label, "changed")
		}
	}
	for _, label := range slices.Sorted(maps.Keys(before)) {
		if now[label] == nil {
			say(label, "is no longer used")
		}
	}
}

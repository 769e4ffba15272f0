package openapi

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/model/access"
)

// IDs gives operations the ends of their names, each once.
type IDs struct {
	taken map[string]bool
	// contract are the names of the contract that were written.
	contract map[string]bool
}

func NewIDs() *IDs {
	return &IDs{taken: make(map[string]bool), contract: make(map[string]bool)}
}

// isFirst reports whether a name of the contract is written for the first time.
func (o *IDs) isFirst(id string) bool {
	again := o.contract[id]
	o.contract[id] = true
	return !again
}

// take takes the names of a contract's operations, so that no other gets one of them: each is
// taken without the method that it may begin with.
func (o *IDs) take(c *contract) {
	for _, item := range c.Items {
		for _, operation := range item.Operations {
			o.takeName(operation.ID)
		}
	}
	for _, id := range webhookNames(c.Root) {
		o.takeName(id)
	}
}

func (o *IDs) takeName(id string) {
	for _, m := range Methods {
		if end, ok := strings.CutPrefix(id, strings.ToLower(m.Method)); ok {
			o.taken[end] = true
		}
	}
}

// Of returns the end of the names of an item's operations, such as BooksByIsbn for getBooksByIsbn.
// Paths that differ only in signs, such as /a-b and /a/b, get a hash of the path, so that the
// name of one stays as it is while others come and go.
func (o *IDs) Of(i Item) string {
	name := PathWords(i.at.Full, i.below)
	if o.taken[name] {
		const digits = 8
		sum := sha256.Sum256([]byte(i.Name("{proxy}")))
		name += "_" + hex.EncodeToString(sum[:])[:digits]
	}
	o.taken[name] = true
	return name
}

// PathWords are the words of a path as a part of a name, such as BooksByIsbn for /books/{isbn}.
// below says that it is all that is below the path.
func PathWords(path string, below bool) string {
	var id strings.Builder
	segments := access.ReadSegments(path)
	for _, s := range segments {
		if s.Variable {
			id.WriteString("By")
		}
		for _, word := range wordsOf(s.Text) {
			id.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	if len(segments) == 0 && !below {
		id.WriteString("Root")
	}
	if below {
		id.WriteString("Below")
	}
	return id.String()
}

// wordsOf splits a segment into words of letters and digits.
func wordsOf(segment string) []string {
	return strings.FieldsFunc(segment, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// tagList collects the tags of a document, in the order in which they are first used.
type tagList struct {
	names []string
	known map[string]bool
}

// of returns the tag of an item, the first segment of its path; the API's label if there is
// none, or if it is a variable.
func (t *tagList) of(i Item, label string) string {
	tag := label
	if segments := access.ReadSegments(i.at.Full); len(segments) > 0 && !segments[0].Variable {
		tag = segments[0].Text
	}
	t.add(tag)
	return tag
}

func (t *tagList) add(tag string) {
	if t.known == nil {
		t.known = make(map[string]bool)
	}
	if !t.known[tag] {
		t.known[tag] = true
		t.names = append(t.names, tag)
	}
}

// node lists the tags; nil if there are none.
func (t *tagList) node() *cfn.Node {
	if len(t.names) == 0 {
		return nil
	}
	list := cfn.ListNode()
	for _, name := range t.names {
		list.Items = append(list.Items, cfn.MapNode().WithText("name", name))
	}
	return list
}

package schemas

import (
	"fmt"
	"sync"
)

// compiled is the schemas that were used, each compiled at its first use.
var compiled struct {
	sync.Mutex
	rules map[string]*rule
}

// Validate checks a document against the schema with this name. It returns the problems in the order of the document,
// at most 100 and one more that counts the rest; none means that the document is valid. It returns an error only when
// there is no such schema or doc is not JSON, which includes duplicate keys, invalid UTF-8 and nesting deeper than
// 10,000. It is safe for concurrent use and takes time linear in the size of doc.
func Validate(name string, doc []byte) ([]Problem, error) {
	root, err := compiledRule(name)
	if err != nil {
		return nil, err
	}
	value, err := parseDocument(doc)
	if err != nil {
		return nil, err
	}
	w := walk{schema: name, accepted: make(map[word]bool)}
	w.judge(root, value)
	return w.report.all(), nil
}

func compiledRule(name string) (*rule, error) {
	compiled.Lock()
	defer compiled.Unlock()
	if r := compiled.rules[name]; r != nil {
		return r, nil
	}
	text, err := Source(name)
	if err != nil {
		return nil, err
	}
	r, err := parseRule(text)
	if err != nil {
		return nil, fmt.Errorf("schema %s: %w", name, err)
	}
	if compiled.rules == nil {
		compiled.rules = make(map[string]*rule)
	}
	compiled.rules[name] = r
	return r, nil
}

// walk goes through a document once. The engine decides whether a value is valid; walk looks
// for the reasons if it is not.
type walk struct {
	schema   string
	report   report
	accepted map[word]bool
}

// word is a string that a rule with an enum accepted; documents repeat them.
type word struct {
	rule *rule
	text string
}

// judge gives the engine one value: the document, or one entry of a map or of an array. Once
// the report is full, further problems are only counted, without the engine.
func (w *walk) judge(r *rule, value any) {
	text, isString := value.(string)
	if isString && w.accepted[word{r, text}] {
		return
	}
	var objection string
	full := w.report.full()
	if !full {
		objection = r.engine.objection(view(r, value))
	}
	if isString && r.Enum != nil && !full && objection == "" {
		w.accepted[word{r, text}] = true
	}
	explained := w.visit(r, value, full || objection != "")
	if objection != "" && !explained {
		w.report.add(func() (text, fix string) {
			return "refused: " + shorten(objection), fmt.Sprintf("compare it with the schema %q", w.schema)
		})
	}
}

// visit judges the entries of maps and arrays below a value. If the engine refused the value,
// it also reports why, and returns whether it found a reason.
func (w *walk) visit(r *rule, value any, refused bool) (explained bool) {
	if refused {
		explained = w.explain(r, value)
	}
	switch value := value.(type) {
	case object:
		explained = w.visitFields(r, value, refused) || explained
	case []any:
		w.visitEntries(r, value)
	}
	return explained
}

func (w *walk) visitFields(r *rule, fields object, refused bool) (explained bool) {
	if r.Properties == nil && r.PatternProperties == nil {
		return false
	}
	var unused []string
	if refused && r.closed() {
		unused = r.unused(fields)
	}
	for _, field := range fields {
		w.report.enter(field.name)
		if child := r.Properties[field.name]; child != nil {
			explained = w.visit(child, field.value, refused) || explained
		} else {
			explained = refused && w.explainName(r, field.name, unused) || explained
		}
		if values := r.values(); values != nil {
			w.judge(values, field.value)
		}
		w.report.leave()
	}
	return explained
}

func (w *walk) visitEntries(r *rule, entries []any) {
	if r.Items == nil {
		return
	}
	first := make(map[string]int)
	for i, entry := range entries {
		w.report.enterIndex(i)
		w.judge(r.Items, entry)
		if text, isString := entry.(string); isString && r.UniqueItems {
			if earlier, repeated := first[text]; repeated {
				w.report.add(func() (string, string) {
					return fmt.Sprintf("%s repeats entry %d", quote(text), earlier), "remove it: entries must be unique"
				})
			} else {
				first[text] = i
			}
		}
		w.report.leave()
	}
}

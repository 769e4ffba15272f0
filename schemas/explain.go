package schemas

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"gatewright/internal/text/spelling"
)

// explain reports the problems of a value itself, not of its members, and returns whether there are any.
func (w *walk) explain(r *rule, value any) bool {
	if fault := r.fault(value); fault != nil {
		w.report.add(fault)
		return true
	}
	fields, isObject := value.(object)
	if !isObject {
		return false
	}
	missing := slices.DeleteFunc(slices.Clone(r.Required), fields.has)
	for _, name := range missing {
		w.report.add(func() (string, string) {
			return fmt.Sprintf("missing %q", name), fmt.Sprintf("add %q%s", name, r.Properties[name].sample())
		})
	}
	return w.explainChoice(r, fields) || len(missing) > 0
}

// explainChoice reports an object that has no complete set of the fields in AnyOf, and returns whether it did.
func (w *walk) explainChoice(r *rule, fields object) bool {
	if r.AnyOf == nil {
		return false
	}
	sets := make([]string, len(r.AnyOf))
	for i, choice := range r.AnyOf {
		missing := slices.DeleteFunc(slices.Clone(choice.Required), fields.has)
		if len(missing) == 0 {
			return false
		}
		sets[i] = quotedList(missing)
	}
	w.report.add(func() (text, fix string) {
		return "missing either " + strings.Join(sets, ", or "), "add one or the other"
	})
	return true
}

// explainName reports a field that the rule does not allow, and returns whether it did.
// unused are the allowed fields that the object lacks.
func (w *walk) explainName(r *rule, name string, unused []string) bool {
	switch {
	case r.closed():
		w.report.add(func() (text, fix string) {
			return "unknown field " + quote(name), replacement(name, unused)
		})
	case r.PropertyNames != nil && !r.PropertyNames.pattern.MatchString(name):
		w.report.add(func() (text, fix string) {
			return r.PropertyNames.mismatch("the name " + quote(name))
		})
	default:
		return false
	}
	return true
}

// replacement returns the fix for an unknown field.
func replacement(name string, unused []string) string {
	switch {
	case len(unused) == 0:
		return "remove it"
	case spelling.Nearest(name, unused) != "":
		return proposal(name, unused)
	default:
		return "remove it; allowed here: " + strings.Join(unused, ", ")
	}
}

// unused returns the fields of a closed object that a document does not have.
func (r *rule) unused(fields object) []string {
	used := map[string]bool{"$schema": true}
	for _, field := range fields {
		if r.Properties[field.name] != nil {
			used[field.name] = true
		}
	}
	return slices.DeleteFunc(r.PropertyNames.choices(), func(name string) bool { return used[name] })
}

func (o object) has(name string) bool {
	return slices.ContainsFunc(o, func(field member) bool { return field.name == name })
}

// explanation is the text and the fix of a problem. It runs only for problems that are listed.
type explanation func() (text, fix string)

// fault explains the first of the assertions that a value violates; nil if it violates none.
func (r *rule) fault(value any) explanation {
	if !r.hasType(value) {
		return func() (text, fix string) {
			return fmt.Sprintf("expected %s, found %s", r.expected(), r.found(value)), r.retype(value)
		}
	}
	if r.Const != nil && r.Const != view(r, value) {
		return func() (text, fix string) {
			return fmt.Sprintf("expected %s, found %s", literal(r.Const), r.found(value)), r.rewrite()
		}
	}
	switch value := value.(type) {
	case string:
		return r.stringFault(value)
	case number:
		return r.numberFault(value)
	case []any:
		return r.arrayFault(value)
	default:
		return nil
	}
}

func (r *rule) stringFault(value string) explanation {
	length := utf8.RuneCountInString(value)
	switch {
	case r.Enum != nil && !slices.Contains(r.Enum, any(value)):
		return func() (text, fix string) {
			return "unknown value " + quote(value), proposal(value, r.choices())
		}
	case r.MinLength != nil && length < *r.MinLength:
		return func() (text, fix string) {
			return fmt.Sprintf("expected at least %s, found %d", count(*r.MinLength, "character"), length),
				"fill it in or remove the field"
		}
	case r.MaxLength != nil && length > *r.MaxLength:
		return func() (text, fix string) {
			return fmt.Sprintf("expected at most %s, found %d", count(*r.MaxLength, "character"), length),
				"shorten it by " + count(length-*r.MaxLength, "character")
		}
	case r.pattern != nil && !r.pattern.MatchString(value):
		return func() (text, fix string) { return r.mismatch(r.found(value)) }
	default:
		return nil
	}
}

func (r *rule) numberFault(value number) explanation {
	size := value.float()
	switch {
	case r.Minimum != nil && size < float64(*r.Minimum):
		return func() (text, fix string) {
			return fmt.Sprintf("expected at least %d, found %s", *r.Minimum, r.found(value)), r.instruction()
		}
	case r.Maximum != nil && size > float64(*r.Maximum):
		return func() (text, fix string) {
			return fmt.Sprintf("expected at most %d, found %s", *r.Maximum, r.found(value)), r.instruction()
		}
	default:
		return nil
	}
}

func (r *rule) arrayFault(value []any) explanation {
	length := len(value)
	switch {
	case r.MinItems != nil && length < *r.MinItems:
		return func() (text, fix string) {
			return fmt.Sprintf("expected at least %s, found %d", count(*r.MinItems, "entry"), length),
				"add an entry" + r.Items.sample()
		}
	case r.MaxItems != nil && length > *r.MaxItems:
		return func() (text, fix string) {
			return fmt.Sprintf("expected at most %s, found %d", count(*r.MaxItems, "entry"), length),
				"remove " + count(length-*r.MaxItems, "entry")
		}
	default:
		return nil
	}
}

// mismatch returns the problem of a value that does not match the pattern of r.
func (r *rule) mismatch(found string) (text, fix string) {
	return fmt.Sprintf("expected %s, found %s", r.Description, found), "write it like " + literal(r.Examples[0])
}

// rewrite returns the fix for a value that has to be a constant. The constant for a secret
// is a placeholder, and the fix says why.
func (r *rule) rewrite() string {
	if r.WriteOnly {
		return fmt.Sprintf("write %s: do not commit keys", literal(r.Const))
	}
	return "write " + literal(r.Const)
}

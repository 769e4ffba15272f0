package model

import (
	"gatewright/internal/text/phrase"
)

// apiEntries is the object under custom that client applications read as their REST APIs,
// with an entry for each API.
const apiEntries = "API"

// entries returns the entries for APIs that an output gives; nil if it gives none.
func (o *Output) entries() map[string]any {
	custom, _ := o.Values["custom"].(map[string]any)
	entries, _ := custom[apiEntries].(map[string]any)
	return entries
}

// entry returns an output's entry for the API with a label; nil if it has none.
func (o *Output) entry(label string) any { return o.entries()[label] }

// freeEntry refuses a new label for an API if an output has entries for both labels.
func (b *Backend) freeEntry(label, to string) error {
	for _, o := range b.Outputs {
		if label != to && o.entry(label) != nil && o.entry(to) != nil {
			return &Problem{
				Of: Ref{Kind: KindOutput, Name: o.Name}, Pointer: "/custom/" + apiEntries + "/" + PointerSegment(to),
				Text: "has an entry " + phrase.Quote(to) + " under custom/API already",
				Fix:  "remove one of the two entries, or choose another label", Cause: ErrExists,
			}
		}
	}
	return nil
}

// rewriteEntries renames the entries of outputs for an API, or removes them if to is nil. An
// output that becomes empty is removed.
func (b *Backend) rewriteEntries(label string, to *string) {
	var emptied []string
	b.Outputs = mapped(b.Outputs, func(o *Output) *Output {
		entry := o.entry(label)
		if entry == nil {
			return o
		}
		changed := &Output{Name: o.Name, Values: copied(o.Values)}
		entries := changed.entries()
		delete(entries, label)
		switch custom := changed.Values["custom"].(map[string]any); {
		case to != nil:
			entry = copied(entry)
			if fields, ok := entry.(map[string]any); ok && fields["apiName"] == label {
				fields["apiName"] = *to
			}
			entries[*to] = entry
		case len(entries) > 0:
		case len(custom) > 1:
			delete(custom, apiEntries)
		case len(changed.Values) > 1:
			delete(changed.Values, "custom")
		default:
			emptied = append(emptied, o.Name)
		}
		return changed
	})
	for _, name := range emptied {
		b.Outputs = dropped(b.Outputs, name)
	}
}

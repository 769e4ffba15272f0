package edit

import (
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// apiEntries is the object under custom that client applications read as their REST APIs, with an entry for each API.
const apiEntries = "API"

// entries returns the entries for APIs that an output gives; nil if it gives none.
func entries(o *model.Output) map[string]any {
	custom, _ := o.Values["custom"].(map[string]any)
	entries, _ := custom[apiEntries].(map[string]any)
	return entries
}

// entry returns an output's entry for the API with a label; nil if it has none.
func entry(o *model.Output, label string) any { return entries(o)[label] }

// freeEntry refuses a new label for an API if an output has entries for both labels.
func freeEntry(b *model.Backend, label, to string) error {
	for _, o := range b.Outputs {
		if label != to && entry(o, label) != nil && entry(o, to) != nil {
			return &model.Problem{
				Of:      model.Ref{Kind: model.KindOutput, Name: o.Name},
				Pointer: "/custom/" + apiEntries + "/" + model.PointerSegment(to),
				Text:    "has an entry " + phrase.Quote(to) + " under custom/API already",
				Fix:     "remove one of the two entries, or choose another label", Cause: model.ErrExists,
			}
		}
	}
	return nil
}

// rewriteEntries renames the entries of outputs for an API, or removes them if to is nil. An
// output that becomes empty is removed.
func rewriteEntries(b *model.Backend, label string, to *string) {
	var emptied []string
	b.Outputs = model.Mapped(b.Outputs, func(o *model.Output) *model.Output {
		entry := entry(o, label)
		if entry == nil {
			return o
		}
		changed := &model.Output{Name: o.Name, Values: model.Copied(o.Values)}
		entries := entries(changed)
		delete(entries, label)
		switch custom := changed.Values["custom"].(map[string]any); {
		case to != nil:
			entry = model.Copied(entry)
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

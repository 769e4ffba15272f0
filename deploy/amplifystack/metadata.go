package amplifystack

import (
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/text/phrase"
)

// prefix begins the keys of Amplify in the Metadata of a template.
const prefix = "AWS::Amplify::"

// The keys that give something to the file
// (https://github.com/aws-amplify/amplify-backend/blob/main/packages/backend-output-schemas/src/index.ts).
const (
	platformKey = prefix + "Platform"
	authKey     = prefix + "Auth"
	dataKey     = prefix + "GraphQL"
	storageKey  = prefix + "Storage"
	geoKey      = prefix + "Geo"
	customKey   = prefix + "Custom"
)

// silent are keys whose outputs are for the tools of Amplify, and not for clients.
var silent = map[string]bool{prefix + "Function": true, prefix + "AI::Conversation": true, prefix + "Hosting": true}

// entryVersion is the only version of entries.
const entryVersion = "1"

// mostEntries and mostNames bound the Metadata; a stack has at most 200 outputs.
const (
	mostEntries = 100
	mostNames   = 200
)

// entry is a key of Amplify in the Metadata: the names of the outputs of one part.
type entry struct {
	key     string
	outputs []string
}

// metadataOf returns the entries of Amplify in a template's Metadata; none if it is no
// template of the second generation. Their shape is
// https://github.com/aws-amplify/amplify-backend/blob/main/packages/backend-output-schemas/src/platform/stack_metadata_schemas.ts
func metadataOf(stack string, template *cfn.Template) ([]entry, error) {
	metadata := template.Root.Get("Metadata")
	if metadata == nil || metadata.Kind != cfn.Map {
		return nil, nil
	}
	var entries []entry
	for _, m := range metadata.Members {
		if !strings.HasPrefix(m.Name, prefix) {
			continue
		}
		if len(entries) == mostEntries {
			return nil, fault(stack, ErrTooLarge, "has too many entries of Amplify in its Metadata", "name another stack")
		}
		e, err := entryOf(stack, m.Name, m.Value)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

func entryOf(stack, key string, n *cfn.Node) (entry, error) {
	wrong := func(cause error, text string) error {
		return fault(stack, cause, "has "+phrase.Quote(key)+" in its Metadata "+text,
			"update gatewright, or give --from FILE with the file of the Amplify tools")
	}
	// YAML may have the version as a number.
	version := n.Get("version")
	if version == nil || version.Kind != cfn.String && version.Kind != cfn.Number {
		return entry{}, wrong(ErrMalformed, "without a version")
	}
	if version.Text != entryVersion {
		return entry{}, wrong(ErrVersion, "in version "+phrase.Quote(version.Text)+", which is not known here")
	}
	names := n.Get("stackOutputs")
	if names == nil || names.Kind != cfn.List || len(names.Items) > mostNames {
		return entry{}, wrong(ErrMalformed, "without a list of outputs")
	}
	e := entry{key: key}
	for _, item := range names.Items {
		if item.Kind != cfn.String || item.Text == "" {
			return entry{}, wrong(ErrMalformed, "with a name that is not a string")
		}
		e.outputs = append(e.outputs, item.Text)
	}
	return e, nil
}

// part has the values of the outputs of an entry.
type part struct {
	r      *reader
	key    string
	values map[string]string
}

// part collects the values of an entry's outputs, without empty ones. An output may be
// missing only if its condition in the template may say so.
func (r *reader) part(e entry) (part, error) {
	conditional := make(map[string]bool)
	for _, o := range r.template.Outputs() {
		conditional[o.Name] = o.Condition != ""
	}
	p := part{r: r, key: e.key, values: make(map[string]string, len(e.outputs))}
	for _, name := range e.outputs {
		value, exists := r.stack.Outputs[name]
		if !exists && !conditional[name] {
			return part{},
				r.fault(ErrLacks, "lacks the output "+phrase.Quote(name)+", which "+phrase.Quote(e.key)+" in its Metadata names",
					"deploy it again")
		}
		if value != "" {
			p.values[name] = value
		}
	}
	return p, nil
}

// malformed is the error for the value of an output.
func (r *reader) malformed(output, why string) error {
	return r.fault(ErrMalformed, "has a malformed output "+phrase.Quote(output)+": "+why,
		"deploy it again, and check that output if the problem stays")
}

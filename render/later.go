package render

import (
	"maps"
	"slices"

	"gatewright/model"
	"gatewright/render/client"
)

// addition is a field, or a value of a field, that a public version after 1 added to the
// file. Places are in the neutral dialect as far as version 1 has them; a star is an item
// of an array. Additions only explain losses: model.ClientFile decides what is lost.
type addition struct{ version, place, word string }

// additions are those of all public versions:
// https://github.com/aws-amplify/amplify-backend (packages/client-config/src/client-config-schema).
var additions = []addition{
	{"1.1", "/storage/buckets", ""},
	{"1.2", "/storage/buckets/*/paths", ""},
	{"1.3", "/auth/groups", ""},
	{"1.4", "/auth/mfa_methods", "EMAIL"},
	{"1.4", "/auth/passwordless", ""},
	{"1.5", "/notifications/amazon_connect", ""},
}

// wordSince returns the version that added a word, "" if none did. Only the amplify dialect has later versions.
func (c *conversion) wordSince(place, word string) string {
	if c.from != model.Amplify {
		return ""
	}
	for _, a := range additions {
		if a.place == place && a.word == word {
			return a.version
		}
	}
	return ""
}

// field reports a field that version 1 lacks, and the additions within it. An empty field
// of a later version is no loss: the Amplify tools write an empty list of groups.
func (c *conversion) field(value any, at spot) {
	version := c.wordSince(at.place, "")
	switch {
	case version == "":
		c.miss(at.pointer, "is %s", c.notKnown())
	case !empty(value):
		c.miss(at.pointer, "exists only from version %s on", version)
		c.within(value, at)
	}
}

func empty(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return false
}

func (c *conversion) within(value any, at spot) {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			member := at.member(name, name)
			if version := c.wordSince(member.place, ""); version != "" {
				c.miss(member.pointer, "exists only from version %s on", version)
			}
			c.within(v[name], member)
		}
	case []any:
		for i, item := range v {
			c.within(item, spot{at.place + "/*", at.item(i)})
		}
	}
}

// version reports a version that was never published.
func (c *conversion) version(read map[string]any) {
	declared, exists := read["version"]
	version, _ := declared.(string)
	later := slices.ContainsFunc(additions,
		func(a addition) bool { return c.from == model.Amplify && a.version == version })
	if exists && version != model.ClientFileVersion && !later {
		c.lose("/version", "%s is not a version of the %s dialect", client.Escaped(cut(valueText(declared)), ""), c.from)
	}
}

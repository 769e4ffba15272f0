package clientfile

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// userPool checks what only the definition of a user pool has. Values of wrong types are found before.
func (c *FieldCheck) userPool(values model.Outputs) {
	var auth model.Auth
	if text, err := json.Marshal(values); err != nil || json.Unmarshal(text, &auth) != nil {
		return
	}
	c.attributes(auth.CustomAttributes)
	access, id, refresh := auth.Lasting()
	for name, lasts := range map[string]int{"access": access, "id": id} {
		if lasts > refresh {
			c.say("/token_lifetimes/"+name, "give at most the time of refresh",
				"the %s token would outlive the refresh token", name)
		}
	}
}

// attributes checks the custom attributes by the rules of
// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_SchemaAttributeType.html
func (c *FieldCheck) attributes(all map[string]model.CustomAttribute) {
	if len(all) > model.MostCustomAttributes {
		c.say("/custom_attributes", fmt.Sprintf("leave %d out", len(all)-model.MostCustomAttributes),
			"has %d attributes, and a user pool has at most %d", len(all), model.MostCustomAttributes)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		at, a := "/custom_attributes/"+model.PointerSegment(name), all[name]
		bare, prefixed := strings.CutPrefix(name, model.CustomPrefix)
		length := utf8.RuneCountInString(name)
		switch {
		case prefixed:
			c.say(at, "write "+phrase.Quote(bare), "%s has the prefix custom:, which the pool adds itself", phrase.Quote(name))
		case length == 0 || length > model.LongestCustomName:
			c.say(at, fmt.Sprintf("give 1 to %d characters", model.LongestCustomName), "the name %s has %d characters",
				phrase.Quote(name), length)
		case strings.ContainsFunc(name, func(r rune) bool {
			return r == '=' || r == ',' || !unicode.In(r, unicode.L, unicode.M, unicode.S, unicode.N, unicode.P)
		}):
			c.say(at, "leave out spaces, control characters, = and commas", "the name %s is not allowed for an attribute",
				phrase.Quote(name))
		case slices.Contains(model.StandardAttributes, name):
			c.say(at, "leave it out, or give it another name", "%s is a standard attribute, which every pool has",
				phrase.Quote(name))
		}
		outside := func(n *int) bool { return n != nil && (*n < 0 || *n > model.LongestAttributeValue) }
		switch {
		case a.Min == nil && a.Max == nil:
		case a.Type != "string" && a.Type != "number":
			c.say(at, "leave out min and max", "the attribute %s has bounds, which only strings and numbers can have",
				phrase.Quote(name))
		case a.Min != nil && a.Max != nil && *a.Min > *a.Max:
			c.say(at+"/min", "give a min that is at most max", "the attribute %s has min %d and max %d", phrase.Quote(name),
				*a.Min, *a.Max)
		case a.Type == "string" && (outside(a.Min) || outside(a.Max)):
			c.say(at, fmt.Sprintf("give lengths from 0 to %d", model.LongestAttributeValue),
				"the bounds of the attribute %s are not valid lengths", phrase.Quote(name))
		}
	}
}

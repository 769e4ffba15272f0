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
	c.lifetimes(&auth)
	if auth.Messages != nil {
		messages, _ := values["messages"].(map[string]any)
		c.messages(messages)
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
			c.say(at, "write "+phrase.Quote(bare), "the name has the prefix custom:, which the pool adds itself")
		case length == 0 || length > model.LongestCustomName:
			c.say(at, fmt.Sprintf("give 1 to %d characters", model.LongestCustomName), "the name %s has %d characters",
				phrase.Quote(name), length)
		case strings.ContainsFunc(name, func(r rune) bool {
			return r == '=' || r == ',' || !unicode.In(r, unicode.L, unicode.M, unicode.S, unicode.N, unicode.P)
		}):
			c.say(at, "leave out spaces, control characters, = and commas", "the name %s cannot be that of an attribute",
				phrase.Quote(name))
		case slices.Contains(model.StandardAttributes, name):
			c.say(at, "leave it out, or give it another name", "%s is a standard attribute, which every pool has",
				phrase.Quote(name))
		}
		outside := func(n *int) bool { return n != nil && (*n < 0 || *n > model.LongestAttributeValue) }
		switch {
		case a.Min == nil && a.Max == nil:
		case a.Type != "string" && a.Type != "number":
			c.say(at, "leave out min and max", "only strings and numbers have bounds")
		case a.Min != nil && a.Max != nil && *a.Min > *a.Max:
			c.say(at+"/min", "give a min that is at most max", "min is %d and max is %d", *a.Min, *a.Max)
		case a.Type == "string" && (outside(a.Min) || outside(a.Max)):
			c.say(at, fmt.Sprintf("give lengths from 0 to %d", model.LongestAttributeValue),
				"the bounds are no lengths of a value")
		}
	}
}

// lifetimes checks how long tokens are valid, see
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-properties-cognito-userpoolclient-tokenvalidityunits.html
func (c *FieldCheck) lifetimes(auth *model.Auth) {
	if auth.TokenLifetimes == nil {
		return
	}
	const minute, hour, day = 60, 3600, 86400
	access, id, refresh := auth.Lasting()
	for _, of := range []struct {
		name, text, takes  string
		lasts, least, most int
	}{
		{"access", auth.TokenLifetimes.Access, "5m to 1d", access, 5 * minute, day},
		{"id", auth.TokenLifetimes.ID, "5m to 1d", id, 5 * minute, day},
		{"refresh", auth.TokenLifetimes.Refresh, "1h to 3650d", refresh, hour, 3650 * day},
	} {
		at := "/token_lifetimes/" + of.name
		switch l, ok := model.ParseLifetime(of.text); {
		case of.text != "" && !ok:
			c.say(at, "write a number and s, m, h or d, such as 30m", "%s is no time", phrase.Quote(of.text))
		case ok && (l.Seconds < of.least || l.Seconds > of.most):
			c.say(at, "give "+of.takes, "%s is out of range", phrase.Quote(of.text))
		case of.lasts > refresh:
			c.say(at, "give a time that is at most that of refresh", "the %s token would be valid longer than the refresh token",
				of.name)
		}
	}
}

// messages checks texts: the cloud puts the code, and the name of a new user, in place of words in them, see
// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_MessageTemplateType.html
func (c *FieldCheck) messages(texts map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		text, _ := texts[name].(string)
		at, least, most := "/messages/"+name, 6, 140
		needs := []string{model.CodePlaceholder}
		if strings.HasPrefix(name, "invitation") {
			needs = append(needs, model.NamePlaceholder)
		}
		if strings.HasSuffix(name, "_subject") {
			least, needs = 1, nil
		} else if strings.HasSuffix(name, "email_message") {
			most = 20_000
		}
		if n := utf8.RuneCountInString(text); n < least || n > most {
			c.say(at, fmt.Sprintf("give %d to %d", least, most), "has %s", phrase.Count(n, "character"))
		}
		for _, word := range needs {
			if !strings.Contains(text, word) {
				c.say(at, "write "+word+" where the "+model.Placeholders[word]+" belongs", "lacks %s", word)
			}
		}
	}
}

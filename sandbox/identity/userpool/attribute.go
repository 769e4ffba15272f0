package userpool

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gatewright/model"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool/record"
	"gatewright/sandbox/identity/wire"
)

const (
	mostAttributes       = 100
	longestAttribute     = 2048
	longestAttributeName = 32
)

// standardAttributes are the claims of OpenID Connect Core 5.1, which every pool has. Users
// may write all of them except sub, email_verified and phone_number_verified.
var standardAttributes = []string{
	"address", "birthdate", "email", "email_verified", "family_name", "gender", "given_name", "locale", "middle_name",
	"name", "nickname", "phone_number",
	"phone_number_verified", "picture", "preferred_username", "profile", "sub", "updated_at", "website", "zoneinfo",
}

// attribute is AttributeType of the cloud's API.
type attribute struct {
	Name  string `json:"Name"`
	Value string `json:"Value,omitempty"`
}

func (c *constraints) attributes(member string, list []attribute) {
	if !c.Count(len(list), "", member, 0, mostAttributes) {
		return
	}
	for i, a := range list {
		at := member + "." + strconv.Itoa(i+1) + ".member."
		c.must(at+"name", a.Name)
		c.length(at+"name", a.Name, longestAttributeName)
		c.length(at+"value", a.Value, longestAttribute)
	}
}

func (c *constraints) attributeNames(member string, names []string) {
	if !c.Count(len(names), "", member, 0, mostAttributes) {
		return
	}
	for i, name := range names {
		c.text(member+"."+strconv.Itoa(i+1)+".member", name, rules["AttributeName"])
	}
}

// writer is who writes attributes of a user, and to which pool. A new user is one who is being added.
type writer struct {
	cfg                     pool.Pool
	administrator, creating bool
}

// readAttributes reads the attributes that a user or an administrator wants to write. Only
// an administrator may mark an address as verified.
func readAttributes(w writer, list []attribute) (map[string]string, error) {
	values := make(map[string]string, len(list))
	for _, a := range list {
		if err := w.checkWritable(a.Name); err != nil {
			return nil, err
		}
		if err := w.checkValue(a.Name, a.Value); err != nil {
			return nil, err
		}
		if strings.HasSuffix(a.Name, "_verified") {
			a.Value = strings.ToLower(a.Value)
		}
		values[a.Name] = a.Value
	}
	return values, nil
}

// misfit refuses an attribute that does not fit the schema, in the words of the cloud for a new user and for a
// change, see https://github.com/aws-amplify/amplify-flutter/issues/509 and
// https://github.com/aws-amplify/amplify-js/issues/3526
func (w writer) misfit(name, format string, args ...any) *wire.Error {
	start := "user."
	if w.creating {
		start = "Attributes did not conform to the schema: "
	}
	return invalid("%s%s: %s\n", start, printable(name), fmt.Sprintf(format, args...))
}

// overriding is the command of the Amplify CLI for what its questions do not ask
// (https://docs.amplify.aws/gen1/javascript/build-a-backend/auth/override-cognito/).
const overriding = "amplify override auth"

// checkWritable refuses attributes that may not be written. In the cloud, dev: attributes
// are for administrators; no pool of the sandbox has any.
func (w writer) checkWritable(name string) error {
	a, own := w.cfg.Custom(name)
	switch {
	case own && !w.creating && !a.IsMutable():
		return w.misfit(name, "Attribute cannot be updated.")
	case own && record.IsVisible(name):
		return nil
	case strings.HasPrefix(name, "dev:") && !w.administrator:
		return unauthorized("A client attempted to write unauthorized attribute")
	case !slices.Contains(standardAttributes, name):
		return w.misfit(name, "Attribute does not exist in the schema.").Because(hint(w.cfg, "custom_attributes", name,
			"--custom-attributes "+model.ShellWord(strings.TrimPrefix(name, model.CustomPrefix)+"=string")))
	case name == "sub":
		return invalid("Cannot modify the non-mutable attribute sub")
	case strings.HasSuffix(name, "_verified") && !w.administrator:
		return unauthorized("A client attempted to write unauthorized attribute")
	}
	return nil
}

// checkValue checks a value for an attribute. An empty value deletes the attribute.
func (w writer) checkValue(name, value string) error {
	custom, _ := w.cfg.Custom(name)
	flag := strings.HasSuffix(name, "_verified") || custom.Type == "boolean"
	size, what, isNo := float64(utf8.RuneCountInString(value)), "The length", false
	if custom.Type == "number" {
		n, err := strconv.ParseFloat(value, 64)
		size, what, isNo = n, "The value", err != nil || strings.Trim(value, "-.0123456789") != ""
	}
	switch {
	case value == "":
	case name == "email" && !record.IsEmail(value):
		return invalid("Invalid email address format.")
	case name == "phone_number" && !record.IsPhone(value):
		return invalid("Invalid phone number format.")
	case flag && !strings.EqualFold(value, "true") && !strings.EqualFold(value, "false"):
		return w.misfit(name, "Value must be true or false")
	case isNo, name == "updated_at" && !isNumber(value):
		return w.misfit(name, "Value must be a number")
	case custom.Min != nil && size < float64(*custom.Min):
		return w.misfit(name, "%s must be at least %d", what, *custom.Min)
	case custom.Max != nil && size > float64(*custom.Max):
		return w.misfit(name, "%s must be at most %d", what, *custom.Max)
	case name == "birthdate" && utf8.RuneCountInString(value) != len("1970-12-31"):
		return w.misfit(name, "Value must have 10 characters, such as 1970-12-31")
	}
	return nil
}

// checkRequired refuses values without all the required attributes.
func checkRequired(cfg pool.Pool, values map[string]string) error {
	missing := missingAttributes(cfg, values)
	if len(missing) == 0 {
		return nil
	}
	var text strings.Builder
	for _, name := range missing {
		text.WriteString(name + ": The attribute is required\n")
	}
	return invalid("Attributes did not conform to the schema: %s", text.String())
}

func missingAttributes(cfg pool.Pool, values map[string]string) []string {
	if cfg.Definition == nil {
		return nil
	}
	var missing []string
	for _, name := range cfg.Definition.StandardRequiredAttributes {
		// The pool sets sub and updated_at itself.
		if values[name] == "" && name != "sub" && name != "updated_at" {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	return slices.Compact(missing)
}

// checkRequiredStill refuses to delete required attributes. Ones that were missing before
// may stay missing.
func checkRequiredStill(cfg pool.Pool, before, after map[string]string) error {
	required := maps.Clone(after)
	for _, name := range missingAttributes(cfg, before) {
		required[name] = "-"
	}
	return checkRequired(cfg, required)
}

// setAttributes writes attributes. A changed address becomes unverified, unless values say
// otherwise, and codes that were sent to the old address become invalid.
func setAttributes(u *record.User, cfg pool.Pool, values map[string]string) error {
	next := maps.Clone(u.Attributes)
	if next == nil {
		next = make(map[string]string)
	}
	for name, value := range values {
		if next[name] = value; value == "" {
			delete(next, name)
		}
	}
	for _, name := range record.AddressAttributes {
		verified := name + "_verified"
		if next[name] == u.Attributes[name] {
			continue
		}
		if _, set := values[verified]; !set {
			next[verified] = "false"
		}
		forgetCodesOf(u, name)
		if name == "phone_number" && next[name] == "" {
			u.MFA.SMS = false
		}
	}
	for _, name := range record.AddressAttributes {
		if next[name] == "" {
			delete(next, name+"_verified")
		}
	}
	custom := 0
	for name := range next {
		if strings.HasPrefix(name, model.CustomPrefix) {
			custom++
		}
	}
	if custom > model.MostCustomAttributes {
		return invalid("A user has at most %d custom attributes", model.MostCustomAttributes)
	}
	if err := checkReachable(record.NameRulesOf(cfg), u, next); err != nil {
		return err
	}
	u.Attributes = next
	return nil
}

// checkReachable refuses to delete the last address of a user who has no other name.
func checkReachable(n record.NameRules, u *record.User, next map[string]string) error {
	has := func(values map[string]string) bool {
		return slices.ContainsFunc(n.Addresses, func(name string) bool { return values[name] != "" })
	}
	if !n.ChosenName && has(u.Attributes) && !has(next) {
		return invalid("Cannot delete %s: users of this pool sign in with it", strings.Join(n.Addresses, " and "))
	}
	return nil
}

// attributesOf is the user's attributes in the form of the cloud's API, sub first.
func attributesOf(u *record.User) []attribute {
	list := []attribute{{"sub", u.Sub}}
	for _, name := range slices.Sorted(maps.Keys(u.Attributes)) {
		list = append(list, attribute{name, u.Attributes[name]})
	}
	return list
}

// isNumber reports whether a text is a whole number.
func isNumber(text string) bool {
	_, err := strconv.ParseInt(text, 10, 64)
	return err == nil
}

// printable is a name for use in an answer, without spaces and control characters.
func printable(name string) string {
	return strings.Map(func(r rune) rune {
		if record.IsVisible(string(r)) {
			return r
		}
		return -1
	}, name)
}

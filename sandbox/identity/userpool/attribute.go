package userpool

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool/record"
)

const (
	mostAttributes       = 100
	longestAttribute     = 2048
	longestAttributeName = 32
	// longestCustomName excludes the prefix. mostCustom is the number of custom attributes
	// that a pool can have.
	longestCustomName = 20
	mostCustom        = 50

	customPrefix = "custom:"
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
		at := member + "." + strconv.Itoa(i+1) + ".member"
		c.must(at, name)
		c.length(at, name, longestAttributeName)
	}
}

// readAttributes reads the attributes that a user or an administrator wants to write. Only
// an administrator may mark an address as verified.
func readAttributes(list []attribute, administrator bool) (map[string]string, error) {
	values := make(map[string]string, len(list))
	for _, a := range list {
		if err := checkWritable(a.Name, administrator); err != nil {
			return nil, err
		}
		if err := checkValue(a.Name, a.Value); err != nil {
			return nil, err
		}
		if strings.HasSuffix(a.Name, "_verified") {
			a.Value = strings.ToLower(a.Value)
		}
		values[a.Name] = a.Value
	}
	return values, nil
}

// checkWritable refuses attributes that may not be written. In the cloud, dev: attributes
// are for administrators; no pool of the sandbox has any.
func checkWritable(name string, administrator bool) error {
	custom, own := strings.CutPrefix(name, customPrefix)
	switch {
	case own && record.IsVisible(custom) && utf8.RuneCountInString(custom) <= longestCustomName:
		return nil
	case strings.HasPrefix(name, "dev:") && !administrator:
		return unauthorized("A client attempted to write unauthorized attribute")
	case own || !slices.Contains(standardAttributes, name):
		return invalid("Attributes did not conform to the schema: %s: Attribute does not exist in the schema.\n",
			printable(name))
	case name == "sub":
		return invalid("Cannot modify the non-mutable attribute sub")
	case strings.HasSuffix(name, "_verified") && !administrator:
		return unauthorized("A client attempted to write unauthorized attribute")
	}
	return nil
}

// checkValue checks a value for an attribute. An empty value deletes the attribute.
func checkValue(name, value string) error {
	switch {
	case value == "":
	case name == "email" && !record.IsEmail(value):
		return invalid("Invalid email address format.")
	case name == "phone_number" && !record.IsPhone(value):
		return invalid("Invalid phone number format.")
	case strings.HasSuffix(name, "_verified") && !strings.EqualFold(value, "true") && !strings.EqualFold(value, "false"):
		return invalid("Attributes did not conform to the schema: %s: Value must be true or false\n", name)
	case name == "updated_at" && !isNumber(value):
		return invalid("Attributes did not conform to the schema: updated_at: Value must be a number\n")
	case name == "birthdate" && utf8.RuneCountInString(value) != len("1970-12-31"):
		return invalid("Attributes did not conform to the schema: birthdate: Value must have 10 characters, such " +
			"as 1970-12-31\n")
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
		if strings.HasPrefix(name, customPrefix) {
			custom++
		}
	}
	if custom > mostCustom {
		return invalid("A user has at most %d custom attributes", mostCustom)
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

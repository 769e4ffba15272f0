package userpool

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gatewright/sandbox/identity/pool"
)

const (
	mostAttributes       = 100
	longestAttribute     = 2048
	longestAttributeName = 32
	// longestCustomName is without the prefix, mostCustom how many attributes of its own a pool can have.
	longestCustomName = 20
	mostCustom        = 50

	customPrefix = "custom:"
)

// standardAttributes are those of OpenID Connect (5.1), which every pool has. A user may write all but sub and what says that an address
// is verified.
var standardAttributes = []string{
	"address", "birthdate", "email", "email_verified", "family_name", "gender", "given_name", "locale", "middle_name", "name", "nickname", "phone_number",
	"phone_number_verified", "picture", "preferred_username", "profile", "sub", "updated_at", "website", "zoneinfo",
}

// attribute is one on the wire.
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

// readAttributes takes attributes that somebody wants to write: a user, or an administrator, who may say that an address is verified.
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

// checkWritable says whether an attribute may be written at all. dev: attributes are for administrators in the cloud, and in no pool
// here.
func checkWritable(name string, administrator bool) error {
	custom, own := strings.CutPrefix(name, customPrefix)
	switch {
	case own && isVisible(custom) && utf8.RuneCountInString(custom) <= longestCustomName:
		return nil
	case strings.HasPrefix(name, "dev:") && !administrator:
		return unauthorized("A client attempted to write unauthorized attribute")
	case own || !slices.Contains(standardAttributes, name):
		return invalid("Attributes did not conform to the schema: %s: Attribute does not exist in the schema.\n", printable(name))
	case name == "sub":
		return invalid("Cannot modify the non-mutable attribute sub")
	case strings.HasSuffix(name, "_verified") && !administrator:
		return unauthorized("A client attempted to write unauthorized attribute")
	}
	return nil
}

// checkValue says whether a value is one for its attribute. An empty one takes the attribute away.
func checkValue(name, value string) error {
	switch {
	case value == "":
	case name == "email" && !isEmail(value):
		return invalid("Invalid email address format.")
	case name == "phone_number" && !isPhone(value):
		return invalid("Invalid phone number format.")
	case strings.HasSuffix(name, "_verified") && !strings.EqualFold(value, "true") && !strings.EqualFold(value, "false"):
		return invalid("Attributes did not conform to the schema: %s: Value must be true or false\n", name)
	case name == "updated_at" && !isNumber(value):
		return invalid("Attributes did not conform to the schema: updated_at: Value must be a number\n")
	case name == "birthdate" && utf8.RuneCountInString(value) != len("1970-12-31"):
		return invalid("Attributes did not conform to the schema: birthdate: Value must have 10 characters, as 1970-12-31\n")
	}
	return nil
}

// checkRequired names the required attributes that are not there.
func checkRequired(cfg pool.Pool, values map[string]string) error {
	missing := missingAttributes(cfg, values)
	if len(missing) == 0 {
		return nil
	}
	var told strings.Builder
	for _, name := range missing {
		told.WriteString(name + ": The attribute is required\n")
	}
	return invalid("Attributes did not conform to the schema: %s", told.String())
}

func missingAttributes(cfg pool.Pool, values map[string]string) []string {
	if cfg.Definition == nil {
		return nil
	}
	var missing []string
	for _, name := range cfg.Definition.StandardRequiredAttributes {
		// The pool itself has a sub for everybody, and says when a profile was updated.
		if values[name] == "" && name != "sub" && name != "updated_at" {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	return slices.Compact(missing)
}

// checkRequiredStill refuses to take away what the pool requires. What was not there before is not asked for.
func checkRequiredStill(cfg pool.Pool, before, after map[string]string) error {
	still := maps.Clone(after)
	for _, name := range missingAttributes(cfg, before) {
		still[name] = "-"
	}
	return checkRequired(cfg, still)
}

// change writes attributes. An address that is another one than before has to be verified again, unless values say that it is, and codes
// that were sent to the one before are good for nothing.
func (u *user) setAttributes(cfg pool.Pool, values map[string]string) error {
	next := maps.Clone(u.Attributes)
	if next == nil {
		next = make(map[string]string)
	}
	for name, value := range values {
		if next[name] = value; value == "" {
			delete(next, name)
		}
	}
	for _, name := range addressAttributes {
		verified := name + "_verified"
		if next[name] == u.Attributes[name] {
			continue
		}
		if _, said := values[verified]; !said {
			next[verified] = "false"
		}
		u.forgetCodesOf(name)
		if name == "phone_number" && next[name] == "" {
			u.MFA.SMS = false
		}
	}
	for _, name := range addressAttributes {
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
	if err := nameRulesOf(cfg).checkReachable(u, next); err != nil {
		return err
	}
	u.Attributes = next
	return nil
}

// checkReachable refuses to take the last address from a user who has no other name.
func (n nameRules) checkReachable(u *user, next map[string]string) error {
	has := func(values map[string]string) bool {
		return slices.ContainsFunc(n.addresses, func(name string) bool { return values[name] != "" })
	}
	if !n.chosenName && has(u.Attributes) && !has(next) {
		return invalid("Cannot delete %s: users of this pool sign in with it", strings.Join(n.addresses, " and "))
	}
	return nil
}

// listed are a user's attributes on the wire, sub first.
func (u *user) attributeList() []attribute {
	list := []attribute{{"sub", u.Sub}}
	for _, name := range slices.Sorted(maps.Keys(u.Attributes)) {
		list = append(list, attribute{name, u.Attributes[name]})
	}
	return list
}

// isEmail reports whether a text has the form of an email address; whether mail would arrive is nobody's knowledge.
func isEmail(text string) bool {
	local, domain, found := strings.Cut(text, "@")
	return found && local != "" && domain != "" && !strings.Contains(domain, "@") && isVisible(local) && isVisible(domain)
}

// isPhone reports whether a text is a telephone number with its country (E.164).
func isPhone(text string) bool {
	digits, plus := strings.CutPrefix(text, "+")
	return plus && len(digits) >= 5 && len(digits) <= 15 && isDigits(digits)
}

func isDigits(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
}

// isNumber reports whether a text is a whole number.
func isNumber(text string) bool {
	_, err := strconv.ParseInt(text, 10, 64)
	return err == nil
}

// printable is a name in an answer: what could disturb who reads it is left out.
func printable(name string) string {
	return strings.Map(func(r rune) rune {
		if isVisible(string(r)) {
			return r
		}
		return -1
	}, name)
}

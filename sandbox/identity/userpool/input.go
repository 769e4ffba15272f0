package userpool

import (
	"fmt"
	"reflect"
	"strings"
	"time"
	"unicode"

	"github.com/go-json-experiment/json"

	"gatewright/sandbox/constraint"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/token"
	"gatewright/sandbox/identity/userpool/record"
	"gatewright/sandbox/identity/wire"
)

// The cloud's bounds for inputs, in characters unless a unit is given.
const (
	longestName      = 128
	longestPassword  = 256
	longestCode      = 2048
	longestSession   = 2048
	longestClientID  = 128
	longestPoolID    = 55
	longestFilter    = 256
	mostParameters   = 100
	longestParameter = 8 << 10
	mostListed       = 60
	// largestInput is the sandbox's own bound, in bytes.
	largestInput = 256 << 10
)

// operation is how the sandbox serves an operation. public says that it needs no signature.
type operation struct {
	public bool
	run    func(p *Pools, input []byte) (any, error)
}

// metadataInput is what a client gives triggers.
type metadataInput struct {
	ClientMetadata map[string]string `json:"ClientMetadata"`
}

// triggerInput is what a client gives triggers when a user is added.
type triggerInput struct {
	metadataInput
	ValidationData []attribute `json:"ValidationData"`
}

type poolUserAndMetadataInput struct {
	poolAndUserInput
	metadataInput
}

// emptyOutput is the output of operations without one.
type emptyOutput struct{}

func public[In, Out any](do func(*Pools, *In) (Out, error)) operation {
	return operation{public: true, run: serve(do)}
}

func signed[In, Out any](do func(*Pools, *In) (Out, error)) operation {
	return operation{run: serve(do)}
}

// inPool has an operation get the pool that its input names.
func inPool[In, Out any](do func(*Pools, pool.Pool, *In) (Out, error)) func(*Pools, *In) (Out, error) {
	return func(p *Pools, in *In) (out Out, err error) {
		cfg, err := p.poolNamed(reflect.ValueOf(in).Elem())
		if err != nil {
			return out, err
		}
		return do(p, cfg, in)
	}
}

func serve[In, Out any](do func(*Pools, *In) (Out, error)) func(*Pools, []byte) (any, error) {
	return func(p *Pools, text []byte) (any, error) {
		in := new(In)
		if len(text) > largestInput {
			return nil, invalid("The input is larger than %d KB", largestInput>>10)
		}
		if err := json.Unmarshal(text, in); err != nil {
			return nil, wire.Refuse("SerializationException", "The input is not the JSON that this operation takes").Because(err)
		}
		c := constraints{constraint.Violations{HideValues: true, All: true}}
		c.input(reflect.ValueOf(in).Elem())
		if err := c.err(); err != nil {
			return nil, err
		}
		return do(p, in)
	}
}

// constraints collects the constraints of the cloud's API that an input breaks.
type constraints struct{ constraint.Violations }

func (c *constraints) err() error {
	if message := c.Message(); message != "" {
		return invalid("%s", message)
	}
	return nil
}

// rule is what a member that is a text has to be: one of words, or of at most longest characters, which match.
type rule struct {
	longest int
	matches func(string) bool
	// pattern is what matches tests, in the words of the cloud.
	pattern string
	words   []string
	// optional says that the member need not be there.
	optional bool
}

// rules are the rules of members, by name: a member has the same one in each operation.
var rules = map[string]rule{
	"AccessToken": tokenRule, "RefreshToken": tokenRule, "Token": tokenRule,
	"AttributeName": {longest: longestAttributeName},
	"AuthFlow":      {words: flows},
	"ChallengeName": {words: answerableSteps},
	"ClientId": {
		longest: longestClientID, pattern: `[\w+]+`,
		matches: func(text string) bool { return constraint.IsWord(text, "_+") },
	},
	"ConfirmationCode": codeRule, "Code": codeRule,
	"Filter":             {longest: longestFilter, optional: true},
	"FriendlyDeviceName": {longest: longestAttribute, optional: true},
	"MessageAction":      {words: []string{"SUPPRESS", "RESEND"}, optional: true},
	"Password":           passwordRule, "PreviousPassword": passwordRule, "ProposedPassword": passwordRule,
	"Session": {longest: longestSession, optional: true},
	"TemporaryPassword": {
		longest: longestPassword, pattern: passwordRule.pattern, matches: passwordRule.matches, optional: true,
	},
	"UserCode": {longest: codeDigits, pattern: "[0-9]+", matches: record.IsDigits},
	"Username": nameRule, "GroupName": nameRule,
	"UserPoolId": {
		longest: longestPoolID, pattern: `[\w-]+_[0-9a-zA-Z]+`, matches: func(text string) bool {
			region, name, cut := strings.Cut(text, "_")
			return cut && region != "" && name != "" && constraint.IsWord(text, "_-")
		},
	},
}

var (
	tokenRule = rule{
		longest: token.Longest, pattern: `[A-Za-z0-9-_=.]+`,
		matches: func(text string) bool { return constraint.IsWord(text, "-_=.") },
	}
	nameRule = rule{longest: longestName, pattern: `[\p{L}\p{M}\p{S}\p{N}\p{P}]+`, matches: record.IsVisible}
	codeRule = rule{
		longest: longestCode, pattern: `[\S]+`,
		matches: func(text string) bool { return !strings.ContainsFunc(text, unicode.IsSpace) },
	}
	passwordRule = rule{
		longest: longestPassword, pattern: `^[\S]+.*[\S]+$`, matches: func(text string) bool {
			return strings.TrimSpace(text) == text && !strings.ContainsFunc(text, unicode.IsControl)
		},
	}
)

// input adds the constraints that an input breaks, before anything else is done. A member has to be there, unless
// its tag need says no, or names another one that is there.
func (c *constraints) input(in reflect.Value) {
	for _, field := range reflect.VisibleFields(in.Type()) {
		name := field.Tag.Get("json")
		if name == "" {
			continue
		}
		member, need := strings.ToLower(name[:1])+name[1:], field.Tag.Get("need")
		needed := need == "" || need != "no" && in.FieldByName(need).String() == ""
		switch value := in.FieldByIndex(field.Index).Interface().(type) {
		case string:
			if rule, known := rules[name]; known && (value != "" || !rule.optional && needed) {
				c.text(member, value, rule)
			}
		case *int:
			least := int64(0)
			if name == "MaxResults" {
				least = 1
				c.Require(value != nil || !needed, member)
			}
			if value != nil {
				n := int64(*value)
				c.AtLeast(&n, member, least)
				c.AtMost(&n, member, mostListed)
			}
		case []string:
			if name != "DesiredDeliveryMediums" {
				c.attributeNames(member, value)
			}
		case []attribute:
			c.attributes(member, value)
		case map[string]string:
			c.parameters(member, value)
		}
	}
}

// text checks a text that has to be there.
func (c *constraints) text(member, value string, r rule) {
	switch {
	case !c.must(member, value):
	case r.words != nil:
		c.Enum(&value, member, r.words...)
	case c.length(member, value, r.longest) && r.matches != nil:
		c.Match(r.matches(value), value, member, r.pattern)
	}
}

func (c *constraints) must(member, value string) bool { return c.Require(value != "", member) }

func (c *constraints) length(member, value string, longest int) bool {
	return c.Length(value, member, 0, longest)
}

// parameters checks the parameters of a sign-in or of an answer to a challenge.
func (c *constraints) parameters(member string, values map[string]string) {
	if !c.Count(len(values), "", member, 0, mostParameters) {
		return
	}
	for key, value := range values {
		if len(key)+len(value) > longestParameter {
			c.AddWithoutValue(member, constraint.MapValues(constraint.MaxLength(longestParameter)))
			return
		}
	}
}

func invalid(format string, args ...any) *wire.Error {
	return wire.Refuse("InvalidParameterException", format, args...)
}

func unauthorized(format string, args ...any) *wire.Error {
	return wire.Refuse("NotAuthorizedException", format, args...)
}

// epoch is a time in the cloud's JSON: seconds since 1970 with milliseconds.
type epoch time.Time

// MarshalJSON writes the seconds since 1970.
func (e epoch) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "%d.%03d", time.Time(e).Unix(), time.Time(e).Nanosecond()/int(time.Millisecond)), nil
}

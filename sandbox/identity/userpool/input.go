package userpool

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/go-json-experiment/json"

	"gatewright/sandbox/constraint"
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

// input is the input of an operation. check adds the constraints that it breaks, before
// anything else is done.
type input[In any] interface {
	*In
	check(c *constraints)
}

// metadataInput is what a client gives triggers.
type metadataInput struct {
	ClientMetadata map[string]string `json:"ClientMetadata"`
}

func (in *metadataInput) check(c *constraints) { c.parameters("clientMetadata", in.ClientMetadata) }

// triggerInput is what a client gives triggers when a user is added.
type triggerInput struct {
	metadataInput
	ValidationData []attribute `json:"ValidationData"`
}

func (in *triggerInput) check(c *constraints) {
	in.metadataInput.check(c)
	c.attributes("validationData", in.ValidationData)
}

type poolUserAndMetadataInput struct {
	poolAndUserInput
	metadataInput
}

func (in *poolUserAndMetadataInput) check(c *constraints) {
	in.poolAndUserInput.check(c)
	in.metadataInput.check(c)
}

// emptyOutput is the output of operations without one.
type emptyOutput struct{}

func public[In any, I input[In], Out any](do func(*Pools, *In) (Out, error)) operation {
	return operation{public: true, run: serve[In, I](do)}
}

func signed[In any, I input[In], Out any](do func(*Pools, *In) (Out, error)) operation {
	return operation{run: serve[In, I](do)}
}

func serve[In any, I input[In], Out any](do func(*Pools, *In) (Out, error)) func(*Pools, []byte) (any, error) {
	return func(p *Pools, text []byte) (any, error) {
		in := new(In)
		if len(text) > largestInput {
			return nil, invalid("The input is over %d KB", largestInput>>10)
		}
		if err := json.Unmarshal(text, in); err != nil {
			return nil, wire.Refuse("SerializationException", "The input is not the JSON that this operation takes").Because(err)
		}
		c := constraints{constraint.Violations{HideValues: true, All: true}}
		I(in).check(&c)
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

func (c *constraints) must(member, value string) bool { return c.Require(value != "", member) }

func (c *constraints) length(member, value string, longest int) bool {
	return c.Length(value, member, 0, longest)
}

// name checks the name of a user or a group.
func (c *constraints) name(member, value string) {
	if c.must(member, value) && c.length(member, value, longestName) {
		c.Match(record.IsVisible(value), value, member, `[\p{L}\p{M}\p{S}\p{N}\p{P}]+`)
	}
}

func (c *constraints) clientID(value string) {
	if c.must("clientId", value) && c.length("clientId", value, longestClientID) {
		c.Match(constraint.IsWord(value, "_+"), value, "clientId", `[\w+]+`)
	}
}

func (c *constraints) poolID(value string) {
	if c.must("userPoolId", value) && c.length("userPoolId", value, longestPoolID) {
		region, name, cut := strings.Cut(value, "_")
		c.Match(cut && region != "" && name != "" && constraint.IsWord(value, "_-"), value, "userPoolId",
			`[\w-]+_[0-9a-zA-Z]+`)
	}
}

// password accepts an absent password, which the pool's policy checks.
func (c *constraints) password(member, value string) {
	if value != "" && c.length(member, value, longestPassword) {
		matches := strings.TrimFunc(value, unicode.IsSpace) == value && !strings.ContainsFunc(value, unicode.IsControl)
		c.Match(matches, value, member, `^[\S]+.*[\S]+$`)
	}
}

func (c *constraints) code(member, value string) {
	if c.must(member, value) && c.length(member, value, longestCode) {
		c.Match(!strings.ContainsFunc(value, unicode.IsSpace), value, member, `[\S]+`)
	}
}

func (c *constraints) token(member, value string) {
	if c.must(member, value) && c.length(member, value, token.Longest) {
		c.Match(constraint.IsWord(value, "-_=."), value, member, `[A-Za-z0-9-_=.]+`)
	}
}

func (c *constraints) session(value string) { c.length("session", value, longestSession) }

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

func (c *constraints) limit(member string, value *int, least int64) {
	if value != nil {
		n := int64(*value)
		c.AtLeast(&n, member, least)
		c.AtMost(&n, member, mostListed)
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

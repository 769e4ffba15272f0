package userpool

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"gatewright/sandbox/identity/token"
	"gatewright/sandbox/identity/wire"
)

// Limits of the cloud's API for what comes in, in characters unless said otherwise.
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
	// largestInput is in bytes, and ours.
	largestInput = 256 << 10
)

// operation is how one is served: whether without a signature, and by what.
type operation struct {
	public bool
	run    func(p *Pools, input []byte) (any, error)
}

// input is what an operation reads; check says what is wrong with it, as the cloud does before it looks at anything else.
type input[In any] interface {
	*In
	check(c *constraints)
}

// done is the output of operations that have none.
type done struct{}

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
		var c constraints
		I(in).check(&c)
		if err := c.err(); err != nil {
			return nil, err
		}
		return do(p, in)
	}
}

// constraints collects what is wrong with the form of an input.
type constraints struct{ failed []string }

func (c *constraints) fail(member, rule string) {
	c.failed = append(c.failed, "Value at '"+member+"' failed to satisfy constraint: "+rule)
}

func (c *constraints) err() error {
	switch len(c.failed) {
	case 0:
		return nil
	case 1:
		return invalid("1 validation error detected: %s", c.failed[0])
	}
	return invalid("%d validation errors detected: %s", len(c.failed), strings.Join(c.failed, "; "))
}

func (c *constraints) must(member, value string) bool {
	if value == "" {
		c.fail(member, "Member must not be null")
	}
	return value != ""
}

func (c *constraints) length(member, value string, longest int) bool {
	if utf8.RuneCountInString(value) <= longest {
		return true
	}
	c.fail(member, "Member must have length less than or equal to "+strconv.Itoa(longest))
	return false
}

func (c *constraints) matches(member, pattern string, good bool) {
	if !good {
		c.fail(member, "Member must satisfy regular expression pattern: "+pattern)
	}
}

// name is a user name, or the name of a group.
func (c *constraints) name(member, value string) {
	if c.must(member, value) && c.length(member, value, longestName) {
		c.matches(member, `[\p{L}\p{M}\p{S}\p{N}\p{P}]+`, isVisible(value))
	}
}

func (c *constraints) clientID(value string) {
	if c.must("clientId", value) && c.length("clientId", value, longestClientID) {
		c.matches("clientId", `[\w+]+`, consistsOf(value, "_+"))
	}
}

func (c *constraints) poolID(value string) {
	if c.must("userPoolId", value) && c.length("userPoolId", value, longestPoolID) {
		region, name, cut := strings.Cut(value, "_")
		c.matches("userPoolId", `[\w-]+_[0-9a-zA-Z]+`, cut && region != "" && name != "" && consistsOf(value, "_-"))
	}
}

// password leaves an absent one to the policy.
func (c *constraints) password(member, value string) {
	if value != "" && c.length(member, value, longestPassword) {
		c.matches(member, `^[\S]+.*[\S]+$`, strings.TrimFunc(value, unicode.IsSpace) == value && !strings.ContainsFunc(value, unicode.IsControl))
	}
}

func (c *constraints) code(member, value string) {
	if c.must(member, value) && c.length(member, value, longestCode) {
		c.matches(member, `[\S]+`, !strings.ContainsFunc(value, unicode.IsSpace))
	}
}

func (c *constraints) token(member, value string) {
	if c.must(member, value) && c.length(member, value, token.Longest) {
		c.matches(member, `[A-Za-z0-9-_=.]+`, consistsOf(value, "-_=."))
	}
}

func (c *constraints) session(value string) { c.length("session", value, longestSession) }

// parameters are those of a sign-in, or of an answer to a challenge.
func (c *constraints) parameters(member string, values map[string]string) {
	if len(values) > mostParameters {
		c.fail(member, "Member must have length less than or equal to "+strconv.Itoa(mostParameters))
		return
	}
	for key, value := range values {
		if len(key)+len(value) > longestParameter {
			c.fail(member, "Map value must satisfy constraint: [Member must have length less than or equal to "+strconv.Itoa(longestParameter)+"]")
			return
		}
	}
}

func (c *constraints) limit(member string, value *int, least int) {
	switch {
	case value == nil:
	case *value < least:
		c.fail(member, "Member must have value greater than or equal to "+strconv.Itoa(least))
	case *value > mostListed:
		c.fail(member, "Member must have value less than or equal to "+strconv.Itoa(mostListed))
	}
}

// isVisible reports whether a text is of letters, marks, symbols, digits and punctuation, without spaces and control characters.
func isVisible(text string) bool {
	for _, r := range text {
		if !unicode.In(r, unicode.L, unicode.M, unicode.S, unicode.N, unicode.P) || r == utf8.RuneError {
			return false
		}
	}
	return text != ""
}

// consistsOf reports whether a text is of ASCII letters, digits and what is given.
func consistsOf(text, more string) bool {
	for _, b := range []byte(text) {
		letter := b|0x20 >= 'a' && b|0x20 <= 'z'
		if !letter && (b < '0' || b > '9') && strings.IndexByte(more, b) < 0 {
			return false
		}
	}
	return true
}

func invalid(format string, args ...any) *wire.Error {
	return wire.Refuse("InvalidParameterException", format, args...)
}

func unauthorized(format string, args ...any) *wire.Error {
	return wire.Refuse("NotAuthorizedException", format, args...)
}

// epoch is a time on the wire: seconds, with milliseconds behind the point.
type epoch time.Time

// MarshalJSON writes the seconds since 1970.
func (e epoch) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "%d.%03d", time.Time(e).Unix(), time.Time(e).Nanosecond()/int(time.Millisecond)), nil
}

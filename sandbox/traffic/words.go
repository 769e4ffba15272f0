package traffic

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"time"

	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
)

// This file has the words for calls that screens and commands share. They are not made safe
// for a terminal: names and paths come from clients.

// String is the caller in a word or two: nobody, guest, emma (Editors), member of Editors.
func (w Who) String() string {
	acting, acts := strings.CutPrefix(w.As, "members of ")
	switch w.Kind {
	case User:
		if acts {
			return w.Name + " (" + acting + ")"
		}
		return cmp.Or(w.Name, "signed-in user")
	case Member:
		switch {
		case len(w.Groups) == 0:
			return "signed-in user"
		case acts && acting != "":
			return "member of " + acting
		}
		return "member of " + strings.Join(w.Groups, ", ")
	case Unknown:
		return "unknown"
	case Function:
		return "function " + w.Name
	}
	return cmp.Or(string(w.Kind), string(Nobody))
}

// Credentials says how the caller proved who they are.
func (w Who) Credentials() string {
	switch {
	case w.By != "":
		return "by " + w.By
	case w.Kind == Unknown:
		return "credentials that are not valid"
	case w.Kind == Guest:
		return "no credentials"
	}
	return ""
}

// Name is the method with the path, or the schedule or trigger of what is called.
func (c *Call) Name() string { return strings.TrimSpace(c.Method + " " + c.Address()) }

// Address is the path with the query, or what is called by a schedule, a trigger or through the
// API of Lambda.
func (c *Call) Address() string {
	switch {
	case c.Kind == Invoke:
		return "invoke " + c.Target
	case c.Target == "" && !c.IsRequest():
		return string(c.Kind) + " of " + c.Function
	}
	return c.Target
}

// Outcome is the status, or ok or failed for a call without one.
func (c *Call) Outcome() string {
	switch {
	case c.Status > 0:
		return strconv.Itoa(c.Status)
	case c.Failed:
		return "failed"
	}
	return "ok"
}

// The marks of calls that failed, that were refused, and that break their contract.
const (
	FailedMark  = "!"
	RefusedMark = "x"
	BreachMark  = "~"
)

// Marks says what the marks mean.
const Marks = FailedMark + " failed, " + RefusedMark + " refused, " + BreachMark + " breaks its contract"

// Mark is a character for what stands out of a call: that it breaks its contract, failed or was
// refused; "" for none of these. A failure shows in the status too, so that a breach comes first.
func (c *Call) Mark() string {
	switch {
	case len(c.Breaches) > 0:
		return BreachMark
	case c.Failed:
		return FailedMark
	case c.Refused():
		return RefusedMark
	}
	return ""
}

// MarkedOutcome is the outcome after its mark: "x 403". A word needs none.
func (c *Call) MarkedOutcome() string {
	if c.Status == 0 {
		return c.Outcome()
	}
	return strings.TrimSpace(c.Mark() + " " + c.Outcome())
}

// OutcomeInWords is the status with its name.
func (c *Call) OutcomeInWords() string {
	return strings.TrimSpace(c.Outcome() + " " + http.StatusText(c.Status))
}

// BreaksContract begins a sentence about a breach of a call.
const BreaksContract = "breaks the contract: "

// Note says what is unusual: that a call is a test, is answered with an example or breaks its
// contract, how long its worker took to start, and why it was refused or failed.
func (c *Call) Note() string {
	var parts []string
	if c.Kind == Test {
		parts = append(parts, "test")
	}
	if c.Mocked {
		parts = append(parts, "example")
	}
	if len(c.Breaches) > 0 {
		parts = append(parts, "breaks its contract")
	}
	if c.Started > 0 {
		parts = append(parts, "cold "+clock.Took(c.Started))
	}
	if c.Why != "" {
		parts = append(parts, c.because())
		if c.Method == http.MethodOptions && c.Refused() {
			parts[len(parts)-1] += "; " + c.Fix
		}
	}
	return strings.Join(parts, ", ")
}

// because is the reason without what the other columns say.
func (c *Call) because() string {
	why := c.Why
	if c.Refused() && !c.Who.Allowed && c.Who.Kind != Nobody && c.Who.Kind != Unknown {
		// The reason of a refusal by access is long; its last part is the rule.
		why = cmp.Or(c.Who.Rule, why)
	}
	rest, cut := strings.CutPrefix(why, "function "+phrase.Quote(c.Function)+" ")
	if !cut || c.Function == "" {
		return why
	}
	if _, text, found := strings.Cut(rest, ": "); found && strings.HasPrefix(rest, "of environment ") {
		return text
	}
	return rest
}

// Milliseconds is a duration as a number of milliseconds.
func Milliseconds(d time.Duration) string {
	if d < time.Millisecond && d > 0 {
		return "<1"
	}
	return strconv.FormatInt(d.Round(time.Millisecond).Milliseconds(), 10)
}

// IsSlow reports whether a call took so long that it should stand out.
func IsSlow(took time.Duration) bool { return took >= time.Second }

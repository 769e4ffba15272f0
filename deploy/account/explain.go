package account

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/smithy-go"

	"gatewright/internal/network"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
)

// Explain returns an error of a call to AWS, or of opening an account, as a *model.Problem:
// one line with what went wrong and what fixes it. Its Cause matches the error, and
// ErrCredentials if AWS does not accept the credentials. A *model.Problem, a cancelled
// context and an error of Options.MFA are returned as they are.
func Explain(err error, o Options) error {
	var known *model.Problem
	var asked *askingError
	switch {
	case err == nil, errors.As(err, &known):
		return err
	case errors.As(err, &asked):
		return asked.err
	case errors.Is(err, context.Canceled):
		return err
	}
	// Without readable settings the texts name no profile.
	s, _ := readSettings(context.Background(), o)
	f := failure{err: err, o: o, settings: s}
	f.read()
	for _, explain := range []func(failure) *model.Problem{
		failure.ofSettings, failure.ofMFA, failure.ofSignIn, failure.ofProcess, failure.ofWebIdentity, failure.ofMissing,
		failure.ofNetwork, failure.ofThrottling, failure.ofClock, failure.ofKeys, failure.ofDenial, failure.ofRest,
	} {
		if p := explain(f); p != nil {
			p.Of = environment(o)
			return p
		}
	}
	return err
}

// failure is an error with what the functions that explain it need.
type failure struct {
	err      error
	o        Options
	settings settings
	// service and operation are what failed at last: a call may fail since one for its
	// credentials failed. code and message are AWS's answer, if there was one.
	service, operation, code, message string
}

func (f *failure) read() {
	var call *smithy.OperationError
	for err := f.err; errors.As(err, &call); err = call.Err {
		f.service, f.operation = call.Service(), call.Operation()
	}
	var answer smithy.APIError
	if errors.As(f.err, &answer) {
		f.code, f.message = answer.ErrorCode(), answer.ErrorMessage()
	}
}

// says reports whether AWS's answer contains one of the texts.
func (f failure) says(texts ...string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(f.message, text) })
}

// is reports whether AWS's answer has one of the codes.
func (f failure) is(codes ...string) bool { return f.code != "" && slices.Contains(codes, f.code) }

// reads reports whether the error has a text. The SDK has no types for some of its errors.
func (f failure) reads(text string) bool { return strings.Contains(f.err.Error(), text) }

// fails makes a problem that is not about credentials, refused one that is.
func (f failure) fails(text, fix string) *model.Problem {
	return &model.Problem{Text: text, Fix: fix, Cause: f.err}
}

func (f failure) refused(text, fix string) *model.Problem {
	return &model.Problem{Text: text, Fix: fix, Cause: &refusal{f.err}}
}

// refusal matches ErrCredentials and an error of the SDK.
type refusal struct{ err error }

func (r *refusal) Error() string { return ErrCredentials.Error() }

// Unwrap returns both.
func (r *refusal) Unwrap() []error {
	if r.err == nil {
		return []error{ErrCredentials}
	}
	return []error{ErrCredentials, r.err}
}

func environment(o Options) model.Ref {
	if o.Environment == "" {
		return model.Ref{}
	}
	return model.Ref{Kind: model.KindEnvironment, Name: o.Environment}
}

// name returns the name of the environment as an argument of a command.
func name(o Options) string {
	return phrase.Quote(o.Environment)
}

// choose is the command that chooses a profile.
func choose(o Options) string {
	if o.Environment == "" {
		return "--profile NAME"
	}
	return "gatewright env use " + name(o) + " --profile NAME"
}

func (f failure) ofNetwork() *model.Problem {
	var dns *net.DNSError
	var requested *url.Error
	var untrusted *tls.CertificateVerificationError
	if !errors.As(f.err, &requested) && !unreachable(f.err) {
		return nil
	}
	host := "AWS"
	if requested != nil {
		if u, err := url.Parse(requested.URL); err == nil && u.Host != "" {
			host = u.Host
		}
	}
	text := "cannot reach " + phrase.Quote(host)
	switch {
	case errors.As(f.err, &untrusted):
		return f.fails("the certificate of "+phrase.Quote(host)+" is not trusted",
			"if you use a proxy, name the file of its certificates in AWS_CA_BUNDLE")
	case errors.As(f.err, &dns):
		text += ": no such host"
	case network.Refused(f.err):
		text += ": the connection is refused"
	case requested != nil && requested.Timeout():
		text += ": it does not respond in time"
	default:
		text += ": the connection failed"
	}
	endpoint, from := f.settings.endpoints(f.o).find(f.service)
	if endpoint == "" || f.service == "" {
		region := cmp.Or(f.o.Region, f.settings.env.Region, f.settings.shared.Region)
		return f.fails(text, "check the network and the region "+phrase.Quote(region)+" exists")
	}
	return f.fails(text+"; "+from+" names it", "start the server there, or fix "+from)
}

func (f failure) ofThrottling() *model.Problem {
	_, throttles := retry.DefaultThrottleErrorCodes[f.code]
	text := "AWS is throttling calls"
	switch {
	case throttles:
	case f.is("ServiceUnavailable", "SlowDown", "InternalFailure", "InternalError", "InternalServerError"):
		// S3 refuses a call without a body with the text of the status alone.
		text = "AWS is not available now (" + f.code + ")"
	default:
		return nil
	}
	var tries *retry.MaxAttemptsError
	if errors.As(f.err, &tries) {
		text += ", after " + strconv.Itoa(tries.Attempt) + " tries"
	}
	return f.fails(text, "wait a minute, and run the command again")
}

func (f failure) ofClock() *model.Problem {
	if !f.isClock() {
		return nil
	}
	return f.refused("AWS refuses the call because the clock of this machine is wrong",
		"set the clock, and run the command again")
}

func (f failure) isClock() bool {
	return f.is("RequestExpired", "RequestTimeTooSkewed", "RequestInTheFuture") ||
		f.says("Signature expired", "Signature not yet current", "is now earlier than", "is now later than")
}

// denied reads who was denied what, such as
// `User: ARN is not authorized to perform: ACTION on resource: ARN with an explicit deny`.
var denied = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^User: (\S+) is not authorized to perform: (\S+)(?: on resource: (\S+))?`)
})

func (f failure) ofDenial() *model.Problem {
	if !f.is("AccessDenied", "AccessDeniedException", "UnauthorizedOperation", "AuthorizationError", "AccessForbidden",
		"403", "Forbidden") {
		return nil
	}
	caller, action, resource := "the identity of the credentials", f.service+":"+f.operation, ""
	if m := denied().FindStringSubmatch(f.message); m != nil {
		caller, action, resource = who(m[1]), m[2], m[3]
	}
	if f.operation == "AssumeRole" {
		return f.refused(caller+" may not assume the role"+f.role(resource),
			"add it to the trust policy of the role, or choose another profile with: "+choose(f.o))
	}
	text := caller + " may not do " + phrase.Quote(strings.Trim(action, ".,"))
	if resource != "" && resource != "*" {
		text += " on " + phrase.Quote(strings.Trim(resource, ".,"))
	}
	if f.says("explicit deny") {
		return f.fails(text+", by an explicit Deny",
			"have that Deny removed from the policy, or choose another profile with: "+choose(f.o))
	}
	return f.fails(text, "have a policy allow it, or choose another profile with: "+choose(f.o))
}

// ofRest tells other errors in AWS's words.
func (f failure) ofRest() *model.Problem {
	text := f.err.Error()
	if f.code != "" {
		text = f.message + " (" + f.code + ")"
		if f.operation != "" {
			text = f.service + " refuses " + f.operation + ": " + text
		}
	}
	text = withoutKeys().ReplaceAllString(prose.PrintableStart(strings.Join(strings.Fields(text), " ")), "(key)")
	if f.code == "" && f.operation == "" {
		return f.refused("no credentials can be obtained: "+text, f.give())
	}
	return f.fails(text, "")
}

// withoutKeys matches the ids of access keys, and what is long and random enough to be a
// secret key or a token.
var withoutKeys = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:AKIA|ASIA)[A-Z0-9]{8,}|[A-Za-z0-9+/=]{40,}`)
})

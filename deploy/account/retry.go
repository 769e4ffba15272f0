package account

import (
	"context"
	"errors"
	"net"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/credentials/stscreds"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/aws/smithy-go"
)

// Retry says how often a call is repeated that is throttled, or that failed for a reason that
// passes. The zero value is for people: throttling is waited out.
type Retry struct {
	// Attempts is how often a call is made at most; 0 means 12.
	Attempts int
	// Backoff is the longest pause between two of them; 0 means 20 seconds. The pauses grow
	// from below a second, and are random.
	Backoff time.Duration
}

const (
	manyAttempts = 12
	longBackoff  = 20 * time.Second
)

// retryer returns what makes the retryer of each client. Until opened is set, a host that
// cannot be reached is not asked again: then it is a wrong setting, later the network.
func (r Retry) retryer(opened *atomic.Bool) func() aws.Retryer {
	return func() aws.Retryer {
		return patient{opened: opened, Standard: retry.NewStandard(func(s *retry.StandardOptions) {
			s.MaxAttempts, s.MaxBackoff = manyAttempts, longBackoff
			if r.Attempts > 0 {
				s.MaxAttempts = r.Attempts
			}
			if r.Backoff > 0 {
				s.MaxBackoff = r.Backoff
				s.Backoff = retry.NewExponentialJitterBackoff(r.Backoff)
			}
			// The default limiter would give up during a long wait.
			s.RateLimiter = ratelimit.None
		})}
	}
}

// patient is the retryer of an account.
type patient struct {
	*retry.Standard
	opened *atomic.Bool
}

// IsErrorRetryable reports whether the call is worth another try. A failed call for its
// credentials has been repeated already.
func (p patient) IsErrorRetryable(err error) bool {
	var inner *smithy.OperationError
	if errors.As(err, &inner) || !p.opened.Load() && unreachable(err) {
		return false
	}
	return p.Standard.IsErrorRetryable(err)
}

// unreachable reports that no connection to the host could be made.
func unreachable(err error) bool {
	var dns *net.DNSError
	var dialed *net.OpError
	return errors.As(err, &dns) || errors.As(err, &dialed) && dialed.Op == "dial"
}

// tokenTries is how often a web identity token is shown to AWS. The SDK also repeats the call
// if AWS says that the token is invalid, since AWS may have failed to read the issuer's keys.
const tokenTries = 3

// fewTries is a client that repeats calls with a web identity token only a few times.
type fewTries struct {
	stscreds.AssumeRoleWithWebIdentityAPIClient
}

// AssumeRoleWithWebIdentity makes the call.
func (c fewTries) AssumeRoleWithWebIdentity(
	ctx context.Context, in *sts.AssumeRoleWithWebIdentityInput, options ...func(*sts.Options),
) (*sts.AssumeRoleWithWebIdentityOutput, error) {
	options = append(options, func(o *sts.Options) { o.Retryer = retry.AddWithMaxAttempts(o.Retryer, tokenTries) })
	return c.AssumeRoleWithWebIdentityAPIClient.AssumeRoleWithWebIdentity(ctx, in, options...)
}

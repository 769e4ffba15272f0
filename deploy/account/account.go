// Package account opens the AWS account of an environment: it finds credentials as the AWS
// command line does, asks AWS whose they are, and refuses those of another account. It never
// changes the variables of the process, and writes nothing.
//
// Every error is one line that says what to do. Errors have no keys; they may name a profile,
// which is for the person at the terminal and not for logs or reports.
//
// A call to a service without a package here is a row of type Service, and Account.Ask, or
// Account.Send for operations with paths.
package account

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials/ec2rolecreds"
	"github.com/aws/aws-sdk-go-v2/credentials/stscreds"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/aws/smithy-go/logging"
	"github.com/aws/smithy-go/middleware"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// ErrOtherAccount is the cause of the error if the credentials belong to another account than
// the environment. ErrCredentials is the cause if there are no credentials, or AWS does not
// accept them.
var (
	ErrOtherAccount = errors.New("the credentials belong to another account")
	ErrCredentials  = errors.New("there are no usable credentials")
	// ErrNone is also the cause if nothing gives any, or no region.
	ErrNone = errors.New("no setting says how to reach AWS")
)

// Options say which account to open, and how.
type Options struct {
	// Environment is the name of the environment, for messages.
	Environment string
	// Region is where the environment is deployed. "" takes the one of the variables or the
	// profile.
	Region string
	// Want has the 12 digits of the account that the environment belongs to; "" if that is
	// not known yet.
	Want string
	// Profile is a profile of the AWS command line. "" takes the default chain: variables,
	// AWS_PROFILE, the default profile, the role of the machine.
	Profile string
	// MFA asks a person for the code of a device, which is named by its serial number. It is
	// nil where nobody can be asked. Its errors are returned as they are.
	MFA func(ctx context.Context, serial string) (string, error)
	// Retry says how often calls are repeated.
	Retry Retry
	// Getenv looks up the variables of AWS that a person sets: keys, profile, region, files and
	// endpoints. nil takes those of the process, as all others are.
	Getenv func(name string) string
}

// Account is an opened account.
type Account struct {
	// ID has 12 digits.
	ID string
	// ARN names whose credentials these are.
	ARN string
	// Region is where the clients send their calls.
	Region string
	// Partition is aws, or aws-cn or aws-us-gov for the separate clouds there.
	Partition string
	// Config makes clients. Its credentials are renewed when they expire.
	Config aws.Config

	endpoints endpoints
	options   Options
	// skew is how far the clock of AWS is ahead of this machine's, in nanoseconds, once a call
	// was refused because of that.
	skew atomic.Int64
	// heard is the same of the last answer of Send, before that of the one that opened it.
	heard atomic.Int64
	// opened, of an account without credentials, is set by the first answer.
	opened *atomic.Bool
}

// sessionName names the session of a role if the profile gives no name.
const sessionName = "gatewright"

// sessionLength is how long the credentials of a role are valid. An hour is the most that
// every role allows, and all that a role of a role may have
// (https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html); the SDK's 15
// minutes would ask for a second code during a long push.
const sessionLength = time.Hour

// Open opens the account: it finds credentials, asks AWS whose they are, and compares the
// account with the wanted one. The error is a *model.Problem (see [Explain]), or the one of
// ctx or MFA.
func Open(ctx context.Context, o Options) (*Account, error) {
	a, err := open(ctx, o)
	if err != nil {
		if ended := ctx.Err(); ended != nil {
			return nil, ended
		}
		return nil, Explain(err, o)
	}
	if o.Want != "" && a.ID != o.Want {
		return nil, &model.Problem{
			Of: environment(o), Cause: ErrOtherAccount,
			Text: "it belongs to the account " + phrase.Quote(o.Want) + ", but the credentials are of " + a.Who() +
				" in the account " + phrase.Quote(a.ID),
			Fix: "choose a profile of the right account with: " + choose(o) +
				", or move the environment with: gatewright update env " +
				name(o) + " --account " + phrase.Quote(a.ID),
		}
	}
	return a, nil
}

func open(ctx context.Context, o Options) (*Account, error) {
	s, err := readSettings(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := s.check(o); err != nil {
		return nil, err
	}
	a, opened, err := load(ctx, s, o)
	if err != nil {
		return nil, err
	}
	identity, err := a.STS().GetCallerIdentity(ctx, &sts.GetCallerIdentityInput{})
	if err != nil {
		return nil, err
	}
	opened.Store(true)
	if there, ok := awsmiddleware.GetServerTime(identity.ResultMetadata); ok {
		a.heard.Store(int64(time.Until(there)))
	}
	a.ID, a.ARN = aws.ToString(identity.Account), aws.ToString(identity.Arn)
	_, rest, _ := strings.Cut(a.ARN, ":")
	a.Partition, _, _ = strings.Cut(rest, ":")
	return a, nil
}

// Public returns an account without credentials, for what everybody may call with Send: those
// operations of user pools and identity pools that sign in
// (https://docs.aws.amazon.com/cognito/latest/developerguide/security-unauthenticated.html).
// Only ID and Region are set, and nothing is called. The error is as that of Open.
func Public(ctx context.Context, o Options) (*Account, error) {
	// A profile may name an endpoint; who has no profile needs none here.
	s, err := readSettings(ctx, o)
	if missing := (config.SharedConfigProfileNotExistError{}); errors.As(err, &missing) && o.Profile != "" {
		o.Profile = ""
		s, _ = readSettings(ctx, o)
	}
	a, opened, err := load(ctx, s, o, config.WithCredentialsProvider(aws.AnonymousCredentials{}))
	if err != nil {
		return nil, Explain(err, o)
	}
	// Its first answer opens it.
	a.opened = opened
	a.ID, a.Config.Credentials = o.Want, nil
	return a, nil
}

// In returns the same account, with calls that go to another region.
func (a *Account) In(region string) *Account {
	other := &Account{
		ID: a.ID, ARN: a.ARN, Region: region, Partition: a.Partition, Config: a.Config.Copy(),
		endpoints: a.endpoints, options: a.options, opened: a.opened,
	}
	other.Config.Region, other.options.Region = region, region
	other.skew.Store(a.skew.Load())
	other.heard.Store(a.heard.Load())
	return other
}

// load makes an account that is not asked yet. Once it has answered, opened is set.
func load(
	ctx context.Context, s settings, o Options, more ...func(*config.LoadOptions) error,
) (a *Account, opened *atomic.Bool, err error) {
	opened = new(atomic.Bool)
	ends := s.endpoints(o)
	options := []func(*config.LoadOptions) error{
		config.WithSharedConfigProfile(o.Profile), config.WithRegion(o.Region), config.WithRetryer(o.Retry.retryer(opened)),
		// A warning of the SDK would be written into the screen.
		config.WithLogger(logging.Nop{}),
		config.WithAPIOptions([]func(*middleware.Stack) error{ends.lead}),
		config.WithEC2RoleCredentialOptions(func(r *ec2rolecreds.Options) { r.Client = s.machine(ends) }),
		config.WithAssumeRoleCredentialOptions(func(r *stscreds.AssumeRoleOptions) {
			r.RoleSessionName = cmp.Or(r.RoleSessionName, sessionName)
			r.Duration = cmp.Or(r.Duration, sessionLength)
			if o.MFA != nil && r.SerialNumber != nil {
				serial := *r.SerialNumber
				r.TokenProvider = func() (string, error) {
					code, err := o.MFA(ctx, serial)
					if err != nil {
						return "", &askingError{err}
					}
					return strings.TrimSpace(code), nil
				}
			}
		}),
		config.WithWebIdentityRoleCredentialOptions(func(r *stscreds.WebIdentityRoleOptions) {
			r.RoleSessionName = cmp.Or(r.RoleSessionName, sessionName)
			if r.Client != nil {
				r.Client = fewTries{r.Client}
			}
		}),
	}
	if s.given {
		options = append(options, s.load(o)...)
	}
	cfg, err := config.LoadDefaultConfig(ctx, append(options, more...)...)
	if err != nil {
		return nil, nil, err
	}
	if err := checkRegion(cfg.Region, o); err != nil {
		return nil, nil, err
	}
	if s.given {
		cfg.BaseEndpoint = ends.common()
	}
	if cfg.HTTPClient == nil {
		cfg.HTTPClient = awshttp.NewBuildableClient()
	}
	cfg.HTTPClient = HTTPClient(cfg.HTTPClient)
	return &Account{Region: cfg.Region, Config: cfg, endpoints: ends, options: o}, opened, nil
}

// Who names in a few words whose credentials these are: `ann` for a user, `the role
// Deployer/ann` for a session of a role. It can be printed.
func (a *Account) Who() string { return who(a.ARN) }

// who reads the ARN of an identity
// (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html).
func who(arn string) string {
	parts := strings.SplitN(arn, ":", 6)
	if len(parts) < 6 {
		return phrase.Quote(arn)
	}
	kind, rest, _ := strings.Cut(parts[5], "/")
	last := rest[strings.LastIndexByte(rest, '/')+1:]
	switch kind {
	case "root":
		return "the root user"
	case "user":
		return phrase.Quote(last)
	case "assumed-role":
		return "the role " + phrase.Quote(rest)
	case "role":
		return "the role " + phrase.Quote(last)
	case "federated-user":
		return "the federated user " + phrase.Quote(rest)
	}
	return phrase.Quote(parts[5])
}

// STS returns a client of AWS Security Token Service.
func (a *Account) STS() *sts.Client { return sts.NewFromConfig(a.Config) }

// CloudFormation returns a client of AWS CloudFormation.
func (a *Account) CloudFormation(options ...func(*cloudformation.Options)) *cloudformation.Client {
	return cloudformation.NewFromConfig(a.Config, options...)
}

// S3 returns a client of Amazon S3. If an endpoint is given, the name of a bucket is in the
// path and not in the host, which would have no address.
func (a *Account) S3(options ...func(*s3.Options)) *s3.Client {
	styled := func(s *s3.Options) { s.UsePathStyle = a.Endpoint("S3") != "" }
	return s3.NewFromConfig(a.Config, append([]func(*s3.Options){styled}, options...)...)
}

// Endpoint returns the URL that calls of a service are sent to instead of AWS; "" for AWS. A
// service is named by its id in the SDKs, such as "CloudWatch Logs" or "API Gateway"
// (https://docs.aws.amazon.com/sdkref/latest/guide/ss-endpoints-table.html).
func (a *Account) Endpoint(service string) string { return a.endpoints.of(service) }

// askingError is an error of Options.MFA.
type askingError struct{ err error }

func (e *askingError) Error() string { return e.err.Error() }
func (e *askingError) Unwrap() error { return e.err }

package account

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/feature/ec2/imds"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// settings are what the variables and the files of the AWS command line say. The SDK reads
// them too, but does not tell which of them it used.
type settings struct {
	env config.EnvConfig
	// shared is the profile that is used, zero if there is none.
	shared config.SharedConfig
	// profile is its name. variable is the variable that names it, if one does.
	profile, variable string
	// given says that env has variables that are not those of the process.
	given bool
}

func readSettings(ctx context.Context, o Options) (settings, error) {
	var s settings
	var err error
	if s.env, s.given, err = o.variables(); err != nil {
		return s, &settingError{err}
	}
	s.profile = o.Profile
	if s.profile == "" && s.env.SharedConfigProfile != "" {
		s.profile, s.variable = s.env.SharedConfigProfile, "AWS_PROFILE"
		if o.getenv(s.variable) == "" {
			s.variable = "AWS_DEFAULT_PROFILE"
		}
	}
	named := s.profile != ""
	if !named {
		s.profile = config.DefaultSharedConfigProfile
	}
	configFile, credentialsFile := sharedFiles(s.env)
	shared, err := config.LoadSharedConfigProfile(ctx, s.profile, func(l *config.LoadSharedConfigOptions) {
		l.ConfigFiles, l.CredentialsFiles = []string{configFile}, []string{credentialsFile}
	})
	var missing config.SharedConfigProfileNotExistError
	if errors.As(err, &missing) && !named {
		return s, nil
	}
	if err != nil {
		return s, err
	}
	s.shared = shared
	return s, nil
}

// sharedFiles returns the files of the AWS command line.
func sharedFiles(env config.EnvConfig) (configFile, credentialsFile string) {
	configFile, credentialsFile = env.SharedConfigFile, env.SharedCredentialsFile
	if configFile == "" {
		configFile = config.DefaultSharedConfigFilename()
	}
	if credentialsFile == "" {
		credentialsFile = config.DefaultSharedCredentialsFilename()
	}
	return configFile, credentialsFile
}

// settingError is an error in a variable that the SDK reads.
type settingError struct{ err error }

func (e *settingError) Error() string { return e.err.Error() }
func (e *settingError) Unwrap() error { return e.err }

// check finds what the SDK would pass over in silence.
func (s settings) check(o Options) error {
	have, lacks := "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"
	if o.Profile != "" || s.env.Credentials.HasKeys() || (o.getenv(have) == "") == (o.getenv(lacks) == "") {
		return nil
	}
	if o.getenv(have) == "" {
		have, lacks = lacks, have
	}
	return &model.Problem{
		Of: environment(o), Text: have + " is set without " + lacks, Fix: "set both, or neither",
		Cause: ErrCredentials,
	}
}

// checkRegion refuses a missing region, and one that cannot be a part of a host's name.
func checkRegion(region string, o Options) error {
	fix := "set it with: gatewright update env " + name(o) + " --region REGION, such as eu-central-1"
	if o.Environment == "" {
		fix = "give it with --region, such as --region eu-central-1"
	}
	switch {
	case region == "" && o.Environment == "":
		return &model.Problem{Text: "nothing says in which region of AWS to look", Fix: fix, Cause: ErrNone}
	case region == "":
		return &model.Problem{Of: environment(o), Text: "it has no region", Fix: fix}
	case model.CheckRegion(region) != nil:
		if o.Region == "" {
			fix = "correct AWS_REGION or the region of the profile, or " + fix
		}
		return &model.Problem{Of: environment(o), Text: phrase.Quote(region) + " is not a region of AWS", Fix: fix}
	}
	return nil
}

// machine returns the client that asks the machine for the credentials of its role. There is
// one try: on a laptop nobody answers, and each try takes as long as its timeout. Nor is it
// asked if the calls are led to this machine, which is then no machine of AWS.
func (s settings) machine(ends endpoints) *imds.Client {
	cfg := aws.Config{ConfigSources: []any{s.env, s.shared}, Retryer: func() aws.Retryer { return aws.NopRetryer{} }}
	return imds.NewFromConfig(cfg, func(i *imds.Options) {
		if i.Endpoint == "" && isLocal(ends.of("STS")) {
			i.ClientEnableState = imds.ClientDisabled
		}
	})
}

func isLocal(endpoint string) bool {
	u, err := url.Parse(endpoint)
	if err != nil {
		return false
	}
	host := u.Hostname()
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || strings.HasPrefix(host, "127.") || host == "::1"
}

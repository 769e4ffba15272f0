package account

import (
	"os"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/feature/ec2/imds"
)

// getenv looks up a variable.
func (o Options) getenv(name string) string {
	if o.Getenv == nil {
		return os.Getenv(name)
	}
	return o.Getenv(name)
}

// differs reports whether a variable that this package gives the SDK is another one than that of
// the process, which the SDK reads by itself.
func (o Options) differs() bool {
	for _, name := range []string{
		"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE", "AWS_DEFAULT_PROFILE", "AWS_REGION",
		"AWS_DEFAULT_REGION",
		"AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE", "AWS_EC2_METADATA_DISABLED", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS",
		endpointVariable,
	} {
		if o.getenv(name) != os.Getenv(name) {
			return true
		}
	}
	return false
}

// variables returns the variables that the SDK reads. given says that some are not those of the process.
func (o Options) variables() (env config.EnvConfig, given bool, err error) {
	if env, err = config.NewEnvConfig(); err != nil || !o.differs() {
		return env, false, err
	}
	first := func(names ...string) string {
		for _, name := range names {
			if value := o.getenv(name); value != "" {
				return value
			}
		}
		return ""
	}
	env.Credentials = aws.Credentials{}
	if id, secret := o.getenv("AWS_ACCESS_KEY_ID"), o.getenv("AWS_SECRET_ACCESS_KEY"); id != "" && secret != "" {
		env.Credentials = aws.Credentials{
			AccessKeyID: id, SecretAccessKey: secret,
			SessionToken: o.getenv("AWS_SESSION_TOKEN"), Source: config.CredentialsSourceName,
		}
	}
	env.SharedConfigProfile, env.Region = first("AWS_PROFILE", "AWS_DEFAULT_PROFILE"),
		first("AWS_REGION", "AWS_DEFAULT_REGION")
	env.SharedConfigFile, env.SharedCredentialsFile = o.getenv("AWS_CONFIG_FILE"), o.getenv("AWS_SHARED_CREDENTIALS_FILE")
	env.BaseEndpoint, env.IgnoreConfiguredEndpoints = o.getenv(endpointVariable), nil
	if off, err := strconv.ParseBool(o.getenv("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS")); err == nil {
		env.IgnoreConfiguredEndpoints = &off
	}
	env.EC2IMDSClientEnableState = imds.ClientDefaultEnableState
	if off, err := strconv.ParseBool(o.getenv("AWS_EC2_METADATA_DISABLED")); err == nil && off {
		env.EC2IMDSClientEnableState = imds.ClientDisabled
	}
	return env, true, nil
}

// load gives the SDK the variables that are not those of the process.
func (s settings) load(o Options) []func(*config.LoadOptions) error {
	configFile, credentialsFile := sharedFiles(s.env)
	options := []func(*config.LoadOptions) error{
		config.WithSharedConfigFiles([]string{configFile}), config.WithSharedCredentialsFiles([]string{credentialsFile}),
		config.WithEC2IMDSClientEnableState(s.env.EC2IMDSClientEnableState),
	}
	if o.Region == "" && s.env.Region != "" {
		options = append(options, config.WithRegion(s.env.Region))
	}
	switch {
	case o.Profile != "":
	case s.env.Credentials.HasKeys():
		options = append(options,
			config.WithCredentialsProvider(credentials.StaticCredentialsProvider{Value: s.env.Credentials}))
	case s.env.SharedConfigProfile != "":
		options = append(options, config.WithSharedConfigProfile(s.env.SharedConfigProfile))
	}
	return options
}

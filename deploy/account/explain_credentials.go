package account

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"strings"

	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/credentials/processcreds"
	"github.com/aws/aws-sdk-go-v2/credentials/ssocreds"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/internal/text/spelling"
	"gatewright/model"
)

// profile names the profile in a sentence.
func (f failure) profile() string {
	if f.settings.profile == "" {
		return "the default profile"
	}
	return "the profile " + phrase.Quote(f.settings.profile)
}

// withProfile is the option of the AWS command line that names the profile with the
// credentials, which for a role is another one.
func (f failure) withProfile() string {
	if p := cmp.Or(f.root().Profile, f.settings.profile); p != "" && p != config.DefaultSharedConfigProfile {
		return " --profile " + phrase.Quote(p)
	}
	return ""
}

// give says how to give credentials where there are none.
func (f failure) give() string {
	return "give them with aws configure, aws sso login, the variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or: " +
		choose(f.o)
}

// root returns the profile at the end of the chain of source profiles.
func (f failure) root() config.SharedConfig {
	shared := f.settings.shared
	for shared.Source != nil {
		shared = *shared.Source
	}
	return shared
}

// renew says how to get new credentials of the kind that is used.
func (f failure) renew() string {
	env, shared := f.settings.env, f.root()
	switch {
	case f.o.Profile == "" && env.Credentials.HasKeys():
		return "set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, for a session, AWS_SESSION_TOKEN anew"
	case shared.SSOSessionName != "" || shared.SSOStartURL != "":
		return "run: aws sso login" + f.withProfile()
	case shared.LoginSession != "":
		return "run: aws login" + f.withProfile()
	case shared.Credentials.SessionToken != "":
		return "write the keys of a new session into " + f.profile() + ", or choose another with: " + choose(f.o)
	case shared.Credentials.HasKeys():
		return "set new keys with: aws configure" + f.withProfile()
	case shared.CredentialProcess != "":
		return "see what the credential_process of " + f.profile() + " gives"
	}
	return f.give()
}

// ofSettings explains profiles and variables that the SDK cannot use.
func (f failure) ofSettings() *model.Problem {
	var missing config.SharedConfigProfileNotExistError
	var source config.SharedConfigAssumeRoleError
	var load config.SharedConfigLoadError
	var roleless config.CredentialRequiresARNError
	var variable *settingError
	switch {
	case errors.As(f.err, &source):
		text := f.profile() + " gets its credentials from the profile " + phrase.Quote(source.Profile)
		if source.Err == nil {
			return f.refused(text+", which has none", "set them with: aws configure --profile "+phrase.Quote(source.Profile))
		}
		return f.refused(text+", which does not exist",
			f.meant(source.Profile)+"fix its source_profile, or choose another profile with: "+choose(f.o))
	case errors.As(f.err, &missing):
		text := "there is no profile " + phrase.Quote(missing.Profile)
		if f.settings.variable != "" {
			text += ", which " + f.settings.variable + " names"
		}
		return f.refused(text,
			f.meant(missing.Profile)+"create it with: aws configure --profile "+phrase.Quote(missing.Profile)+
				", or choose another with: "+choose(f.o))
	case errors.As(f.err, &roleless):
		return f.refused(f.profile()+" has "+roleless.Type+" without a role_arn",
			"add the role_arn, or choose another with: "+choose(f.o))
	case errors.As(f.err, &load):
		return f.refused("the file "+phrase.QuotePath(load.Filename)+" cannot be read as profiles",
			"fix it; aws configure list shows its content")
	case f.reads("partial credentials found for profile"):
		return f.refused(f.profile()+" has only one of aws_access_key_id and aws_secret_access_key",
			"set both with: aws configure"+f.withProfile())
	case f.reads("failed to find SSO session section"),
		f.reads("is configured to use SSO but is missing required configuration"):
		return f.refused("the settings for the sign-in of "+f.profile()+" are incomplete",
			"complete them with: aws configure sso"+f.withProfile())
	case errors.As(f.err, &variable):
		return f.fails("an AWS setting is not usable: "+prose.PrintableStart(variable.Error()), "fix or remove it")
	}
	return nil
}

// meant asks whether a known profile was meant; "" if none is like it.
func (f failure) meant(profile string) string {
	known, err := profilesOf(f.settings.env)
	if err != nil {
		return ""
	}
	if near := spelling.Nearest(profile, known); near != "" {
		return "did you mean " + phrase.Quote(near) + "? else "
	}
	return ""
}

func (f failure) ofMFA() *model.Problem {
	switch {
	case errors.As(f.err, new(config.AssumeRoleTokenProviderNotSetError)),
		f.reads("assume role with MFA enabled, but TokenProvider is not set"):
		return f.refused(f.profile()+" needs the code of an MFA device, but there is no terminal to ask",
			"run the command in a terminal, or give credentials that need no code with: "+choose(f.o))
	case f.operation != "AssumeRole":
		return nil
	case f.says("MultiFactorAuthentication failed with invalid MFA one time pass code", "tokenCode"):
		return f.refused("AWS does not accept the code of the MFA device",
			"run the command again with the next code that the device shows")
	case f.says("MultiFactorAuthentication"):
		return f.refused("the role"+f.role("")+" needs the code of an MFA device",
			"write the serial number of the device as mfa_serial into "+f.profile())
	}
	return nil
}

// role names the role of the profile, or of an ARN.
func (f failure) role(arn string) string {
	if arn == "" {
		arn = f.settings.shared.RoleARN
	}
	if arn == "" {
		arn = f.settings.env.RoleARN
	}
	if arn == "" {
		return ""
	}
	return " " + strings.TrimPrefix(who(strings.TrimRight(arn, ".,")), "the role ")
}

// ofSignIn explains failed sign-ins with IAM Identity Center (aws sso) or a console (aws login).
func (f failure) ofSignIn() *model.Problem {
	var invalid *ssocreds.InvalidTokenError
	text := "the sign-in of " + f.profile() + " is missing or has expired"
	switch {
	case f.service == "SSO" && f.is("ForbiddenException"):
		shared := f.root()
		return f.refused("the sign-in of "+f.profile()+" may not use the role "+phrase.Quote(shared.SSORoleName)+
			" in the account "+phrase.Quote(shared.SSOAccountID),
			"have it assigned to you, or choose another profile with: "+choose(f.o))
	case errors.As(f.err, &invalid), f.reads("cached SSO token"),
		f.service == "SSO OIDC" && f.code != "",
		f.service == "SSO" && f.is("UnauthorizedException", "ResourceNotFoundException"):
		return f.refused(text, "run: aws sso login"+f.withProfile())
	case f.reads("please reauthenticate"), f.reads("load login token"), f.service == "Signin" && f.code != "":
		return f.refused(text, "run: aws login"+f.withProfile())
	}
	return nil
}

// ofProcess explains a failed credential_process. What it printed may be a secret, and is in
// the text of the SDK's error, so that only the status of the program is kept.
func (f failure) ofProcess() *model.Problem {
	var failed *processcreds.ProviderError
	if !errors.As(f.err, &failed) {
		return nil
	}
	text, fix := "the credential_process of "+f.profile()+" prints no valid credentials",
		"run it yourself to see what it prints"
	var status *exec.ExitError
	f.err = nil
	if errors.As(failed.Err, &status) {
		text = "the credential_process of " + f.profile() + " failed: " + status.ProcessState.String()
		f.err = &exec.ExitError{ProcessState: status.ProcessState}
	}
	return f.refused(text, fix)
}

func (f failure) ofWebIdentity() *model.Problem {
	file, named := f.settings.env.WebIdentityTokenFilePath, "AWS_WEB_IDENTITY_TOKEN_FILE"
	if own := f.root().WebIdentityTokenFile; own != "" {
		file, named = own, "the web_identity_token_file of "+f.profile()
	}
	switch {
	case f.reads("failed to retrieve jwt from provide source"):
		text := "the file of the web identity token, " + phrase.QuotePath(file) + ", cannot be read"
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			text = "the file of the web identity token, " + phrase.QuotePath(file) + ", does not exist"
		}
		return f.refused(text, "let "+named+" name the file that the build server writes")
	case f.reads("role ARN is not set"):
		return f.refused("AWS_WEB_IDENTITY_TOKEN_FILE is set without AWS_ROLE_ARN",
			"set AWS_ROLE_ARN to the role of the build")
	case f.operation != "AssumeRoleWithWebIdentity" || f.code == "":
		return nil
	case f.is("ExpiredTokenException", "ExpiredToken"):
		return f.refused("the web identity token in "+phrase.QuotePath(file)+" has expired",
			"let the build server write a new one, and run the build again")
	case f.is("AccessDenied", "AccessDeniedException"):
		return f.refused("the role"+f.role("")+" does not trust the web identity token in "+phrase.QuotePath(file),
			"add the issuer, the audience and the subject of the token to the trust policy of the role")
	case f.is("InvalidIdentityToken", "InvalidIdentityTokenException", "IDPRejectedClaim", "IDPRejectedClaimException",
		"ValidationError"):
		return f.refused("AWS does not accept the web identity token in "+phrase.QuotePath(file),
			"let "+named+" name a token of the issuer that the account knows, with the audience sts.amazonaws.com")
	}
	return nil
}

// ofMissing explains that nothing gives credentials: the machine was asked last, and has no role.
func (f failure) ofMissing() *model.Problem {
	var empty *credentials.StaticCredentialsEmptyError
	switch {
	case f.service == "ec2imds":
		none := f.refused("there are no AWS credentials", f.give())
		none.Cause = errors.Join(ErrNone, none.Cause)
		return none
	case errors.As(f.err, &empty):
		return f.refused(f.profile()+" gets its credentials from variables that are not set",
			"set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or choose another with: "+choose(f.o))
	}
	return nil
}

// ofKeys explains that AWS does not accept the keys.
func (f failure) ofKeys() *model.Problem {
	switch {
	case f.is("ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired"):
		return f.refused("the credentials have expired", f.renew())
	case f.is("BadRequest") && strings.HasPrefix(f.operation, "Head"):
		// An answer to HEAD has no body that could say why.
		return f.refused("the credentials have expired, or AWS does not accept them", f.renew())
	case f.is("InvalidClientTokenId", "UnrecognizedClientException", "InvalidAccessKeyId", "InvalidToken", "AuthFailure"):
		return f.refused("AWS does not know the access key, or it was deleted", f.renew())
	case f.is("SignatureDoesNotMatch", "InvalidSignatureException", "IncompleteSignature"):
		return f.refused("the secret key does not match the access key", f.renew())
	case f.is("OptInRequired", "SubscriptionRequiredException", "RegionDisabledException"):
		return f.fails("the account cannot use "+f.service+" in the region "+phrase.Quote(f.o.Region),
			"enable the region or the service in the console of AWS")
	}
	return nil
}

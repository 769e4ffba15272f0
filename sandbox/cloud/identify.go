package cloud

import (
	"net/http"
	"net/url"
	"strings"

	"gatewright/internal/text/lazyregexp"
)

// identify finds out what a request asks of which service: by the scope of its signature
// (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html),
// else by its target or its host. The action is in a header or a field for most
// protocols, else it is the method and the path.
func identify(r *http.Request, body []byte) Request {
	wanted := Request{Service: scopeOf(r.Header.Get("Authorization"))}
	if wanted.Service == "" {
		wanted.Service = scopeOf("Credential=" + r.URL.Query().Get("X-Amz-Credential"))
	}
	target := r.Header.Get("X-Amz-Target")
	prefix, operation, _ := strings.Cut(target, ".")
	if byTarget := targets[prefix]; byTarget != "" {
		wanted.Service = byTarget
	}
	if wanted.Service == "" && dated().MatchString(r.URL.Path) {
		wanted.Service = "lambda"
	}
	if wanted.Service == "" {
		wanted.Service = serviceOfHost(firstOf(r.Header.Get(HostHeader), r.Host))
	}
	switch form := strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-www-form-urlencoded"); {
	case operation != "":
		wanted.Action = operation
	case r.Header.Get("Smithy-Protocol") != "":
		wanted.Action = r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
	case form:
		if fields, err := url.ParseQuery(string(body)); err == nil {
			wanted.Action = fields.Get("Action")
		}
	}
	if wanted.Action == "" || !actionName().MatchString(wanted.Action) {
		wanted.Action = r.Method + " " + shortPath(r.URL.Path)
	}
	if !serviceName().MatchString(wanted.Service) {
		wanted.Service = "unknown"
	}
	return wanted
}

// dated matches the paths of the operations of Lambda, which begin with the version of its
// API.
var dated = lazyregexp.New(`^/20[0-9]{2}-[0-9]{2}-[0-9]{2}/functions/`)

// targets are the prefixes of X-Amz-Target of the services that are answered here: some
// of their operations are not signed.
var targets = map[string]string{
	"DynamoDB_20120810": "dynamodb", "DynamoDBStreams_20120810": "dynamodb",
	"AWSCognitoIdentityProviderService": "cognito-idp", "AWSCognitoIdentityService": "cognito-identity",
	"AmazonSSM": "ssm", "secretsmanager": "secretsmanager",
}

// Names come from requests, and are shown.
var (
	actionName  = lazyregexp.New(`^[A-Za-z0-9_]{1,100}$`)
	serviceName = lazyregexp.New(`^[a-z0-9][a-z0-9.-]{0,60}$`)
)

// credential is the scope in a signature: key, date, region, service.
func credential(authorization string) []string {
	_, rest, found := strings.Cut(authorization, "Credential=")
	if !found {
		return nil
	}
	scope, _, _ := strings.Cut(rest, ",")
	return strings.Split(strings.TrimSpace(scope), "/")
}

func scopeOf(authorization string) string {
	// The scope of SigV4a has no region.
	parts := credential(authorization)
	if len(parts) < 4 {
		return ""
	}
	return parts[len(parts)-2]
}

func accessKeyOf(authorization string) string {
	if parts := credential(authorization); len(parts) > 0 {
		return parts[0]
	}
	return ""
}

// serviceOfHost returns the service in the name of a host, such as s3 for bucket.s3.eu-west-1.amazonaws.com
// (https://docs.aws.amazon.com/general/latest/gr/rande.html).
func serviceOfHost(host string) string {
	host, _, _ = strings.Cut(strings.ToLower(host), ":")
	for _, suffix := range []string{".amazonaws.com", ".amazonaws.com.cn", ".api.aws"} {
		rest, found := strings.CutSuffix(host, suffix)
		if !found {
			continue
		}
		labels := strings.Split(rest, ".")
		if last := len(labels) - 1; last > 0 && regionName().MatchString(labels[last]) {
			labels = labels[:last]
		}
		name := labels[len(labels)-1]
		if name == "dualstack" && len(labels) > 1 {
			name = labels[len(labels)-2]
		}
		return strings.TrimSuffix(name, "-fips")
	}
	return ""
}

var regionName = lazyregexp.New(`^[a-z]{2}(-[a-z]+)+-[0-9]$`)

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// shortPath shortens a path for a message.
func shortPath(path string) string {
	const most = 80
	if len(path) > most {
		return path[:most] + "..."
	}
	return path
}

package account

import (
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"

	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// endpoints are the URLs that calls are sent to instead of AWS
// (https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html).
type endpoints struct {
	// off says that all of them are ignored.
	off bool
	// variable is AWS_ENDPOINT_URL, profile the endpoint_url of the profile, services those
	// of its section of services, by the service's key there.
	variable, profile string
	services          map[string]map[string]string
	// getenv looks up the variable of a service; nil is that of the process. given says that the
	// SDK would look up others.
	getenv func(name string) string
	given  bool
}

// endpointVariable is the variable for all services. With _ and the id of a service it is for that one.
const endpointVariable = "AWS_ENDPOINT_URL"

func (s settings) endpoints(o Options) endpoints {
	e := endpoints{
		getenv: o.getenv, given: s.given, variable: s.env.BaseEndpoint, profile: s.shared.BaseEndpoint,
		services: s.shared.Services.ServiceValues,
	}
	switch {
	case s.env.IgnoreConfiguredEndpoints != nil:
		e.off = *s.env.IgnoreConfiguredEndpoints
	case s.shared.IgnoreConfiguredEndpoints != nil:
		e.off = *s.shared.IgnoreConfiguredEndpoints
	}
	return e
}

// common returns the endpoint of services without one of their own; nil for AWS.
func (e endpoints) common() *string {
	if endpoint := cmp.Or(e.variable, e.profile); !e.off && endpoint != "" {
		return &endpoint
	}
	return nil
}

// of returns the endpoint of a service, "" for AWS.
func (e endpoints) of(service string) string {
	endpoint, _ := e.find(service)
	return endpoint
}

// find is of with the place that the endpoint is from, for messages.
func (e endpoints) find(service string) (endpoint, from string) {
	if e.off {
		return "", ""
	}
	id := strings.ReplaceAll(service, " ", "_")
	own := endpointVariable + "_" + strings.ToUpper(id)
	look := os.Getenv
	if e.getenv != nil {
		look = e.getenv
	}
	if endpoint := look(own); endpoint != "" {
		return endpoint, own
	}
	if e.variable != "" {
		return e.variable, endpointVariable
	}
	if endpoint := e.services[strings.ToLower(id)]["endpoint_url"]; endpoint != "" {
		return endpoint, "endpoint_url of the services of the profile"
	}
	if e.profile != "" {
		return e.profile, "endpoint_url of the profile"
	}
	return "", ""
}

// ofCredentials are the services that the SDK calls to get credentials. It makes their
// clients before it has read the endpoint, so that they would call AWS (resolveCredentials in
// https://github.com/aws/aws-sdk-go-v2/blob/main/config/config.go). All other clients are
// made from the finished configuration.
var ofCredentials = map[string]bool{"STS": true, "SSO": true, "SSO OIDC": true, "Signin": true}

// lead leads the calls of the services of credentials to their endpoints.
func (e endpoints) lead(stack *middleware.Stack) error {
	const resolve = "ResolveEndpointV2"
	if _, has := stack.Finalize.Get(resolve); !has {
		return nil
	}
	return stack.Finalize.Insert(middleware.FinalizeMiddlewareFunc("gatewrightEndpoint",
		func(ctx context.Context, in middleware.FinalizeInput, next middleware.FinalizeHandler) (middleware.FinalizeOutput,
			middleware.Metadata, error,
		) {
			service := awsmiddleware.GetServiceID(ctx)
			request, ok := in.Request.(*smithyhttp.Request)
			if ok && (e.given || ofCredentials[service]) {
				if err := redirect(request.URL, e.of(service)); err != nil {
					return middleware.FinalizeOutput{}, middleware.Metadata{}, err
				}
			}
			return next.HandleFinalize(ctx, in)
		}), resolve, middleware.After)
}

// redirect sends a request to an endpoint, if that is not where it goes already.
func redirect(request *url.URL, endpoint string) error {
	if endpoint == "" {
		return nil
	}
	to, err := url.Parse(endpoint)
	if err != nil || to.Host == "" {
		return &settingError{fmt.Errorf("%q is not the URL of an endpoint", endpoint)}
	}
	if request.Scheme == to.Scheme && request.Host == to.Host {
		return nil
	}
	request.Scheme, request.Host = to.Scheme, to.Host
	request.Path = smithyhttp.JoinPath(to.Path, request.Path)
	if request.RawPath != "" {
		request.RawPath = smithyhttp.JoinPath(to.EscapedPath(), request.RawPath)
	}
	return nil
}

// Stage returns where requests to the URL of an API's stage are sent: there, unless a program that stands for AWS
// answers at the endpoint. Such a program finds the API by the header Host, which is host; "" for AWS.
func (a *Account) Stage(stage string) (to, host string) {
	endpoint := a.Endpoint(APIs.ID)
	own, err := url.Parse(stage)
	at, failed := url.Parse(endpoint)
	if endpoint == "" || err != nil || failed != nil || isAWS(at.Hostname()) {
		return stage, ""
	}
	id, _, _ := strings.Cut(own.Host, ".")
	name := at.Hostname()
	if isLocal(endpoint) && !strings.HasSuffix(name, "localhost") {
		name = "localhost"
	}
	if port := at.Port(); port != "" {
		name += ":" + port
	}
	return strings.TrimSuffix(endpoint, "/") + own.EscapedPath(), id + ".execute-api." + name
}

// isAWS reports whether a host is one of AWS, such as an endpoint in a private network
// (https://docs.aws.amazon.com/general/latest/gr/rande.html).
func isAWS(host string) bool {
	for _, suffix := range []string{".amazonaws.com", ".amazonaws.com.cn", ".api.aws", ".api.amazonwebservices.com.cn"} {
		if strings.HasSuffix(strings.ToLower(host), suffix) {
			return true
		}
	}
	return false
}

// Transport returns what connects to AWS with the certificates and the proxy that are configured,
// for requests that no service of the SDK sends. Connections are those of HTTP/1.1, which leaves
// the names of headers as they are, and nothing is decompressed.
func (a *Account) Transport() *http.Transport {
	transport := awshttp.NewBuildableClient().GetTransport()
	if over, ok := a.Config.HTTPClient.(draining); ok {
		if client, ok := over.HTTPClient.(*awshttp.BuildableClient); ok {
			transport = client.GetTransport()
		}
	}
	transport.DisableCompression, transport.ForceAttemptHTTP2 = true, false
	transport.TLSNextProto = map[string]func(string, *tls.Conn) http.RoundTripper{}
	return transport
}

// Explain returns an error of a request to AWS that was sent in another way, as Send does.
func (a *Account) Explain(err error) error { return Explain(err, a.options) }

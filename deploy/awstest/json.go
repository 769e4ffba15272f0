package awstest

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Request is a call that a test answers, see Serve.
type Request struct {
	Call
	// Method, Path and Query are those of the HTTP request; the path is escaped, as it was sent.
	Method, Path string
	Query        url.Values
	Body         []byte
	// Signature is the header Authorization, SessionToken the token that the call was signed with.
	Signature, SessionToken string
}

// Read decodes the body of a request.
func (r Request) Read(into any) error { return json.Unmarshal(r.Body, into) }

// Refusal is an error that a service answers.
type Refusal struct{ Code, Message string }

func (r *Refusal) Error() string { return r.Code + ": " + r.Message }

// ErrUnserved is the error by which a function of a test leaves a call to what the server has
// itself: the tables, pools, log groups, functions and rules of its stacks, and what outlived them.
var ErrUnserved = errors.New("the test does not serve this call")

// Serve makes a function answer the calls of a service with a JSON protocol, which is named as requests to it are
// signed: logs, monitoring, dynamodb, cognito-idp, cognito-identity, lambda, apigateway, events; or of iam, whose
// answers are XML. Its value is encoded as JSON, but []byte are sent as they are; an error that is no *Refusal is
// InternalFailure. One call is answered at a time, and the function must not call the server's methods. Scripts work
// as for the other services; an action is the operation, or METHOD and path for a service whose operations have
// paths. Calls without a signature are let through, as those that sign users in are. A service that no test serves
// describes the tables, log groups, functions and pools that exist; so does every service before the account has a
// stack, since a first push looks for what is there.
func (s *Server) Serve(service string, handle func(Request) (any, error)) (before func(Request) (any, error)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.services == nil {
		s.services = make(map[string]func(Request) (any, error))
	}
	before, s.services[service] = s.services[service], handle
	return before
}

// Skew makes the clock of the server differ from that of this machine: its answers have another
// date, and it refuses signatures with a time more than 5 minutes away from its own.
func (s *Server) Skew(by time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.skew = by
}

// AddKey makes an access key known, with a secret and a session token of its own: such as one
// that GetCredentialsForIdentity answered.
func (s *Server) AddKey(id, secret, token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys[id] = assumed{account: s.options.Account, secret: secret, token: token}
}

// targets are the services by what begins the header X-Amz-Target of their operations.
var targets = map[string]string{
	"Logs_20140328": "logs", "GraniteServiceVersion20100801": "monitoring", "DynamoDB_20120810": "dynamodb",
	"AWSEvents": "events", "AWSCognitoIdentityProviderService": "cognito-idp",
	"AWSCognitoIdentityService": "cognito-identity",
}

// nameJSON names the service and the action of a call of a JSON protocol. It reports whether it is one.
func (r *request) nameJSON(service string) bool {
	prefix, operation, targeted := strings.Cut(r.http.Header.Get("X-Amz-Target"), ".")
	switch {
	case targeted && targets[prefix] != "":
		r.Service, r.Action = targets[prefix], operation
	case service == "lambda" || service == "apigateway":
		r.Service, r.Action = service, r.http.Method+" "+r.http.URL.EscapedPath()
	default:
		return false
	}
	return true
}

// json answers a call with the function that serves its service.
func (s *Server) json(r *request) (answer, *fault) {
	serve := s.services[r.Service]
	if serve == nil {
		serve = s.describeExisting
	}
	call := Request{
		Call: *r.Call, Method: r.http.Method, Path: r.http.URL.EscapedPath(), Query: r.http.URL.Query(), Body: r.body,
		Signature: r.http.Header.Get("Authorization"), SessionToken: r.http.Header.Get("X-Amz-Security-Token"),
	}
	value, err := serve(call)
	if errors.Is(err, ErrUnserved) {
		value, err = s.describeExisting(call)
	}
	if err != nil {
		if refused, ok := err.(*Refusal); ok {
			return answer{}, &fault{statusOf(refused.Code), refused.Code, refused.Message}
		}
		return answer{}, &fault{http.StatusInternalServerError, "InternalFailure", err.Error()}
	}
	body, plain := value.([]byte)
	if !plain {
		if body, err = json.Marshal(value); err != nil {
			return answer{}, &fault{http.StatusInternalServerError, "InternalFailure", err.Error()}
		}
	}
	return answer{header: map[string]string{"Content-Type": "application/x-amz-json-1.1"}, body: body}, nil
}

// isJSON reports whether a service has a JSON protocol.
func isJSON(service string) bool {
	return service != "sts" && service != "s3" && service != "cloudformation" && service != "iam"
}

// jsonFailure is the response of such a service for an error.
func jsonFailure(f *fault) answer {
	body, _ := json.Marshal(map[string]string{"__type": "com.amazonaws#" + f.code, "message": f.message})
	return answer{
		f.status,
		map[string]string{"Content-Type": "application/x-amz-json-1.1", "X-Amzn-Errortype": f.code + ":"},
		body,
	}
}

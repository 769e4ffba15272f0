package account

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"net/http"
	"net/url"

	"github.com/aws/smithy-go"
)

// Service is a service of AWS that speaks JSON or forms over HTTP. The SDK's packages of such services build tables
// before main, for a millisecond each; one signed request is all that they would be used for.
type Service struct {
	// ID is its id in the SDKs, such as "CloudWatch Logs": for endpoints and messages.
	ID string
	// Host begins the name of its host, Name is the service that requests are signed for.
	Host, Name string
	// Target begins the header X-Amz-Target of its operations, and Version is that of the
	// protocol, 1.0 or 1.1. Both are "" for a service whose operations have paths.
	Target, Version string
	// Query is the version of the API of a service whose input are forms and whose answers are
	// XML; "" for one that speaks JSON.
	Query string
	// Global says that the service has one host for all regions of a partition.
	Global bool
}

// The services that have no client of the SDK here; their hosts are listed in
// https://docs.aws.amazon.com/general/latest/gr/aws-service-information.html
var (
	Logs    = Service{ID: "CloudWatch Logs", Host: "logs", Name: "logs", Target: "Logs_20140328.", Version: "1.1"}
	Metrics = Service{
		ID: "CloudWatch", Host: "monitoring", Name: "monitoring",
		Target: "GraniteServiceVersion20100801.", Version: "1.0",
	}
	Tables = Service{ID: "DynamoDB", Host: "dynamodb", Name: "dynamodb", Target: "DynamoDB_20120810.", Version: "1.0"}
	Users  = Service{
		ID: "Cognito Identity Provider", Host: "cognito-idp", Name: "cognito-idp",
		Target: "AWSCognitoIdentityProviderService.", Version: "1.1",
	}
	Identities = Service{
		ID: "Cognito Identity", Host: "cognito-identity", Name: "cognito-identity",
		Target: "AWSCognitoIdentityService.", Version: "1.1",
	}
	Events    = Service{ID: "EventBridge", Host: "events", Name: "events", Target: "AWSEvents.", Version: "1.1"}
	Functions = Service{ID: "Lambda", Host: "lambda", Name: "lambda"}
	APIs      = Service{ID: "API Gateway", Host: "apigateway", Name: "apigateway"}
	Roles     = Service{ID: "IAM", Host: "iam", Name: "iam", Query: "2010-05-08", Global: true}
)

// Call is one call of an operation.
type Call struct {
	// Operation names it, such as FilterLogEvents.
	Operation string
	// Method, Path and Query are its HTTP request, the path escaped as it is sent. They are
	// empty for a service with a Target.
	Method, Path string
	Query        url.Values
	// Input is encoded as JSON; nil is no body, but {} for a service with a Target. For a service
	// with a Query it is a url.Values, or nil.
	Input any
	// Once says that the call does something that must not be done twice: it is repeated only if
	// AWS says that it refused it.
	Once bool
}

// Ask calls an operation of a service with a Target or a Query. See Send.
func (a *Account) Ask(ctx context.Context, s Service, operation string, input, into any) error {
	return a.Send(ctx, s, Call{Operation: operation, Input: input}, into)
}

// Send calls an operation and decodes its answer into a value, which may be nil. What is throttled is asked again
// with growing pauses, a wrong clock of this machine is made up for, and credentials that have expired are got anew.
// The error is that of ctx or a *model.Problem (see [Explain]); [Code] has the code of AWS's answer.
func (a *Account) Send(ctx context.Context, s Service, c Call, into any) error {
	if s.Target != "" || s.Query != "" {
		c.Method, c.Path = http.MethodPost, "/"
		if c.Input == nil {
			c.Input = struct{}{}
		}
	}
	answer, err := a.send(ctx, s, c)
	if err != nil {
		if ended := ctx.Err(); ended != nil {
			return ended
		}
		return Explain(&smithy.OperationError{ServiceID: s.ID, OperationName: c.Operation, Err: err}, a.options)
	}
	if into == nil || len(answer) == 0 {
		return nil
	}
	decode := json.Unmarshal
	if s.Query != "" {
		decode = xml.Unmarshal
	}
	if err := decode(answer, into); err != nil {
		return Explain(&smithy.OperationError{
			ServiceID: s.ID, OperationName: c.Operation,
			Err: &smithy.DeserializationError{Err: err},
		}, a.options)
	}
	return nil
}

// Code returns the code of AWS's answer that an error is about, such as
// ResourceNotFoundException; "" if it is about none.
func Code(err error) string {
	if answer, ok := errors.AsType[smithy.APIError](err); ok {
		return answer.ErrorCode()
	}
	return ""
}

// Message returns the text of AWS's answer that an error is about; "" if it is about none. It is from the network.
func Message(err error) string {
	if answer, ok := errors.AsType[smithy.APIError](err); ok {
		return answer.ErrorMessage()
	}
	return ""
}

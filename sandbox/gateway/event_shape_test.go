package gateway

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
)

// deployedEvent has exactly the keys of the recorded events of deployed APIs.
type deployedEvent struct {
	Resource                        string              `json:"resource"`
	Path                            string              `json:"path"`
	HTTPMethod                      string              `json:"httpMethod"`
	Headers                         map[string]string   `json:"headers"`
	MultiValueHeaders               map[string][]string `json:"multiValueHeaders"`
	QueryStringParameters           map[string]string   `json:"queryStringParameters"`
	MultiValueQueryStringParameters map[string][]string `json:"multiValueQueryStringParameters"`
	PathParameters                  map[string]string   `json:"pathParameters"`
	StageVariables                  map[string]string   `json:"stageVariables"`
	RequestContext                  deployedContext     `json:"requestContext"`
	Body                            *string             `json:"body"`
	IsBase64Encoded                 bool                `json:"isBase64Encoded"`
}

type deployedContext struct {
	AccountID         string           `json:"accountId"`
	APIID             string           `json:"apiId"`
	DeploymentID      string           `json:"deploymentId"`
	DomainName        string           `json:"domainName"`
	DomainPrefix      string           `json:"domainPrefix"`
	ExtendedRequestID string           `json:"extendedRequestId"`
	HTTPMethod        string           `json:"httpMethod"`
	Identity          deployedIdentity `json:"identity"`
	Path              string           `json:"path"`
	Protocol          string           `json:"protocol"`
	RequestID         string           `json:"requestId"`
	RequestTime       string           `json:"requestTime"`
	RequestTimeEpoch  int64            `json:"requestTimeEpoch"`
	ResourceID        string           `json:"resourceId"`
	ResourcePath      string           `json:"resourcePath"`
	Stage             string           `json:"stage"`
}

type deployedIdentity struct {
	AccessKey                     *string `json:"accessKey"`
	AccountID                     *string `json:"accountId"`
	Caller                        *string `json:"caller"`
	CognitoAuthenticationProvider *string `json:"cognitoAuthenticationProvider"`
	CognitoAuthenticationType     *string `json:"cognitoAuthenticationType"`
	CognitoIdentityID             *string `json:"cognitoIdentityId"`
	CognitoIdentityPoolID         *string `json:"cognitoIdentityPoolId"`
	PrincipalOrgID                *string `json:"principalOrgId"`
	SourceIP                      string  `json:"sourceIp"`
	User                          *string `json:"user"`
	UserAgent                     *string `json:"userAgent"`
	UserArn                       *string `json:"userArn"`
}

// strict reads JSON into v and fails unless its keys are exactly v's fields.
func strict(t *testing.T, data []byte, v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	var keys map[string]any
	if err := json.Unmarshal(data, &keys); err != nil {
		t.Fatal(err)
	}
	complete(t, reflect.TypeOf(v).Elem(), keys)
}

func complete(t *testing.T, of reflect.Type, keys map[string]any) {
	t.Helper()
	for i := range of.NumField() {
		name := of.Field(i).Tag.Get("json")
		value, found := keys[name]
		if !found {
			t.Errorf("the key %s is missing", name)
		}
		if of.Field(i).Type.Kind() == reflect.Struct {
			object, _ := value.(map[string]any)
			complete(t, of.Field(i).Type, object)
		}
	}
}

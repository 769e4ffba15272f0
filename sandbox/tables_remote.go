package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"gatewright/internal/text/phrase"
	"gatewright/sandbox/table"
	"gatewright/sandbox/table/attribute"
)

// remoteTables are tables behind an endpoint with DynamoDB's protocol.
type remoteTables struct {
	endpoint string
	client   *http.Client
}

// RemoteTables are the tables of a running sandbox or of another service with DynamoDB's
// protocol that accepts any credentials.
func RemoteTables(endpoint string) Tables {
	const timeout = 30 * time.Second
	return &remoteTables{strings.TrimSuffix(endpoint, "/") + "/", &http.Client{Timeout: timeout}}
}

// maxAnswer is the largest answer that is read, in bytes: a batch of 16 MB in JSON.
const maxAnswer = 64 << 20

// Do sends an operation to the endpoint.
func (t *remoteTables) Do(ctx context.Context, operation string, input []byte) ([]byte, error) {
	failed := func(err error) error {
		return fmt.Errorf("asking the tables at %s: %w", phrase.Quote(t.endpoint), err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, t.endpoint, bytes.NewReader(input))
	if err != nil {
		return nil, failed(err)
	}
	request.Header.Set("X-Amz-Target", table.Target+operation)
	request.Header.Set("Content-Type", "application/x-amz-json-1.0")
	// Such services require credentials and accept any.
	request.Header.Set("Authorization",
		"AWS4-HMAC-SHA256 Credential="+anyKey+"/20000101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0")
	request.Header.Set("X-Amz-Date", "20000101T000000Z")
	response, err := t.client.Do(request)
	if err != nil {
		return nil, failed(err)
	}
	defer func() { _ = response.Body.Close() }()
	output, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return nil, failed(err)
	}
	if response.StatusCode == http.StatusOK {
		return output, nil
	}
	var refused struct {
		Type    string `json:"__type"`
		Message string `json:"message"`
		Other   string `json:"Message"`
	}
	if json.Unmarshal(output, &refused) != nil || refused.Type == "" {
		return nil, failed(fmt.Errorf("it answers %s", response.Status))
	}
	_, code, found := strings.Cut(refused.Type, "#")
	if !found {
		code = refused.Type
	}
	return nil, &attribute.Error{Code: code, Message: refused.Message + refused.Other}
}

// anyKey is an access key id of no function.
const anyKey = "local"

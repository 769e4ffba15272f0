package amplifystack

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

const (
	// longestAnswer bounds what is read of an answer, in bytes.
	longestAnswer = 1 << 20
	// patience is how long a request may take.
	patience = 30 * time.Second
)

// namesStack reports whether a text can be the name or the ARN of a stack
// (https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_CreateStack.html).
func namesStack(text string) bool {
	const (
		longestARN = 1600
		allowed    = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-:/._+"
	)
	if strings.HasPrefix(text, "arn:") {
		return len(text) <= longestARN && strings.Trim(text, allowed) == ""
	}
	return text != "" && strings.ReplaceAll(text, "-", "") == plain(text, longestName) && text[0]|0x20 >= 'a' &&
		text[0]|0x20 <= 'z' && len(text) <= longestName
}

// BackendStack asks the Amplify service for the root stack of an environment of an
// application of the first generation. endpoint is the address of the service; "" is that of
// the region. The error is a *model.Problem with the cause ErrNoStack, ErrRefused or
// ErrMalformed, or one of the network or the credentials.
// https://docs.aws.amazon.com/amplify/latest/APIReference/API_GetBackendEnvironment.html
func BackendStack(ctx context.Context, cfg aws.Config, endpoint, applicationID, environment string) (string, error) {
	of := "environment " + phrase.Quote(environment) + " of the application " + phrase.Quote(applicationID)
	for _, segment := range []string{applicationID, environment} {
		if segment == "" || segment == "." || segment == ".." {
			return "", &model.Problem{
				Text: of + " are not valid",
				Fix:  "give the ID of an application and the name of an environment", Cause: ErrNoStack,
			}
		}
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if endpoint == "" {
		if err := model.CheckRegion(cfg.Region); err != nil {
			return "", err
		}
		endpoint = "https://amplify." + cfg.Region + ".amazonaws.com"
	}
	address := strings.TrimRight(endpoint, "/") + "/apps/" + url.PathEscape(applicationID) + "/backendenvironments/" +
		url.PathEscape(environment)
	status, body, err := get(ctx, cfg, address)
	if err != nil {
		return "", err
	}
	switch {
	case status == http.StatusNotFound:
		return "", &model.Problem{
			Text: of + " does not exist", Cause: ErrNoStack,
			Fix: "check both, the region and the account; a branch of Amplify's second generation has no environment",
		}
	case status != http.StatusOK:
		return "", refused(of, status, body)
	}
	var answer struct {
		BackendEnvironment struct {
			StackName string `json:"stackName"`
		} `json:"backendEnvironment"`
	}
	stack := &answer.BackendEnvironment.StackName
	if json.Unmarshal(body, &answer) != nil || !namesStack(*stack) {
		return "", &model.Problem{
			Text: "the Amplify service names no stack for " + of, Fix: "give its name with --stack",
			Cause: ErrMalformed,
		}
	}
	return *stack, nil
}

// get sends a signed request and returns the answer.
func get(ctx context.Context, cfg aws.Config, address string) (status int, body []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return 0, nil,
			&model.Problem{
				Text: "the address of the Amplify service is not a URL", Fix: "write one such as https://HOST",
				Cause: ErrMalformed,
			}
	}
	if cfg.Credentials == nil {
		return 0, nil, errors.New("no credentials for the Amplify service; choose a profile")
	}
	credentials, err := cfg.Credentials.Retrieve(ctx)
	if err != nil {
		return 0, nil, fmt.Errorf("credentials for the Amplify service: %w", err)
	}
	empty := sha256.Sum256(nil)
	if err := v4.NewSigner().SignHTTP(ctx, credentials, request, hex.EncodeToString(empty[:]), "amplify", cfg.Region,
		time.Now()); err != nil {
		return 0, nil, fmt.Errorf("signing a request to the Amplify service: %w", err)
	}
	answer, err := client(cfg).Do(request)
	if err != nil {
		return 0, nil, fmt.Errorf("asking the Amplify service: %w; check the region and the connection", err)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err = io.ReadAll(io.LimitReader(answer.Body, longestAnswer+1))
	if err != nil {
		return 0, nil, fmt.Errorf("reading the response of the Amplify service: %w", err)
	}
	if len(body) > longestAnswer {
		return 0, nil,
			&model.Problem{
				Text: "the response of the Amplify service is larger than 1 MB",
				Fix:  "give the name of the stack with --stack", Cause: ErrTooLarge,
			}
	}
	return answer.StatusCode, body, nil
}

// client is the configuration's own, else one that follows no redirection: the signature is
// for one host.
func client(cfg aws.Config) aws.HTTPClient {
	if cfg.HTTPClient != nil {
		return cfg.HTTPClient
	}
	return &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// refused is the error for an answer with another status than 200 and 404. The service says
// why in the member message.
func refused(of string, status int, body []byte) error {
	var answer struct {
		Message string `json:"message"`
	}
	text := fmt.Sprintf("the Amplify service returned %d for %s", status, of)
	if json.Unmarshal(body, &answer) == nil && answer.Message != "" {
		text += ": " + phrase.Quote(answer.Message)
	}
	fix := "try again later, or give the name of the stack with --stack"
	if status == http.StatusUnauthorized || status == http.StatusForbidden {
		fix = "use credentials that may do amplify:GetBackendEnvironment, or give the name of the stack with --stack"
	}
	return &model.Problem{Text: text, Fix: fix, Cause: ErrRefused}
}

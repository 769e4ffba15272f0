package account

import (
	"bytes"
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
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"gatewright/internal/network"
	"gatewright/model"
)

// mostAnswered is the largest answer that is read, in bytes: a batch of 16 MB of items.
const mostAnswered = 64 << 20

// send calls an operation until it is answered, or not worth another try.
func (a *Account) send(ctx context.Context, s Service, c Call) ([]byte, error) {
	var body []byte
	if c.Input != nil {
		var err error
		if body, err = s.encode(c); err != nil {
			return nil, err
		}
	}
	retryer := a.Config.Retryer()
	renewed, adjusted := false, false
	for attempt := 1; ; attempt++ {
		answer, err := a.try(ctx, s, c, body)
		switch {
		case err == nil || ctx.Err() != nil:
			return answer, err
		case !renewed && hasExpired(err) && a.renew():
			renewed = true
			continue
		case !adjusted && a.adjust(err):
			adjusted = true
			continue
		case !retryer.IsErrorRetryable(err) || c.Once && !throttles(err):
			return nil, err
		case attempt >= retryer.MaxAttempts():
			return nil, &retry.MaxAttemptsError{Attempt: attempt, Err: err}
		}
		if told, ok := ctx.Value(repeats{}).(func(error)); ok {
			told(err)
		}
		delay, err := retryer.RetryDelay(attempt, err)
		if err != nil {
			return nil, err
		}
		if err := network.Pause(ctx, delay); err != nil {
			return nil, err
		}
	}
}

// throttles reports whether AWS refused a call because there were too many.
func throttles(err error) bool {
	_, is := retry.DefaultThrottleErrorCodes[Code(err)]
	return is
}

// repeats is the key of a function in a context; see Repeating.
type repeats struct{}

// Repeating returns a context whose calls by Send tell a function why they are made again,
// before the pause in front of each repetition.
func Repeating(ctx context.Context, told func(why error)) context.Context {
	return context.WithValue(ctx, repeats{}, told)
}

// Passes reports whether an error of Send may pass by itself, such as throttling or a network
// that is gone: the call was made again until that was no longer worth it.
func Passes(err error) bool {
	_, ok := errors.AsType[*retry.MaxAttemptsError](err)
	return ok
}

// try calls an operation once.
func (a *Account) try(ctx context.Context, s Service, c Call, body []byte) ([]byte, error) {
	request, err := a.request(ctx, s, c, body)
	if err != nil {
		return nil, err
	}
	if a.Config.Credentials != nil {
		keys, err := a.Config.Credentials.Retrieve(ctx)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(body)
		at := time.Now().Add(time.Duration(a.skew.Load()))
		if err := v4.NewSigner().SignHTTP(ctx, keys, request, hex.EncodeToString(sum[:]), s.Name, a.signedFor(s),
			at); err != nil {
			return nil, err
		}
	}
	response, err := a.Config.HTTPClient.Do(request)
	if err != nil {
		return nil, &smithyhttp.RequestSendError{Err: err}
	}
	defer func() { _ = response.Body.Close() }()
	a.hear(response.Header)
	answer, err := io.ReadAll(io.LimitReader(response.Body, mostAnswered+1))
	if err != nil {
		return nil, &smithyhttp.RequestSendError{Err: err}
	}
	if len(answer) > mostAnswered {
		return nil, &model.Problem{
			Of:   environment(a.options),
			Text: "the response of " + s.ID + " to " + c.Operation + " has more than 64 MB", Fix: "ask for less at once",
		}
	}
	if response.StatusCode >= 200 && response.StatusCode < 300 {
		return answer, nil
	}
	return nil, &smithyhttp.ResponseError{
		Response: &smithyhttp.Response{Response: response},
		Err:      refusedBy(response, answer),
	}
}

func (a *Account) request(ctx context.Context, s Service, c Call, body []byte) (*http.Request, error) {
	base := "https://" + a.host(s)
	if endpoint := a.Endpoint(s.ID); endpoint != "" {
		to, err := url.Parse(endpoint)
		if err != nil || to.Host == "" {
			return nil, &settingError{fmt.Errorf("%q is not the URL of an endpoint", endpoint)}
		}
		base = strings.TrimSuffix(endpoint, "/")
	}
	target := base + c.Path
	if len(c.Query) > 0 {
		target += "?" + c.Query.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, c.Method, target, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json")
	if s.Query != "" {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
	} else if s.Target != "" {
		request.Header.Set("X-Amz-Target", s.Target+c.Operation)
		request.Header.Set("Content-Type", "application/x-amz-json-"+s.Version)
	} else if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	return request, nil
}

// refusedBy reads the error of an answer
// (https://smithy.io/2.0/aws/protocols/aws-restjson1-protocol.html#operation-error-serialization).
func refusedBy(response *http.Response, answer []byte) *smithy.GenericAPIError {
	var told struct {
		Type    string `json:"__type"`
		Code    string `json:"code"`
		Message string `json:"message"`
	}
	if bytes.HasPrefix(bytes.TrimSpace(answer), []byte("<")) {
		told.Code, told.Message = formFault(answer)
	} else {
		_ = json.Unmarshal(answer, &told)
	}
	code := response.Header.Get("X-Amzn-ErrorType")
	for _, other := range []string{
		told.Type, told.Code,
		strings.ReplaceAll(http.StatusText(response.StatusCode), " ", ""),
	} {
		if code == "" {
			code = other
		}
	}
	code, _, _ = strings.Cut(code, ":")
	code = code[strings.LastIndexByte(code, '#')+1:]
	fault := smithy.FaultClient
	if response.StatusCode >= http.StatusInternalServerError {
		fault = smithy.FaultServer
	}
	return &smithy.GenericAPIError{Code: code, Message: told.Message, Fault: fault}
}

// hasExpired reports whether AWS says that the credentials have expired.
func hasExpired(err error) bool {
	switch Code(err) {
	case "ExpiredToken", "ExpiredTokenException":
		return true
	}
	return false
}

// renew forgets the credentials, so that they are got anew. It reports whether they can be.
func (a *Account) renew() bool {
	kept, ok := a.Config.Credentials.(*aws.CredentialsCache)
	if ok {
		kept.Invalidate()
	}
	return ok
}

// adjust reads from an answer how wrong the clock of this machine is, if AWS refused a call
// because of it. It reports whether the next call will have another time.
func (a *Account) adjust(err error) bool {
	var answer *smithyhttp.ResponseError
	if !errors.As(err, &answer) || !(failure{code: Code(err), message: Message(err)}).isClock() {
		return false
	}
	skew, told := skewOf(answer.Response.Header)
	const tolerance = 10 * time.Second
	if !told || (skew-time.Duration(a.skew.Load())).Abs() < tolerance {
		return false
	}
	a.skew.Store(int64(skew))
	return true
}

// skewOf returns how far the clock that an answer was dated with is ahead of this machine's.
func skewOf(headers http.Header) (skew time.Duration, told bool) {
	there, err := http.ParseTime(headers.Get("Date"))
	return time.Until(there), err == nil
}

// hear notes the time of an answer.
func (a *Account) hear(headers http.Header) {
	if a.opened != nil {
		a.opened.Store(true)
	}
	if skew, told := skewOf(headers); told {
		a.heard.Store(int64(skew))
	}
}

// Now is the time by the clock of the last answer of Send or Open, to the second; this machine's
// if there was none. It is for what AWS compares with its own clock.
func (a *Account) Now() time.Time {
	const tolerance = time.Minute
	ahead := time.Duration(a.heard.Load())
	if ahead.Abs() < tolerance {
		ahead = 0
	}
	return time.Now().Add(ahead)
}

// ClockRefused reports whether an answer of AWS refuses a signature because of its time.
func ClockRefused(code, message string) bool { return failure{code: code, message: message}.isClock() }

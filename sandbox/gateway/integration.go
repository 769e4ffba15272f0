package gateway

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"gatewright/internal/text/phrase"
	"gatewright/sandbox/function"
)

// internal is the answer to every failure of a function: as from API Gateway, the client
// does not learn the reason.
func internal(name, why, fix, executionLine string) *refusal {
	return &refusal{
		status: http.StatusBadGateway, errorType: "InternalServerErrorException", body: bodyInternal,
		why: why, fix: fix, function: name, executionLine: executionLine,
	}
}

// timedOut is the refusal when the gateway's time limit ends, which is not the function's
// own time limit.
func timedOut(name string, limit time.Duration) *refusal {
	return &refusal{
		status: http.StatusGatewayTimeout, errorType: "InternalServerErrorException", body: bodyTimedOut,
		why: "function " + phrase.Quote(name) + " did not respond within the " + limit.String() + " that the gateway waits",
		fix: "let it respond sooner and do the rest later; its log says what it was doing", function: name,
		executionLine: "Execution failed due to a timeout error",
	}
}

// notAnswered is the refusal of a call that no handler answered.
func notAnswered(name string, err error) *refusal {
	r := internal(name, err.Error(), "", "Execution failed due to configuration error: "+err.Error())
	known := (*function.Error)(nil)
	if errors.As(err, &known) && known.Fix != "" {
		r.why, r.fix = strings.TrimSuffix(r.why, "; "+known.Fix), known.Fix
	}
	if known != nil && known.CloudText != "" {
		r.executionLine = "Lambda execution failed with status 200 due to customer function error: " + known.CloudText
	}
	return r
}

// functionFailed is the refusal when a handler returned an error.
func functionFailed(name string, answer function.Answer) *refusal {
	var object struct {
		Type    string `json:"errorType"`
		Message string `json:"errorMessage"`
	}
	_ = json.Unmarshal(answer.Payload, &object)
	why := "function " + phrase.Quote(name) + " ended with an error"
	if object.Type != "" || object.Message != "" {
		why += ": " + phrase.Quote(object.Type) + ": " + phrase.Quote(object.Message)
	}
	return internal(name, why, "see its log", "Lambda execution failed with status 200 due to customer function error: "+
		object.Message+". Lambda request id: "+answer.RequestID)
}

// malformedResult is the refusal of a result that breaks the rules.
func malformedResult(name string, err *resultError) *refusal {
	return internal(name, "the result of function "+phrase.Quote(name)+" "+err.text, err.fix,
		"Execution failed due to configuration error: Malformed Lambda proxy response")
}

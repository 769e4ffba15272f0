package gateway

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model/access"
)

// refusal is an answer that the gateway gives instead of a function.
type refusal struct {
	status int
	// errorType is the value of x-amzn-ErrorType.
	errorType, body string
	// early is set for a request that is refused for the size of its headers or of its body, or
	// for its query. The answer has none of the headers of other refusals: no ids, no
	// x-amzn-ErrorType and no CORS. Its body is plain text or empty.
	early bool
	// why and fix are for the log only.
	why, fix string
	// function is the function that failed, or "".
	function string
	// executionLine is the line in the execution log of the console's test.
	executionLine string
}

// Bodies of refusals, with the same spaces as in API Gateway's answers. Its types and statuses:
// https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
const (
	bodyForbidden    = `{"message":"Forbidden"}`
	bodyNoToken      = `{"message":"Missing Authentication Token"}`
	bodyEventTooLong = `{"message": "Request Too Long"}`
	bodySlow         = `{"message":"Request Timeout"}`
	bodyBroken       = `{"message":"Bad Request"}`
	bodyTimedOut     = `{"message": "Endpoint request timed out"}`
	bodyInternal     = `{"message": "Internal server error"}`
)

func unknownAPI(id string) *refusal {
	return &refusal{
		status: http.StatusNotFound, errorType: "NotFoundException",
		body: message("No API has this address: it is /<api id>/<environment>/<path>"),
		why:  "no API has the id " + phrase.Quote(id), fix: "see the addresses that the sandbox printed",
	}
}

func unknownStage(s *servedAPI, stage string) *refusal {
	return &refusal{
		status: http.StatusForbidden, errorType: "ForbiddenException", body: bodyForbidden,
		why: "the API " + phrase.Quote(s.Label) + " has no stage " + phrase.Quote(stage),
		fix: "its only stage is " + phrase.Quote(s.Environment),
	}
}

func unknownRoute(s *servedAPI, method, path string) *refusal {
	// Quote cuts a long path, and what is left of a token could not be found any more.
	why, fix := "no path of the API "+phrase.Quote(s.Label)+" serves "+phrase.Quote(withoutTokens(path)),
		"add one, or correct the address"
	if !slices.Contains(access.Methods, method) {
		why, fix = "the method "+phrase.Quote(method)+" is not a method of an API",
			"use one of "+strings.Join(access.Methods, ", ")
	}
	return &refusal{
		status: http.StatusForbidden, errorType: "MissingAuthenticationTokenException", body: bodyNoToken,
		why: why, fix: fix,
	}
}

// tooLong refuses a body over the limit, and tooLongEvent an event that is too long for a
// function, with the answers that https://github.com/koki-develop/lgtm-generator/issues/10 shows.
func tooLong(limit int64) *refusal {
	return &refusal{
		status: http.StatusRequestEntityTooLarge, early: true,
		body: "HTTP content length exceeded " + strconv.FormatInt(limit, 10) + " bytes.",
		why:  "the request's body is larger than " + megabytes(limit), fix: sendLess,
	}
}

func tooLongEvent(limit int64) *refusal {
	return &refusal{
		status: http.StatusRequestEntityTooLarge, errorType: "BadRequestException", body: bodyEventTooLong,
		why: "the event for the request is larger than " + megabytes(limit) + ", the limit for the input of a function",
		fix: sendLess,
		executionLine: "Execution failed due to configuration error: Request must be smaller than " +
			strconv.FormatInt(limit, 10) + " bytes for the InvokeFunction operation",
	}
}

const sendLess = "send less at once"

// bodyNotRead refuses a request whose body did not come to its end.
func bodyNotRead(slow bool) *refusal {
	if slow {
		return &refusal{
			status: http.StatusRequestTimeout, errorType: "RequestTimeoutException", body: bodySlow,
			why: "the request's body came too slowly", fix: "check what the client waits for",
		}
	}
	return &refusal{
		status: http.StatusBadRequest, errorType: "BadRequestException", body: bodyBroken,
		why: "the request's body ended early, or its encoding is invalid", fix: "check what the client sends",
	}
}

func message(text string) string { return `{"message":` + string(appendText(nil, text)) + `}` }

func megabytes(n int64) string {
	if n%(1<<20) == 0 {
		return strconv.FormatInt(n>>20, 10) + " MB"
	}
	return strconv.FormatInt(n, 10) + " bytes"
}

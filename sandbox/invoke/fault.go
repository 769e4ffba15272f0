package invoke

import (
	"encoding/json"
	"net/http"

	"gatewright/sandbox/constraint"
)

// fault is a refusal of a request.
type fault struct {
	status int
	// code is the name of the exception, text its message, and reason the reason of a
	// throttled call.
	code, text, reason string
	// note says in the log what happened and what to do; "" if the answer says enough.
	note string
}

// The names of exceptions
// (https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html#API_Invoke_Errors).
const (
	accessDenied     = "AccessDeniedException"
	invalidParameter = "InvalidParameterValueException"
	invalidContent   = "InvalidRequestContentException"
	notFound         = "ResourceNotFoundException"
	notReady         = "ResourceConflictException"
	recursive        = "RecursiveInvocationException"
	serviceFailed    = "ServiceException"
	tooLarge         = "RequestTooLargeException"
	tooMany          = "TooManyRequestsException"
	notValid         = "ValidationException"
)

// withoutType are the exceptions whose body has no Type in the recordings.
var withoutType = map[string]bool{notValid: true, accessDenied: true}

// capital are the exceptions whose body has the message as Message, as in the model of the
// API and in the recordings.
var capital = map[string]bool{notFound: true, serviceFailed: true, recursive: true, accessDenied: true}

// answer writes the refusal.
func (f *fault) answer(w http.ResponseWriter) {
	body := map[string]string{"message": f.text}
	if capital[f.code] {
		body = map[string]string{"Message": f.text}
	}
	if !withoutType[f.code] {
		body["Type"] = "User"
		if f.status >= http.StatusInternalServerError {
			body["Type"] = "Service"
		}
	}
	if f.reason != "" {
		body["Reason"] = f.reason
	}
	// Texts can always be encoded.
	text, _ := json.Marshal(body)
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("X-Amzn-Errortype", f.code)
	if f.status == http.StatusTooManyRequests {
		h.Set("Retry-After", "1")
	}
	w.WriteHeader(f.status)
	_, _ = w.Write(text)
}

// invalidMember refuses a value that breaks a constraint of the API's model.
func invalidMember(value, member, rule string) *fault {
	var broken constraint.Violations
	broken.Add(value, member, rule)
	return &fault{status: http.StatusBadRequest, code: notValid, text: broken.Message()}
}

package gateway

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"gatewright/sandbox/function"
	"gatewright/sandbox/identity/token"
	"gatewright/sandbox/identity/wire"
	"gatewright/sandbox/signature"
)

// A refusal tells its client as little as the cloud does, and the log why and what to do.
func TestARefusalTellsTheLogWhatItsClientIsNotTold(t *testing.T) {
	t.Parallel()
	incomplete := &signature.Error{Code: signature.Incomplete, Message: "m", Reason: "r"}
	for _, row := range []struct {
		r    *refusal
		want string
	}{
		{
			badSignature(&signature.Error{Code: signature.Invalid, Message: `m "x"`, Reason: "r"}, true),
			`403 InvalidSignatureException {"message":"m \"x\""} | the signature is not valid: r; check what the client signs, and with which credentials; the response has the details |  |  false`,
		},
		{
			badSignature(incomplete, false),
			`403 IncompleteSignatureException {"message":"m"} | the signature is not valid: r; sign the request (AWS4-HMAC-SHA256) |  |  false`,
		},
		{
			badSignature(incomplete, true),
			`403 IncompleteSignatureException {"message":"m"} | the signature is not valid: r; sign the request (AWS4-HMAC-SHA256), or send an id token as Authorization: Bearer |  |  false`,
		},
		{
			badSignature(wire.Refuse("ExpiredTokenException", "expired").Because(errors.New("a\nb")), false),
			`403 ExpiredTokenException {"message":"expired"} | the credentials are not valid: a\nb; sign in again with this environment's client configuration file, or refresh the session |  |  false`,
		},
		{
			badSignature(wire.Refuse("ExpiredTokenException", "expired"), false),
			`403 ExpiredTokenException {"message":"expired"} | the credentials are not valid: expired; sign in again with this environment's client configuration file, or refresh the session |  |  false`,
		},
		{
			badSignature(errors.New("open users.db:\nno"), true),
			`500 InternalServerErrorException {"message": "Internal server error"} | the credentials cannot be checked: open users.db:\nno; check the file that the error names |  |  false`,
		},
		{
			badToken(wire.Refuse("NotAuthorizedException", "m").Because(token.ErrExpired)),
			`401 UnauthorizedException {"message":"The incoming token has expired"} | the token is not valid: the token has expired; get a new one |  |  false`,
		},
		{
			badToken(wire.Refuse("NotAuthorizedException", "m").Because(errors.New("r"))),
			`401 UnauthorizedException {"message":"Unauthorized"} | the token is not valid: r; send the id token of a user of this environment |  |  false`,
		},
		{
			badToken(errors.New("no")),
			`500 InternalServerErrorException {"message": "Internal server error"} | the credentials cannot be checked: no; check the file that the error names |  |  false`,
		},
		{
			timedOut("orders", 29*time.Second),
			`504 InternalServerErrorException {"message": "Endpoint request timed out"} | function orders did not respond within the 29s that the gateway waits; let it respond sooner and do the rest later; its log says what it was doing | Execution failed due to a timeout error | orders false`,
		},
		{
			tooLong(10 << 20),
			`413  HTTP content length exceeded 10485760 bytes. | the request's body is larger than 10 MB; send less at once |  |  true`,
		},
		{
			tooLong(1000),
			`413  HTTP content length exceeded 1000 bytes. | the request's body is larger than 1000 bytes; send less at once |  |  true`,
		},
		{
			tooLongEvent(6 << 20),
			`413 BadRequestException {"message": "Request Too Long"} | the event for the request is larger than 6 MB, the limit for the input of a function; send less at once | Execution failed due to configuration error: Request must be smaller than 6291456 bytes for the InvokeFunction operation |  false`,
		},
		{
			bodyNotRead(true),
			`408 RequestTimeoutException {"message":"Request Timeout"} | the request's body came too slowly; check what the client waits for |  |  false`,
		},
		{
			bodyNotRead(false),
			`400 BadRequestException {"message":"Bad Request"} | the request's body ended early, or its encoding is invalid; check what the client sends |  |  false`,
		},
		{
			notAnswered("orders", errors.New("it is gone")),
			`502 InternalServerErrorException {"message": "Internal server error"} | it is gone;  | Execution failed due to configuration error: it is gone | orders false`,
		},
		{
			notAnswered("orders", &function.Error{Text: "it is gone", Fix: "find it", CloudText: "exited"}),
			`502 InternalServerErrorException {"message": "Internal server error"} | function "": it is gone; find it | Lambda execution failed with status 200 due to customer function error: exited | orders false`,
		},
		{
			functionFailed("orders", function.Answer{Payload: []byte(`{"errorType":"E","errorMessage":"m"}`), RequestID: "id"}),
			`502 InternalServerErrorException {"message": "Internal server error"} | function orders ended with an error: E: m; see its log | Lambda execution failed with status 200 due to customer function error: m. Lambda request id: id | orders false`,
		},
		{
			functionFailed("orders", function.Answer{Payload: []byte(`"m"`), RequestID: "id"}),
			`502 InternalServerErrorException {"message": "Internal server error"} | function orders ended with an error; see its log | Lambda execution failed with status 200 due to customer function error: . Lambda request id: id | orders false`,
		},
		{
			unsignedRequest(),
			`403 MissingAuthenticationTokenException {"message":"Missing Authentication Token"} | the path is restricted and the request is not signed; sign it, or run the sandbox without --require-signatures |  |  false`,
		},
		{
			unknownAPI("x\x1b"),
			`404 NotFoundException {"message":"No API has this address: it is /<api id>/<environment>/<path>"} | no API has the id "x\x1b"; see the addresses that the sandbox printed |  |  false`,
		},
	} {
		r, want := row.r, row.want
		got := fmt.Sprintf("%d %s %s | %s; %s | %s | %s %v", r.status, r.errorType, r.body, r.why, r.fix, r.executionLine, r.function, r.early)
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

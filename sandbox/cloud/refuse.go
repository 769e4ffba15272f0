package cloud

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"gatewright/internal/network"
)

// Code is the code of the error for a service that does not run here.
const Code = "NotInSandbox"

// Text is the message of that error, one sentence for the function's log and its
// answers.
func (q Request) Text() string {
	if q.NeedsSandbox {
		return fmt.Sprintf("the service %s (%s) is a part of the running sandbox, and none runs; start it with: "+
			"gatewright sandbox", q.Service, q.Action)
	}
	return fmt.Sprintf("the sandbox does not serve the cloud service %s (%s), and no call leaves this machine; to let "+
		"such calls out, run: gatewright sandbox --allow-cloud", q.Service, q.Action)
}

// noAnswer is the code of the error for a service of the sandbox that gives no answer.
const noAnswer = "NoAnswerInSandbox"

// unanswered is the message of that error, one sentence.
func (q Request) unanswered(address string, err error) string {
	reason := strings.Join(strings.Fields(err.Error()), " ")
	switch {
	case network.Refused(err):
		reason = "nothing listens there; start what serves it, or start the sandbox again"
	case network.Ended(err):
		reason = "it ended the connection; see whether what serves it still runs"
	}
	if parsed, failure := url.Parse(address); failure == nil {
		address = parsed.Host
	}
	return fmt.Sprintf("the service %s (%s) at %s gave no response: %s", q.Service, q.Action, address, reason)
}

// xmlServices are the services whose protocol is REST with XML; clients of the query
// protocol send forms (https://smithy.io/2.0/aws/protocols/index.html).
var xmlServices = map[string]bool{
	"s3": true, "s3-object-lambda": true, "s3express": true, "route53": true,
	"cloudfront": true,
}

// refuse answers with an error in the protocol of the client, so that the handler's
// code sees its message. It is none that a client tries again.
func refuse(w http.ResponseWriter, r *http.Request, wanted Request) {
	text := wanted.Text()
	h := w.Header()
	h.Set("X-Amzn-Errortype", Code)
	h.Set("X-Amzn-Requestid", "00000000-0000-0000-0000-000000000000")
	form := strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-www-form-urlencoded")
	switch {
	case r.Header.Get("Smithy-Protocol") == "rpc-v2-cbor":
		h.Set("Content-Type", "application/cbor")
		h.Set("Smithy-Protocol", "rpc-v2-cbor")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write(cborText([]byte{0xa2}, "__type", "gatewright#"+Code, "message", text))
	case form && wanted.Service == "ec2":
		answerXML(w,
			fmt.Sprintf("<Response><Errors><Error><Code>%s</Code><Message>%s</Message></Error></Errors></Response>", Code,
				escaped(text)))
	case form:
		answerXML(w,
			fmt.Sprintf("<ErrorResponse><Error><Type>Sender</Type><Code>%s</Code><Message>%s</Message></Error></ErrorResponse>",
				Code, escaped(text)))
	case xmlServices[wanted.Service]:
		answerXML(w, fmt.Sprintf("<Error><Code>%s</Code><Message>%s</Message></Error>", Code, escaped(text)))
	default:
		answerError(w, Code, text)
	}
}

func answerXML(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(http.StatusBadRequest)
	_, _ = w.Write([]byte(xml.Header + text))
}

func escaped(text string) string {
	var b strings.Builder
	// A strings.Builder does not fail.
	_ = xml.EscapeText(&b, []byte(text))
	return b.String()
}

// answerError answers with an error of the JSON protocols.
func answerError(w http.ResponseWriter, code, text string) {
	w.Header().Set("X-Amzn-Errortype", code)
	answerJSON(w, http.StatusBadRequest, map[string]string{"__type": code, "message": text, "Message": text})
}

func answerJSON(w http.ResponseWriter, status int, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		status, text = http.StatusInternalServerError, nil
	}
	w.Header().Set("Content-Type", "application/x-amz-json-1.1")
	w.WriteHeader(status)
	_, _ = w.Write(text)
}

// cborText appends texts in CBOR (RFC 8949).
func cborText(to []byte, texts ...string) []byte {
	const text = 0x60
	for _, t := range texts {
		switch n := len(t); {
		case n < 24:
			to = append(to, text|byte(n))
		case n < 1<<8:
			to = append(to, text|24, byte(n))
		default:
			to = append(to, text|25, byte(n>>8), byte(n))
		}
		to = append(to, t...)
	}
	return to
}

package awstest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatewright/sandbox/http1"
	"gatewright/sandbox/signature"
)

// Call is a request that reached the server.
type Call struct {
	// Number counts from 1, over all services.
	Number int
	// Service is sts, cloudformation, s3, or one of Serve; Action is the operation, such as PutObject.
	Service, Action string
	// Parameters are those of the query protocol, such as StackName, or of the URL's query for
	// S3, with Bucket and Key added.
	Parameters map[string]string
	// BodyHash is the SHA-256 of the body as it was sent, in hexadecimal digits.
	BodyHash string
	// Signed says that there was an Authorization header.
	Signed bool
	// AccessKey, Account and Region are those of the signature.
	AccessKey, Account, Region string
	// Code is the code of the error that was answered; "" if the call succeeded, and "cut" if
	// the connection was closed without an answer. Handled says that the call had its effect.
	Code    string
	Handled bool
}

// request is a call while it is handled.
type request struct {
	*Call
	http *http.Request
	form url.Values
	body []byte
}

func (r *request) get(name string) string { return r.form.Get(name) }

// members returns the maps of a list, such as Parameters.member.1.ParameterKey.
func (r *request) members(name string) []map[string]string {
	var all []map[string]string
	for i := 1; ; i++ {
		prefix := name + ".member." + strconv.Itoa(i)
		found := make(map[string]string)
		for key, values := range r.form {
			if rest, ok := strings.CutPrefix(key, prefix+"."); ok {
				found[rest] = values[0]
			} else if key == prefix {
				found[""] = values[0]
			}
		}
		if len(found) == 0 {
			return all
		}
		all = append(all, found)
	}
}

// fault is an error that AWS answers.
type fault struct {
	status        int
	code, message string
}

func (f *fault) Error() string { return f.code + ": " + f.message }

func invalid(message string) *fault { return &fault{http.StatusBadRequest, "ValidationError", message} }

// answer is what a handled call sends back.
type answer struct {
	status int
	header map[string]string
	body   []byte
}

// serve answers a request; its calls are in one order, because it holds the lock.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	s.mu.Lock()
	call := s.read(r, body)
	what := s.script.at(call)
	s.calls = append(s.calls, *call.Call)
	index := len(s.calls) - 1
	if what.before != nil {
		s.mu.Unlock()
		what.before()
		s.mu.Lock()
	}
	var a answer
	var failed *fault
	switch {
	case what.cut == BeforeHandling:
		s.calls[index].Code = "cut"
	case what.fault != nil:
		failed = what.fault
	default:
		a, failed = s.handle(call)
		s.calls[index].Handled = failed == nil
	}
	if failed != nil {
		s.calls[index].Code = failed.code
		a = failure(call, failed)
	}
	if what.cut == AfterHandling {
		s.calls[index].Code = "cut"
	}
	s.mu.Unlock()
	if what.after != nil {
		what.after()
	}
	if what.cut != 0 {
		panic(http.ErrAbortHandler)
	}
	for name, value := range a.header {
		w.Header().Set(name, value)
	}
	if s.skew != 0 {
		w.Header().Set("Date", time.Now().Add(s.skew).UTC().Format(http.TimeFormat))
	}
	w.Header().Set("X-Amzn-Requestid", "00000000-0000-4000-8000-"+padded(call.Number, 12))
	w.Header().Set("X-Amz-Request-Id", padded(call.Number, 16))
	if a.status == 0 {
		a.status = http.StatusOK
	}
	w.WriteHeader(a.status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(a.body)
	}
}

// read finds the service, the action and the account of a request.
func (s *Server) read(r *http.Request, body []byte) *request {
	sum := sha256.Sum256(body)
	call := &Call{
		Number: len(s.calls) + 1, BodyHash: hex.EncodeToString(sum[:]), Parameters: make(map[string]string),
		Signed: r.Header.Get("Authorization") != "", Region: s.options.Region,
	}
	service := ""
	if claim, err := signature.Parse(signed(r, body)); err == nil {
		call.AccessKey, call.Region, service = claim.AccessKeyID, claim.Region, claim.Service
	}
	call.Account = s.accountOf(call.AccessKey)
	x := &request{Call: call, http: r, body: body, form: r.URL.Query()}
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-www-form-urlencoded") && service != "s3" {
		x.form, _ = url.ParseQuery(string(body))
		call.Action = x.form.Get("Action")
		call.Service = "cloudformation"
		switch x.form.Get("Version") {
		case "2011-06-15":
			call.Service = "sts"
		case "2010-05-08":
			call.Service = "iam"
		}
	} else if !x.nameJSON(service) {
		call.Service = "s3"
		x.nameS3()
	}
	for name, values := range x.form {
		call.Parameters[name] = values[0]
	}
	return x
}

// signed is a request for the package signature.
func signed(r *http.Request, body []byte) signature.Request {
	x := signature.Request{Method: r.Method, Target: r.RequestURI, Host: r.Host, Body: body}
	for name, values := range r.Header {
		for _, value := range values {
			x.Fields = append(x.Fields, http1.Field{Name: name, Value: value})
		}
	}
	if r.ContentLength >= 0 && r.Header.Get("Content-Length") == "" {
		x.Fields = append(x.Fields, http1.Field{Name: "Content-Length", Value: strconv.FormatInt(r.ContentLength, 10)})
	}
	return x
}

// handle checks who calls, and then lets the service answer.
func (s *Server) handle(r *request) (answer, *fault) {
	if f := s.authenticate(r); f != nil {
		return answer{}, f
	}
	switch r.Service {
	case "sts":
		return s.sts(r)
	case "s3":
		return s.s3(r)
	case "cloudformation":
		return s.cloudFormation(r)
	default:
		return s.json(r)
	}
}

// authenticate refuses a request that is not signed with the secret of its key.
func (s *Server) authenticate(r *request) *fault {
	if r.Action == "AssumeRoleWithWebIdentity" || !r.Signed && isJSON(r.Service) {
		return nil
	}
	forbidden := func(query, s3, message string) *fault {
		if r.Service == "s3" {
			return &fault{http.StatusForbidden, s3, message}
		}
		return &fault{http.StatusForbidden, query, message}
	}
	if !r.Signed {
		return forbidden("MissingAuthenticationToken", "AccessDenied", "Request is missing Authentication Token")
	}
	x := signed(r.http, r.body)
	claim, err := signature.Parse(x)
	if err != nil {
		return forbidden("IncompleteSignature", "AuthorizationHeaderMalformed", err.Error())
	}
	secret := SecretKey
	if a, ok := s.keys[r.AccessKey]; ok {
		secret = a.secret
		if claim.SessionToken != a.token {
			return forbidden("InvalidClientTokenId", "InvalidToken", "The security token included in the request is invalid.")
		}
	} else if strings.HasPrefix(r.AccessKey, "ASIA") {
		return forbidden("InvalidClientTokenId", "InvalidAccessKeyId",
			"The security token included in the request is invalid.")
	}
	// S3 signs a path as it is sent and may leave the body unsigned, which signature refuses.
	hash := r.http.Header.Get("X-Amz-Content-Sha256")
	if r.Service == "s3" &&
		(strings.Contains(r.http.RequestURI, "%") || strings.HasPrefix(hash, "UNSIGNED") ||
			strings.HasPrefix(hash, "STREAMING")) {
		return nil
	}
	x.AsWritten = r.Service == "s3"
	if err := claim.Verify(x, secret, r.Region, claim.Service, time.Now().Add(s.skew)); err != nil {
		var refused *signature.Error
		if errors.As(err, &refused) {
			return forbidden("SignatureDoesNotMatch", "SignatureDoesNotMatch", refused.Message+" ("+refused.Reason+")")
		}
	}
	return nil
}

// failure is the answer for an error.
func failure(r *request, f *fault) answer {
	if r.Service == "s3" {
		return answer{f.status, map[string]string{"Content-Type": "application/xml"}, []byte(
			el("Error", tx("Code", f.code)+tx("Message", f.message)+tx("RequestId", padded(r.Number, 16))),
		)}
	}
	if isJSON(r.Service) {
		return jsonFailure(f)
	}
	kind := "Sender"
	if f.status >= http.StatusInternalServerError {
		kind = "Receiver"
	}
	return answer{f.status, map[string]string{"Content-Type": "text/xml"}, []byte(
		el("ErrorResponse",
			el("Error", tx("Type", kind)+tx("Code", f.code)+tx("Message", f.message))+tx("RequestId", padded(r.Number, 16))),
	)}
}

// Calls returns every call in the order in which they were handled.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

// Count returns how many calls there were of an action, such as CreateChangeSet.
func (s *Server) Count(action string) int {
	n := 0
	for _, c := range s.Calls() {
		if c.Action == action {
			n++
		}
	}
	return n
}

package cloud

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// served is a Server with what it reported.
type served struct {
	*Server
	mu   sync.Mutex
	said []string
}

func serve(t *testing.T, tables, pools string) *served {
	t.Helper()
	s := &served{}
	say := func(text string) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.said = append(s.said, text)
	}
	server, err := Start(Options{
		Tables: tables, Pools: pools, Functions: pools,
		Caller: func(key string) (Caller, bool) { return Caller{"dev", "mail", "eu-west-1", "1"}, key == "ASIA1" },
		Values: func(environment string) map[string]string {
			return map[string]map[string]string{"dev": {"key": "k", "/shop/a": "1", "/shop/b/c": "2", "/shopping": "3", "mail/pass": "p"}}[environment]
		},
		Refused: func(c Caller, q Request) { say(fmt.Sprintf("%s refused %s %s", c.Function, q.Service, q.Action)) },
		Missing: func(c Caller, service, name string) { say(fmt.Sprintf("%s missing %s %s", c.Function, service, name)) },
		Failed:  func(c Caller, text string) { say(c.Function + " " + text) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	s.Server = server
	return s
}

// reported returns and forgets what was reported.
func (s *served) reported() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	said := s.said
	s.said = nil
	return said
}

// signed is an Authorization header for a service.
func signed(service string) string {
	return "AWS4-HMAC-SHA256 Credential=ASIA1/20261123/eu-west-1/" + service + "/aws4_request, SignedHeaders=host, Signature=x"
}

func (s *served) send(t *testing.T, method, path, body string, headers ...string) (int, string, http.Header) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.Address()+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		r.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, bodyOf(t, response), response.Header
}

func bodyOf(t *testing.T, response *http.Response) string {
	t.Helper()
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestOtherServicesAreRefusedInTheirProtocol(t *testing.T) {
	t.Parallel()
	s := serve(t, "", "")
	for _, test := range []struct {
		name, method, path, body string
		headers                  []string
		said                     string
		answer                   []string
	}{
		{"JSON", "POST", "/", "{}", []string{"Authorization: " + signed("sqs"), "X-Amz-Target: AmazonSQS.SendMessage", "Content-Type: application/x-amz-json-1.0"}, "mail refused sqs SendMessage", []string{`"__type":"NotInSandbox"`, "--allow-cloud"}},
		{"Lambda without a sandbox", "POST", "/2015-03-31/functions/orders/invocations", "{}", []string{"Authorization: " + signed("lambda")}, "mail refused lambda POST /2015-03-31/functions/orders/invocations", []string{`"__type":"NotInSandbox"`, "none runs; start it with: gatewright sandbox"}},
		{"Lambda without a signature", "POST", "/2015-03-31/functions/orders/invocations", "{}", nil, " refused lambda POST /2015-03-31/functions/orders/invocations", []string{"none runs"}},
		{"query", "POST", "/", "Action=SendEmail&Version=2010-12-01", []string{"Authorization: " + signed("ses"), "Content-Type: application/x-www-form-urlencoded; charset=utf-8"}, "mail refused ses SendEmail", []string{"<ErrorResponse><Error><Type>Sender</Type><Code>NotInSandbox</Code>"}},
		{"EC2", "POST", "/", "Action=RunInstances", []string{"Authorization: " + signed("ec2"), "Content-Type: application/x-www-form-urlencoded"}, "mail refused ec2 RunInstances", []string{"<Response><Errors><Error><Code>NotInSandbox</Code>"}},
		{"REST with XML", "PUT", "/covers/a.jpg", "x", []string{"Authorization: " + signed("s3")}, "mail refused s3 PUT /covers/a.jpg", []string{"<Error><Code>NotInSandbox</Code>"}},
		{"REST with JSON", "POST", "/v2/apis", "{}", []string{"Authorization: " + signed("apigateway")}, "mail refused apigateway POST /v2/apis", []string{`"message":"the sandbox does not serve the cloud service apigateway`}},
		{"CBOR", "POST", "/service/GraniteServiceVersion20100801/operation/PutMetricData", "x", []string{"Authorization: " + signed("monitoring"), "Smithy-Protocol: rpc-v2-cbor"}, "mail refused monitoring PutMetricData", []string{"gatewright#NotInSandbox"}},
		{"signed in its query", "GET", "/a?X-Amz-Credential=ASIA1%2F20261123%2Feu-west-1%2Fs3%2Faws4_request", "", []string{HostHeader + ": covers.s3.eu-west-1.amazonaws.com", CallerHeader + ": ASIA1"}, "mail refused s3 GET /a", nil},
		{"unsigned", "POST", "/graphql", "{}", []string{HostHeader + ": x.appsync-api.eu-west-1.amazonaws.com", CallerHeader + ": ASIA1"}, "mail refused appsync-api POST /graphql", nil},
		{"an unknown program", "GET", "/", "", []string{HostHeader + ": sts.amazonaws.com"}, " refused sts GET /", nil},
		{"a hostile service", "GET", "/", "", []string{"Authorization: AWS4-HMAC-SHA256 Credential=a/b/c/<script>/aws4_request"}, " refused unknown GET /", nil},
		{"tables that are not here", "POST", "/", "{}", []string{"Authorization: " + signed("dynamodb"), "X-Amz-Target: DynamoDB_20120810.Scan"}, "mail refused dynamodb Scan", nil},
	} {
		status, body, _ := s.send(t, test.method, test.path, test.body, test.headers...)
		if said := s.reported(); status != http.StatusBadRequest || len(said) != 1 || said[0] != test.said {
			t.Errorf("%s: %d, it reports %q", test.name, status, said)
		}
		for _, want := range test.answer {
			if !strings.Contains(body, want) {
				t.Errorf("%s: the answer %q lacks %q", test.name, body, want)
			}
		}
	}
	if status, _, _ := s.send(t, "POST", "/", "{}", "Origin: https://evil.example", "Authorization: "+signed("ssm"), "X-Amz-Target: AmazonSSM.GetParameter"); status != http.StatusForbidden {
		t.Errorf("a page of a browser is answered %d", status)
	}
}

func TestParametersAndSecretsAreAnswered(t *testing.T) {
	t.Parallel()
	s := serve(t, "", "")
	ask := func(target, body string) (int, map[string]any) {
		t.Helper()
		status, text, _ := s.send(t, "POST", "/", body, "Authorization: "+signed("ssm"), "X-Amz-Target: "+target, "Content-Type: application/x-amz-json-1.1")
		var answer map[string]any
		if err := json.Unmarshal([]byte(text), &answer); err != nil {
			t.Fatalf("%s: %v %s", target, err, text)
		}
		return status, answer
	}
	values := func(list any) (all []string) {
		for _, one := range list.([]any) {
			all = append(all, one.(map[string]any)["Value"].(string))
		}
		return all
	}
	if status, answer := ask("AmazonSSM.GetParameter", `{"Name": "/amplify/d1/dev/AMPLIFY_mail_key", "WithDecryption": true}`); status != 200 || answer["Parameter"].(map[string]any)["Value"] != "k" {
		t.Errorf("a secret of the Amplify CLI: %d %v", status, answer)
	}
	status, answer := ask("AmazonSSM.GetParameters", `{"Names": ["/shop/a", "none"]}`)
	if got := values(answer["Parameters"]); status != 200 || !slices.Equal(got, []string{"1"}) || len(answer["InvalidParameters"].([]any)) != 1 {
		t.Errorf("several: %d %v", status, answer)
	}
	if said := s.reported(); !slices.Equal(said, []string{"mail missing ssm none"}) {
		t.Errorf("it reports %q", said)
	}
	if _, answer := ask("AmazonSSM.GetParametersByPath", `{"Path": "/shop", "Recursive": true}`); !slices.Equal(values(answer["Parameters"]), []string{"1", "2"}) {
		t.Errorf("below a path: %v", answer)
	}
	if _, answer := ask("AmazonSSM.GetParametersByPath", `{"Path": "/shop/"}`); !slices.Equal(values(answer["Parameters"]), []string{"1"}) {
		t.Errorf("directly below a path: %v", answer)
	}
	if status, answer := ask("AmazonSSM.GetParameter", `{"Name": "none"}`); status != 400 || answer["__type"] != "ParameterNotFound" {
		t.Errorf("a missing one: %d %v", status, answer)
	}
	for id, want := range map[string]string{"mail/pass": "p", "arn:aws:secretsmanager:eu-west-1:1:secret:mail/pass-AbCdEf": "p", "arn:aws:secretsmanager:eu-west-1:1:secret:mail/pass": "p"} {
		if status, answer := ask("secretsmanager.GetSecretValue", `{"SecretId": "`+id+`"}`); status != 200 || answer["SecretString"] != want {
			t.Errorf("the secret %s: %d %v", id, status, answer)
		}
	}
	if status, answer := ask("secretsmanager.GetSecretValue", `{"SecretId": "none"}`); status != 400 || answer["__type"] != "ResourceNotFoundException" {
		t.Errorf("a missing secret: %d %v", status, answer)
	}
	s.reported()
	if status, _ := ask("AmazonSSM.PutParameter", `{"Name": "x"}`); status != 400 || !slices.Equal(s.reported(), []string{"mail refused ssm PutParameter"}) {
		t.Errorf("a parameter is written: %d", status)
	}
}

func TestTablesAndPoolsArePassedOn(t *testing.T) {
	t.Parallel()
	var seen []string
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		seen = append(seen, r.Host+" "+r.Header.Get("X-Amz-Target")+" "+string(body)+r.Header.Get(HostHeader)+r.Header.Get(CallerHeader))
		_, _ = io.WriteString(w, "answered")
	}))
	defer other.Close()
	s := serve(t, other.URL, other.URL)
	host := strings.TrimPrefix(other.URL, "http://")
	large := strings.Repeat("x", largestBody+10)
	for _, test := range []struct{ target, body, caller string }{
		{"DynamoDB_20120810.Scan", "{}", ""},
		{"AWSCognitoIdentityProviderService.InitiateAuth", "{}", "ASIA1"},
		{"AWSCognitoIdentityService.GetId", "{}", "ASIA1"},
		{"DynamoDB_20120810.PutItem", large, ""},
	} {
		seen = nil
		_, text, _ := s.send(t, "POST", "/", test.body, "X-Amz-Target: "+test.target, HostHeader+": x.amazonaws.com", CallerHeader+": ASIA1")
		if want := host + " " + test.target + " " + test.body + test.caller; text != "answered" || len(seen) != 1 || seen[0] != want {
			t.Errorf("%s: %q, and the service gets %.200q", test.target, text, seen)
		}
	}
	if said := s.reported(); len(said) != 0 {
		t.Errorf("it reports %q", said)
	}
}

func TestCallsOfFunctionsArePassedOnWithTheirCaller(t *testing.T) {
	t.Parallel()
	var seen []string
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Method+" "+r.RequestURI+" "+r.Header.Get("Authorization")+" "+r.Header.Get(CallerHeader))
	}))
	defer other.Close()
	s := serve(t, "", other.URL)
	const path = "/2015-03-31/functions/orders%3A%24LATEST/invocations?Qualifier=x"
	for _, test := range []struct {
		headers []string
		want    string
	}{
		{[]string{"Authorization: " + signed("lambda")}, "POST " + path + " " + signed("lambda") + " "},
		{[]string{CallerHeader + ": ASIA1", HostHeader + ": lambda.eu-west-1.amazonaws.com"}, "POST " + path + "  ASIA1"},
		// AWS answers nobody who does not say who they are.
		{nil, ""},
	} {
		seen = nil
		status, text, header := s.send(t, "POST", path, "{}", test.headers...)
		if test.want == "" {
			if status != http.StatusForbidden || header.Get("X-Amzn-Errortype") != "MissingAuthenticationTokenException" || len(seen) != 0 {
				t.Errorf("a request of nobody is answered %d %s, and the service gets %q", status, text, seen)
			}
			continue
		}
		if status != http.StatusOK || len(seen) != 1 || seen[0] != test.want {
			t.Errorf("%q: %d, and the service gets %q", test.headers, status, seen)
		}
	}
}

func TestATunnelLeadsToEveryHostButTheClouds(t *testing.T) {
	t.Parallel()
	other := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "other") }))
	defer other.Close()
	s := serve(t, "", "")
	proxy, err := url.Parse(s.Address())
	if err != nil {
		t.Fatal(err)
	}
	proxy.User = url.UserPassword("ASIA1", "local")
	transport := other.Client().Transport.(*http.Transport).Clone()
	transport.Proxy = http.ProxyURL(proxy)
	client := &http.Client{Transport: transport}
	response, err := client.Get(other.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if text, err := io.ReadAll(response.Body); err != nil || string(text) != "other" {
		t.Errorf("another host answers %q %v", text, err)
	}
	response, err = client.Get("https://ses.eu-west-1.amazonaws.com/")
	if err == nil {
		response.Body.Close()
		t.Error("the cloud answers")
	}
	if said := s.reported(); !slices.Equal(said, []string{"mail refused email a connection to email.eu-west-1.amazonaws.com"}) && !slices.Equal(said, []string{"mail refused ses a connection to ses.eu-west-1.amazonaws.com"}) {
		t.Errorf("it reports %q", said)
	}
}

func TestServicesAreNamedByTheirHosts(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{
		"dynamodb.eu-west-1.amazonaws.com": "dynamodb", "covers.s3.eu-west-1.amazonaws.com:443": "s3", "covers.s3.amazonaws.com": "s3", "S3.AMAZONAWS.COM": "s3",
		"s3.dualstack.eu-west-1.amazonaws.com": "s3", "lambda.us-gov-west-1.amazonaws.com": "lambda", "kms-fips.us-east-1.amazonaws.com": "kms", "ec2.cn-north-1.amazonaws.com.cn": "ec2",
		"a1b2.execute-api.eu-west-1.amazonaws.com": "execute-api", "lambda.eu-west-1.api.aws": "lambda", "db.c1.eu-west-1.rds.amazonaws.com": "rds",
		"example.com": "", "amazonaws.com.example.com": "", "notamazonaws.com": "",
	} {
		if got := serviceOfHost(host); got != want {
			t.Errorf("%s is %q, want %q", host, got, want)
		}
	}
}

func TestCBORIsAsTheStandardSays(t *testing.T) {
	t.Parallel()
	for length, head := range map[int][]byte{0: {0x60}, 23: {0x77}, 24: {0x78, 24}, 255: {0x78, 255}, 256: {0x79, 1, 0}, 300: {0x79, 1, 44}} {
		text := strings.Repeat("b", length)
		want := append(append([]byte{0xa1, 0x61, 'a'}, head...), text...)
		if got := cborText([]byte{0xa1}, "a", text); !bytes.Equal(got, want) {
			t.Errorf("%d characters are %x", length, got)
		}
	}
}

func TestAServiceThatGivesNoAnswerIsTold(t *testing.T) {
	t.Parallel()
	silent := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	defer silent.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	for address, want := range map[string]string{
		gone.URL:   "nothing listens there; start what serves it, or start the sandbox again",
		silent.URL: "it ended the connection; see whether what serves it still runs",
	} {
		s := serve(t, address, address)
		// Not before, for that server could get its port, and send each request to itself.
		if address == gone.URL {
			gone.Close()
		}
		for service, action := range map[string]string{"dynamodb": "Scan", "cognito-idp": "ListUsers", "lambda": "POST /"} {
			text := "the service " + service + " (" + action + ") at " + strings.TrimPrefix(address, "http://") + " gave no response: " + want
			headers := []string{"Authorization: " + signed(service), "X-Amz-Target: X." + action}
			if service == "lambda" {
				headers = headers[:1]
			}
			status, body, header := s.send(t, "POST", "/", "{}", headers...)
			var answer struct{ Message string }
			if err := json.Unmarshal([]byte(body), &answer); err != nil || status != http.StatusBadGateway || answer.Message != text || header.Get("X-Amzn-Errortype") != "NoAnswerInSandbox" {
				t.Errorf("%s: %d %s %v", service, status, body, err)
			}
			if said := s.reported(); len(said) != 1 || said[0] != "mail "+text {
				t.Errorf("%s: it reports %q, want %q", service, said, text)
			}
		}
	}
}

func TestACallerThatLeavesIsNoFault(t *testing.T) {
	t.Parallel()
	reached, left := make(chan struct{}), make(chan struct{})
	busy := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		close(reached)
		<-r.Context().Done()
		close(left)
	}))
	defer busy.Close()
	s := serve(t, busy.URL, "")
	ctx, leave := context.WithCancel(t.Context())
	go func() {
		<-reached
		leave()
	}()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.Address(), strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", signed("dynamodb"))
	if response, err := http.DefaultClient.Do(r); err == nil {
		response.Body.Close()
		t.Fatal("the caller got an answer")
	}
	<-left
	if err := s.server.Shutdown(t.Context()); err != nil { // it waits for the handler
		t.Fatal(err)
	}
	if said := s.reported(); len(said) != 0 {
		t.Errorf("it reports %q", said)
	}
}

// TestARefusalIsWholeInEachProtocol compares what clients of the cloud read.
func TestARefusalIsWholeInEachProtocol(t *testing.T) {
	t.Parallel()
	s := serve(t, "", "")
	text := func(service, action string) string {
		return "the sandbox does not serve the cloud service " + service + " (" + action + "), and no call leaves this machine; to let such calls out, run: gatewright sandbox --allow-cloud"
	}
	const form, head = "Content-Type: application/x-www-form-urlencoded", `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
	cbor := text("monitoring", "PutMetricData")
	for _, test := range []struct {
		method, path, body string
		headers            []string
		kind, want         string
	}{
		{"POST", "/", "{}", []string{"Authorization: " + signed("sqs"), "X-Amz-Target: AmazonSQS.SendMessage"}, "application/x-amz-json-1.1", `{"Message":"` + text("sqs", "SendMessage") + `","__type":"NotInSandbox","message":"` + text("sqs", "SendMessage") + `"}`},
		{"POST", "/", "Action=SendEmail", []string{"Authorization: " + signed("ses"), form}, "application/xml", head + "<ErrorResponse><Error><Type>Sender</Type><Code>NotInSandbox</Code><Message>" + text("ses", "SendEmail") + "</Message></Error></ErrorResponse>"},
		{"POST", "/", "Action=RunInstances", []string{"Authorization: " + signed("ec2"), form}, "application/xml", head + "<Response><Errors><Error><Code>NotInSandbox</Code><Message>" + text("ec2", "RunInstances") + "</Message></Error></Errors></Response>"},
		{"PUT", "/covers/%3Ca&b%3E", "x", []string{"Authorization: " + signed("s3")}, "application/xml", head + "<Error><Code>NotInSandbox</Code><Message>" + text("s3", "PUT /covers/&lt;a&amp;b&gt;") + "</Message></Error>"},
		{"GET", "/" + strings.Repeat("a", 100), "", []string{"Authorization: " + signed("route53")}, "application/xml", head + "<Error><Code>NotInSandbox</Code><Message>" + text("route53", "GET /"+strings.Repeat("a", 79)+"...") + "</Message></Error>"},
		{"POST", "/service/X/operation/PutMetricData", "x", []string{"Authorization: " + signed("monitoring"), "Smithy-Protocol: rpc-v2-cbor"}, "application/cbor", "\xa2\x66__type\x77gatewright#NotInSandbox\x67message\x78" + string([]byte{byte(len(cbor))}) + cbor},
	} {
		status, body, header := s.send(t, test.method, test.path, test.body, test.headers...)
		if status != http.StatusBadRequest || header.Get("Content-Type") != test.kind || header.Get("X-Amzn-Errortype") != "NotInSandbox" || header.Get("X-Amzn-Requestid") == "" {
			t.Errorf("%s %s is answered %d %s", test.method, test.path, status, header)
		}
		if diff := cmp.Diff(test.want, body); diff != "" {
			t.Errorf("%s %s: %s", test.method, test.path, diff)
		}
	}
}

// TestAnswersWithValuesAreWhole compares all of their members but for times and random ones.
func TestAnswersWithValuesAreWhole(t *testing.T) {
	t.Parallel()
	s := serve(t, "", "")
	random := regexp.MustCompile(`"(LastModifiedDate|CreatedDate)":[0-9.e+]+|"VersionId":"[^"]*"`)
	const a = `{"Name":"/shop/a","Type":"SecureString","Value":"1","Version":1,RANDOM,"ARN":"arn:aws:ssm:eu-west-1:1:parameter/shop/a","DataType":"text"}`
	for _, test := range []struct {
		target, body string
		status       int
		want         string
		said         []string
	}{
		{"AmazonSSM.GetParameter", `{"Name":"/shop/a"}`, 200, `{"Parameter":` + a + `}`, nil},
		{"AmazonSSM.GetParameters", `{"Names":["x/none","/shop/a","other"]}`, 200, `{"InvalidParameters":["x/none","other"],"Parameters":[` + a + `]}`, []string{"mail missing ssm x/none", "mail missing ssm other"}},
		{"AmazonSSM.GetParametersByPath", `{"Path":"/none"}`, 200, `{"Parameters":[]}`, []string{"mail missing ssm /none/NAME"}},
		{"AmazonSSM.GetParameter", `{"Name":"/none"}`, 400, `{"Message":"Parameter /none not found.","__type":"ParameterNotFound","message":"Parameter /none not found."}`, []string{"mail missing ssm /none"}},
		{"AmazonSSM.GetParameter", `[]`, 400, `{"Message":"the request is not a JSON object","__type":"ValidationException","message":"the request is not a JSON object"}`, nil},
		{"secretsmanager.GetSecretValue", `{"SecretId":"mail/pass"}`, 200, `{"ARN":"arn:aws:secretsmanager:eu-west-1:1:secret:mail/pass-000000",RANDOM,"Name":"mail/pass","SecretString":"p",RANDOM,"VersionStages":["AWSCURRENT"]}`, nil},
		{"secretsmanager.GetSecretValue", `{}`, 400, `{"Message":"the request has no SecretId","__type":"ValidationException","message":"the request has no SecretId"}`, nil},
		{"secretsmanager.GetSecretValue", `{"SecretId":"x"}`, 400, `{"Message":"Secrets Manager can't find the specified secret.","__type":"ResourceNotFoundException","message":"Secrets Manager can't find the specified secret."}`, []string{"mail missing secretsmanager x"}},
	} {
		status, body, header := s.send(t, "POST", "/", test.body, "Authorization: "+signed("ssm"), "X-Amz-Target: "+test.target)
		if status != test.status || header.Get("Content-Type") != "application/x-amz-json-1.1" {
			t.Errorf("%s %s is answered %d %s", test.target, test.body, status, header)
		}
		if diff := cmp.Diff(test.want, random.ReplaceAllString(body, "RANDOM")); diff != "" {
			t.Errorf("%s %s: %s", test.target, test.body, diff)
		}
		if diff := cmp.Diff(test.said, s.reported()); diff != "" {
			t.Errorf("%s %s reports: %s", test.target, test.body, diff)
		}
	}
}

func TestAParameterOfTheAmplifyCLIIsKnownByTheNameOfItsSecret(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ function, parameter, want string }{
		{"mail", "/amplify/d1/dev/AMPLIFY_mail_key", "key"},
		{"mail", "/amplify/d1/dev/AMPLIFY_mail_api_key", "api_key"},
		{"my_mail", "/amplify/d1/dev/AMPLIFY_my_mail_key", "key"},
		// Another function's name cannot be told from the secret's, but for its first part.
		{"other", "/amplify/d1/dev/AMPLIFY_mail_key", "key"},
		{"mail", "/amplify/d1/dev/AMPLIFY_mail_", ""},
		{"mail", "/amplify/d1/dev/AMPLIFY_mail", ""},
		{"mail", "/amplify/d1/AMPLIFY_mail_key", ""},
		{"mail", "/amplify/d1/dev/more/AMPLIFY_mail_key", ""},
		{"mail", "/shop/a", ""},
	} {
		name, is := AmplifySecret(test.function, test.parameter)
		if is != (test.want != "") || is && name != test.want {
			t.Errorf("%s of %s is %q, %v", test.parameter, test.function, name, is)
		}
	}
	if got := ShortName("mail", "/shop/b/c"); got != "c" {
		t.Errorf("the short name is %q", got)
	}
}

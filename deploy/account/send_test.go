package account_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"gatewright/deploy/account"
	"gatewright/deploy/awstest"
)

// openFake opens the account of a fake of AWS.
func openFake(t *testing.T) (*awstest.Server, *account.Account) {
	t.Helper()
	fake := awstest.New(t, awstest.Options{})
	a, err := account.Open(t.Context(), account.Options{
		Environment: "prod", Region: "eu-central-1", Retry: account.Retry{Attempts: 3, Backoff: time.Nanosecond}, Getenv: fake.Getenv,
	})
	if err != nil {
		t.Fatal(err)
	}
	return fake, a
}

type greeting struct{ Text string }

// echo answers with what it is sent.
func echo(r awstest.Request) (any, error) {
	var in greeting
	if err := r.Read(&in); err != nil {
		return nil, err
	}
	return greeting{r.Action + " " + in.Text}, nil
}

func TestACallIsSignedAndAnswered(t *testing.T) {
	t.Parallel()
	fake, a := openFake(t)
	fake.Serve("logs", echo)
	var out greeting
	if err := a.Ask(t.Context(), account.Logs, "FilterLogEvents", greeting{"hello"}, &out); err != nil || out.Text != "FilterLogEvents hello" {
		t.Errorf("got %q, %v", out.Text, err)
	}
	if calls := fake.Calls(); !calls[len(calls)-1].Signed || calls[len(calls)-1].Region != "eu-central-1" {
		t.Errorf("the call is %+v", calls[len(calls)-1])
	}
}

func TestACallOfAnOperationWithAPathIsSigned(t *testing.T) {
	t.Parallel()
	fake, a := openFake(t)
	fake.Serve("lambda", func(r awstest.Request) (any, error) {
		return greeting{r.Method + " " + r.Path + " " + r.Query.Get("Qualifier")}, nil
	})
	var out greeting
	call := account.Call{Operation: "GetFunction", Method: http.MethodGet, Path: "/2015-03-31/functions/books-prod/configuration", Query: url.Values{"Qualifier": {"$LATEST"}}}
	if err := a.Send(t.Context(), account.Functions, call, &out); err != nil || out.Text != "GET /2015-03-31/functions/books-prod/configuration $LATEST" {
		t.Errorf("got %q, %v", out.Text, err)
	}
}

func TestAThrottledCallIsAskedAgain(t *testing.T) {
	t.Parallel()
	fake, a := openFake(t)
	fake.Serve("logs", echo)
	fake.Fail("FilterLogEvents", "ThrottlingException", "Rate exceeded", 2)
	told := 0
	ctx := account.Repeating(t.Context(), func(why error) {
		if account.Code(why) == "ThrottlingException" {
			told++
		}
	})
	if err := a.Ask(ctx, account.Logs, "FilterLogEvents", greeting{"x"}, nil); err != nil || told != 2 {
		t.Errorf("the repetitions are told %d times, and it ends with %v", told, err)
	}
	fake.Fail("FilterLogEvents", "ThrottlingException", "Rate exceeded", 9)
	err := a.Ask(t.Context(), account.Logs, "FilterLogEvents", greeting{"x"}, nil)
	if err == nil || !account.Passes(err) || !strings.Contains(err.Error(), "AWS is throttling calls, after 3 tries") {
		t.Errorf("a call that is always throttled ends with %v", err)
	}
}

func TestACutConnectionIsTriedAgain(t *testing.T) {
	t.Parallel()
	fake, a := openFake(t)
	fake.Serve("logs", echo)
	fake.CutAt(len(fake.Calls())+1, awstest.AfterHandling)
	if err := a.Ask(t.Context(), account.Logs, "FilterLogEvents", greeting{"x"}, nil); err != nil {
		t.Error(err)
	}
	if n := fake.Count("FilterLogEvents"); n != 2 {
		t.Errorf("it was called %d times", n)
	}
}

func TestACallThatMustNotBeDoneTwiceIsNot(t *testing.T) {
	t.Parallel()
	fake, a := openFake(t)
	fake.Serve("lambda", echo)
	once := account.Call{Operation: "Invoke", Method: http.MethodPost, Path: "/2015-03-31/functions/books-prod/invocations", Input: greeting{"x"}, Once: true}
	fake.CutAt(len(fake.Calls())+1, awstest.AfterHandling)
	action := "POST " + once.Path
	if err := a.Send(t.Context(), account.Functions, once, nil); err == nil || fake.Count(action) != 1 {
		t.Errorf("a call that was cut was made %d times: %v", fake.Count(action), err)
	}
	fake.Fail(action, "InternalFailure", "An internal error occurred.", 1)
	if err := a.Send(t.Context(), account.Functions, once, nil); err == nil || fake.Count(action) != 2 {
		t.Errorf("a call that failed was made %d times: %v", fake.Count(action)-1, err)
	}
	fake.Fail(action, "TooManyRequestsException", "Rate exceeded", 1)
	if err := a.Send(t.Context(), account.Functions, once, nil); err != nil || fake.Count(action) != 4 {
		t.Errorf("a call that was throttled was made %d times: %v", fake.Count(action)-2, err)
	}
}

func TestTheTimeIsThatOfTheLastAnswer(t *testing.T) {
	t.Parallel()
	fake, a := openFake(t)
	fake.Serve("logs", echo)
	if off := time.Until(a.Now()).Abs(); off > time.Minute {
		t.Errorf("before any answer the time is %v off", off)
	}
	fake.Skew(3 * time.Hour)
	again, err := account.Open(t.Context(), account.Options{Region: "eu-central-1", Getenv: fake.Getenv})
	if err != nil {
		t.Fatal(err)
	}
	if off := (time.Until(again.Now()) - 3*time.Hour).Abs(); off > time.Minute {
		t.Errorf("once it is opened the time is %v off", off)
	}
	if err := a.Ask(t.Context(), account.Logs, "FilterLogEvents", greeting{"x"}, nil); err != nil {
		t.Fatal(err)
	}
	for in, of := range map[string]*account.Account{a.Region: a, "us-east-1": a.In("us-east-1")} {
		if off := (time.Until(of.Now()) - 3*time.Hour).Abs(); off > time.Minute {
			t.Errorf("the time in %s is %v off", in, off)
		}
	}
}

func TestARefusalIsToldOnceWithItsCode(t *testing.T) {
	t.Parallel()
	fake, a := openFake(t)
	fake.Serve("logs", func(awstest.Request) (any, error) {
		return nil, &awstest.Refusal{Code: "ResourceNotFoundException", Message: "The specified log group does not exist."}
	})
	err := a.Ask(t.Context(), account.Logs, "FilterLogEvents", greeting{}, nil)
	if account.Code(err) != "ResourceNotFoundException" || account.Message(err) != "The specified log group does not exist." {
		t.Errorf("the code is %q, the error %v", account.Code(err), err)
	}
	if n := fake.Count("FilterLogEvents"); n != 1 {
		t.Errorf("a refused call was made %d times", n)
	}
	if strings.Contains(err.Error(), awstest.SecretKey) {
		t.Errorf("the error has the key: %v", err)
	}
}

func TestADeniedActionIsNamed(t *testing.T) {
	t.Parallel()
	fake, a := openFake(t)
	fake.Fail("FilterLogEvents", "AccessDeniedException", "User: arn:aws:iam::123456789012:user/ann is not authorized to perform: logs:FilterLogEvents on resource: arn:aws:logs:eu-central-1:123456789012:log-group:/aws/lambda/books-prod", 1)
	err := a.Ask(t.Context(), account.Logs, "FilterLogEvents", greeting{}, nil)
	if err == nil || !strings.Contains(err.Error(), `ann may not do logs:FilterLogEvents on arn:aws:logs:`) {
		t.Errorf("got %v", err)
	}
}

func TestAWrongClockIsMadeUpFor(t *testing.T) {
	t.Parallel()
	for _, skew := range []time.Duration{40 * time.Minute, -3 * time.Hour} {
		fake, a := openFake(t)
		fake.Serve("logs", echo)
		fake.Skew(skew)
		for range 3 {
			if err := a.Ask(t.Context(), account.Logs, "FilterLogEvents", greeting{"x"}, nil); err != nil {
				t.Fatalf("clock off by %v: %v", skew, err)
			}
		}
		if n := fake.Count("FilterLogEvents"); n != 4 {
			t.Errorf("clock off by %v: %d calls; only the first may be refused", skew, n)
		}
	}
}

func TestExpiredCredentialsAreGotAnew(t *testing.T) {
	t.Parallel()
	fake := awstest.New(t, awstest.Options{})
	// A role has credentials that can be got anew; those of variables cannot.
	name := t.TempDir() + "/config"
	text := "[profile base]\naws_access_key_id = 123456789012\naws_secret_access_key = " + awstest.SecretKey + "\n" +
		"[profile role]\nrole_arn = arn:aws:iam::123456789012:role/Reader\nsource_profile = base\n"
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	getenv := func(variable string) string {
		if variable == "AWS_CONFIG_FILE" {
			return name
		}
		return fake.Getenv(variable)
	}
	a, err := account.Open(t.Context(), account.Options{Region: "eu-central-1", Profile: "role", Retry: account.Retry{Attempts: 3, Backoff: time.Nanosecond}, Getenv: getenv})
	if err != nil {
		t.Fatal(err)
	}
	fake.Serve("logs", echo)
	fake.Fail("FilterLogEvents", "ExpiredTokenException", "The security token included in the request is expired", 1)
	if err := a.Ask(t.Context(), account.Logs, "FilterLogEvents", greeting{"x"}, nil); err != nil {
		t.Error(err)
	}
	if n := fake.Count("AssumeRole"); n != 2 {
		t.Errorf("the role was assumed %d times", n)
	}
	fake.Fail("FilterLogEvents", "ExpiredTokenException", "The security token included in the request is expired", 9)
	if err := a.Ask(t.Context(), account.Logs, "FilterLogEvents", greeting{"x"}, nil); !errors.Is(err, account.ErrCredentials) {
		t.Errorf("credentials that stay expired end with %v", err)
	}
}

func TestWhatEverybodyMayCallNeedsNoCredentials(t *testing.T) {
	t.Parallel()
	fake := awstest.New(t, awstest.Options{})
	getenv := func(name string) string {
		if strings.HasSuffix(name, "_ACCESS_KEY_ID") || strings.HasSuffix(name, "_SECRET_ACCESS_KEY") {
			return ""
		}
		return fake.Getenv(name)
	}
	fake.Serve("cognito-identity", echo)
	a, err := account.Public(t.Context(), account.Options{Region: "eu-central-1", Getenv: getenv})
	if err != nil {
		t.Fatal(err)
	}
	var out greeting
	if err := a.Ask(t.Context(), account.Identities, "GetId", greeting{"x"}, &out); err != nil || out.Text != "GetId x" {
		t.Errorf("got %q, %v", out.Text, err)
	}
	if calls := fake.Calls(); len(calls) != 1 || calls[0].Signed {
		t.Errorf("the calls are %+v", calls)
	}
}

func TestAnAnswerThatIsTooLongIsNotCut(t *testing.T) {
	t.Parallel()
	fake, a := openFake(t)
	size := 64 << 20
	fake.Serve("logs", func(awstest.Request) (any, error) { return bytes.Repeat([]byte(" "), size), nil })
	if err := a.Ask(t.Context(), account.Logs, "FilterLogEvents", greeting{"x"}, nil); err != nil {
		t.Errorf("64 MB end with %v", err)
	}
	size++
	err := a.Ask(t.Context(), account.Logs, "FilterLogEvents", greeting{"x"}, nil)
	if err == nil || !strings.Contains(err.Error(), "environment prod: the response of CloudWatch Logs to FilterLogEvents has more than 64 MB") || fake.Count("FilterLogEvents") != 2 {
		t.Errorf("after %d calls it ends with %v", fake.Count("FilterLogEvents"), err)
	}
}

func TestACallEndsWithItsContext(t *testing.T) {
	t.Parallel()
	fake, a := openFake(t)
	ctx, cancel := context.WithCancel(t.Context())
	fake.Serve("logs", func(awstest.Request) (any, error) {
		cancel()
		return nil, &awstest.Refusal{Code: "ThrottlingException", Message: "Rate exceeded"}
	})
	if err := a.Ask(ctx, account.Logs, "FilterLogEvents", greeting{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

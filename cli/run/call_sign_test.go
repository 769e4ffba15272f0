package run_test

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"gatewright/cli/clitest"
	"gatewright/deploy/cloudcall/cloudcalltest"
	"gatewright/project"
)

// TestARequestToAWSIsSignedAsWhoeverIsNamed is not parallel: the fake is in the variables of the process.
func TestARequestToAWSIsSignedAsWhoeverIsNamed(t *testing.T) {
	cloud := cloudcalltest.New(t)
	var environ []string
	for _, one := range os.Environ() {
		if strings.HasPrefix(one, "AWS_") {
			environ = append(environ, one)
		}
	}
	s := clitest.New(t)
	s.Environ = environ
	for _, line := range []string{
		"init --name shop --app-id app1", "update env dev --provider aws --region eu-central-1",
		"add api shop --path /books --function books --new-function plain --auth all --guest read",
	} {
		s.Run(0, strings.Fields(line)...)
	}
	if text := s.Run(1, "call", "GET", "/books", "--env", "dev"); !strings.Contains(text, "credentials") {
		t.Errorf("before the first push, without credentials: %s", text)
	}
	p, err := project.Open(s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	cloudcalltest.Push(t, p, "dev", cloudcalltest.URL("dev"))
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	cloud.API = func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "DELETE" {
			w.WriteHeader(http.StatusTeapot)
		}
		_, _ = w.Write([]byte("got " + r.URL.RequestURI()))
	}
	for _, row := range []struct {
		code int
		args []string
		want string
		sign string
	}{
		{0, []string{"GET", "/books?limit=1"}, "got /dev/books?limit=1", ""},
		{0, []string{"GET", "/books", "--as", "guest"}, "got /dev/books", "ASIAGUEST1/"},
		{4, []string{"DELETE", "/books"}, "got /dev/books", ""},
		{0, []string{"GET", "/books", "-i"}, "HTTP/1.1 200 OK", ""},
		{1, []string{"GET", "/books", "--as", "group:Readers"}, "Readers", ""},
		{1, []string{"GET", "/books", "--as", "me"}, "credentials", ""},
		{2, []string{"GET", "/books", "--as", "ann"}, "the password of ann is needed; run it in a terminal, set GATEWRIGHT_PASSWORD, or give --password-stdin", ""},
		{2, []string{"GET", "/books", "--as", "guest", "--password-stdin"}, "--password-stdin needs --as USER", ""},
	} {
		before := len(cloud.Got)
		text := s.Run(row.code, append([]string{"call", "--env", "dev"}, row.args...)...)
		if !strings.Contains(text, row.want) {
			t.Errorf("%q prints\n%s", row.args, text)
		}
		switch sent := cloud.Got[before:]; {
		case (len(sent) == 1) != (row.code == 0 || row.code == 4):
			t.Errorf("%q sends %d requests", row.args, len(sent))
		case len(sent) == 1:
			if header := sent[0].Header.Get("Authorization"); (header == "") != (row.sign == "") || !strings.Contains(header, row.sign) {
				t.Errorf("%q is signed %q", row.args, header)
			}
		}
	}
	s.Run(0, "update", "env", "dev", "--guarded")
	before := len(cloud.Got)
	if text := s.Run(2, "call", "POST", "/books", "--env", "dev", "--data", "{}"); !strings.Contains(text, "to send a POST request to it give --confirm dev") || len(cloud.Got) != before {
		t.Errorf("a guarded environment: %s", text)
	}
	s.Run(0, "call", "POST", "/books", "--env", "dev", "--data", "{}", "--confirm", "dev")
	if len(cloud.Got) != before+1 || cloud.Got[before].Method != "POST" {
		t.Error("the request that was confirmed is not sent")
	}
}

package cloud

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// connect asks the Server for a connection to a host, and returns the status and the text of its
// answer.
func (s *served) connect(t *testing.T, host string, headers ...string) (int, string) {
	t.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(s.Address(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	if _, err := fmt.Fprintf(connection, "CONNECT %s HTTP/1.1\r\nHost: %[1]s\r\n%s\r\n", host, strings.Join(append(headers, ""), "\r\n")); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, strings.TrimSuffix(bodyOf(t, response), "\n")
}

func TestAConnectionThatCannotBeMadeIsRefusedWithItsReason(t *testing.T) {
	t.Parallel()
	s := serve(t, "", "")
	const ofMail = "Proxy-Authorization: Basic QVNJQTE6bG9jYWw=" // ASIA1:local
	const page = "The services of functions are not for web pages."
	refused := func(service, host string) string {
		return "the sandbox does not serve the cloud service " + service + " (a connection to " + host + "), and no call leaves this machine; to let such calls out, run: gatewright sandbox --allow-cloud"
	}
	long := strings.Repeat("a", 60) + "." + strings.Repeat("b", 60)
	for _, row := range []struct {
		host    string
		headers []string
		status  int
		answer  string
		said    []string
	}{
		{"nowhere", nil, 400, "The host has no port.", nil},
		{"sqs.eu-west-1.amazonaws.com:443", []string{ofMail}, 403, refused("sqs", "sqs.eu-west-1.amazonaws.com"), []string{"mail refused sqs a connection to sqs.eu-west-1.amazonaws.com"}},
		{"b.s3.amazonaws.com.cn:443", nil, 403, refused("s3", "b.s3.amazonaws.com.cn"), []string{"mail refused s3 a connection to b.s3.amazonaws.com.cn"}},
		{"a!b.amazonaws.com:443", []string{ofMail}, 403, refused("unknown", "a!b.amazonaws.com"), []string{"mail refused unknown a connection to a!b.amazonaws.com"}},
		{long + ".sqs.api.aws:443", nil, 403, refused("sqs", long[:80]+"..."), []string{"mail refused sqs a connection to " + long[:80] + "..."}},
		{"127.0.0.1:1", []string{"Origin: https://evil.example"}, 403, page, nil},
		{"127.0.0.1:1", []string{"Sec-Fetch-Site: none"}, 403, page, nil},
	} {
		status, answer := s.connect(t, row.host, row.headers...)
		if said := s.reported(); status != row.status || answer != row.answer || !slices.Equal(said, row.said) {
			t.Errorf("%.40s: %d %q, it reports %q", row.host, status, answer, said)
		}
	}
	// Nobody can listen on port 0.
	if status, answer := s.connect(t, "127.0.0.1:0"); status != http.StatusBadGateway || !strings.HasPrefix(answer, "dial tcp") {
		t.Errorf("where nobody listens: %d %q", status, answer)
	}
}

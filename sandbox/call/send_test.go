package call_test

import (
	"context"
	"net"
	"strings"
	"testing"

	"gatewright/sandbox"
	"gatewright/sandbox/call"
)

// A sandbox that ends in the middle is told as that, whatever it had sent by then.
func TestASandboxThatEndsBeforeItsAnswerIsTold(t *testing.T) {
	t.Parallel()
	for _, sent := range []string{"", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			buffer := make([]byte, 4096)
			_, _ = connection.Read(buffer)
			_, _ = connection.Write([]byte(sent))
			_ = connection.Close()
		}()
		api := sandbox.ServedAPI{Endpoint: "http://" + listener.Addr().String() + "/abc/dev"}
		for _, state := range []string{"in the middle", "before"} {
			_, err := call.Send(context.Background(), nil, api, call.Request{Method: "GET", Path: "/books"})
			if err == nil || !strings.Contains(err.Error(), "the sandbox ended before it answered") || !strings.HasSuffix(err.Error(), "gatewright sandbox") {
				t.Errorf("%s, after %q: %v", state, sent, err)
			}
			if call.WasSent(err) != (state == "in the middle") {
				t.Errorf("%s, after %q, the request counts as sent: %v", state, sent, call.WasSent(err))
			}
			_ = listener.Close()
		}
	}
}

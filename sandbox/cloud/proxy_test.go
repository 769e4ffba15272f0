package cloud

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// dialVariable has this test's program make a connection to its value, and send a line. The
// variables of a proxy are read once in a process.
const dialVariable = "GATEWRIGHT_TEST_DIAL"

// silent is the response of a proxy that gives none, as long as it is asked.
const silent = "none"

// proxies is a proxy that answers CONNECT as it is told, and then says what it was sent.
func proxies(t *testing.T, answer string) (address string, seen func() string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	requests := make(chan string, 1)
	go func() {
		defer close(requests)
		connection, err := listener.Accept()
		if err != nil {
			return
		}
		defer func() { _ = connection.Close() }()
		reader := bufio.NewReader(connection)
		r, err := http.ReadRequest(reader)
		if err != nil {
			requests <- err.Error()
			return
		}
		if answer == silent {
			_, _ = reader.ReadByte()
			return
		}
		requests <- fmt.Sprint(r.Method, " ", r.RequestURI, " ", r.Host, " ", r.Header["Proxy-Authorization"], r.Header["Authorization"])
		if _, err = io.WriteString(connection, answer); answer == "" || err != nil {
			return
		}
		line, _ := reader.ReadString('\n')
		_, _ = io.WriteString(connection, "it got "+line)
	}()
	return listener.Addr().String(), func() string {
		_ = listener.Close()
		return <-requests
	}
}

func TestAConnectionIsMadeThroughTheProxyOfThisMachine(t *testing.T) {
	if address := os.Getenv(dialVariable); address != "" {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if address == "silent.example:1" {
			// Its patience is over while the proxy has not answered.
			time.AfterFunc(50*time.Millisecond, cancel)
		}
		connection, err := dial(ctx, address)
		if err != nil {
			fmt.Println("error:", err)
			return
		}
		cancel() // what is made stays
		_, _ = io.WriteString(connection, "hello\n")
		text, _ := io.ReadAll(connection)
		fmt.Println("answer:", string(text))
		return
	}
	t.Parallel()
	const well, basic = "HTTP/1.1 200 Connection established\r\n\r\n", "[Basic bWU6c2VjcmV0]" // me:secret
	for _, row := range []struct {
		proxy, answer, want, seen string
	}{
		{"http://HOST", well, "answer: it got hello", "CONNECT db.example:5432 db.example:5432 [] []"},
		{"http://me:secret@HOST", well, "answer: it got hello", "CONNECT db.example:5432 db.example:5432 " + basic + " []"},
		{
			"http://HOST", "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n",
			"error: the proxy of this machine returned 407 Proxy Authentication Required", "CONNECT db.example:5432 db.example:5432 [] []",
		},
		{"http://HOST", "", "error: unexpected EOF", "CONNECT db.example:5432 db.example:5432 [] []"},
		{"http://HOST", silent, "error: ", ""},
		{"https://HOST", well, "error: the proxy of this machine is not one for http", ""},
		{"http://127.0.0.1:1", well, "error: dial tcp 127.0.0.1:1:", ""},
	} {
		address, seen := proxies(t, row.answer)
		own := slices.DeleteFunc(os.Environ(), func(pair string) bool {
			name, _, _ := strings.Cut(strings.ToUpper(pair), "=")
			return strings.HasSuffix(name, "_PROXY") || name == "REQUEST_METHOD"
		})
		command := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^"+t.Name()+"$")
		to := "db.example:5432"
		if row.answer == silent {
			to = "silent.example:1"
		}
		command.Env = append(own, dialVariable+"="+to, "HTTPS_PROXY="+strings.Replace(row.proxy, "HOST", address, 1))
		out, err := command.CombinedOutput()
		if got := string(out); err != nil || !strings.HasPrefix(got, row.want) {
			t.Errorf("through %s: %s, %v", row.proxy, got, err)
		}
		if got := seen(); got != row.seen {
			t.Errorf("through %s the proxy gets %q, not %q", row.proxy, got, row.seen)
		}
	}
}

//go:build unix

// Package standin runs a program that stands for AWS, for tests that deploy. It checks
// signatures and evaluates policies, and an access key of twelve digits is that account's.
package standin

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"gatewright/test/await"
	"gatewright/test/depth"
)

// Account is the account of callers without one of their own.
const Account = "123456789012"

// Server is a program that stands for AWS.
type Server struct {
	// URL is the endpoint of all its services.
	URL string
	// Python is the Python that has the SDK.
	Python string
}

// Start starts the program on a free port of this machine, with more variables. Without it the
// test is skipped.
func Start(t testing.TB, region string, variables ...string) Server {
	t.Helper()
	python := os.Getenv("GATEWRIGHT_MINISTACK_PYTHON")
	if python == "" {
		depth.Whole(t)
		depth.Lacks(t, "ministack", "GATEWRIGHT_MINISTACK_PYTHON names no Python with the packages ministack and boto3")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close()
	cmd := exec.Command(python, "-m", "ministack")
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "BIND_HOST=127.0.0.1", "GATEWAY_PORT="+address[strings.LastIndexByte(address, ':')+1:],
		"AUTH=true",
		"IOT_MTLS_ENABLED=0", "MINISTACK_ACCOUNT_ID="+Account, "MINISTACK_REGION="+region)
	cmd.Env = append(cmd.Env, variables...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the stand-in for AWS said: %s", said.String())
		}
	})
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
	})
	await.Until(t, "the stand-in for AWS to listen on "+address, func() bool {
		c, err := net.Dial("tcp", address)
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	})
	return Server{URL: "http://" + address, Python: python}
}

// Port is the port of the server.
func (s Server) Port() string { return s.URL[strings.LastIndexByte(s.URL, ':')+1:] }

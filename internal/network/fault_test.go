package network_test

import (
	"errors"
	"io"
	"net"
	"testing"

	"gatewright/internal/network"
)

// faults are all that the package tells apart.
var faults = map[string]func(error) bool{
	"refused": network.Refused, "reset": network.Reset, "in use": network.InUse, "forbidden": network.Forbidden,
	"exhausted": network.Exhausted,
}

// only checks that an error is this fault and no other.
func only(t *testing.T, err error, want string) {
	t.Helper()
	for name, is := range faults {
		if is(err) != (name == want) {
			t.Errorf("%q is %s: %v, want %v", err, name, is(err), name == want)
		}
	}
}

func listen(t *testing.T) *net.TCPListener {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l.(*net.TCPListener)
}

func TestWhereNothingListensAConnectionIsRefused(t *testing.T) {
	t.Parallel()
	l := listen(t)
	address := l.Addr().String()
	_ = l.Close()
	_, err := net.Dial("tcp4", address)
	only(t, err, "refused")
}

func TestAPortOfAnotherIsInUse(t *testing.T) {
	t.Parallel()
	_, err := net.Listen("tcp4", listen(t).Addr().String())
	only(t, err, "in use")
}

func TestAConnectionThatTheOtherSideCutsIsReset(t *testing.T) {
	t.Parallel()
	l := listen(t)
	client, err := net.Dial("tcp4", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	server, err := l.AcceptTCP()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(server.SetLinger(0), server.Close()); err != nil {
		t.Fatal(err)
	}
	_, err = client.Read(make([]byte, 1))
	only(t, err, "reset")
}

func TestAnEndIsNoFault(t *testing.T) {
	t.Parallel()
	for _, err := range []error{nil, io.EOF, net.ErrClosed} {
		only(t, err, "")
	}
}

func TestAConnectionHasEndedWhicheverSideEndedIt(t *testing.T) {
	t.Parallel()
	l := listen(t)
	client, err := net.Dial("tcp4", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	server, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	_ = server.Close()
	_, theirs := client.Read(make([]byte, 1))
	_ = client.Close()
	_, ours := client.Write([]byte("a"))
	for _, err := range []error{theirs, ours} {
		if !network.Ended(err) {
			t.Errorf("%q is no end of a connection", err)
		}
	}
	_ = l.Close()
	if _, err := net.Dial("tcp4", l.Addr().String()); network.Ended(err) {
		t.Errorf("%q is an end of a connection", err)
	}
}

package sandbox

import (
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"strings"
	"testing"
)

// portIn is the port of a listener.
func portIn(l net.Listener) int { return l.Addr().(*net.TCPAddr).Port }

func TestTheErrorForAPortInUseNamesHolderAndFreePort(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"127.0.0.1:0", "0.0.0.0:0"} {
		held, err := net.Listen("tcp4", address)
		must(t, err)
		defer held.Close()
		_, err = listen(portIn(held))
		var taken *PortError
		if !errors.As(err, &taken) || taken.Port != portIn(held) {
			t.Fatalf("%s: listening gives %v", address, err)
		}
		if runtime.GOOS == "linux" && !strings.HasSuffix(taken.Holder, fmt.Sprintf("(process %d)", os.Getpid())) {
			t.Errorf("%s: the holder is %q", address, taken.Holder)
		}
		free, err := listen(taken.Free)
		must(t, err)
		must(t, free.Close())
		if text := taken.Error(); !strings.Contains(text, fmt.Sprintf("--port %d", taken.Free)) || strings.Contains(text, "\n") {
			t.Errorf("%s: it reads %q", address, text)
		}
	}
}

func TestAConnectedPortHasNoHolder(t *testing.T) {
	t.Parallel()
	held, err := net.Listen("tcp4", "127.0.0.1:0")
	must(t, err)
	defer held.Close()
	connected, err := net.Dial("tcp4", held.Addr().String())
	must(t, err)
	defer connected.Close()
	if holder := holderOf(connected.LocalAddr().(*net.TCPAddr).Port); holder != "" {
		t.Errorf("the holder of a connection's port is %s", holder)
	}
}

func TestOnlyLoopbackIsListenedOn(t *testing.T) {
	t.Parallel()
	l, err := listen(0)
	must(t, err)
	defer l.Close()
	if ip := l.Addr().(*net.TCPAddr).IP; !ip.Equal(net.IPv4(127, 0, 0, 1)) {
		t.Errorf("it listens on %s", ip)
	}
}

package function

import (
	"errors"
	"net"
	"os"
)

// socketPair is not to be had here: a process inherits its standard streams alone.
func socketPair() (own net.Conn, other *os.File, err error) {
	return nil, nil, errors.ErrUnsupported
}

func receive(*os.File, []byte, bool) int { return 0 }

func hangUp(*os.File) {}

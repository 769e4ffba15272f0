package command

import (
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gatewright/deploy/aws"
	"gatewright/internal/clock"
)

// Streams are what a command has of the process: input and outputs, the folder that it runs in,
// environment and time zone. No command asks the process for them, so that commands of several
// projects can run at the same time.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	Dir      string
	// Environ are the environment variables, in the form of os.Environ; nil are those of the
	// process. The programs that a command starts get them too.
	Environ []string
	// Zone is the zone of the times that a command reads and prints; nil is that of this machine.
	Zone *time.Location
	// Tree makes the tree of all commands, for who lists them; nil in tests of one command.
	Tree func() *cobra.Command
	// AWS says how accounts of AWS are asked. Only tests are in more of a hurry than the zero value.
	AWS aws.Provider
}

// Getenv is os.Getenv for the environment of the streams.
func (s Streams) Getenv(name string) string {
	value, _ := s.LookupEnv(name)
	return value
}

// LookupEnv is os.LookupEnv for the environment of the streams. Of several values the last one
// counts, as package os/exec has it.
func (s Streams) LookupEnv(name string) (value string, found bool) {
	if s.Environ == nil {
		return os.LookupEnv(name)
	}
	for _, variable := range s.Environ {
		key, text, ok := strings.Cut(variable, "=")
		if ok && (key == name || runtime.GOOS == "windows" && strings.EqualFold(key, name)) {
			value, found = text, true
		}
	}
	return value, found
}

// Environment returns the environment of the streams, with other values of some variables.
func (s Streams) Environment(changed ...string) []string {
	if s.Environ == nil {
		return append(os.Environ(), changed...)
	}
	return append(s.Environ[:len(s.Environ):len(s.Environ)], changed...)
}

// Clock writes times in the zone of the streams.
func (s Streams) Clock() clock.Zoned { return clock.In(s.Zone) }

// zone is the zone of the times that a command reads.
func (s Streams) zone() *time.Location {
	if s.Zone == nil {
		return time.Local
	}
	return s.Zone
}

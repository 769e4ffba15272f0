package cli

import (
	"fmt"
	"io"
	"os"
	"os/signal"

	"gatewright/cli/command"
	_ "gatewright/cli/start" // before all others
)

// Main runs the command line of the process and exits.
func Main() {
	useZone()
	streams := command.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	// A command that handles the signal itself takes it over later.
	interrupt := make(chan os.Signal, 1)
	signal.Notify(interrupt, os.Interrupt)
	go exitWhenInterrupted(interrupt, streams)
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, "gatewright: finding the current folder:", err)
		os.Exit(int(command.ExitFailed))
	}
	streams.Dir = dir
	os.Exit(Run(os.Args[1:], streams))
}

// exitWhenInterrupted ends the program at ctrl+c. A write of files that this interrupts is
// completed or undone by the next command.
func exitWhenInterrupted(interrupt <-chan os.Signal, streams command.Streams) {
	<-interrupt
	os.Exit(interrupted(streams))
}

// interrupted returns the exit code of an interrupted command. In a terminal it ends the
// line, so that the shell's prompt begins on a new one.
func interrupted(streams command.Streams) int {
	if command.IsTerminal(streams.Err) {
		_, _ = io.WriteString(streams.Err, "\n")
	}
	return int(command.ExitInterrupted)
}

package cli

import (
	"fmt"
	"io"
	"os"
	"os/signal"

	"gatewright/cli/command"
)

// Main is the program: it runs the command that the process was started with, on its
// streams and in its folder, and ends the process.
func Main() {
	streams := command.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	// Asked for before anything else runs: a command that ends in another way takes
	// the signal over.
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

// exitWhenInterrupted ends the program at Ctrl-C. A write that is under way needs
// no other care: what a killed one leaves is finished or taken back at the next
// start.
func exitWhenInterrupted(interrupt <-chan os.Signal, streams command.Streams) {
	<-interrupt
	os.Exit(interrupted(streams))
}

// interrupted is what is left to do when Ctrl-C ends a command, and the exit code: in
// a terminal, what the shell says next begins a line of its own.
func interrupted(streams command.Streams) int {
	if command.IsTerminal(streams.Err) {
		_, _ = io.WriteString(streams.Err, "\n")
	}
	return int(command.ExitInterrupted)
}

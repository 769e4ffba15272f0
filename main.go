// Command gatewright designs REST API backends, runs them on one machine and
// deploys them.
package main

import (
	"fmt"
	"os"
	"os/signal"

	"gatewright/cli"
)

func main() {
	streams := cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	// Asked for before anything else runs: a command that ends in another way takes
	// the signal over.
	interrupt := make(chan os.Signal, 1)
	signal.Notify(interrupt, os.Interrupt)
	go exitWhenInterrupted(interrupt, streams)
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, "gatewright: finding the current folder:", err)
		os.Exit(cli.ExitFailed)
	}
	streams.Dir = dir
	os.Exit(cli.Run(os.Args[1:], streams))
}

// exitWhenInterrupted ends the program at Ctrl-C. A write that is under way needs
// no other care: what a killed one leaves is finished or taken back at the next
// start.
func exitWhenInterrupted(interrupt <-chan os.Signal, streams cli.Streams) {
	<-interrupt
	os.Exit(cli.Interrupted(streams))
}

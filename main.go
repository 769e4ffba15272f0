// Command gatewright designs REST API backends, runs them on one machine and
// deploys them.
package main

import "gatewright/cli"

func main() { cli.Main() }

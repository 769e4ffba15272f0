//go:build linux

// Command speed measures the program beside a floor, which does only what has to be done, and
// beside a peer, which does the same for other people. Each row of its table has all of them in the
// same run, in turn in each round, so that a busy machine affects all of them. It writes the table to
// test/speed.txt. It exits with 1 if an answer is wrong or a request is missing.
//
//	go run ./tools/speed                     # on a quiet machine, ten minutes
//	go run ./tools/speed -quick              # some rows of requests, a minute; writes no file
//	go run ./tools/speed -only 'keys|idle'   # the groups or rows of these names; writes no file
//
// It runs on Linux only, where it reads processor time from /proc, and installs the peers with npm.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"time"
)

const file = "test/speed.txt"

func main() {
	var b bench
	only := flag.String("only", "", "a `pattern` of the groups and rows to measure")
	flag.BoolVar(&b.quick, "quick", false, "measure only some requests, for a minute")
	flag.IntVar(&b.rounds, "rounds", 5, "number of `rounds`")
	flag.DurationVar(&b.span, "span", time.Second, "`duration` of a measurement of requests")
	role := flag.String("serve", "", "only serve as a `role` of a run: proxy, tables or answers")
	flag.Parse()
	log.SetFlags(0)
	if *role != "" {
		log.Fatal(serveAs(*role, flag.Arg(0)))
	}
	var err error
	if b.only, err = regexp.Compile(*only); err != nil {
		log.Fatal(err)
	}
	if b.quick {
		b.rounds, b.span = 3, b.span/4
	}
	if err := b.run(); err != nil {
		log.Fatal(err)
	}
	fmt.Print(b.text())
	if *only == "" && !b.quick {
		if err := os.WriteFile(file, []byte(b.text()), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// groups are the rows that need the same servers.
var groups = []struct {
	name, about string
	measure     func(context.Context, *bench) error
}{
	{"requests", "the function template Express in the sandbox; floor: a Go reverse proxy before the same app; " +
		"peer: serverless-offline with the same function", requests},
}

func (b *bench) run() error {
	var err error
	if b.work, err = os.MkdirTemp("", "speed"); err != nil {
		return err
	}
	defer func() {
		for _, s := range b.started {
			s.Kill()
		}
		_ = os.RemoveAll(b.work)
	}()
	b.machine = machine()
	ctx := context.Background()
	for i, g := range groups {
		if b.quick && i > 0 {
			break
		}
		began := time.Now()
		b.group = g.name
		b.lines = append(b.lines, "", g.name+": "+g.about)
		if err := g.measure(ctx, b); err != nil {
			return fmt.Errorf("%s: %w", g.name, err)
		}
		log.Printf("%s: %v", g.name, time.Since(began).Round(time.Second))
	}
	return nil
}

// machine says where and with what the table was made.
func machine() string {
	first := func(command string, args ...string) string {
		out, err := exec.Command(command, args...).Output()
		if err != nil {
			return "not known"
		}
		line, _, _ := strings.Cut(string(out), "\n")
		return line
	}
	cpu := first("sh", "-c", "sed -n 's/^model name.*: //p' /proc/cpuinfo")
	load := first("cut", "-d ", "-f1-3", "/proc/loadavg")
	commit := first("git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*")
	return fmt.Sprintf("%s, commit %s\n%s, %d cores, Linux %s, load before %s\n%s, Node.js %s, %s\n",
		time.Now().UTC().Format(time.DateOnly), commit, cpu, runtime.NumCPU(), first("uname", "-r"), load,
		runtime.Version(), first("node", "--version"), strings.Join(peers, ", "))
}

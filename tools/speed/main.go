//go:build linux

// Command speed measures the program next to a floor, which does only what has to be done, and
// to a peer, which does the same for other people. Each row of its table has all of them in the
// same run, in turn in each round, so that a busy machine affects all of them. It writes the table to
// test/speed.txt. It exits with 1 if an answer of the program is wrong or a request is missing.
//
//	go run ./tools/speed                     # on a quiet machine, ten minutes
//	go run ./tools/speed -quick              # some rows of requests, a minute; writes no file
//	go run ./tools/speed -only keys/Esc      # rows of a group, as patterns; writes no file
//
// It runs on Linux only, where it reads processor time from /proc, and installs the peers with npm.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"regexp"
	"strings"
	"time"

	"gatewright/tools/measure"
)

const file = "test/speed.txt"

func main() {
	var b bench
	only := flag.String("only", "", "measure only these groups, or `GROUP/ROW`")
	flag.BoolVar(&b.quick, "quick", false, "measure only some requests, for a minute")
	flag.IntVar(&b.rounds, "rounds", 5, "number of `rounds`")
	flag.DurationVar(&b.span, "span", time.Second/2, "`duration` of a measurement of requests")
	role := flag.String("serve", "", "only serve as a `role` of a run: proxy, tables or answers")
	flag.Parse()
	log.SetFlags(0)
	if *role != "" {
		log.Fatal(serveAs(*role, flag.Arg(0)))
	}
	group, row, _ := strings.Cut(*only, "/")
	var err error
	if b.groups, err = regexp.Compile("^(" + group + ")"); err == nil {
		b.rows, err = regexp.Compile(row)
	}
	if err != nil {
		log.Fatal(err)
	}
	if b.quick {
		b.rounds, b.span = 3, b.span/2
	}
	err = b.run()
	fmt.Print(b.text())
	if err != nil {
		log.Fatal(err)
	}
	if *only == "" && !b.quick {
		if err := os.WriteFile(file, []byte(b.text()), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// groups are the rows that need the same servers.
var groups = []struct {
	name, about string
	measure     func(*bench)
}{
	{"requests", "a function of the template Express, or Plain, in the sandbox; floor: a Go reverse proxy before the " +
		"same handler in Node.js; peer: serverless-offline with the same function", requests},
	{"cold start", "the first call of a function; floor: start Node.js with the same handler and call it; " +
		"peer: serverless-offline", cold},
	{"memory", "after 16 connections have read answers of 8 KB, again and again; floor and peer as for requests", memory},
	{"tables", "with what is written lasting; floor: net/http with a fixed answer; peer: dynalite in memory", tables},
	{"idle", "nobody asks; floor and peer as for requests", idle},
	{"start", "a command; floor: the command true; peer: node -e 0", start},
	{"paths", "floor of a call: as for requests; of adding: read all definitions as JSON, and write the one that " +
		"changes", paths},
	{"keys", "from a key to what it draws on the dashboard; floor of Esc: the key ? before it; of the last row: the " +
		"same at rest", keys},
}

func (b *bench) run() error {
	var err error
	if b.work, err = os.MkdirTemp("", "speed"); err != nil {
		return err
	}
	defer func() {
		for _, s := range b.started {
			_, _ = s.End(os.Interrupt)
			s.Kill()
		}
		_ = os.RemoveAll(b.work)
	}()
	b.ctx, b.machine = context.Background(), measure.Machine(peers...)
	built, err := measure.New(b.ctx, b.work)
	if err != nil {
		return err
	}
	b.program = built.Program
	for _, g := range groups {
		if b.quick && g.name != "requests" || !b.groups.MatchString(g.name) {
			continue
		}
		began := time.Now()
		b.lines = append(b.lines, "", g.name+": "+g.about)
		if err := attempt(func() { g.measure(b) }); err != nil {
			return fmt.Errorf("%s: %w", g.name, err)
		}
		log.Printf("%s: %v", g.name, time.Since(began).Round(time.Second))
	}
	return nil
}

//go:build linux

// Command speed compares warm calls of the Express template through the sandbox with other
// ways to answer them: Express alone, Express behind a reverse proxy, a process for each
// call and, with -peers, serverless-offline. Each cell is the median of several rounds; the
// servers are measured in turn in each round, so that a busy machine affects all of them.
// It runs on Linux only, where it reads processor time from /proc.
//
//	go run ./tools/speed            # about two minutes
//	go run ./tools/speed -peers     # with serverless-offline, which npm installs
//	go run ./tools/speed -tables    # compares the tables with dynalite; -items 1000000 measures growth
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"text/tabwriter"
	"time"
)

func main() {
	rounds := flag.Int("rounds", 5, "number of `rounds`")
	span := flag.Duration("span", 2*time.Second, "`duration` of each measurement")
	peers := flag.Bool("peers", false, "also install and measure serverless-offline")
	proxy := flag.String("proxy", "", "only serve as a reverse proxy in front of this `address`")
	tables := flag.Bool("tables", false, "compare the tables with dynalite instead, which npm installs")
	items := flag.Int("items", 0, "with -tables: largest `number` of items for which scans and queries are measured")
	file := flag.String("serve-tables", "", "only serve the tables in this `file`")
	flag.Parse()
	log.SetFlags(0)
	if *proxy != "" {
		log.Fatal(serveProxy(*proxy))
	}
	if *file != "" {
		log.Fatal(serveTables(*file))
	}
	if *tables {
		if err := measureTables(*rounds, *span, *items); err != nil {
			log.Fatal(err)
		}
		return
	}
	if err := run(*rounds, *span, *peers); err != nil {
		log.Fatal(err)
	}
}

func run(rounds int, span time.Duration, peers bool) error {
	work, err := os.MkdirTemp("", "speed")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	servers, stop, err := start(work, peers)
	defer stop()
	if err != nil {
		return err
	}
	cells := make(map[string]map[int][]sample)
	for range rounds {
		for _, connections := range []int{1, 16} {
			for _, s := range servers {
				m, err := s.measure(connections, span)
				if err != nil {
					return fmt.Errorf("%s: %w", s.name, err)
				}
				if cells[s.name] == nil {
					cells[s.name] = make(map[int][]sample)
				}
				cells[s.name][connections] = append(cells[s.name][connections], m)
			}
		}
	}
	return report(servers, cells)
}

func report(servers []*server, cells map[string]map[int][]sample) error {
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "one call (GET /items?limit=3)\tp50\tp99\tCPU a call\tto Express\tcalls a second, 1\t16\tto Express")
	var express, expressMany float64
	for i, s := range servers {
		one, many := cells[s.name][1], cells[s.name][16]
		p50 := median(one, func(m sample) float64 { return float64(m.p50) })
		rate := median(many, func(m sample) float64 { return m.rate })
		if i == 0 {
			express, expressMany = p50, rate
		}
		fmt.Fprintf(out, "%s\t%v\t%v\t%v\t%.2f\t%.0f\t%.0f\t%.2f\n", s.name,
			rounded(p50), rounded(median(one, func(m sample) float64 { return float64(m.p99) })),
			rounded(median(one, func(m sample) float64 { return float64(m.cpu) })), p50/express,
			median(one, func(m sample) float64 { return m.rate }), rate, rate/expressMany)
	}
	return out.Flush()
}

func rounded(d float64) time.Duration { return time.Duration(d).Round(time.Microsecond) }

func median(samples []sample, of func(sample) float64) float64 {
	values := make([]float64, len(samples))
	for i, s := range samples {
		values[i] = of(s)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

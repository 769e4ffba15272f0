// Command manual writes the manual pages and the scripts for shell completion of gatewright:
//
//	go run ./tools/manual --out FOLDER [--version 1.2.3] [--date 2026-11-26]
//
// Without --date, the pages have the day of SOURCE_DATE_EPOCH
// (https://reproducible-builds.org/specs/source-date-epoch/), else today.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"gatewright/cli"
	"gatewright/cli/command"
	"gatewright/cli/manual"
)

func main() {
	out := flag.String("out", "", "the folder to write to")
	version := flag.String("version", "0.0.0", "the version of the program")
	date := flag.String("date", "", "the day of the pages")
	flag.Parse()
	if err := write(*out, *version, *date); err != nil {
		fmt.Fprintln(os.Stderr, "manual:", err)
		os.Exit(1)
	}
}

func write(out, version, date string) error {
	if out == "" {
		return fmt.Errorf("no folder is given; give one with --out")
	}
	day, err := dayOf(date, os.Getenv("SOURCE_DATE_EPOCH"))
	if err != nil {
		return err
	}
	root := cli.NewRoot(command.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Dir: out})
	written, err := manual.Write(root, out, manual.Edition{Version: version, Date: day})
	if err != nil {
		return err
	}
	fmt.Printf("%d files are written to %s\n", written, out)
	return nil
}

func dayOf(date, epoch string) (time.Time, error) {
	switch {
	case date != "":
		day, err := time.Parse(time.DateOnly, date)
		if err != nil {
			return day, fmt.Errorf("--date is %q; write it like 2026-11-26", date)
		}
		return day, nil
	case epoch != "":
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH is %q, not a number of seconds", epoch)
		}
		return time.Unix(seconds, 0), nil
	}
	return time.Now(), nil
}

// Command conformance runs a public test suite for DynamoDB's protocol against the
// sandbox's tables, and fails if fewer cases pass than figures.txt records. The
// suite is nubo-db/dynamodb-conformance: its cases were verified on DynamoDB and
// use the AWS SDK for JavaScript. It needs git, Node.js and npm.
//
//	go run ./tools/conformance            # compare with figures.txt
//	go run ./tools/conformance -update    # write figures.txt
//	go run ./tools/conformance -suite DIR -failed   # use an existing clone; name the failures
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"gatewright/sandbox/table"
)

// The suite, at the commit that the figures are for.
const (
	source = "https://github.com/nubo-db/dynamodb-conformance"
	commit = "0ba4393668860db921afa5728feffe68b55e3e93"
)

// account is the account in the tables' ARNs. The suite takes 000000000000 for
// another account.
const account = "123456789012"

// figures is the file that records how many cases pass.
const figures = "tools/conformance/figures.txt"

func main() {
	suite := flag.String("suite", "", "an existing clone of the suite (default: clone it)")
	endpoint := flag.String("endpoint", "", "test the service at this address (default: the sandbox's tables)")
	update := flag.Bool("update", false, "write the figures")
	failed := flag.Bool("failed", false, "print the names of the cases that fail")
	flag.Parse()
	log.SetFlags(0)
	if err := run(*suite, *endpoint, *update, *failed); err != nil {
		log.Fatal(err)
	}
}

func run(suite, endpoint string, update, failed bool) error {
	work, err := os.MkdirTemp("", "conformance")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	if suite == "" {
		suite = filepath.Join(work, "suite")
		if err := clone(suite); err != nil {
			return err
		}
	}
	if _, err := os.Stat(filepath.Join(suite, "node_modules")); err != nil {
		if err := command(suite, nil, "npm", "install", "--no-package-lock", "--no-audit", "--no-fund"); err != nil {
			return err
		}
	}
	own := endpoint == ""
	if own {
		store, err := table.Open(filepath.Join(work, "tables.db"), table.Options{})
		if err != nil {
			return err
		}
		store.Situate(func(string) (string, string) { return "", account })
		defer func() { _ = store.Close() }()
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		endpoint = "http://" + listener.Addr().String()
		go func() { log.Fatal(http.Serve(listener, store.Handler())) }()
	}
	results, err := runSuite(suite, endpoint, filepath.Join(work, "results.json"))
	if err != nil {
		return err
	}
	return report(results, own, update, failed)
}

func clone(to string) error {
	for _, args := range [][]string{
		{"init", "-q", to},
		{"-C", to, "fetch", "-q", "--depth", "1", source, commit},
		{"-C", to, "checkout", "-q", "FETCH_HEAD"},
	} {
		if err := command("", nil, "git", args...); err != nil {
			return err
		}
	}
	return nil
}

func command(dir string, env []string, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return nil
}

// result is one case of the suite.
type result struct{ tier, name, status string }

// runSuite runs the suite against an endpoint.
func runSuite(suite, endpoint, file string) ([]result, error) {
	env := []string{
		"DYNAMODB_ENDPOINT=" + endpoint, "AWS_REGION=us-east-1", "AWS_ACCESS_KEY_ID=local",
		"AWS_SECRET_ACCESS_KEY=local",
	}
	// The command fails if a case fails; the results are in the file.
	failed := command(suite, env, "npx", "vitest", "run", "--reporter=json", "--outputFile="+file)
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, errors.Join(failed, err)
	}
	var output struct {
		TestResults []struct {
			Name             string
			AssertionResults []struct{ FullName, Status string }
		}
	}
	if err := json.Unmarshal(data, &output); err != nil {
		return nil, err
	}
	tier := regexp.MustCompile(`tier[0-9]+`)
	var all []result
	for _, file := range output.TestResults {
		for _, one := range file.AssertionResults {
			all = append(all, result{tier.FindString(file.Name), one.FullName, one.Status})
		}
	}
	if len(all) == 0 {
		return nil, errors.Join(failed, errors.New("the suite ran no case"))
	}
	return all, nil
}

// report prints the figures, and fails if fewer cases pass than are recorded.
func report(results []result, own, update, failed bool) error {
	passed, total := map[string]int{}, map[string]int{}
	for _, r := range results {
		for _, tier := range []string{r.tier, "whole"} {
			total[tier]++
			if r.status == "passed" {
				passed[tier]++
			}
		}
		if failed && r.status != "passed" {
			fmt.Printf("%s %s: %s\n", r.tier, r.status, r.name)
		}
	}
	var text bytes.Buffer
	out := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	var tiers []string
	for tier := range total {
		tiers = append(tiers, tier)
	}
	slices.Sort(tiers)
	for _, tier := range tiers {
		fmt.Fprintf(out, "%s\t%d\tof %d\n", tier, passed[tier], total[tier])
	}
	if err := out.Flush(); err != nil {
		return err
	}
	fmt.Print(text.String())
	if !own {
		return nil
	}
	if update {
		return os.WriteFile(figures, text.Bytes(), 0o644)
	}
	before, err := os.ReadFile(figures)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(before)) {
		var tier string
		var n, of int
		if _, err := fmt.Sscanf(line, "%s %d of %d", &tier, &n, &of); err != nil {
			return fmt.Errorf("%s: %w", figures, err)
		}
		if passed[tier] < n {
			return fmt.Errorf("%s: %d cases pass, but %s records %d", tier, passed[tier], figures, n)
		}
	}
	return nil
}

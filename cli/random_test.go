package cli_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"gatewright/cli"
	"gatewright/cli/clitest"
	"gatewright/test/depth"
)

// The words of random command lines: valid ones first, then typical mistakes.
func oddNames() []string {
	return []string{"one", "two", "six", "ONE", "a b", "", "-", "\x1b[2J", "é", "x.y", strings.Repeat("n", 70)}
}

func oddPaths() []string {
	return []string{"/a", "/", "/a/{id}", "/a/{key}/x", "/{proxy+}", "a", "/a/", "", "/\u202e"}
}

func oddActions() []string {
	return []string{"all", "read", "create,update", "", "none", "reed", "read,,"}
}

func oddValues(good ...string) []string {
	return append(good, "", "1", "-1", "0", "x", "{}", "true", "a=b", "\xff", "a\nb")
}

// oddFlags returns the flags of the commands for each kind, with possible values; nil for a
// flag without a value.
func oddFlags() map[string]map[string][]string {
	access := map[string][]string{
		"function": oddNames(), "new-function": oddValues("plain", "crud", "express"), "open": nil, "auth": oddActions(), "guest": oddActions(),
		"group": oddValues("one=all", "two=read"), "no-auth": nil, "no-guest": nil, "no-group": oddNames(),
	}
	api := maps.Clone(access)
	api["path"] = oddPaths()
	return map[string]map[string][]string{
		"api":  api,
		"path": access,
		"function": {
			"template": oddValues("plain", "crud"), "runtime": oddValues("python", "nodejs"), "table": oddNames(), "timeout": oddValues("9"), "memory": oddValues("512"),
			"env": oddValues("A=1"), "unset-env": oddValues("A"), "secret": oddValues("KEY"), "schedule": oddValues("rate(1 day)"), "layer": oddValues(),
			"access": oddValues("table/one=read", "function/two=all"), "partition-key": oddValues("id:string"),
		},
		"table": {"partition-key": oddValues("id", "id:number"), "sort-key": oddValues("at:number"), "index": oddValues("one:x:string"), "remove-index": oddNames()},
		"env": {
			"provider": oddValues("local", "aws"), "region": oddValues("eu-west-1"), "account": oddValues("123456789012"), "branch": oddNames(), "guarded": nil,
			"api": oddNames(), "all-apis": nil, "parameter": oddValues("a=1"), "unset-parameter": oddNames(), "variable": oddValues("one.A=1"), "unset-variable": oddNames(),
			"data": oddValues("url=x"), "storage": oddValues("bucket_name=x"), "copy-from": oddNames(), "confirm": oddNames(),
		},
		"group":   {"order": oddValues("one,two", "two,one"), "first": nil, "last": nil, "before": oddNames()},
		"output":  {"set": oddValues("custom.x=1", "custom.API.one.x=2", "storage.bucket_name=x", "geo.maps.default=x"), "unset": oddValues("custom.x", "custom.API")},
		"auth":    {"mfa-methods": oddValues("SMS"), "oauth-scopes": oddValues("a,b"), "password-policy-min-length": oddValues("8"), "unset": oddValues("oauth", "mfa_methods"), "remove": nil},
		"data":    {"url": oddValues(), "api-key": oddValues("<API_KEY>"), "authorization-types": oddValues("API_KEY"), "env": oddNames(), "unset": oddValues("url"), "remove": nil},
		"storage": {"bucket-name": oddValues(), "cloud-region": oddValues(), "env": oddNames(), "remove": nil},
		"project": {"name": oddNames(), "region": oddValues(), "dialect": oddValues("amplify", "neutral"), "sandbox-port": oddValues("4300")},
		"nothing": {},
	}
}

// pick draws a word, usually one of the first two, which are valid.
func pick(r *rand.Rand, list []string) string {
	if r.IntN(8) > 0 {
		return list[r.IntN(min(2, len(list)))]
	}
	return list[r.IntN(len(list))]
}

// drawCommand returns a random command line, which may be valid.
func drawCommand(r *rand.Rand, odd map[string]map[string][]string) []string {
	kinds := slices.Sorted(maps.Keys(odd))
	verb, kind := pick(r, []string{"add", "update", "rename", "remove"}), kinds[r.IntN(len(kinds))]
	args := []string{verb, kind}
	lists := [][]string{oddNames()}
	switch kind {
	case "path":
		lists = append(lists, oddPaths())
	case "auth", "data", "storage", "project":
		args[0], lists = "update", nil
	}
	if verb == "rename" {
		lists = append(lists, lists[max(0, len(lists)-1):]...)
	}
	if r.IntN(12) == 0 {
		lists = append(lists, oddNames())
	}
	for _, list := range lists {
		args = append(args, pick(r, list))
	}
	own := odd[kind]
	switch {
	case r.IntN(12) == 0:
		own = odd[kinds[r.IntN(len(kinds))]]
	case verb == "add" && kind == "api":
		args = append(args, "--path="+pick(r, oddPaths()), "--function=one", "--new-function=plain")
	case verb == "add" && kind == "path":
		args = append(args, "--function=one", "--new-function=plain")
	case verb == "add" && kind == "table":
		args = append(args, "--partition-key=id")
	case verb == "rename":
		own = nil
	case verb == "remove":
		own = map[string][]string{"cascade": nil, "confirm": oddNames(), "dry-run": nil}
	}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		if r.IntN(2*len(own)) > 1 {
			continue
		}
		if own[name] == nil {
			args = append(args, "--"+name)
		} else {
			args = append(args, "--"+name+"="+pick(r, own[name]))
		}
	}
	return args
}

// TestRandomCommandLines runs random command lines in one project. A command that fails must
// print one line, exit with 1 or 2 and change no file. After one that succeeds the project
// must be readable, and the same update again must change nothing.
func TestRandomCommandLines(t *testing.T) {
	t.Parallel()
	depth.WithoutRace(t)
	odd := oddFlags()
	var tried, wrote atomic.Int64
	t.Cleanup(func() {
		if wrote.Load()*10 < tried.Load() {
			t.Errorf("only %d of %d commands wrote files: too few command lines are valid", wrote.Load(), tried.Load())
		}
	})
	for seed := range uint64(depth.Rounds(3, 6, 12)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 1))
			s := clitest.New(t)
			s.Run(0, "init", "--name", "shop")
			s.Run(0, "add", "api", "one", "--path", "/a", "--function", "one", "--new-function", "plain")
			for range 80 {
				tried.Add(1)
				before := s.Tree()
				args := drawCommand(r, odd)
				var out, err bytes.Buffer
				streams := clitest.Streams(s.Dir, s.State)
				streams.Out, streams.Err = &out, &err
				code := cli.Run(args, streams)
				after := s.Tree()
				switch {
				case code == 0 && after != before:
					wrote.Add(1)
					s.Run(0, "env", "list")
					if args[0] == "update" && s.Again(args) != after {
						t.Fatalf("%q changes files the second time", args)
					}
				case code == 0:
				case code != 1 && code != 2:
					t.Fatalf("%q exits %d: %s", args, code, err.String())
				case out.Len() > 0 || err.Len() > 600 || strings.Count(err.String(), "\n") != 1 || strings.ContainsAny(err.String(), "\x1b\u202e"):
					t.Fatalf("%q fails with\n%s%s", args, out.String(), err.String())
				case after != before:
					t.Fatalf("%q fails with %s and changes the files to\n%s\nfrom\n%s", args, err.String(), after, before)
				}
			}
		})
	}
}

package cli_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/cli"
	"gatewright/cli/clitest"
)

// TestAFileOfALaterVersionIsRefusedByName gives each file of a project in turn the version
// that a later gatewright would write.
func TestAFileOfALaterVersionIsRefusedByName(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	streams := clitest.Streams(dir, t.TempDir())
	run := func(code int, line string) string {
		t.Helper()
		var out bytes.Buffer
		streams.Out, streams.Err = &out, &out
		got := cli.Run(strings.Fields(line), streams)
		if got != code {
			t.Errorf("%s exits %d, want %d: %s", line, got, code, out.String())
		}
		return out.String()
	}
	for _, line := range []string{
		"init --name shop --app-id app1",
		"add function books --template plain",
		"add table books --partition-key isbn:string",
		"add api shop --path /books --function books --open",
		"update api shop --cors-header x-tenant",
		"add group Editors",
		"add output contact --set custom.supportMail=help@example.com",
		"update data --cloud-region eu-west-1 --url https://data.example.com/graphql --default-authorization-type AWS_IAM --authorization-types AWS_IAM",
		"update storage --cloud-region eu-west-1 --bucket-name shop-uploads",
	} {
		run(0, line)
	}
	requests := filepath.Join(dir, "backend", "requests")
	if err := os.MkdirAll(requests, 0o755); err != nil {
		t.Fatal(err)
	}
	request := `{"$schema": "urn:gatewright:2024-02:request", "version": 1, "api": "shop", "method": "GET", "path": "/books", "as": "guest"}`
	if err := os.WriteFile(filepath.Join(requests, "list.json"), []byte(request), 0o644); err != nil {
		t.Fatal(err)
	}
	run(0, "validate")

	files := 0
	err := filepath.WalkDir(filepath.Join(dir, "backend"), func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		ours := bytes.Contains(text, []byte("urn:gatewright:2024-02:")) || filepath.Base(name) == "cli-inputs.json"
		if err != nil || !ours {
			return err
		}
		files++
		at, _ := filepath.Rel(dir, name)
		version := `"version": 1`
		if filepath.Base(name) == "cli-inputs.json" {
			version = `"version": 2` // beside settings
		}
		for _, later := range []struct{ what, was, is string }{
			{"has the version 3", version, `"version": 3`},
			{"names a schema of 2031-07", "urn:gatewright:2024-02:", "urn:gatewright:2031-07:"},
		} {
			changed := strings.Replace(string(text), later.was, later.is, 1)
			if changed == string(text) {
				continue
			}
			if err := os.WriteFile(name, []byte(changed), 0o644); err != nil {
				return err
			}
			for _, line := range []string{"validate", "validate " + at} {
				out := run(1, line)
				if !strings.Contains(out, filepath.ToSlash(at)) || !strings.Contains(out, later.what) || !strings.Contains(out, "install a newer gatewright") ||
					strings.Count(out, "error:") != 1 {
					t.Errorf("with %s %s says %s", at, line, out)
				}
			}
			if !strings.Contains(at, "requests") {
				// A saved request is no part of what is deployed.
				for _, line := range []string{"add group Others --dry-run", "push"} {
					out := run(1, line)
					if !strings.Contains(out, filepath.ToSlash(at)) || !strings.Contains(out, later.what) || strings.Count(out, "\n") != 1 {
						t.Errorf("with %s %s says %s", at, line, out)
					}
				}
			}
			if now, err := os.ReadFile(name); err != nil || string(now) != changed {
				t.Errorf("%s is now %s, %v", at, now, err)
			}
		}
		return os.WriteFile(name, text, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	if files != 11 {
		t.Errorf("%d files were tried, want one of each of the 11 kinds", files)
	}
}

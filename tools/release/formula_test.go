package main

import (
	"fmt"
	"strings"
	"testing"

	"gatewright/tools/release/formula"
)

func formulaOf(base string) formula.Release {
	sums := map[string]string{}
	for i, name := range []string{"darwin_arm64.tar.gz", "darwin_amd64.tar.gz", "linux_arm64.tar.gz", "linux_amd64.tar.gz", "windows_amd64.zip", "windows_arm64.zip"} {
		sums["gatewright_1.2.3_"+name] = fmt.Sprintf("%064d", i+1)
	}
	return formula.Release{Version: "1.2.3", Base: base, Sums: sums}
}

const github = "https://github.com/example/gatewright/releases/download/v1.2.3/"

func TestTheFormulaHasTheArchiveAndSumOfEachSystem(t *testing.T) {
	t.Parallel()
	text, err := formula.Homebrew(formulaOf(github))
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf(`  on_macos do
    on_arm do
      url "%[1]sgatewright_1.2.3_darwin_arm64.tar.gz"
      sha256 "%064[2]d"
    end
    on_intel do
      url "%[1]sgatewright_1.2.3_darwin_amd64.tar.gz"
      sha256 "%064[3]d"
    end
  end

  on_linux do
    on_arm do
      url "%[1]sgatewright_1.2.3_linux_arm64.tar.gz"
      sha256 "%064[4]d"
`, github, 1, 2, 3)
	if !strings.Contains(text, want) {
		t.Errorf("the formula is\n%s\nand has not\n%s", text, want)
	}
	if !strings.Contains(text, `homepage "https://github.com/example/gatewright"`) {
		t.Errorf("the homepage is not the repository:\n%s", text)
	}
}

func TestTheManifestHasTheArchiveAndSumOfEachProcessor(t *testing.T) {
	t.Parallel()
	out, err := formula.Scoop(formulaOf("https://example.com/d"))
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf(`{
  "version": "1.2.3",
  "description": "Design REST API backends from a terminal and run them on your machine",
  "homepage": "https://example.com/d",
  "license": "Apache-2.0",
  "architecture": {
    "64bit": {
      "url": "https://example.com/d/gatewright_1.2.3_windows_amd64.zip",
      "hash": "%064d",
      "extract_dir": "gatewright_1.2.3_windows_amd64"
    },
    "arm64": {
      "url": "https://example.com/d/gatewright_1.2.3_windows_arm64.zip",
      "hash": "%064d",
      "extract_dir": "gatewright_1.2.3_windows_arm64"
    }
  },
  "bin": "gatewright.exe"
}
`, 5, 6)
	if string(out) != want {
		t.Errorf("the manifest is\n%s\nwant\n%s", out, want)
	}
}

func TestAReleaseWithoutAnArchiveHasNoFormula(t *testing.T) {
	t.Parallel()
	r := formulaOf(github)
	delete(r.Sums, "gatewright_1.2.3_linux_amd64.tar.gz")
	if _, err := formula.Homebrew(r); err == nil || !strings.Contains(err.Error(), "gatewright_1.2.3_linux_amd64.tar.gz") {
		t.Errorf("error %v", err)
	}
}

func TestAnAddressThatRubyWouldObeyIsRefused(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"", "example.com", "http://example.com", "https://", "https://example.com/#{x}", "https://example.com/\"", "https://example.com/?a=b", "https://example.com/a b"} {
		if formula.CheckBase(base) == nil {
			t.Errorf("%q was accepted", base)
		}
	}
	if err := formula.CheckBase(github); err != nil {
		t.Error(err)
	}
}

// Command release writes what GoReleaser packs into a release and cannot make: the licences in
// the program, a bill of materials, the package.json and README of each package for npm, and texts as
// distributions want them. It runs as a hook of .goreleaser.yaml, after tools/manual has written the
// manual pages to the same folder:
//
//	go run ./tools/release --out FOLDER --version 1.2.3
//
// The environment is that of .ci/release. The same commit gives the same bytes.
package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"gatewright/cli/licence"
	"gatewright/tools/release/npm"
	"gatewright/tools/release/sbom"
)

func main() {
	out := flag.String("out", "", "write to this `folder`, which has the manual pages")
	version := flag.String("version", "", "the semantic `version` of the release")
	flag.Parse()
	if err := write(*out, *version); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func write(out, version string) error {
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return errors.New("SOURCE_DATE_EPOCH is not a number of seconds: run .ci/release, which sets it")
	}
	date := time.Unix(seconds, 0).UTC()
	// Only a release on GitHub tells by the address of its files where the repository is.
	repository, _, known := strings.Cut(os.Getenv("BASE_URL"), "/releases/download/")
	if !known {
		repository = ""
	}
	packages := npm.Release{Version: version, Scope: os.Getenv("NPM_SCOPE"), Repository: repository}
	if err := npm.Write(filepath.Join(out, "npm"), packages); err != nil {
		return err
	}
	all, err := licence.OfProgram(version)
	if err != nil {
		return err
	}
	bill, err := sbom.Write(date, all.Modules)
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(out, "bill.cdx.json"), bill, 0o644),
		os.WriteFile(filepath.Join(out, "THIRD-PARTY-LICENSES.txt"), []byte(all.Document()), 0o644),
		packTexts(out, debianChangelog(version, os.Getenv("MAINTAINER"), date)),
	)
}

// packTexts packs the texts that distributions have packed: into the folder packed.
func packTexts(out, changelog string) error {
	pages, err := filepath.Glob(filepath.Join(out, "man", "man1", "*.1"))
	if err != nil {
		return err
	}
	if len(pages) == 0 {
		return fmt.Errorf("%s has no manual pages: run tools/manual before", out)
	}
	folder := filepath.Join(out, "packed")
	if err := os.MkdirAll(filepath.Join(folder, "man1"), 0o755); err != nil {
		return err
	}
	news, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		return err
	}
	texts := map[string][]byte{"changelog.gz": news, "changelog.Debian.gz": []byte(changelog)}
	for _, page := range pages {
		if texts[filepath.Join("man1", filepath.Base(page)+".gz")], err = os.ReadFile(page); err != nil {
			return err
		}
	}
	for name, body := range texts {
		var packed bytes.Buffer
		w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
		if err != nil {
			return err
		}
		_, err = w.Write(body)
		if err := errors.Join(err, w.Close()); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, name), packed.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// debianChangelog is the changelog of the package for Debian, with the version as dpkg compares it;
// what changed in the program is in the other one.
func debianChangelog(version, maintainer string, date time.Time) string {
	return fmt.Sprintf("gatewright (%s-1) unstable; urgency=medium\n\n  * changelog.gz says what is new.\n\n -- %s  %s\n",
		strings.Replace(version, "-", "~", 1), maintainer, date.Format(time.RFC1123Z))
}

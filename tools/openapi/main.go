// Command openapi runs public validators on the documents that `gatewright generate openapi`
// writes of the sample project and of the committed files of public projects, and prints what
// each says. Documents for people must be clean in all; in documents for API Gateway nothing may
// be found but the rule about parameters, which does not know {proxy+}. It needs Node.js, npm
// and Python, and fails if something else is found.
//
//	go run ./tools/openapi            # compare with figures.txt
//	go run ./tools/openapi -update    # write figures.txt
//	go run ./tools/openapi -judges DIR   # use the validators that are installed in a folder, or install them there
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
)

// packages are the validators of npm, with the releases that the figures are for, validator is
// that of Python.
var packages = []string{
	"@redocly/cli@2.77.0", "@stoplight/spectral-cli@6.16.3", "@seriousme/openapi-schema-validator@2.11.0",
	"@apidevtools/swagger-parser@13.1.0", "openapi-typescript@7.13.0", "typescript@5.9.3",
}

const validator = "openapi-spec-validator==0.9.0"

// figures is the file that records what the validators say.
const figures = "tools/openapi/figures.txt"

//go:embed judge.mjs
var script []byte

func main() {
	judges := flag.String("judges", "", "the absolute `FOLDER` of the validators (default: a new one, which is removed)")
	real := flag.String("real", "../shared/real/cli-inputs", "the `FOLDER` with committed files of public projects")
	update := flag.Bool("update", false, "write the figures")
	flag.Parse()
	log.SetFlags(0)
	if err := run(*judges, *real, *update); err != nil {
		log.Fatal(err)
	}
}

func run(judges, real string, update bool) error {
	work, err := os.MkdirTemp("", "openapi")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	if judges == "" {
		judges = filepath.Join(work, "judges")
	}
	if err := install(judges); err != nil {
		return err
	}
	documents, err := export(work, real)
	if err != nil {
		return err
	}
	counts, err := judge(judges, documents)
	if err != nil {
		return err
	}
	text, fault := report(documents, counts)
	fmt.Print(text)
	if update {
		return os.WriteFile(figures, []byte(text), 0o644)
	}
	if was, err := os.ReadFile(figures); err != nil || string(was) != text {
		return fmt.Errorf("this differs from %s; write it with: go run ./tools/openapi -update", figures)
	}
	return fault
}

// install installs the validators in a folder that has none.
func install(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(folder, "node_modules")); err != nil {
		if err := installWith(folder, "npm",
			append([]string{"install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", "."},
				packages...)...); err != nil {
			return err
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "py")); err != nil {
		if err := installWith(folder, "python3", "-m", "venv", "py"); err != nil {
			return err
		}
		return installWith(folder, "py/bin/pip", "install", "-q", validator)
	}
	return nil
}

func installWith(dir, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return nil
}

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// judgeNames are the judges in the order of the report.
var judgeNames = []string{
	"redocly lint", "spectral", "swagger-parser", "openapi-schema-validator",
	"openapi-typescript", "openapi-spec-validator", "tsc --strict",
}

// judge runs all judges and returns the rules that each document breaks, by judge and file.
func judge(folder string, documents []document) (map[string]map[string][]string, error) {
	found := make(map[string]map[string][]string)
	var files []string
	for _, name := range judgeNames {
		found[name] = make(map[string][]string)
	}
	for _, d := range documents {
		files = append(files, d.file)
	}
	add := func(judge, file, rule string) {
		file = filepath.Base(file)
		for _, known := range found[judge][file] {
			if known == rule {
				return
			}
		}
		found[judge][file] = append(found[judge][file], rule)
	}
	for _, work := range []func(string, []string, func(judge, file, rule string)) error{
		redocly, spectral, libraries,
		python,
	} {
		if err := work(folder, files, add); err != nil {
			return nil, err
		}
	}
	args := []string{"--strict", "--noEmit"}
	for _, file := range files {
		args = append(args, filepath.Base(file)+".ts")
	}
	compile := exec.Command(filepath.Join(folder, "node_modules/.bin/tsc"), args...)
	compile.Dir = folder
	out, err := compile.Output()
	for line := range strings.Lines(string(out)) {
		if file, message, ok := strings.Cut(line, ".ts("); ok {
			add("tsc --strict", file, "error "+strings.TrimSpace(message))
		}
	}
	if failed := new(exec.ExitError); err != nil && !errors.As(err, &failed) {
		return nil, err
	}
	return found, nil
}

// redocly runs the rules of the specification.
func redocly(folder string, files []string, add func(judge, file, rule string)) error {
	type result struct {
		Problems []struct {
			RuleID   string `json:"ruleId"`
			Severity string `json:"severity"`
			Location []struct {
				Source struct {
					Ref string `json:"ref"`
				} `json:"source"`
			} `json:"location"`
		} `json:"problems"`
	}
	// It prints a value for each file.
	return runJSON(folder, func(values *json.Decoder) error {
		var output result
		err := values.Decode(&output)
		for _, p := range output.Problems {
			add("redocly lint", p.Location[0].Source.Ref, p.Severity+" "+p.RuleID)
		}
		return err
	}, "node_modules/.bin/redocly",
		append([]string{"lint", "--extends=spec", "--format=json", "--max-problems=100000"}, files...)...)
}

// spectral runs the rules for OpenAPI.
func spectral(folder string, files []string, add func(judge, file, rule string)) error {
	if err := os.WriteFile(filepath.Join(folder, "ruleset.yaml"), []byte("extends: [\"spectral:oas\"]\n"),
		0o644); err != nil {
		return err
	}
	return runJSON(folder, func(values *json.Decoder) error {
		var output []struct {
			Code, Source string
			Severity     int
		}
		err := values.Decode(&output)
		for _, p := range output {
			severity := "warning"
			if p.Severity == 0 {
				severity = "error"
			}
			add("spectral", p.Source, severity+" "+p.Code)
		}
		return err
	}, "node_modules/.bin/spectral", append([]string{"lint", "-q", "-r", "ruleset.yaml", "-f", "json"}, files...)...)
}

// runJSON runs a command that prints values of JSON, and calls take until they end. The command
// may fail, since it fails if it finds something, but prints one value at least.
func runJSON(folder string, take func(*json.Decoder) error, name string, args ...string) error {
	var said bytes.Buffer
	cmd := exec.Command(filepath.Join(folder, name), args...)
	cmd.Dir, cmd.Stderr = folder, &said
	out, _ := cmd.Output()
	values := json.NewDecoder(bytes.NewReader(out))
	for n := 0; ; n++ {
		err := take(values)
		if n > 0 && errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w\n%s", name, err, said.String())
		}
	}
}

// libraries runs judge.mjs.
func libraries(folder string, files []string, add func(judge, file, rule string)) error {
	if err := os.WriteFile(filepath.Join(folder, "judge.mjs"), script, 0o644); err != nil {
		return err
	}
	cmd := exec.Command("node", append([]string{"judge.mjs"}, files...)...)
	cmd.Dir = folder
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("judge.mjs: %w", err)
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	for lines.Scan() {
		var line struct {
			Judge, File string
			Faults      []string
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return err
		}
		for _, fault := range line.Faults {
			add(line.Judge, line.File, "error "+fault)
		}
	}
	return lines.Err()
}

// python runs openapi-spec-validator, which does not know {proxy+}.
func python(folder string, files []string, add func(judge, file, rule string)) error {
	for _, file := range files {
		out, err := exec.Command(filepath.Join(folder, "py/bin/openapi-spec-validator"), file).CombinedOutput()
		switch {
		case err == nil:
		case strings.Contains(string(out), "Path parameter 'proxy+'"):
			add("openapi-spec-validator", file, "error proxy+ not resolved")
		default:
			add("openapi-spec-validator", file, "error "+strings.TrimSpace(string(out)))
		}
	}
	return nil
}

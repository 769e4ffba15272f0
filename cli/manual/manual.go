// Package manual writes the manual pages and the scripts for shell completion from the tree of
// commands. The program does not import it: tools/manual does, for a release.
package manual

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
)

// Edition is what every page says of the program that it belongs to.
type Edition struct {
	// Version is that of the program, such as 1.2.3.
	Version string
	// Date is the day of the pages; its time is not shown.
	Date time.Time
}

// Pages returns the manual pages of a command and all below it, as roff, by the names of their
// files, such as gatewright-add-api.1. Hidden commands have none.
func Pages(root *cobra.Command, e Edition) map[string][]byte {
	pages := make(map[string][]byte)
	for _, cmd := range command.Visible(root) {
		pages[pageName(cmd)+".1"] = page(cmd, e)
	}
	return pages
}

// Completions returns the scripts for shell completion, by the names that shells expect of
// their files.
func Completions(root *cobra.Command) (map[string][]byte, error) {
	scripts := make(map[string][]byte)
	for name, generate := range map[string]func(io.Writer) error{
		"gatewright.bash": func(w io.Writer) error {
			script, err := command.BashCompletion(root, true)
			if err != nil {
				return err
			}
			_, err = w.Write(script)
			return err
		},
		"_gatewright":     root.GenZshCompletion,
		"gatewright.fish": func(w io.Writer) error { return root.GenFishCompletion(w, true) },
		"gatewright.ps1":  root.GenPowerShellCompletionWithDesc,
	} {
		var script bytes.Buffer
		if err := generate(&script); err != nil {
			return nil, fmt.Errorf("writing the completion script %s: %w", name, err)
		}
		scripts[name] = script.Bytes()
	}
	return scripts, nil
}

// Write writes the pages into the folder man/man1 and the scripts into the folder completions,
// both below dir. It returns how many files it wrote.
func Write(root *cobra.Command, dir string, e Edition) (int, error) {
	scripts, err := Completions(root)
	if err != nil {
		return 0, err
	}
	written := 0
	for folder, files := range map[string]map[string][]byte{
		filepath.Join("man", "man1"): Pages(root, e),
		"completions":                scripts,
	} {
		folder = filepath.Join(dir, folder)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return written, fmt.Errorf("writing the manual: %w", err)
		}
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(folder, name), text, 0o644); err != nil {
				return written, fmt.Errorf("writing the manual: %w", err)
			}
			written++
		}
	}
	return written, nil
}

// pageName is the name of a command's page, such as gatewright-add-api.
func pageName(cmd *cobra.Command) string {
	return strings.ReplaceAll(cmd.CommandPath(), " ", "-")
}

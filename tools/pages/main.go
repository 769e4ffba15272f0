// Command pages writes the pages of docs/reference that are made from the program: its commands, its exit codes
// and variables, and the fields of its files, from their schemas. Run it in the top folder of the project:
//
//	go run ./tools/pages
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"gatewright/cli"
	"gatewright/cli/command"
)

func main() {
	if err := write(filepath.Join("docs", "reference")); err != nil {
		fmt.Fprintln(os.Stderr, "pages:", err)
		os.Exit(1)
	}
}

func write(folder string) error {
	pages, err := all()
	if err != nil {
		return err
	}
	for name, text := range pages {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			return fmt.Errorf("writing the page: %w", err)
		}
	}
	return nil
}

// all returns the text of each page by the name of its file.
func all() (map[string]string, error) {
	pages := map[string]string{"commands.md": commands(), "exit-codes.md": facts()}
	for _, page := range fieldPages {
		text, err := page.text()
		if err != nil {
			return nil, err
		}
		pages[page.file] = text
	}
	return pages, nil
}

// commands lists every command with its usage, in the groups of the help.
func commands() string {
	root := cli.NewRoot(command.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard})
	var b strings.Builder
	b.WriteString(`# Commands

Every command, with its arguments. ` + "`gatewright help COMMAND`" + ` has its flags and examples, and so does the manual
page, such as ` + "`man gatewright-add-api`" + `.

- A command that writes takes ` + "`--dry-run`, `--diff` (a diff that `git apply` takes) and `--json`" + `. It writes all
  of its files or none, and never overwrites a file that changed since it was read.
- A command that reports takes ` + "`--json`" + `: names are in camelCase, lists are never absent. A command that fails
  prints no report.
- An error is one line: what is wrong, where, what to do. Without a terminal, nothing is asked.
- Times are in your time zone (` + "`TZ`" + `), and in UTC in JSON.
`)
	for _, group := range root.Groups() {
		fmt.Fprintf(&b, "\n## %s\n\n", strings.TrimSuffix(group.Title, ":"))
		if group == root.Groups()[1] {
			b.WriteString("- `gatewright`: Open the dashboard, or the wizard where there is no project\n")
		}
		for _, cmd := range command.Visible(root) {
			top := cmd
			for top.Parent() != nil && top.Parent() != root {
				top = top.Parent()
			}
			if top.GroupID == group.ID && (!cmd.HasSubCommands() || cmd.Name() == "sandbox") {
				usage := strings.TrimPrefix(strings.TrimSuffix(cmd.UseLine(), " [flags]"), "gatewright ")
				fmt.Fprintf(&b, "- `%s`: %s\n", usage, cmd.Short)
			}
		}
	}
	b.WriteString("\nNext: [exit codes and variables](exit-codes.md), [files](files.md).\n")
	return b.String()
}

func facts() string {
	var b strings.Builder
	b.WriteString("# Exit codes and variables\n\nWhat a script can rely on.\n\n## Exit codes\n\n")
	list(&b, command.ExitCodes)
	b.WriteString("\n## Environment variables\n\n")
	list(&b, command.Variables)
	b.WriteString("- `GATEWRIGHT_BINARY`: the program that the launcher of an npm package starts\n" +
		"\nNext: [commands](commands.md), [limits](limits.md).\n")
	return b.String()
}

func list(b *strings.Builder, facts []command.Fact) {
	named := strings.NewReplacer(", ", "`, `", " and others", "`, `AWS_*")
	for _, fact := range facts {
		fmt.Fprintf(b, "- `%s`: %s\n", named.Replace(fact.Name), fact.Means)
	}
}

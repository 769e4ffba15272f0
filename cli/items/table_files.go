package items

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/internal/file"
	"gatewright/internal/text/phrase"
	"gatewright/project/read"
	"gatewright/sandbox"
)

func newTableImport(streams command.Streams) *cobra.Command {
	x := &tableCommand{streams: streams}
	cmd := &cobra.Command{
		Use:   "import TABLE FILE",
		Short: "Write a file's items into a table",
		Long: `Write the items of a file into a table. An item replaces the item with the same key. The file is a
JSON list of items, or JSON Lines; - is standard input.

Items as DynamoDB exports them ({"Item": {...}}) are read too. The whole file is read and checked before the first
item is written. An import that ends early says how far it got, and you can run it again.`,
		Example: command.Examples("table import books books.jsonl",
			"table import books books.jsonl --env prod --confirm prod",
			"table export books - --env prod | gatewright table import books -"),
		Args: command.Arguments("the name of a TABLE", "a FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			file, done, err := x.open(args[1])
			if err != nil {
				return err
			}
			defer done()
			name := phrase.QuotePath(args[1])
			x.change = func() (string, error) {
				total, err := x.all().Check(context.Background(), name, file)
				return "write " + phrase.Count(total, "item") + " into", err
			}
			return x.with(args[0], func() error { return x.load(name, file) })
		},
	}
	x.flagsOfChange(cmd)
	return cmd
}

// open opens the file of an import. Standard input, or a pipe such as <(command) of a shell, is
// copied into a temporary file, because an import is read more than once.
func (x *tableCommand) open(name string) (io.ReadSeeker, func(), error) {
	if name == "-" {
		return copied("standard input", x.streams.In)
	}
	f, err := os.Open(command.Absolute(name, x.streams))
	if err != nil {
		return nil, nil, read.CannotRead(name, err)
	}
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() {
		return f, func() { _ = f.Close() }, nil
	}
	defer func() { _ = f.Close() }()
	switch {
	case err != nil:
		return nil, nil, read.CannotRead(name, err)
	case info.IsDir():
		return nil, nil, &read.Problem{File: filepath.ToSlash(name), Text: "is a folder", Fix: "give the name of a file"}
	}
	return copied(phrase.QuotePath(name), f)
}

// copied copies what can be read only once into a temporary file.
func copied(name string, from io.Reader) (io.ReadSeeker, func(), error) {
	f, err := os.CreateTemp("", "gatewright-import-")
	if err != nil {
		return nil, nil, fmt.Errorf("copying %s to a temporary file: %w", name, err)
	}
	done := func() {
		_ = f.Close()
		_ = os.Remove(f.Name())
	}
	if _, err := io.Copy(f, from); err != nil {
		done()
		return nil, nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return f, done, nil
}

// interval is after how many items the progress is printed, at least.
const interval = 5000

// load writes the items of a file, and prints its progress on a terminal.
func (x *tableCommand) load(name string, file io.ReadSeeker) error {
	said := 0
	written, err := x.all().Import(x.ctx, name, file, func(written, total int) {
		if command.IsTerminal(x.streams.Err) && written >= said+interval {
			said = written
			command.Say(x.streams.Err, "%d of %d items are written", written, total)
		}
	})
	if partly := new(sandbox.PartlyError); errors.As(err, &partly) && x.ctx.Err() != nil {
		command.Say(x.streams.Err, "%v", partly)
	}
	if err != nil {
		return err
	}
	return x.done(
		fmt.Sprintf("%s of %s: %d\n", "items imported into table "+phrase.Quote(x.definition.Name), name, written))
}

func newTableExport(streams command.Streams) *cobra.Command {
	x := &tableCommand{streams: streams}
	cmd := &cobra.Command{
		Use:   "export TABLE FILE",
		Short: "Write a table's items into a file",
		Long: `Write the items of a table into a file, one per line (JSON Lines), in the order of their keys. The
same items give the same file, from the sandbox and from AWS.

- is standard output. An existing file is replaced once all items are written.`,
		Example: command.Examples("table export books books.jsonl",
			"table export books books.jsonl --env prod", "table export books - | jq .title"),
		Args: command.Arguments("the name of a TABLE", "a FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			return x.with(args[0], func() error { return x.save(args[1]) })
		},
	}
	x.flags(cmd)
	return cmd
}

func (x *tableCommand) save(name string) error {
	if name == "-" {
		_, err := x.all().Export(x.ctx, printer{x.streams.Out}, x.tell)
		return err
	}
	count := 0
	err := file.Replace(command.Absolute(name, x.streams), file.Private, func(f *os.File) (err error) {
		out := bufio.NewWriter(f)
		count, err = x.all().Export(x.ctx, out, x.tell)
		return errors.Join(err, out.Flush())
	})
	var path *os.PathError
	if errors.As(err, &path) {
		return read.CannotWrite(name, err)
	}
	if err != nil {
		return err
	}
	return command.PrintText(x.streams.Out,
		fmt.Sprintf("items of table %s exported to %s: %d\n", phrase.Quote(x.definition.Name), phrase.QuotePath(name), count))
}

// tell prints on a terminal how many items are read.
func (x *tableCommand) tell(read int) {
	if command.IsTerminal(x.streams.Err) && read%interval == 0 {
		command.Say(x.streams.Err, "%d items are read", read)
	}
}

// printer prints lines.
type printer struct{ out io.Writer }

func (p printer) Write(line []byte) (int, error) {
	return len(line), command.PrintText(p.out, string(line))
}

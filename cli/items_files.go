package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"gatewright/atomicfile"
	"gatewright/model"
	"gatewright/project"
	"gatewright/sandbox/table/attribute"
)

func newTableImport(streams Streams) *cobra.Command {
	x := &items{streams: streams}
	cmd := &cobra.Command{
		Use:   "import TABLE FILE",
		Short: "Write the items of a file into a table",
		Long: "Write the items of a file into a table, each in the place of the one with its key. The file is a JSON list of items, or JSON\n" +
			"Lines; items in the form of the cloud's exports ({\"Item\": {...}}) are read too. - is standard input. All of it is read and\n" +
			"checked before the first item is written.",
		Example: "  gatewright table import books books.jsonl\n  gatewright table export books - --env qa | gatewright table import books -",
		Args:    arguments("the name of a TABLE", "a FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			file, done, err := x.open(args[1])
			if err != nil {
				return err
			}
			defer done()
			return x.with(args[0], func() error { return x.load(project.QuotePath(args[1]), file) })
		},
	}
	x.flags(cmd)
	return cmd
}

// open opens the file of an import. Standard input is kept in a file until the end:
// it is read twice.
func (x *items) open(name string) (io.ReadSeeker, func(), error) {
	if name != "-" {
		f, err := os.Open(absolute(name, x.streams))
		if err != nil {
			return nil, nil, inputError(name, err)
		}
		return f, func() { _ = f.Close() }, nil
	}
	f, err := os.CreateTemp("", "gatewright-import-")
	if err != nil {
		return nil, nil, fmt.Errorf("keeping standard input: %w", err)
	}
	done := func() {
		_ = f.Close()
		_ = os.Remove(f.Name())
	}
	if _, err := io.Copy(f, x.streams.In); err != nil {
		done()
		return nil, nil, fmt.Errorf("reading standard input: %w", err)
	}
	return f, done, nil
}

// load checks all items of a file, and then writes them.
func (x *items) load(name string, file io.ReadSeeker) error {
	total := 0
	err := x.each(name, file, func(attribute.Item) error {
		total++
		return nil
	})
	if err != nil {
		return err
	}
	const most = 25
	var batch []attribute.Item
	written := 0
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		if err := x.putAll(batch); err != nil {
			return fmt.Errorf("%d of %d items are written: %w", written, total, err)
		}
		written += len(batch)
		batch = batch[:0]
		x.progress("written", written, total)
		return nil
	}
	err = x.each(name, file, func(item attribute.Item) error {
		if err := x.ctx.Err(); err != nil {
			return fmt.Errorf("%d of %d items are written: %w", written, total, err)
		}
		if batch = append(batch, item); len(batch) == most {
			return flush()
		}
		return nil
	})
	if err = errors.Join(err, flush()); err != nil {
		return err
	}
	return printText(x.streams.Out, fmt.Sprintf("%s of %s: %d\n", "items imported into table "+model.Quote(x.definition.Name), name, written))
}

// progress tells somebody who watches how far it is, from time to time.
func (x *items) progress(what string, done, total int) {
	const often = 5000
	if isTerminal(x.streams.Err) && done%often == 0 {
		say(x.streams.Err, "%d of %d items are %s", done, total, what)
	}
}

// each reads a file from its beginning and gives its items, each of them fit for
// the table.
func (x *items) each(name string, file io.ReadSeeker, use func(attribute.Item) error) error {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	reader := bufio.NewReader(file)
	// A mark of the byte order is no JSON.
	if mark, err := reader.Peek(3); err == nil && string(mark) == "\xef\xbb\xbf" {
		_, _ = reader.Discard(len(mark))
	}
	d := jsontext.NewDecoder(reader)
	listed := d.PeekKind() == '['
	if listed {
		if _, err := d.ReadToken(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	for n := 1; ; n++ {
		if listed && d.PeekKind() == ']' {
			return nil
		}
		text, err := d.ReadValue()
		if errors.Is(err, io.EOF) && !listed {
			return nil
		}
		fail := func(err error) error { return fmt.Errorf("%s: item %d %w", name, n, err) }
		if err != nil {
			return fail(errors.New("is no JSON"))
		}
		item, err := x.item(text)
		if err != nil {
			return fail(err)
		}
		if err := use(item); err != nil {
			return err
		}
	}
}

// item is one item of a file, which may be wrapped as the cloud's exports have it.
func (x *items) item(text jsontext.Value) (attribute.Item, error) {
	item, err := attribute.ParsePlainItem(text)
	if err != nil {
		return nil, err
	}
	if inner, wrapped := item["Item"]; wrapped && len(item) == 1 && inner.Kind == attribute.M && x.definition.PartitionKey.Name != "Item" {
		item = inner.Map
	}
	return item, x.check(item)
}

func newTableExport(streams Streams) *cobra.Command {
	x := &items{streams: streams}
	cmd := &cobra.Command{
		Use:     "export TABLE FILE",
		Short:   "Write the items of a table into a file",
		Long:    "Write the items of a table into a file, one a line (JSON Lines). - is standard output. A file that is there is replaced.",
		Example: "  gatewright table export books books.jsonl",
		Args:    arguments("the name of a TABLE", "a FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			return x.with(args[0], func() error { return x.save(args[1]) })
		},
	}
	x.flags(cmd)
	return cmd
}

func (x *items) save(name string) error {
	if name == "-" {
		return x.print(0)
	}
	count := 0
	err := atomicfile.Replace(absolute(name, x.streams), atomicfile.Private, func(f *os.File) error {
		out := bufio.NewWriter(f)
		err := x.scan(0, func(item attribute.Item) error {
			count++
			_, err := out.Write(append(item.AppendPlain(nil), '\n'))
			return errors.Join(err, x.ctx.Err())
		})
		return errors.Join(err, out.Flush())
	})
	var path *os.PathError
	if errors.As(err, &path) {
		return &project.Problem{File: filepath.ToSlash(name), Text: "cannot be written: " + reasonOf(err).Error(), Fix: "check the name of the folder and its permissions"}
	}
	if err != nil {
		return err
	}
	return printText(x.streams.Out, fmt.Sprintf("items of table %s exported to %s: %d\n", model.Quote(x.definition.Name), project.QuotePath(name), count))
}

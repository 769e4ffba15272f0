package sandbox

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/sandbox/table/attribute"
)

// Import checks all items of a file, and then writes them, each in the place of
// the one with its key. The file is a JSON list of items, or JSON Lines; items in
// the form of the cloud's exports ({"Item": {...}}) are read too. name is how the
// file is told of in errors; progress, which may be nil, is told how many of how
// many items are written.
func (x Items) Import(ctx context.Context, name string, file io.ReadSeeker, progress func(written, total int)) (written int, err error) {
	total := 0
	err = x.each(name, file, func(attribute.Item) error {
		total++
		return nil
	})
	if err != nil {
		return 0, err
	}
	var batch []attribute.Item
	stopped := func(err error) error { return fmt.Errorf("%d of %d items are written: %w", written, total, err) }
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		if err := x.putAll(ctx, batch); err != nil {
			return stopped(err)
		}
		written += len(batch)
		batch = batch[:0]
		if progress != nil {
			progress(written, total)
		}
		return nil
	}
	err = x.each(name, file, func(item attribute.Item) error {
		if err := ctx.Err(); err != nil {
			return stopped(err)
		}
		if batch = append(batch, item); len(batch) == mostPut {
			return flush()
		}
		return nil
	})
	return written, errors.Join(err, flush())
}

// each reads a file from its beginning and gives its items, each of them fit for
// the table.
func (x Items) each(name string, file io.ReadSeeker, use func(attribute.Item) error) error {
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
func (x Items) item(text jsontext.Value) (attribute.Item, error) {
	item, err := attribute.ParsePlainItem(text)
	if err != nil {
		return nil, err
	}
	if inner, wrapped := item["Item"]; wrapped && len(item) == 1 && inner.Kind == attribute.M && x.Table.Definition.PartitionKey.Name != "Item" {
		item = inner.Map
	}
	return item, x.Table.Check(item)
}

// Export writes all items, one a line (JSON Lines), and gives how many there were.
func (x Items) Export(ctx context.Context, w io.Writer) (count int, err error) {
	out := bufio.NewWriter(w)
	err = x.Scan(ctx, 0, func(item attribute.Item) error {
		count++
		_, err := out.Write(append(item.AppendPlain(nil), '\n'))
		return errors.Join(err, ctx.Err())
	})
	return count, errors.Join(err, out.Flush())
}

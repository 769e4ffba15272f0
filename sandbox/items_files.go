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

// Import checks all items of a file and then writes them, replacing items with the same
// keys. The file is a JSON array of items, or JSON Lines; items in the form of DynamoDB's
// exports ({"Item": {...}}) are read too. Errors call the file name. progress, which may
// be nil, is called after each batch.
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
	stopped := func(err error) error { return fmt.Errorf("%d of %d items were written: %w", written, total, err) }
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
		if batch = append(batch, item); len(batch) == maxBatch {
			return flush()
		}
		return nil
	})
	return written, errors.Join(err, flush())
}

// each reads a file from its beginning and calls use for each item after checking it.
func (x Items) each(name string, file io.ReadSeeker, use func(attribute.Item) error) error {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	reader := bufio.NewReader(file)
	// A byte order mark is not JSON.
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
			return fail(errors.New("is not JSON"))
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

// item reads an item of a file, which may be wrapped as in DynamoDB's exports.
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

// Export writes all items as JSON Lines, and returns their number.
func (x Items) Export(ctx context.Context, w io.Writer) (count int, err error) {
	out := bufio.NewWriter(w)
	err = x.Scan(ctx, 0, func(item attribute.Item) error {
		count++
		_, err := out.Write(append(item.AppendPlain(nil), '\n'))
		return errors.Join(err, ctx.Err())
	})
	return count, errors.Join(err, out.Flush())
}

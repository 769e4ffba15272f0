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

// PartlyError is the error of an import that ended before its end.
type PartlyError struct {
	// Written are the items that are written for sure, of Total.
	Written, Total int
	Err            error
}

// Error says how far the import got.
func (e *PartlyError) Error() string {
	why := e.Err.Error()
	if errors.Is(e.Err, context.Canceled) {
		why = "interrupted"
	}
	return fmt.Sprintf("%d of %d items were written: %s; what is written stays, and the import can be run again",
		e.Written, e.Total, why)
}

// Unwrap returns why it ended.
func (e *PartlyError) Unwrap() error { return e.Err }

// Check counts the items of a file for Import, and refuses a file with one that does not fit.
func (x Items) Check(ctx context.Context, name string, file io.ReadSeeker) (total int, err error) {
	err = x.each(name, file, func(attribute.Item) error {
		total++
		return ctx.Err()
	})
	return total, err
}

// Import checks all items of a file and then writes them, replacing items with the same
// keys. The file is a JSON array of items, or JSON Lines; items in the form of DynamoDB's
// exports ({"Item": {...}}) are read too. Errors call the file name; once something may be
// written, they are a *PartlyError. progress, which may be nil, is called after each batch.
func (x Items) Import(
	ctx context.Context, name string, file io.ReadSeeker, progress func(written, total int),
) (written int, err error) {
	total, err := x.Check(ctx, name, file)
	if err != nil {
		return 0, err
	}
	operation, most := x.batch(ctx)
	var batch []attribute.Item
	size := 0
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		if err := x.putAll(ctx, operation, batch); err != nil {
			return err
		}
		written += len(batch)
		batch, size = batch[:0], 0
		if progress != nil {
			progress(written, total)
		}
		return nil
	}
	err = x.each(name, file, func(item attribute.Item) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		batch, size = append(batch, item), size+item.Size()
		if len(batch) == most || size >= largestBatch {
			return flush()
		}
		return nil
	})
	if err == nil {
		err = flush()
	}
	if err != nil {
		return written, &PartlyError{written, total, err}
	}
	return written, nil
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
	if inner, wrapped := item["Item"]; wrapped && len(item) == 1 && inner.Kind == attribute.M &&
		x.Table.Definition.PartitionKey.Name != "Item" {
		item = inner.Map
	}
	return item, x.Table.Check(item)
}

// Export writes all items as JSON Lines in the order of their keys, and returns their number:
// the same items give the same bytes, wherever they are. Each line is one Write. tell, which may
// be nil, is called with the number of items that were read.
func (x Items) Export(ctx context.Context, w io.Writer, tell func(read int)) (count int, err error) {
	lines := &sorter{most: mostKept}
	defer func() { err = errors.Join(err, lines.Close()) }()
	read := 0
	err = x.Scan(ctx, 0, func(item attribute.Item) error {
		if read++; tell != nil {
			tell(read)
		}
		return errors.Join(lines.add([]byte(x.Table.keyText(item)), append(item.AppendPlain(nil), '\n')), ctx.Err())
	})
	if err != nil {
		return 0, err
	}
	err = lines.each(func(text []byte) error {
		count++
		_, err := w.Write(text)
		return errors.Join(err, ctx.Err())
	})
	return count, err
}

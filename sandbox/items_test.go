package sandbox

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/sandbox/table/attribute"
)

// itemsOf are the items of a new table.
func itemsOf(t *testing.T, of Table) Items {
	t.Helper()
	h := held(t)
	if err := h.Make(t.Context(), []Table{of}); err != nil {
		t.Fatal(err)
	}
	return Items{Tables: h, Table: of}
}

func parsed(t *testing.T, text string) attribute.Item {
	t.Helper()
	item, err := attribute.ParsePlainItem([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return item
}

func TestAnItemIsPutFoundReplacedAndDeleted(t *testing.T) {
	t.Parallel()
	x := itemsOf(t, books())
	if replaced, err := x.Put(t.Context(), parsed(t, `{"shelf": "a", "at": 1, "title": "Emma"}`)); replaced || err != nil {
		t.Fatal(replaced, err)
	}
	if replaced, err := x.Put(t.Context(), parsed(t, `{"shelf": "a", "at": 1.0, "title": "Persuasion"}`)); !replaced || err != nil {
		t.Fatalf("the same number is another key: %v, %v", replaced, err)
	}
	if n, err := x.Count(t.Context()); n != 1 || err != nil {
		t.Errorf("there are %d items, %v", n, err)
	}
	key, err := x.Table.Key([]string{"a", "1"})
	if err != nil {
		t.Fatal(err)
	}
	item, err := x.Get(t.Context(), key)
	if err != nil || string(item.AppendPlain(nil)) != `{"at":1,"shelf":"a","title":"Persuasion"}` || !x.Table.KeyOf(item).Equal(key) {
		t.Errorf("the item is %s, %v", item.AppendPlain(nil), err)
	}
	for _, want := range []bool{true, false} {
		if deleted, err := x.Delete(t.Context(), key); deleted != want || err != nil {
			t.Errorf("deleted: %v, %v", deleted, err)
		}
	}
	if item, err := x.Get(t.Context(), key); item != nil || err != nil {
		t.Errorf("after it was deleted: %v, %v", item, err)
	}
}

func TestItemsThatDoNotFitTheTableAreRefused(t *testing.T) {
	t.Parallel()
	x := itemsOf(t, books())
	for text, want := range map[string]string{
		`{"at": 1}`:                 "the item has no shelf, which is the table's key",
		`{"shelf": "a"}`:            "the item has no at, which is the table's key",
		`{"shelf": "a", "at": "1"}`: "the item has the key at with a value that is not a number",
		`{"shelf": "", "at": 1}`:    "the item has the key shelf without a value",
		`{"shelf": "a", "at": 1, "x": "` + strings.Repeat("x", attribute.LargestItem) + `"}`: fmt.Sprintf("the item has %d bytes", attribute.LargestItem+11),
	} {
		if _, err := x.Put(t.Context(), parsed(t, text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.40s: %v\nwant %s", text, err, want)
		}
	}
	if n, err := x.Count(t.Context()); n != 0 || err != nil {
		t.Errorf("there are %d items, %v", n, err)
	}
}

func TestKeysAreReadFromWords(t *testing.T) {
	t.Parallel()
	bytes := Table{Name: "t", Definition: &model.Table{Name: "t", PartitionKey: model.Key{Name: "b", Type: model.BinaryKey}}}
	for _, row := range []struct {
		table Table
		words string
		want  string
	}{
		{books(), "a 1e2", `{"at":100,"shelf":"a"}`},
		{books(), "a", "the key of table books is shelf, at; give both values"},
		{books(), "a b", "the key at must be a number, and b is not"},
		{bytes, "aGk=", `{"b":{"B":"aGk="}}`},
		{bytes, "hi", "the key b must be base64, and hi is not"},
		{bytes, "a b", "the key of table t is b; give one value"},
	} {
		key, err := row.table.Key(strings.Fields(row.words))
		got := string(key.AppendPlain(nil))
		if err != nil {
			got = err.Error()
		}
		if got != row.want {
			t.Errorf("%s: %s\nwant %s", row.words, got, row.want)
		}
	}
}

func TestPagesGiveEveryItemOnce(t *testing.T) {
	t.Parallel()
	x := itemsOf(t, books())
	var lines strings.Builder
	for i := range 57 {
		_, _ = fmt.Fprintf(&lines, `{"shelf": "s%d", "at": %d}`+"\n", i%5, i)
	}
	var progress []string
	written, err := x.Import(t.Context(), "f", strings.NewReader(lines.String()), func(written, total int) { progress = append(progress, fmt.Sprint(written, "/", total)) })
	if written != 57 || err != nil || strings.Join(progress, " ") != "57/57" {
		t.Fatal(written, err, progress)
	}
	seen := make(map[string]int)
	pages := 0
	for from := []byte(nil); pages == 0 || from != nil; pages++ {
		items, next, err := x.Page(t.Context(), from, 20)
		if err != nil || len(items) > 20 {
			t.Fatal(len(items), err)
		}
		for _, item := range items {
			seen[string(item.AppendPlain(nil))]++
		}
		from = next
	}
	if len(seen) != 57 || pages != 3 {
		t.Errorf("%d items in %d pages", len(seen), pages)
	}
}

func TestExportedItemsAreImportedAgain(t *testing.T) {
	t.Parallel()
	x := itemsOf(t, books())
	for _, text := range []string{`{"shelf": "a", "at": 1, "x": {"SS": ["u", "v"]}}`, `{"shelf": "b", "at": -1.5, "y": [null, true]}`} {
		if _, err := x.Put(t.Context(), parsed(t, text)); err != nil {
			t.Fatal(err)
		}
	}
	var file, again bytes.Buffer
	if n, err := x.Export(t.Context(), &file, nil); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	other := itemsOf(t, books())
	if n, err := other.Import(t.Context(), "f", bytes.NewReader(file.Bytes()), nil); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	if _, err := other.Export(t.Context(), &again, nil); err != nil || again.String() != file.String() || strings.Count(file.String(), "\n") != 2 {
		t.Errorf("the file is\n%s\nand then\n%s%v", file.String(), again.String(), err)
	}
}

func TestAFileWithAnInvalidItemIsNotImported(t *testing.T) {
	t.Parallel()
	x := itemsOf(t, books())
	for file, want := range map[string]string{
		`[{"shelf": "a", "at": 1}, {"at": 2}]`:                    "f: item 2 has no shelf, which is the table's key",
		"{\"shelf\": \"a\", \"at\": 1}\nnothing":                  "f: item 2 is not JSON",
		`[{"Item": {"shelf": {"S": "a"}, "at": {"N": "1"}}}, {}]`: "f: item 2 has no shelf, which is the table's key",
	} {
		if n, err := x.Import(t.Context(), "f", strings.NewReader(file), nil); n != 0 || err == nil || err.Error() != want {
			t.Errorf("%s: %d, %v\nwant %s", file, n, err, want)
		}
	}
	if n, err := x.Count(t.Context()); n != 0 || err != nil {
		t.Errorf("there are %d items, %v", n, err)
	}
	if _, err := (Items{Tables: x.Tables, Table: Table{Name: "other", Definition: books().Definition}}).Count(t.Context()); !NoTable(err) {
		t.Errorf("the count of a missing table: %v", err)
	}
}

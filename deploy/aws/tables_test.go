package aws_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatewright/deploy/aws"
	"gatewright/deploy/awstest"
	"gatewright/deploy/deploytest"
	"gatewright/deploy/remote"
	"gatewright/internal/file"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/sandbox"
	"gatewright/sandbox/table/attribute"
)

// reached pushes a project to a fake of AWS, and returns what runs there.
func (r *cloudRoom) reached() *aws.Reached {
	r.t.Helper()
	r.push(pushOptions{})
	p := r.open()
	reached, err := r.aws.Reach(r.t.(*testing.T).Context(), p, p.Backend.Environment("dev"))
	deploytest.Must(r.t, err)
	return reached
}

// itemsInCloud are the items of the table books in a fake of AWS, whose tables are those of a
// sandbox. took may change the response of an operation.
func itemsInCloud(t *testing.T, took func(r awstest.Request, answer []byte) any) (*cloudRoom, sandbox.Items) {
	t.Helper()
	r := roomInCloud(t, cloudShop(t), archives(t), awstest.Options{})
	reached := r.reached()
	books, err := remote.TableOf(reached, "books")
	deploytest.Must(t, err)
	held, err := sandbox.OpenTables(t.Context(), t.TempDir(), "")
	deploytest.Must(t, err)
	t.Cleanup(func() { deploytest.Must(t, held.Close()) })
	deploytest.Must(t, held.Make(t.Context(), []sandbox.Table{books}))
	r.fake.Serve("dynamodb", func(q awstest.Request) (any, error) {
		answer, err := held.Do(context.Background(), q.Action, q.Body)
		if refused := (*attribute.Error)(nil); errors.As(err, &refused) {
			return nil, &awstest.Refusal{Code: refused.Code, Message: refused.Message}
		}
		if err == nil && took != nil {
			return took(q, answer), nil
		}
		return answer, err
	})
	return r, sandbox.Items{Tables: remote.TablesOf(reached), Table: books, Pause: time.Nanosecond}
}

// lines are n items of the table books.
func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"id":"%04d","n":%d}`+"\n", i, i)
	}
	return b.String()
}

func TestItemsInTheCloudAreThoseOfTheDeployedTable(t *testing.T) {
	t.Parallel()
	// Each batch of the first ten loses its last item, and says so.
	lost := 0
	r, x := itemsInCloud(t, func(q awstest.Request, answer []byte) any {
		var in struct{ RequestItems map[string][]any }
		if deploytest.Must(t, q.Read(&in)); q.Action != "BatchWriteItem" || lost == 10 || len(in.RequestItems["books-dev"]) == 1 {
			return answer
		}
		lost++
		requests := in.RequestItems["books-dev"]
		return map[string]any{"UnprocessedItems": map[string]any{"books-dev": requests[len(requests)-1:]}}
	})
	r.fake.Fail("BatchWriteItem", "ProvisionedThroughputExceededException", "The level of configured provisioned throughput for the table was exceeded.", 2)
	r.fake.Fail("Scan", "ThrottlingException", "Rate exceeded", 2)
	if n, err := x.Import(t.Context(), "f", strings.NewReader(lines(300)), nil); n != 300 || err != nil {
		t.Fatal(n, err)
	}
	if lost != 10 {
		t.Errorf("%d batches were not taken whole", lost)
	}
	var got strings.Builder
	if n, err := x.Export(t.Context(), &got, nil); n != 300 || err != nil || got.String() != lines(300) {
		t.Errorf("the export has %d items, %v", n, err)
	}
	// What a table refuses is told as of a sandbox; what the account refuses is not the table's.
	_, err := x.Get(t.Context(), attribute.Item{"other": {Kind: attribute.S, Text: "1"}})
	if refused := (*attribute.Error)(nil); !errors.As(err, &refused) || refused.Code != "ValidationException" {
		t.Errorf("a wrong key: %v", err)
	}
	r.fake.Fail("Scan", "AccessDeniedException", "User: arn:aws:iam::123456789012:user/ann is not authorized to perform: dynamodb:Scan on resource: arn:aws:dynamodb:eu-central-1:123456789012:table/books-dev", 1)
	if _, _, err = x.Page(t.Context(), nil, 1); err == nil || !strings.Contains(err.Error(), "environment dev: ann may not do dynamodb:Scan on") {
		t.Errorf("a denied call: %v", err)
	}
	gone := x
	gone.Table.Name = "gone"
	if _, _, err = gone.Page(t.Context(), nil, 1); !sandbox.NoTable(err) {
		t.Errorf("a missing table: %v", err)
	}
}

func TestAnInterruptedImportIntoTheCloudSaysHowFarItGotAndCanBeRunAgain(t *testing.T) {
	t.Parallel()
	r, x := itemsInCloud(t, nil)
	ctx, stop := context.WithCancel(t.Context())
	// The call is cut too: its answer may otherwise be there before the interruption is seen.
	third := len(r.fake.Calls()) + 3
	r.fake.KillAt(third, awstest.BeforeHandling, stop)
	r.fake.CutAt(third, awstest.BeforeHandling)
	_, err := x.Import(ctx, "f", strings.NewReader(lines(100)), nil)
	if partly := new(sandbox.PartlyError); !errors.As(err, &partly) || partly.Written != 50 || partly.Total != 100 || !errors.Is(err, context.Canceled) {
		t.Fatalf("the import ends with %v", err)
	}
	if n, err := x.Import(t.Context(), "f", strings.NewReader(lines(100)), nil); n != 100 || err != nil {
		t.Fatal(n, err)
	}
	if n, err := x.Count(t.Context()); n != 100 || err != nil {
		t.Errorf("there are %d items, %v", n, err)
	}
}

func TestAnInterruptedExportFromTheCloudLeavesTheOldFile(t *testing.T) {
	t.Parallel()
	r, x := itemsInCloud(t, nil)
	_, err := x.Import(t.Context(), "f", strings.NewReader(lines(50)), nil)
	deploytest.Must(t, err)
	name := filepath.Join(t.TempDir(), "books.jsonl")
	deploytest.Must(t, os.WriteFile(name, []byte("old"), 0o600))
	ctx, stop := context.WithCancel(t.Context())
	first := len(r.fake.Calls()) + 1
	r.fake.KillAt(first, awstest.AfterHandling, stop)
	r.fake.CutAt(first, awstest.AfterHandling)
	err = file.Replace(name, file.Private, func(f *os.File) error {
		_, err := x.Export(ctx, f, nil)
		return err
	})
	text, readErr := os.ReadFile(name)
	if !errors.Is(err, context.Canceled) || readErr != nil || string(text) != "old" {
		t.Errorf("the export ends with %v, and the file is %q, %v", err, text, readErr)
	}
	if left, _ := os.ReadDir(filepath.Dir(name)); len(left) != 1 {
		t.Errorf("the folder has %v", left)
	}
}

func TestATableThatIsNotPushedIsToldApartFromOneThatIsNot(t *testing.T) {
	t.Parallel()
	r := roomInCloud(t, cloudShop(t), archives(t), awstest.Options{})
	reached := r.reached()
	if _, err := remote.TableOf(reached, "boks"); !errors.Is(err, aws.ErrNotDeployed) {
		t.Errorf("got %v", err)
	}
	// The key is that of the last push.
	r.edit(func(b *model.Backend) error {
		if err := edit.Remove(b, model.Ref{Kind: model.KindTable, Name: "books"}, true); err != nil {
			return err
		}
		return edit.AddTable(b, &model.Table{Name: "books", PartitionKey: model.Key{Name: "isbn", Type: model.NumberKey}})
	})
	p := r.open()
	again, err := r.aws.Reach(t.Context(), p, p.Backend.Environment("dev"))
	deploytest.Must(t, err)
	books, err := remote.TableOf(again, "books")
	if err != nil || books.Definition.PartitionKey.Name != "id" || books.Name != "books-dev" {
		t.Errorf("the table is %+v, %v", books, err)
	}
}

func TestAChangeOfAnItemWhoseAnswerIsLostIsNotRepeated(t *testing.T) {
	t.Parallel()
	r, x := itemsInCloud(t, nil)
	key := attribute.Item{"id": {Kind: attribute.S, Text: "1"}}
	_, err := x.Put(t.Context(), key)
	deploytest.Must(t, err)
	for operation, change := range map[string]func(context.Context, attribute.Item) (bool, error){"DeleteItem": x.Delete, "PutItem": x.Put} {
		before := r.fake.Count(operation)
		r.fake.CutAt(len(r.fake.Calls())+1, awstest.AfterHandling)
		if was, err := change(t.Context(), key); err == nil || r.fake.Count(operation) != before+1 {
			t.Errorf("%s: asked %d times, there was one: %v, %v", operation, r.fake.Count(operation)-before, was, err)
		}
	}
	// Reading is.
	before := r.fake.Count("GetItem")
	r.fake.CutAt(len(r.fake.Calls())+1, awstest.AfterHandling)
	if _, err := x.Get(t.Context(), key); err != nil || r.fake.Count("GetItem") != before+2 {
		t.Errorf("GetItem: asked %d times, %v", r.fake.Count("GetItem")-before, err)
	}
}

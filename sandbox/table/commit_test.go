package table

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gatewright/sandbox/pages"
	"gatewright/sandbox/table/stored"
)

func TestNoConcurrentWriteIsLost(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{{}, {Sync: true}} {
		t.Run(fmt.Sprintf("sync %v", o.Sync), func(t *testing.T) {
			s := openStore(t, o)
			do(t, s, "CreateTable", plainTable)
			const writers, each = 16, 50
			var wait sync.WaitGroup
			for w := range writers {
				wait.Go(func() {
					for i := range each {
						do(t, s, "UpdateItem", "{`TableName`:`plain`,`Key`:{`id`:{`S`:`count`}},`UpdateExpression`:`ADD n :one`,`ExpressionAttributeValues`:{`:one`:{`N`:`1`}}}")
						do(t, s, "PutItem", fmt.Sprintf("{`TableName`:`plain`,`Item`:{`id`:{`S`:`%d-%d`}},`ConditionExpression`:`attribute_not_exists(id)`}", w, i))
						if _, err := s.Do(t.Context(), "PutItem", input(t, "{`TableName`:`plain`,`Item`:{`id`:{`S`:`count`}},`ConditionExpression`:`attribute_not_exists(id)`}")); err == nil {
							t.Error("a condition did not hold and the item was put")
						}
					}
				})
			}
			wait.Wait()
			mustBe(t, do(t, s, "GetItem", "{`TableName`:`plain`,`Key`:{`id`:{`S`:`count`}}}")["Item"], fmt.Sprintf(`{"id":{"S":"count"},"n":{"N":"%d"}}`, writers*each))
			if n := itemCount(t, s, "plain", ""); n != writers*each+1 {
				t.Errorf("%d items, want %d", n, writers*each+1)
			}
		})
	}
}

// mistake is a panic of this program, and not of bbolt.
type mistake string

func (m mistake) Error() string { return string(m) }
func (mistake) RuntimeError()   {}

// Writes share a transaction; one that fails is undone alone.
func TestAFailingWriteDoesNotUndoOthers(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	d := s.table("plain")
	entered, goOn := make(chan struct{}), make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		if err := s.update(func(*pages.Tx) error { close(entered); <-goOn; return nil }); err != nil {
			t.Error(err)
		}
	})
	<-entered
	broken := errors.New("broken")
	put := func(name string, after func() error) func(*pages.Tx) error {
		return func(tx *pages.Tx) error {
			if err := tx.Bucket(d.ItemBucket()).Put([]byte(name), stored.Encode(nil)); err != nil {
				return err
			}
			return after()
		}
	}
	errs := make([]error, 20)
	for i := range errs {
		wait.Go(func() {
			errs[i] = s.update(put(fmt.Sprint(i), func() error {
				switch i % 4 {
				case 1:
					return broken
				case 2:
					panic(mistake("torn"))
				}
				return nil
			}))
		})
	}
	close(goOn)
	wait.Wait()
	for i, err := range errs {
		kept := false
		if err := s.view(func(tx *pages.Tx) error {
			kept = tx.Bucket(d.ItemBucket()).Get([]byte(fmt.Sprint(i))) != nil
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		switch i % 4 {
		case 1:
			if !errors.Is(err, broken) || kept {
				t.Errorf("%d: %v, kept: %v", i, err, kept)
			}
		case 2:
			if err == nil || !strings.Contains(err.Error(), "torn") || kept {
				t.Errorf("%d: %v, kept: %v", i, err, kept)
			}
		default:
			if err != nil || !kept {
				t.Errorf("%d: %v, kept: %v", i, err, kept)
			}
		}
	}
}

func TestAWriteThatBboltGivesUpIsDamageAndEndsAllWrites(t *testing.T) {
	t.Parallel()
	var told []*pages.DamageError
	s := openStore(t, Options{Damaged: func(d *pages.DamageError) { told = append(told, d) }})
	for _, run := range []func(*pages.Tx) error{
		func(*pages.Tx) error { panic("page 7 already freed") },
		func(*pages.Tx) error { return nil },
	} {
		if err := s.update(run); !pages.IsDamage(err) || !strings.Contains(err.Error(), "page 7 already freed") {
			t.Errorf("%v", err)
		}
	}
	if len(told) != 1 {
		t.Errorf("told: %v", told)
	}
}

func TestAFileHasOneOwner(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "tables.db")
	openStoreFile(t, file, Options{})
	if _, err := Open(file, Options{}); !errors.Is(err, ErrOwned) {
		t.Errorf("%v, want ErrOwned", err)
	}
}

func TestAFileOfAnotherFormatIsRefused(t *testing.T) {
	t.Parallel()
	for name, content := range map[string][]byte{"text": []byte("hello"), "noise": bytes.Repeat([]byte{0xa5}, 1<<16), "zeros": make([]byte, 1<<16)} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(file, Options{}); err == nil || !strings.HasPrefix(err.Error(), "opening the tables in ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
		if left, err := os.ReadFile(file); err != nil || !bytes.Equal(left, content) {
			t.Errorf("%s: the file was changed, %v", name, err)
		}
	}
}

func TestAClosedStoreRefuses(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for operation, request := range map[string]string{
		"PutItem": "{`TableName`:`plain`,`Item`:{`id`:{`S`:`a`}}}", "GetItem": "{`TableName`:`plain`,`Key`:{`id`:{`S`:`a`}}}",
		"DeleteTable": "{`TableName`:`plain`}",
	} {
		if e := refused(t, s, operation, request); e != errClosed {
			t.Errorf("%s: %v", operation, e)
		}
	}
}

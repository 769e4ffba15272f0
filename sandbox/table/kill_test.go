package table

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// fileToWrite is the environment variable that makes this test program write to a file
// until it is killed.
const fileToWrite = "GATEWRIGHT_TEST_TABLE_FILE"

func TestMain(m *testing.M) {
	if file := os.Getenv(fileToWrite); file != "" {
		writeUntilKilled(file)
	}
	os.Exit(m.Run())
}

// writeUntilKilled writes from many goroutines and prints each item once it is acknowledged.
func writeUntilKilled(file string) {
	s, err := Open(file, Options{})
	if err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
	var mu sync.Mutex
	var wait sync.WaitGroup
	for w := range 8 {
		wait.Go(func() {
			for i := 0; ; i++ {
				id := fmt.Sprintf("%d-%d-%d", os.Getpid(), w, i)
				request := fmt.Sprintf(`{"TableName":"indexed","Item":{"p":{"S":"%s"},"s":{"N":"1"},"l":{"S":"%s"},"g":{"B":"AA=="}}}`, id, strings.Repeat(id, 20))
				if _, err := s.Do(context.Background(), "PutItem", []byte(request)); err != nil {
					fmt.Println("failed:", err)
					os.Exit(1)
				}
				mu.Lock()
				fmt.Println(id)
				mu.Unlock()
			}
		})
	}
	wait.Wait()
}

func TestAKilledProcessLosesNoAcknowledgedWrite(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "tables.db")
	s, err := Open(file, Options{})
	if err != nil {
		t.Fatal(err)
	}
	do(t, s, "CreateTable", indexedTable)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var acknowledged []string
	for range 5 {
		acknowledged = append(acknowledged, writtenBeforeKill(t, program, file, 400)...)
		s := openStoreFile(t, file, Options{})
		for _, id := range acknowledged {
			answer := do(t, s, "GetItem", fmt.Sprintf("{`TableName`:`indexed`,`Key`:{`p`:{`S`:`%s`},`s`:{`N`:`1`}}}", id))
			item, _ := answer["Item"].(map[string]any)
			if item == nil || item["l"].(map[string]any)["S"] != strings.Repeat(id, 20) {
				t.Fatalf("the item %s is lost or damaged: %v", id, answer)
			}
		}
		// Writes that were not acknowledged may be in the file, but not in part.
		all := pagesOf(t, s, "Scan", map[string]any{"TableName": "indexed", "ProjectionExpression": "p"}, "p")
		for _, index := range []string{"byL", "byG", "byGL"} {
			if got := len(pagesOf(t, s, "Scan", map[string]any{"TableName": "indexed", "IndexName": index, "ProjectionExpression": "p"}, "p")); got != len(all) {
				t.Fatalf("%d items, %d in the index %s", len(all), got, index)
			}
		}
		if n := itemCount(t, s, "indexed", ""); n != len(all) || n < len(acknowledged) {
			t.Fatalf("%d items, %d counted, %d acknowledged", len(all), n, len(acknowledged))
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// writtenBeforeKill runs a writer, kills it after n items or some more, and returns the ids
// of all that it acknowledged.
func writtenBeforeKill(t *testing.T, program, file string, n int) []string {
	t.Helper()
	writer := exec.Command(program)
	writer.Env = append(os.Environ(), fileToWrite+"="+file)
	out, err := writer.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := writer.Start(); err != nil {
		t.Fatal(err)
	}
	var ids []string
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "failed") {
			t.Fatal(lines.Text())
		}
		ids = append(ids, lines.Text())
		if len(ids) == n {
			if err := writer.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = writer.Wait()
	if len(ids) < n {
		t.Fatalf("the writer acknowledged %d items", len(ids))
	}
	// The last line may be cut off.
	return ids[:len(ids)-1]
}

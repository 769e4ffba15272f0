package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gatewright/model"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool"
	"gatewright/sandbox/pages"
	"gatewright/sandbox/state"
)

// overwrite changes 2,000 bytes of a file from an offset on.
func overwrite(t *testing.T, name string, at int64) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	must(t, err)
	part := make([]byte, 2000)
	_, err = f.ReadAt(part, at)
	must(t, err)
	for i := range part {
		part[i] ^= 0x55
	}
	_, err = f.WriteAt(part, at)
	must(t, err)
	must(t, f.Close())
}

// middle is an offset in the middle of a file.
func middle(t *testing.T, name string) int64 {
	t.Helper()
	info, err := os.Stat(name)
	must(t, err)
	return info.Size() / 2
}

// withShelf fills a table of a state folder.
func withShelf(t *testing.T, state string, items int) {
	t.Helper()
	h, err := OpenTables(t.Context(), state, "")
	must(t, err)
	must(t, h.Make(t.Context(), []Table{books()}))
	for i := range items {
		item := fmt.Sprintf(`{"shelf":{"S":"a"},"at":{"N":"%d"},"title":{"S":"%s"}}`, i, strings.Repeat("x", 500))
		must(t, Ask(t.Context(), h, "PutItem", map[string]any{"TableName": "books-dev", "Item": json.RawMessage(item)}, nil))
	}
	must(t, h.Close())
}

func TestDamagedTablesAreRefusedAndRepaired(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	withShelf(t, folder, 300)
	name := filepath.Join(folder, state.DataFolder, state.TableFile)
	overwrite(t, name, middle(t, name))
	damaged, err := os.ReadFile(name)
	must(t, err)
	for range 2 {
		if _, err := Start(Options{State: folder}); err == nil || !strings.Contains(err.Error(), "tables.db") || !strings.HasSuffix(err.Error(), "gatewright sandbox repair") {
			t.Fatalf("the sandbox starts with damaged tables: %v", err)
		}
	}
	now := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	done, err := state.Repair(folder, now)
	must(t, err)
	if len(done) != 1 || len(done[0].Tables) != 1 {
		t.Fatalf("repaired: %+v", done)
	}
	kept := done[0].Tables[0]
	if kept.Table != "books-dev" || kept.Of != 300 || kept.Items < 280 || kept.Items > 300 {
		t.Errorf("kept: %+v", kept)
	}
	if want := filepath.Join(folder, "damaged", "tables.db.damaged-2026-11-26"); done[0].Aside != want {
		t.Errorf("aside is %s", done[0].Aside)
	}
	if got, err := os.ReadFile(done[0].Aside); err != nil || string(got) != string(damaged) {
		t.Errorf("what is aside is not the damaged file: %v", err)
	}
	h, err := OpenTables(t.Context(), folder, "")
	must(t, err)
	var scanned struct{ Count int }
	if err := Ask(t.Context(), h, "Scan", map[string]any{"TableName": "books-dev", "Select": "COUNT"}, &scanned); err != nil || scanned.Count != kept.Items {
		t.Errorf("%d items, %v", scanned.Count, err)
	}
	must(t, h.Close())
	if again, err := state.Repair(folder, now); err != nil || len(again) != 0 {
		t.Errorf("again: %+v, %v", again, err)
	}
	must(t, state.Reset(folder))
	if _, err := os.Stat(done[0].Aside); err != nil {
		t.Errorf("the damaged file is gone: %v", err)
	}
}

func TestDamageOfARunningSandboxIsToldAndAnswered(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	withShelf(t, folder, 300)
	var mu sync.Mutex
	var told []Event
	f, err := Start(Options{State: folder, Notify: func(e Event) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, e)
	}})
	must(t, err)
	defer func() { _ = f.Close(context.Background()) }()
	must(t, f.Apply(Config{Environments: []Environment{{Name: "dev", Tables: []Table{books()}}}}))
	name := filepath.Join(folder, state.DataFolder, state.TableFile)
	info, err := os.Stat(name)
	must(t, err)
	for at := int64(8192); at+2000 < info.Size(); at += 4096 {
		overwrite(t, name, at)
	}
	for _, ask := range [][2]string{
		{"Scan", `{"TableName":"books-dev"}`},
		{"GetItem", `{"TableName":"books-dev","Key":{"shelf":{"S":"a"},"at":{"N":"5"}}}`},
		{"PutItem", `{"TableName":"books-dev","Item":{"shelf":{"S":"b"},"at":{"N":"1"}}}`},
		{"DeleteTable", `{"TableName":"books-dev"}`},
	} {
		status, body := askAs(t, f, "somebody", ask[0], ask[1])
		if status != 500 || !strings.Contains(body, "InternalServerError") || !strings.Contains(body, "gatewright sandbox repair") {
			t.Errorf("%s: %d %s", ask[0], status, body)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if len(told) != 1 || told[0].Kind != EventDamage || !strings.Contains(told[0].Text, "is damaged") {
		t.Errorf("told: %+v", told)
	}
}

const repairedUsers = 60

// usersOf opens the users of a state folder.
func usersOf(t *testing.T, state string) (*HeldUsers, error) {
	t.Helper()
	p := pool.Pool{
		Environment: "dev", Region: "eu-west-1", AccountID: "123456789012", UserPoolID: "eu-west-1_AbCdEfGhI", ClientID: "client",
		IdentityPoolID: "eu-west-1:66666666-7777-4888-9999-000000000000", Definition: &model.Auth{},
	}
	return OpenUsers(t.Context(), state, p, "http://127.0.0.1:4280", func(userpool.Message) {})
}

// withUsers fills the user pool of a state folder.
func withUsers(t *testing.T, state string) {
	t.Helper()
	h, err := usersOf(t, state)
	must(t, err)
	for i := range repairedUsers {
		_, err := h.Do(t.Context(), "AdminCreateUser", fmt.Appendf(nil, `{"Username":"user%d","TemporaryPassword":"Secret-%d-words","MessageAction":"SUPPRESS"}`, i, i))
		must(t, err)
	}
	must(t, h.Close())
}

func TestDamagedUsersAreRefusedAndRepaired(t *testing.T) {
	t.Parallel()
	// Also in a deep folder, the error names the whole path.
	folder := filepath.Join(t.TempDir(), strings.Repeat("d", 100))
	must(t, os.Mkdir(folder, 0o700))
	withUsers(t, folder)
	name := filepath.Join(folder, state.DataFolder, state.UserFile)
	text, err := os.ReadFile(name)
	must(t, err)
	// One of the pages with the name of a user is in use.
	page := os.Getpagesize()
	for at := 0; at+page <= len(text); at += page {
		if strings.Contains(string(text[at:at+page]), `"user30"`) {
			overwrite(t, name, int64(at+page/4))
		}
	}
	if h, err := usersOf(t, folder); err == nil {
		t.Fatal("damaged users are opened", h.Close())
	} else if !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "gatewright sandbox repair") {
		t.Fatal(err)
	}
	done, err := state.Repair(folder, time.Now())
	must(t, err)
	// The bytes that changed are those of two users, and of parts of two others.
	const least = repairedUsers - 4
	if len(done) != 1 || !done[0].OfUsers || done[0].Users < least || done[0].Users > repairedUsers {
		t.Fatalf("repaired: %+v", done)
	}
	h, err := usersOf(t, folder)
	must(t, err)
	all, err := h.Roster(t.Context())
	if err != nil || len(all.Users) != done[0].Users {
		t.Errorf("%d users, %d were kept, %v", len(all.Users), done[0].Users, err)
	}
	for _, u := range all.Users {
		if found, err := h.User(t.Context(), u.Name); err != nil || found.Sub != u.Sub {
			t.Errorf("%s is not found: %v", u.Name, err)
		}
		_, err := h.Do(t.Context(), "AdminSetUserPassword", fmt.Appendf(nil, `{"Username":%q,"Password":"Another-1-secret","Permanent":true}`, u.Name))
		if err != nil {
			t.Errorf("%s: %v", u.Name, err)
		}
	}
	must(t, h.Close())
}

func TestADamagedPageCostsOnlyTheUsersOnIt(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	withUsers(t, folder)
	name := filepath.Join(folder, state.DataFolder, state.UserFile)
	text, err := os.ReadFile(name)
	must(t, err)
	sums, err := os.ReadFile(name + pages.Suffix)
	must(t, err)
	page := os.Getpagesize()
	inUse, withoutUsers := 0, 0
	for at := 2 * page; at+page <= len(text); at += page {
		damaged := slices.Clone(text)
		for i := range page {
			damaged[at+i] ^= 0x55
		}
		must(t, os.WriteFile(name, damaged, 0o600))
		must(t, os.WriteFile(name+pages.Suffix, sums, 0o600))
		done, err := state.Repair(folder, time.Now())
		must(t, err)
		if len(done) == 0 {
			continue
		}
		inUse++
		onPage := strings.Count(string(text[at:at+page]), `"verifier":`)
		if onPage == 0 {
			withoutUsers++
		}
		if kept := done[0].Users; kept < repairedUsers-onPage || kept > repairedUsers {
			t.Errorf("page %d has %d users, and %d of %d are kept", at/page, onPage, kept, repairedUsers)
		}
		h, err := usersOf(t, folder)
		must(t, err)
		all, err := h.Roster(t.Context())
		if err != nil || len(all.Users) != done[0].Users {
			t.Errorf("page %d: %d users, %d were kept, %v", at/page, len(all.Users), done[0].Users, err)
		}
		if _, err := h.Do(t.Context(), "DescribeUserPool", []byte(`{}`)); err != nil {
			t.Errorf("page %d: %v", at/page, err)
		}
		must(t, h.Close())
	}
	const least, leastWithoutUsers = 10, 4
	if inUse < least || withoutUsers < leastWithoutUsers {
		t.Errorf("%d pages were in use, %d of them without users", inUse, withoutUsers)
	}
}

func TestUsersAreCheckedOneByOneWhenTheChecksumsOfPagesAreLost(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	withUsers(t, folder)
	name := filepath.Join(folder, state.DataFolder, state.UserFile)
	text, err := os.ReadFile(name)
	must(t, err)
	// The form of the pages stays right.
	changed := bytes.ReplaceAll(text, []byte(`"name":"user30"`), []byte(`"name":"user3O"`))
	if bytes.Equal(changed, text) {
		t.Fatal("the file has no user30")
	}
	for _, sums := range []string{"", "no checksums"} {
		must(t, os.WriteFile(name, changed, 0o600))
		must(t, os.Remove(name+pages.Suffix))
		if sums != "" {
			must(t, os.WriteFile(name+pages.Suffix, []byte(sums), 0o600))
		}
		if h, err := usersOf(t, folder); err == nil {
			t.Error("changed users are opened", h.Close())
		} else if !strings.Contains(err.Error(), "gatewright sandbox repair") {
			t.Error(err)
		}
		done, err := state.Repair(folder, time.Now())
		must(t, err)
		if len(done) != 1 || done[0].Whole || done[0].Users != repairedUsers-1 {
			t.Errorf("repaired: %+v", done)
		}
		if told := state.Warnings(folder); len(told) != 0 {
			t.Errorf("after the repair: %v", told)
		}
	}
}

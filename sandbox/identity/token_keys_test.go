package identity_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gatewright/sandbox/identity/token"
)

func TestOpeningWritesNothing(t *testing.T) {
	t.Parallel()
	_, file := open(t, newClock())
	if _, err := os.Lstat(file); !os.IsNotExist(err) {
		t.Errorf("the file exists: %v", err)
	}
}

func TestKeysSurviveARestart(t *testing.T) {
	t.Parallel()
	c := newClock()
	keys, file := open(t, c)
	signed, odd := sign(t, keys, tokenPool, claims(c, nil)), sign(t, keys, "<\"é\u2028>", claims(c, nil))
	secret, err := keys.Secret("credentials")
	if err != nil {
		t.Fatal(err)
	}
	again := reopen(t, file, c)
	for poolID, text := range map[string]string{tokenPool: signed, "<\"é\u2028>": odd} {
		if _, err := again.Verify(poolID, text); err != nil {
			t.Errorf("%s: %v", poolID, err)
		}
	}
	if kept, err := again.Secret("credentials"); err != nil || !bytes.Equal(kept, secret) {
		t.Errorf("the secret is another one: %v", err)
	}
	if first, second := keyOf(t, keys, signed), keyOf(t, again, sign(t, again, tokenPool, claims(c, nil))); first != second {
		t.Error("a second key was made")
	}
	info, err := os.Stat(file)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v %v", info.Mode(), err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(file)); len(entries) != 1 {
		t.Errorf("there is more than the file: %v", entries)
	}
}

func TestPermissionsOfOtherUsersAreRemoved(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the system has no such permissions")
	}
	c := newClock()
	keys, file := open(t, c)
	sign(t, keys, tokenPool, claims(c, nil))
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	reopen(t, file, c)
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v %v", info.Mode(), err)
	}
}

func TestSecretsDependOnThePurpose(t *testing.T) {
	t.Parallel()
	c := newClock()
	keys, _ := open(t, c)
	one, err := keys.Secret("one")
	if err != nil || len(one) != 32 {
		t.Fatalf("%d bytes: %v", len(one), err)
	}
	other, _ := keys.Secret("other")
	foreign, _ := open(t, c)
	theirs, _ := foreign.Secret("one")
	if bytes.Equal(one, other) || bytes.Equal(one, theirs) {
		t.Error("two purposes have the same secret")
	}
	one[0]++
	if again, _ := keys.Secret("one"); bytes.Equal(one, again) {
		t.Error("a change of the returned secret changes the stored one")
	}
}

func TestDamagedFileIsReportedAndNotChanged(t *testing.T) {
	t.Parallel()
	c := newClock()
	keys, file := open(t, c)
	signed := sign(t, keys, tokenPool, claims(c, nil))
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	damaged := func(t interface{ Fatalf(string, ...any) }, text []byte) bool {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatalf("%v", err)
		}
		opened, err := token.OpenKeys(file, c.Now)
		if err == nil {
			// Bytes may change without changing the content.
			if _, bad := opened.Verify(tokenPool, signed); bad != nil {
				t.Fatalf("other keys were read: %v", bad)
			}
			return false
		}
		if now, _ := os.ReadFile(file); !bytes.Equal(now, text) {
			t.Fatalf("the file was changed")
		}
		for _, part := range []string{"keys.json", "move the file away", "everybody signs in again"} {
			if !strings.Contains(err.Error(), part) {
				t.Fatalf("the error lacks %q: %v", part, err)
			}
		}
		if strings.Contains(err.Error(), "\n") || len(err.Error()) > 400 {
			t.Fatalf("the error is long, and may show secrets: %v", err)
		}
		return true
	}
	for name, text := range map[string][]byte{
		"empty": nil, "half": whole[:len(whole)/2], "null": []byte("null"), "a list": []byte("[]"), "nothing in it": []byte("{}"),
		"followed by more": append(bytes.Clone(whole), "{}"...), "of a later program": bytes.Replace(whole, []byte(`"version":1`), []byte(`"version":2`), 1),
		"zeros": make([]byte, len(whole)),
	} {
		if !damaged(t, text) {
			t.Errorf("%s: accepted", name)
		}
	}
	tried, refused := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		tried++
		text := bytes.Clone(whole)
		text[rapid.IntRange(0, len(text)-1).Draw(rt, "at")] ^= byte(rapid.IntRange(1, 255).Draw(rt, "bits"))
		if damaged(rt, text) {
			refused++
		}
	})
	if refused < tried*4/5 {
		t.Errorf("only %d of %d changed bytes were detected", refused, tried)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(file, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := token.OpenKeys(file, c.Now); err == nil {
		t.Error("a folder is read as a file of keys")
	}
}

func TestKeySignsOnlyOnceItIsStored(t *testing.T) {
	t.Parallel()
	c := newClock()
	file := filepath.Join(t.TempDir(), "gone", "keys.json")
	keys := reopen(t, file, c)
	if signed, err := keys.Sign(tokenPool, claims(c, nil)); err == nil || signed != "" {
		t.Errorf("a token was signed with a key that is not stored: %v", err)
	}
	if secret, err := keys.Secret("x"); err == nil || secret != nil {
		t.Error("a secret was returned that is not stored")
	}
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	sign(t, keys, tokenPool, claims(c, nil))
}

func TestKeysRotateAndAreDeletedAfterTheirTokensExpire(t *testing.T) {
	t.Parallel()
	c := newClock()
	keys, file := open(t, c)
	long := map[string]any{"exp": c.Now().AddDate(1, 0, 0).Unix()}
	first := sign(t, keys, tokenPool, claims(c, long))
	c.pass(30*24*time.Hour - time.Second)
	if keyOf(t, keys, sign(t, keys, tokenPool, claims(c, nil))) != keyOf(t, keys, first) {
		t.Error("the key changed early")
	}
	c.pass(time.Second)
	second := sign(t, keys, tokenPool, claims(c, long))
	if keyOf(t, keys, second) == keyOf(t, keys, first) {
		t.Error("the key signs for longer than 30 days")
	}
	if err := keys.Rotate(tokenPool); err != nil {
		t.Fatal(err)
	}
	third := sign(t, keys, tokenPool, claims(c, long))
	verify := func(when string, want ...bool) {
		t.Helper()
		for _, k := range []*token.Keys{keys, reopen(t, file, c)} {
			served := 0
			for i, text := range []string{first, second, third} {
				if _, err := k.Verify(tokenPool, text); (err == nil) != want[i] {
					t.Errorf("%s the token %d: %v", when, i+1, err)
				}
				if want[i] {
					served++
				}
			}
			if ids, _ := webKeys(t, k, tokenPool); len(ids) != served {
				t.Errorf("%s %d keys are served, want %d", when, len(ids), served)
			}
		}
	}
	verify("at once", true, true, true)
	c.pass(48*time.Hour - time.Second)
	verify("before two days", true, true, true)
	c.pass(time.Second)
	verify("after two days", false, false, true)
	c.pass(29 * 24 * time.Hour)
	fourth := sign(t, keys, tokenPool, claims(c, nil))
	if text, _ := os.ReadFile(file); bytes.Count(text, []byte(`"private"`)) != 2 {
		t.Error("keys without valid tokens are kept")
	}
	if _, err := keys.Verify(tokenPool, fourth); err != nil {
		t.Error(err)
	}
}

func TestParallelRequestsMakeOneKey(t *testing.T) {
	t.Parallel()
	c := newClock()
	keys, file := open(t, c)
	pools := []string{tokenPool, "eu-west-1_Other"}
	var asking sync.WaitGroup
	for i := range 16 {
		asking.Go(func() {
			poolID := pools[i%2]
			signed, err := keys.Sign(poolID, claims(c, nil))
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := keys.Verify(poolID, signed); err != nil {
				t.Error(err)
			}
			if _, err := keys.Secret("x"); err != nil {
				t.Error(err)
			}
		})
	}
	asking.Wait()
	again := reopen(t, file, c)
	for _, poolID := range pools {
		if ids, _ := webKeys(t, again, poolID); len(ids) != 1 {
			t.Errorf("%s has %d keys", poolID, len(ids))
		}
	}
}

// keyOf is the id of the key that signed a token.
func keyOf(t *testing.T, keys *token.Keys, signed string) string {
	t.Helper()
	read, _ := readToken(t, keys, tokenPool, signed)
	id, _ := read["kid"].(string)
	return id
}

func BenchmarkVerify(b *testing.B) {
	c := newClock()
	keys, _ := open(b, c)
	signed := sign(b, keys, tokenPool, claims(c, nil))
	for b.Loop() {
		if _, err := keys.Verify(tokenPool, signed); err != nil {
			b.Fatal(err)
		}
	}
}

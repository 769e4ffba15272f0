package process

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	if os.Getenv("GATEWRIGHT_TEST_SHOW") != "" {
		_ = json.NewEncoder(os.Stdout).Encode(os.Args[1:])
		return
	}
	os.Exit(m.Run())
}

func TestEveryWordOfTheLineIsQuoted(t *testing.T) {
	got, err := line(`C:\Program Files\npm.cmd`, []string{"install", "a&b", `C:\folder\`, "100%", "", "a b"})
	want := `cmd.exe /d /e:on /v:off /s /c ""C:\Program Files\npm.cmd" "install" "a&b" "C:\folder\\" "100%%cd:~,%" "" "a b""`
	if err != nil || got != want {
		t.Errorf("the line is %s, %v, want %s", got, err, want)
	}
	for _, word := range []string{"a\"b", "a\nb", "a\rb", "a\x00b"} {
		if got, err := line("npm.cmd", []string{word}); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q gives %s, %v", word, got, err)
		}
	}
}

func TestABatchFileGetsItsArgumentsAsTheyAre(t *testing.T) {
	if runtime.GOOS != "windows" {
		t.Skip("only Windows has batch files")
	}
	t.Setenv("GATEWRIGHT_TEST_SHOW", "1")
	t.Setenv("SECRET", "known")
	file := filepath.Join(t.TempDir(), "show it.cmd")
	if err := os.WriteFile(file, []byte("@\""+os.Args[0]+"\" %*\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"plain"},
		{"two words", "three"},
		{"a&echo b"},
		{"a|b", "a>b", "a<b", "a^b", "(a)"},
		{"%SECRET%"},
		{"%SECRET", "!SECRET!"},
		{`C:\folder\`, "next"},
		{"ä"},
	} {
		out, err := Guard(exec.Command(file, args...)).Output()
		var got []string
		if err != nil || json.Unmarshal(out, &got) != nil || !reflect.DeepEqual(got, args) {
			t.Errorf("%q arrive as %q, %v", args, out, err)
		}
	}
	if err := Guard(exec.Command(file, `a" & echo b`)).Run(); err == nil || !strings.Contains(err.Error(), "batch file") {
		t.Errorf("a quote: %v", err)
	}
}

func TestOtherProgramsStartAsBefore(t *testing.T) {
	t.Setenv("GATEWRIGHT_TEST_SHOW", "1")
	out, err := Guard(exec.Command(os.Args[0], `a"b`, "a&b\n")).Output()
	if err != nil || strings.TrimSpace(string(out)) != `["a\"b","a\u0026b\n"]` {
		t.Errorf("they get %s, %v", out, err)
	}
}

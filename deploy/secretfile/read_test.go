package secretfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gatewright/model"
)

func TestSecretsSayWhatIsWrongWithTheirFile(t *testing.T) {
	t.Parallel()
	f := &model.Function{Secrets: []string{"KEY", "OTHER"}}
	file := Name("dev")
	for _, tt := range []struct {
		text, values string
		mode         os.FileMode
		want         []string
	}{
		{`{"KEY": "a", "OTHER": "b"}`, "map[KEY:a OTHER:b]", 0o600, nil},
		{`{"KEY": "a"}`, "map[KEY:a]", 0o600, []string{"runs without its secret OTHER; write it into " + file + ` as {"OTHER": "value"}`}},
		{`{"KEY": "a", "OTHER": "b"}`, "map[KEY:a OTHER:b]", 0o640, []string{"its secrets: " + file + " can be read by others; run: chmod 600 " + file}},
		{`{"KEY": 1}`, "map[]", 0o600, []string{"its secrets: " + file + ` is not a JSON object of strings; write it as {"NAME": "value"}`}},
		{strings.Repeat(" ", mostSecrets-2) + "{}", "map[]", 0o600, []string{
			"runs without its secret KEY; write it into " + file + ` as {"KEY": "value"}`, "runs without its secret OTHER; write it into " + file + ` as {"OTHER": "value"}`,
		}},
		{strings.Repeat(" ", mostSecrets-1) + "{}", "map[]", 0o600, []string{"its secrets: " + file + ` is too large; write it as {"NAME": "value"}`}},
	} {
		if tt.mode&0o077 != 0 && runtime.GOOS == "windows" {
			continue
		}
		root := t.TempDir()
		name := filepath.Join(root, filepath.FromSlash(file))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(tt.text), tt.mode), os.Chmod(name, tt.mode)); err != nil {
			t.Fatal(err)
		}
		s := Read(root, "dev")
		if got := s.Missing(f); !slices.Equal(got, tt.want) || fmt.Sprint(s.Values) != tt.values {
			t.Errorf("of %.30s it reads %v and says %q, want %q", tt.text, s.Values, got, tt.want)
		}
		if got := s.Missing(&model.Function{}); got != nil {
			t.Errorf("of a function without secrets it says %q", got)
		}
		names, problem := Known(root, "dev")
		if problem != "" && (len(tt.want) != 1 || !strings.Contains(tt.want[0], problem)) || problem == "" && len(names) != len(s.Values) {
			t.Errorf("known are %q, %s", names, problem)
		}
	}
	root := t.TempDir()
	if err := Write(root, "dev", []byte(`{"KEY": "a"}`)); err != nil {
		t.Fatal(err)
	}
	if err := Write(root, "dev", []byte(`{}`)); err == nil || !strings.HasPrefix(err.Error(), "writing the secrets of environment dev: ") {
		t.Errorf("a file that is there is written over: %v", err)
	}
	if s := Read(root, "dev"); s.Values["KEY"] != "a" || s.exposed {
		t.Errorf("it has %v, exposed %v", s.Values, s.exposed)
	}
}

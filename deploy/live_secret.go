package deploy

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"runtime"

	"gatewright/model"
	"gatewright/project"
)

// SecretFile is the file of the values of secrets for local runs of an
// environment, relative to the project: a JSON object of names and texts, that
// only its user may read.
func SecretFile(environment string) string {
	return path.Join(project.StateFolder, "secrets", environment+".json")
}

// secrets are the values of secrets that are known on this machine.
type secrets struct {
	file   string
	values map[string]string
	// problem is why the file cannot be read, exposed that others can read it too.
	problem string
	exposed bool
}

// mostSecrets is the largest file of secrets in bytes.
const mostSecrets = 1 << 20

// readSecrets reads the file of an environment, which need not be there. What is
// wrong with it is said without a byte of what it holds.
func readSecrets(root, environment string) secrets {
	s := secrets{file: SecretFile(environment)}
	folder, err := os.OpenRoot(root)
	if err != nil {
		s.problem = "cannot be read"
		return s
	}
	defer func() { _ = folder.Close() }()
	f, err := folder.Open(s.file)
	if errors.Is(err, fs.ErrNotExist) {
		return s
	}
	if err != nil {
		s.problem = "cannot be opened"
		return s
	}
	defer func() { _ = f.Close() }()
	const others = 0o077
	if info, err := f.Stat(); err == nil {
		s.exposed = runtime.GOOS != "windows" && info.Mode().Perm()&others != 0
	}
	text, err := io.ReadAll(io.LimitReader(f, mostSecrets+1))
	switch {
	case err != nil:
		s.problem = "cannot be read"
	case len(text) > mostSecrets:
		s.problem = "is too large"
	case json.Unmarshal(text, &s.values) != nil:
		s.problem, s.values = "is no JSON object of texts", nil
	}
	return s
}

// missing are the warnings about the secrets of a function.
func (s secrets) missing(f *model.Function) []string {
	if len(f.Secrets) == 0 {
		return nil
	}
	file := project.QuotePath(s.file)
	var warnings []string
	if s.problem != "" {
		warnings = append(warnings, fmt.Sprintf("its secrets: %s %s; write it as {\"NAME\": \"value\"}", file, s.problem))
	}
	if s.exposed {
		warnings = append(warnings, fmt.Sprintf("its secrets: %s can be read by others; run: chmod 600 %s", file, file))
	}
	for _, name := range f.Secrets {
		if _, there := s.values[name]; !there && s.problem == "" {
			warnings = append(warnings, fmt.Sprintf("runs without its secret %s; write it into %s as {\"%s\": \"value\"}", model.Quote(name), file, name))
		}
	}
	return warnings
}

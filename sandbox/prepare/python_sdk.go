package prepare

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gatewright/internal/text/lazyregexp"
	"gatewright/sandbox/function"
)

var botoImport = lazyregexp.New(`(?m)^\s*(?:import|from)\s+(?:boto3|botocore)\b`)

// importsSDK reports whether a script of a folder imports the AWS SDK.
func importsSDK(source string) bool {
	found := false
	eachScript(source, []string{".py"}, new(int), func(_ string, _ fs.FileInfo, read func() []byte) bool {
		found = botoImport().Match(read())
		return !found
	})
	return found
}

// sdkPlaces prints where Python finds the AWS SDK and what it needs.
const sdkPlaces = `
from importlib.util import find_spec
for name in ("boto3", "botocore", "s3transfer", "jmespath", "dateutil", "urllib3", "six"):
    found = find_spec(name)
    print((found.submodule_search_locations or [found.origin])[0])
`

// machineSDK returns a folder with links to the AWS SDK that is installed for Python, "" if none is.
// A function gets it as Lambda's runtime brings it, and nothing else that is installed.
func (p *Preparer) machineSDK(ctx context.Context, s *function.Spec) string {
	found, ok := p.FindInterpreter(s)
	python := found.Path
	if !ok {
		return ""
	}
	sum := sha256.Sum256([]byte(python))
	folder := filepath.Join(p.state, "python-sdk", hex.EncodeToString(sum[:8]))
	p.mu.Lock()
	has, known := p.botos[python]
	p.mu.Unlock()
	if !known {
		has = isFolder(filepath.Join(folder, "botocore")) || p.linkSDK(ctx, python, folder)
		if ctx.Err() != nil {
			return ""
		}
		p.mu.Lock()
		p.botos[python] = has
		p.mu.Unlock()
	}
	if !has {
		return ""
	}
	return folder
}

// linkSDK makes links to the AWS SDK that is installed for Python. It reports whether all is there.
func (p *Preparer) linkSDK(ctx context.Context, python, folder string) bool {
	out, err := command(ctx, python, "-c", sdkPlaces).Output()
	if err != nil || os.RemoveAll(folder) != nil || os.MkdirAll(folder, 0o700) != nil {
		return false
	}
	for place := range strings.FieldsFuncSeq(string(out), func(r rune) bool { return r == '\n' || r == '\r' }) {
		if err := os.Symlink(place, filepath.Join(folder, filepath.Base(place))); err != nil && !errors.Is(err, fs.ErrExist) {
			return false
		}
	}
	return true
}

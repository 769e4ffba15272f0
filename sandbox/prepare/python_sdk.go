package prepare

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"path/filepath"
	"sync"

	"gatewright/internal/text/lazyregexp"
	"gatewright/sandbox/function"
)

var botoImport = lazyregexp.New(
	`(?m)^\s*(?:from\s+|import\s+(?:[\w.]+(?:\s+as\s+\w+)?\s*,\s*)*)(?:boto3|botocore)\b`)

// importsSDK reports whether a script of a folder imports the AWS SDK.
func importsSDK(source string) bool {
	found := false
	eachScript(source, []string{".py"}, new(int), func(_ string, _ fs.FileInfo, read func() []byte) bool {
		found = botoImport().Match(read())
		return !found
	})
	return found
}

// linkSDK makes a folder with links to the AWS SDK and what it needs, where Python finds them. It fails
// where they are not.
const linkSDK = `
import os, shutil, sys
from importlib.util import find_spec
shutil.rmtree(sys.argv[1], ignore_errors=True)
os.makedirs(sys.argv[1], 0o700)
for name in ("six", "urllib3", "dateutil", "jmespath", "s3transfer", "boto3", "botocore"):
    found = find_spec(name)
    place = (found.submodule_search_locations or [found.origin])[0]
    os.symlink(place, os.path.join(sys.argv[1], os.path.basename(place)))
`

// withoutSDK are the interpreters for which it is not installed.
var withoutSDK sync.Map

// machineSDK returns a folder with links to the AWS SDK that is installed for Python, "" if none is.
// A function gets it as Lambda's runtime brings it, and nothing else that is installed.
func (p *Preparer) machineSDK(ctx context.Context, s *function.Spec) string {
	found, ok := FindInterpreter(s, p.cache)
	if _, lacks := withoutSDK.Load(found.Path); !ok || lacks {
		return ""
	}
	sum := sha256.Sum256([]byte(found.Path))
	folder := filepath.Join(p.state, "python-sdk", hex.EncodeToString(sum[:8]))
	err := p.once(ctx, s, "link "+folder, func(ctx context.Context) error {
		if isFolder(filepath.Join(folder, "botocore")) { // the last one
			return nil
		}
		return command(ctx, found.Path, "-c", linkSDK, folder).Run()
	})
	if err == nil {
		return folder
	}
	if ctx.Err() == nil {
		withoutSDK.Store(found.Path, true)
	}
	return ""
}

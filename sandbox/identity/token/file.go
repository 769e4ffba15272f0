package token

import (
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"gatewright/internal/file"
)

const (
	formatVersion = 1
	// longestFile bounds the file, in bytes: thousands of pools.
	longestFile = 16 << 20
)

// errFileFormat shows nothing of the file, which is secret.
var errFileFormat = errors.New("the file is incomplete, or is not a file of keys")

// keyFile is the file: the keys and their SHA-256.
type keyFile struct {
	Version int            `json:"version"`
	Sum     []byte         `json:"sum"`
	Keys    jsontext.Value `json:"keys"`
}

type keyFileContent struct {
	Master []byte                 `json:"master"`
	Pools  map[string][]storedKey `json:"pools"`
}

// storedKey is a key in the file. Private is PKCS #8.
type storedKey struct {
	ID      string    `json:"id"`
	Made    time.Time `json:"made"`
	Private []byte    `json:"private"`
}

// readRing reads a file of keys. A missing file has none.
func readRing(file string) (*keyRing, error) {
	text, err := readPrivate(file)
	if errors.Is(err, fs.ErrNotExist) {
		return &keyRing{pools: make(map[string][]*key)}, nil
	}
	var r *keyRing
	if err == nil {
		r, err = parseRing(text)
	}
	if err != nil {
		return nil, fmt.Errorf("the keys in %q cannot be used: %w; move the file away, and everybody signs in again", file,
			err)
	}
	return r, nil
}

// readPrivate reads a file and removes other users' permissions, which a restored copy may
// have.
func readPrivate(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > longestFile:
		return nil, errFileFormat
	case info.Mode().Perm()&^file.Private != 0:
		// Where the system has no such permissions, this fails or has no effect.
		_ = f.Chmod(file.Private)
	}
	return io.ReadAll(io.LimitReader(f, longestFile))
}

func parseRing(text []byte) (*keyRing, error) {
	var file keyFile
	if json.Unmarshal(text, &file) != nil {
		return nil, errFileFormat
	}
	if file.Version != formatVersion {
		return nil, fmt.Errorf("the file has format %d, and this program reads %d", file.Version, formatVersion)
	}
	var content keyFileContent
	sum := sha256.Sum256(file.Keys)
	if string(sum[:]) != string(file.Sum) || json.Unmarshal(file.Keys, &content) != nil ||
		len(content.Master) != secretBytes {
		return nil, errFileFormat
	}
	r := &keyRing{master: content.Master, pools: make(map[string][]*key, len(content.Pools))}
	for pool, keys := range content.Pools {
		for _, each := range keys {
			parsed, err := x509.ParsePKCS8PrivateKey(each.Private)
			private, ok := parsed.(*rsa.PrivateKey)
			if err != nil || !ok || private.N.BitLen() != keyBits {
				return nil, errFileFormat
			}
			r.pools[pool] = append(r.pools[pool], &key{id: each.ID, made: each.Made, private: private})
		}
	}
	return r, nil
}

// write replaces the file and syncs it to the disk.
func (r *keyRing) write(name string) error {
	content := keyFileContent{Master: r.master, Pools: make(map[string][]storedKey, len(r.pools))}
	for pool, keys := range r.pools {
		for _, each := range keys {
			private, err := x509.MarshalPKCS8PrivateKey(each.private)
			if err != nil {
				return fmt.Errorf("writing the keys: %w", err)
			}
			content.Pools[pool] = append(content.Pools[pool], storedKey{ID: each.id, Made: each.made, Private: private})
		}
	}
	keys, err := json.Marshal(content, json.Deterministic(true))
	if err != nil {
		return fmt.Errorf("writing the keys: %w", err)
	}
	sum := sha256.Sum256(keys)
	text, err := json.Marshal(keyFile{Version: formatVersion, Sum: sum[:], Keys: keys})
	if err != nil {
		return fmt.Errorf("writing the keys: %w", err)
	}
	if err := file.Replace(name, file.Private, file.Synced(text)); err != nil {
		return fmt.Errorf("writing the keys: %w", err)
	}
	return nil
}

package function

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
)

// mostFiles is how many files of a function's folder are looked at.
const mostFiles = 5000

// passedOver are folders that are no source.
var passedOver = map[string]bool{"node_modules": true, ".git": true, "__pycache__": true}

// sourceStamp is a fingerprint of a folder: names, sizes, times and modes of its
// files, without node_modules, .git and __pycache__. It reads no file. Of a folder
// with more than 5,000 files it is that of the first ones.
func sourceStamp(folder string) (string, error) {
	return stampFiles(folder, mostFiles)
}

func stampFiles(folder string, most int) (string, error) {
	sum := sha256.New()
	var numbers []byte
	err := eachFile(folder, "", &most, func(name string, info fs.FileInfo) error {
		numbers = append(numbers[:0], name...)
		numbers = append(numbers, 0)
		numbers = binary.LittleEndian.AppendUint64(numbers, uint64(info.Size()))
		numbers = binary.LittleEndian.AppendUint64(numbers, uint64(info.ModTime().UnixNano()))
		numbers = binary.LittleEndian.AppendUint32(numbers, uint32(info.Mode()))
		_, _ = sum.Write(numbers)
		return nil
	})
	return hex.EncodeToString(sum.Sum(nil)), err
}

// content is a fingerprint of what files say, and the one of those files.
type content struct{ files, stamp string }

// contentStamp is a fingerprint of what all files of a folder say. Files that look
// as they did are not read again.
func (p *preparer) contentStamp(folder string) (string, error) {
	files, err := stampFiles(folder, math.MaxInt)
	if err != nil {
		return "", err
	}
	p.mu.Lock()
	known := p.contents[folder]
	p.mu.Unlock()
	if known.files == files {
		return known.stamp, nil
	}
	stamp, err := readStamp(folder)
	if err != nil {
		return "", err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.contents[folder] = content{files, stamp}
	return stamp, nil
}

func readStamp(folder string) (string, error) {
	sum, most := sha256.New(), math.MaxInt
	err := eachFile(folder, "", &most, func(name string, info fs.FileInfo) error {
		if !info.Mode().IsRegular() {
			return nil
		}
		_, _ = io.WriteString(sum, name+"\x00")
		return addFile(sum, filepath.Join(folder, filepath.FromSlash(name)))
	})
	return hex.EncodeToString(sum.Sum(nil)), err
}

// addFile adds a file to a sum, so that no other file can go on where it ends. One
// that is not there adds that.
func addFile(sum hash.Hash, name string) error {
	file, err := os.Open(name)
	if err != nil {
		if os.IsNotExist(err) {
			_, _ = sum.Write([]byte{0})
			return nil
		}
		return err
	}
	defer func() { _ = file.Close() }()
	own := sha256.New()
	if _, err := io.Copy(own, file); err != nil {
		return err
	}
	_, _ = sum.Write(own.Sum([]byte{1}))
	return nil
}

// eachFile gives the files below a folder in the order of their names, with
// slashes in them. A link counts as what it leads to, but no folder is entered
// through one: it might lead to a folder above. left is how many are given at most.
func eachFile(folder, prefix string, left *int, do func(name string, info fs.FileInfo) error) error {
	entries, err := os.ReadDir(filepath.Join(folder, filepath.FromSlash(prefix)))
	if err != nil {
		return err
	}
	for _, entry := range entries {
		name := prefix + entry.Name()
		if entry.IsDir() {
			if passedOver[entry.Name()] {
				continue
			}
			// A folder that goes while it is read is one more change.
			if err := eachFile(folder, name+"/", left, do); err != nil && !os.IsNotExist(err) {
				return err
			}
			continue
		}
		if *left--; *left < 0 {
			return nil
		}
		info, err := entry.Info()
		if err == nil && entry.Type()&fs.ModeSymlink != 0 {
			if led, ledErr := os.Stat(filepath.Join(folder, filepath.FromSlash(name))); ledErr == nil {
				info = led
			}
		}
		if os.IsNotExist(err) {
			continue
		}
		if err == nil {
			err = do(name, info)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

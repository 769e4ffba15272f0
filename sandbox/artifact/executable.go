package artifact

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"runtime"
)

// isExecutable reports whether Lambda may run a file as a program. Windows has no such permission: there, a
// file is executable if Lambda could run it, as a program of Linux or as a script that names its interpreter.
func isExecutable(file string, info fs.FileInfo) bool {
	if runtime.GOOS != "windows" {
		return info.Mode()&0o100 != 0
	}
	source, err := os.Open(file)
	if err != nil {
		return false
	}
	defer func() { _ = source.Close() }()
	return beginsAsProgram(source)
}

// beginsAsProgram reports whether a file begins as one that Linux can run.
func beginsAsProgram(file io.Reader) bool {
	start := make([]byte, 4)
	n, _ := io.ReadFull(file, start)
	return bytes.HasPrefix(start[:n], []byte("\x7fELF")) || bytes.HasPrefix(start[:n], []byte("#!"))
}

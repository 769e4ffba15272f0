package batch

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

func guard(cmd *exec.Cmd) {
	if kind := strings.ToLower(filepath.Ext(cmd.Path)); cmd.Err != nil || kind != ".cmd" && kind != ".bat" {
		return
	}
	text, err := line(cmd.Path, cmd.Args[1:])
	if err != nil {
		cmd.Err = err
		return
	}
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.CmdLine = text
	cmd.Path = filepath.Join(os.Getenv("SystemRoot"), "System32", "cmd.exe")
}

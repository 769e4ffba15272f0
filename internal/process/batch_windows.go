package process

import (
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/windows"
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
	system, err := windows.GetSystemDirectory()
	if err != nil {
		cmd.Err = err
		return
	}
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.CmdLine = text
	cmd.Path = filepath.Join(system, "cmd.exe")
}

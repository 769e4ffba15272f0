//go:build linux

package measure

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Project is a folder for a project, and the program that was built to work in it.
type Project struct{ Program, Folder string }

// New makes an empty folder for a project in the folder work, and builds next to it the program of the
// folder in which this one was started.
func New(ctx context.Context, work string) (*Project, error) {
	p := &Project{Program: filepath.Join(work, "gatewright"), Folder: filepath.Join(work, "project")}
	if err := os.Mkdir(p.Folder, 0o755); err != nil {
		return nil, err
	}
	_, err := p.Run(ctx, ".", "go", "build", "-o", p.Program, ".")
	return p, err
}

// Gatewright runs commands of the program in the project.
func (p *Project) Gatewright(ctx context.Context, commands ...[]string) error {
	for _, args := range commands {
		if _, err := p.Run(ctx, p.Folder, p.Program, args...); err != nil {
			return err
		}
	}
	return nil
}

// Run runs a command in a folder, and returns its output.
func (p *Project) Run(ctx context.Context, folder, name string, args ...string) ([]byte, error) {
	command := p.Command(ctx, folder, name, args...)
	var failure strings.Builder
	command.Stderr = &failure
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w %s%s", name, strings.Join(args, " "), err, out, failure.String())
	}
	return out, nil
}

// Command is a command in a folder, whose environment keeps what the program remembers apart from
// what it remembers for the user.
func (p *Project) Command(ctx context.Context, folder, name string, args ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, name, args...)
	command.Dir = folder
	command.Env = append(os.Environ(), "GATEWRIGHT_STATE="+filepath.Join(filepath.Dir(p.Folder), "state"), "CI=",
		"TERM=xterm-256color", "COLORTERM=truecolor")
	return command
}

package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strconv"

	"gatewright/deploy/index"
	"gatewright/model"
	"gatewright/project"
	"gatewright/render"
	"gatewright/sandbox"
	"gatewright/sandbox/identity/pool"
)

// sandboxFolder is the state of the sandbox, relative to the project.
const sandboxFolder = project.StateFolder + "/sandbox"

// State returns the state folder of the sandbox of the project in a folder. It
// need not exist.
func State(root string) string {
	return filepath.Join(root, filepath.FromSlash(sandboxFolder))
}

// MakeState returns State for a caller that writes there. It makes the
// folder around it, with a .gitignore, and refuses links.
func MakeState(root string) (string, error) {
	fail := func(err error) (string, error) {
		return "", fmt.Errorf("making the sandbox's state: %w", err)
	}
	folder, err := os.OpenRoot(root)
	if err != nil {
		return fail(err)
	}
	defer func() { _ = folder.Close() }()
	info, err := folder.Lstat(project.StateFolder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := folder.Mkdir(project.StateFolder, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return fail(err)
		}
	case err != nil:
		return fail(err)
	case !info.IsDir():
		return fail(fmt.Errorf("%s must be a folder, not a link; move it away", project.StateFolder))
	}
	ignore := path.Join(project.StateFolder, ".gitignore")
	if _, err := folder.Lstat(ignore); errors.Is(err, fs.ErrNotExist) {
		if err := folder.WriteFile(ignore, []byte("*\n"), 0o644); err != nil {
			return fail(err)
		}
	}
	if info, err := folder.Lstat(sandboxFolder); err == nil && !info.IsDir() {
		return fail(fmt.Errorf("%s must be a folder, not a link; move it away", sandboxFolder))
	}
	return State(root), nil
}

// EnvironmentOf returns the environment that a sandbox serves from the working tree: the one of that name,
// else that of project.EnvironmentOf. The error matches index.ErrRequest if a name is needed.
func EnvironmentOf(p *project.Project, name string) (*model.Environment, error) {
	env, err := p.Environment(name)
	if errors.Is(err, project.ErrNotChosen) {
		return nil, &model.Problem{
			Field: "environment", Text: "none is chosen; the project has " + index.EnvironmentNames(p.Backend),
			Fix: "give --env NAME, or choose one with: gatewright env use NAME", Cause: index.ErrRequest,
		}
	}
	return env, err
}

// clientFileName returns the path of the project's client configuration file.
func clientFileName(p *project.Project) string {
	return render.ClientFileName(p.Backend.Project.Dialect)
}

// portOf returns the port of an address such as http://127.0.0.1:4280.
func portOf(address string) (int, error) {
	parsed, err := url.Parse(address)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(parsed.Port())
}

// UseUsers opens the users of a pool while use runs, as sandbox.OpenUsers does.
func UseUsers(ctx context.Context, root string, p pool.Pool, address string, use func(*sandbox.HeldUsers) error) error {
	held, err := sandbox.OpenUsers(ctx, State(root), p, address, nil)
	if err != nil {
		return err
	}
	return cmp.Or(use(held), held.Close())
}

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"

	"gatewright/sandbox/pages"

	"gatewright/internal/text/phrase"
	"gatewright/sandbox/identity/file"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool"
	"gatewright/sandbox/state"
)

// GlanceAtUsers reads the users of an environment's pool, of a running sandbox until ctx ends,
// or of a state folder. It waits for no lock, owns and starts nothing, and makes no file. If
// another process is using the users, the error is file.ErrOwned.
func GlanceAtUsers(ctx context.Context, folder string, p pool.Pool) ([]userpool.User, error) {
	client, err := connect(ctx, folder)
	if err == nil {
		h := &HeldUsers{pool: p, client: client}
		if err := h.checkServed(ctx); err != nil {
			return nil, err
		}
		all, err := h.Roster(ctx)
		return all.Users, err
	}
	if !errors.Is(err, ErrNotRunning) {
		return nil, err
	}
	if err := state.CheckFiles(folder); err != nil {
		return nil, err
	}
	name := state.UsersFile(folder)
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("the sandbox's state has %s, which is not a file; remove it", phrase.Quote(name))
	}
	var users []userpool.User
	err = file.Read(name, func(tx *pages.Tx) error {
		users, err = userpool.ReadUsers(tx, p)
		return err
	})
	return users, err
}

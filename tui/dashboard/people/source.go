package people

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"gatewright/deploy/people"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/sandbox"
	"gatewright/sandbox/identity/userpool"
	"gatewright/sandbox/live"
	"gatewright/sandbox/state"
	"gatewright/tui/dashboard/board"
)

// source is where the users of an environment are.
type source struct {
	root, environment string
	// users are those of the pool, not opened; nil if there is no pool, and noPool says why.
	users  *people.Users
	noPool string
	port   int
	// inCloud says that the environment is in AWS; cloud is set if the users are those there.
	inCloud bool
	cloud   *board.Reached
	// mayOpen permits opening the state that a sandbox keeps when none runs.
	mayOpen bool
	mu      *sync.Mutex
}

// sourceOf finds the pool of the environment of a snapshot.
func sourceOf(s *board.Snapshot, mayOpen bool, mu *sync.Mutex) source {
	of := source{
		root: s.Root, environment: s.Name(), port: s.Backend.Project.Port(), mayOpen: mayOpen,
		mu: mu,
	}
	if of.environment == "" {
		of.noPool = "the project has no environment, and users belong to one; add one with: " +
			s.Backend.Adding(model.KindEnvironment)
		return of
	}
	env := &model.Environment{Name: of.environment, Provider: model.Local}
	if s.Env != nil {
		env = s.Env.Environment
		of.inCloud = s.Env.InAWS()
	}
	var err error
	if of.users, err = people.Of(s.Backend, env); err != nil {
		of.noPool = prose.PrintableStart(err.Error())
		return of
	}
	of.users.Flags = " --env " + model.ShellWord(of.environment)
	return of
}

// inAWS is the pool that the environment of a source has in AWS.
func (s source) inAWS(r *board.Reached) source {
	s.cloud, s.noPool = r, ""
	var err error
	if s.users, err = people.OfCloud(r.Reached); err != nil {
		s.noPool = prose.PrintableStart(err.Error())
	}
	return s
}

// samePool reports whether both are the pool of one environment.
func (s source) samePool(other source) bool {
	return s.root == other.root && s.environment == other.environment && (s.users == nil) == (other.users == nil) &&
		s.cloud == other.cloud
}

// fingerprint changes when a user of the state changes.
func (s source) fingerprint() string {
	info, err := os.Stat(state.UsersFile(live.State(s.root)))
	if err != nil {
		return "none"
	}
	return fmt.Sprint(info.ModTime().UnixNano(), " ", info.Size())
}

// reading is what was read of a source.
type reading struct {
	of    source
	print string
	// running says that the users are those of a running sandbox.
	running bool
	users   []userpool.User
	// groups are those of the pool, as a running sandbox serves it.
	groups []string
	// rows show them.
	rows []*row
	// problem is why the users could not be read; "" if they were.
	problem string
	// unread says that nobody was asked: only a running sandbox may be.
	unread bool
	// next is where the next page of users in AWS begins; "" if all are read.
	next string
	// wanted is how many users are read at least when they are read again.
	wanted int
}

const patience = 10 * time.Second

// readCloud reads at least as many users in AWS as before, or all, and shows the next page of them
// too if more is set.
func (s source) readCloud(before *reading, more bool) *reading {
	seen := &reading{of: s, running: true}
	if s.users == nil {
		return seen
	}
	const patience = time.Minute
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	want := 1
	if before != nil {
		want = before.wanted
	}
	u, err := people.InCloud(ctx, s.cloud.Reached)
	if err == nil {
		seen.groups = u.Groups
		if more {
			seen.users, seen.next, want = slices.Clone(before.users), before.next, len(before.users)+1
		}
		for again := true; again && err == nil; again = seen.next != "" && len(seen.users) < want {
			var page []userpool.User
			page, seen.next, err = u.Page(ctx, seen.next)
			seen.users = append(seen.users, page...)
		}
	}
	if seen.wanted = len(seen.users); err != nil {
		seen.problem, seen.wanted = prose.PrintableStart(err.Error()), want
	}
	return seen
}

// read reads the users. It opens the state only if it may, and makes none.
func (s source) read() *reading {
	seen := &reading{of: s}
	if s.users == nil {
		return seen
	}
	seen.groups = s.users.Groups
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, err := sandbox.Connect(live.State(s.root))
	seen.running = err == nil
	if errors.Is(err, sandbox.ErrNotRunning) {
		if seen.unread = !s.mayOpen || s.inCloud; seen.unread {
			seen.print = s.fingerprint()
			return seen
		}
		if seen.print = s.fingerprint(); seen.print == "none" {
			return seen // nobody was added yet
		}
		err = nil
	}
	if err == nil {
		err = s.with(ctx, func(u *people.Users) (err error) {
			// A change while they are read shows in the next poll.
			seen.print = s.fingerprint()
			seen.users, err = u.Roster(ctx)
			seen.groups = slices.Clone(u.Groups)
			return err
		})
	}
	if err != nil {
		seen.problem = prose.PrintableStart(err.Error())
	}
	if !seen.running {
		seen.print = s.fingerprint()
	}
	return seen
}

// with opens the users while use runs, in AWS, in the running sandbox or in its state.
func (s source) with(ctx context.Context, use func(*people.Users) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users == nil {
		return errors.New(s.noPool)
	}
	if s.cloud != nil {
		u, err := people.InCloud(ctx, s.cloud.Reached)
		if err != nil {
			return err
		}
		return use(u)
	}
	u := *s.users
	if err := u.Open(ctx, s.root, s.port); err != nil {
		return err
	}
	return errors.Join(use(&u), u.Close())
}

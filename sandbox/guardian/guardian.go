//go:build linux

package guardian

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// Guardian is the connection to a guardian process. Its methods may be called from several
// goroutines.
type Guardian struct {
	wire       *wire
	canProtect bool
	// ended is closed when the guardian process has ended.
	ended chan struct{}

	mu       sync.Mutex
	last     int
	children map[int]*Child
	gone     bool
}

// Command is a process to start.
type Command struct {
	// Path is the program, Args are its arguments with its name, Env all its variables, Dir
	// is its working directory.
	Path      string
	Args, Env []string
	Dir       string
	// Files are its open files from number 1; standard input is empty.
	Files []*os.File
	// ReadOnly are folders into which nothing that the process starts can write, if the
	// system allows that. It stays so for all processes of the guardian.
	ReadOnly []string
}

// Child is a process that a Guardian started: the leader of a process group of its own.
type Child struct {
	PID int
	// Writable is why a folder of Command.ReadOnly is not read-only; "" if all are, or if the
	// guardian cannot protect any.
	Writable string

	guardian *Guardian
	id       int
	// leads is the number of its group, 0 before it is started; the lock of guardian guards it.
	leads   int
	started chan reply
	ended   chan struct{}
	status  syscall.WaitStatus
	peak    int
}

// errGone is the error of a guardian process that has ended.
var errGone = errors.New("the guardian process has ended")

// Start starts a guardian process. The caller closes the Guardian.
func Start() (*Guardian, error) {
	var failures []error
	for _, view := range views() {
		g, err := startWith(view)
		if err == nil {
			return g, nil
		}
		failures = append(failures, err)
	}
	return nil, errors.Join(failures...)
}

// view is how a guardian process gets a view of the file system.
type view struct {
	own       bool // a view of its own; false is that of this process
	namespace bool // needs a namespace of users, in which it may have one
}

// views are the ways in which to start, the best first. What the system allows (a container
// or a security module may forbid it) is found by trying.
func views() []view {
	all := []view{{own: true, namespace: true}, {}}
	if os.Geteuid() == 0 {
		all = append([]view{{own: true}}, all...)
	}
	return all
}

// attributes are those of the guardian process. It has a group of its own, because the
// signals of a terminal are for this process. It stays in its session: the system gives
// time to sessions (autogroups), and a call would wait for that of another one.
func (v view) attributes() *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setpgid: true}
	if v.own {
		a.Cloneflags = syscall.CLONE_NEWNS
	}
	if v.namespace {
		a.Cloneflags |= syscall.CLONE_NEWUSER
		a.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}}
		a.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}}
		// The guardian needs it for its view, and keeps it from what it starts.
		a.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN}
	}
	return a
}

// programName is the name (argv[0]) of guardian processes, by which they know what they are.
const programName = "gatewright-guardian"

// The arguments of a guardian process.
const (
	ownView    = "own-view"
	sharedView = "shared-view"
)

func startWith(v view) (*Guardian, error) {
	ends, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("making a connection to a guardian process: %w", err)
	}
	own, other := os.NewFile(uintptr(ends[0]), "guardian"), os.NewFile(uintptr(ends[1]), "guarded")
	defer func() { _ = other.Close() }()
	w, err := newWire(own)
	if err != nil {
		return nil, err
	}
	// This program, also if its file was replaced.
	cmd := exec.Command("/proc/self/exe")
	cmd.Args = []string{programName, sharedView}
	if v.own {
		cmd.Args[1] = ownView
	}
	cmd.Dir, cmd.Env, cmd.ExtraFiles, cmd.SysProcAttr = "/", []string{}, []*os.File{other}, v.attributes()
	if err := cmd.Start(); err != nil {
		_ = w.socket.Close()
		return nil, fmt.Errorf("starting a guardian process: %w", err)
	}
	_ = other.Close()
	g := &Guardian{wire: w, ended: make(chan struct{}), children: map[int]*Child{}}
	var first reply
	_, err = w.receive(&first)
	if err == nil && v.own && !first.CanProtect {
		err = errors.New("it may not change its view of the file system: " + first.Failure)
	}
	if err != nil || !first.Ready {
		_ = w.socket.Close()
		_ = cmd.Wait()
		return nil, fmt.Errorf("starting a guardian process: %w", errors.Join(err, errGone))
	}
	g.canProtect = first.CanProtect
	go g.read(cmd, sightOf(cmd.Process.Pid))
	return g, nil
}

// read handles the guardian's messages until it ends. What a guardian leaves behind that was
// killed itself is ended here.
func (g *Guardian) read(cmd *exec.Cmd, own sight) {
	defer own.close()
	for {
		var r reply
		if _, err := g.wire.receive(&r); err != nil {
			break
		}
		g.handle(r)
	}
	_ = g.wire.socket.Close()
	killed := cmd.Wait() != nil
	g.mu.Lock()
	defer g.mu.Unlock()
	if killed {
		for _, c := range g.children {
			if c.leads != 0 {
				_ = syscall.Kill(-c.leads, syscall.SIGKILL)
			}
		}
		own.endAll()
	}
	g.gone = true
	// The system kills the children when the guardian ends.
	for _, c := range g.children {
		c.end(syscall.WaitStatus(syscall.SIGKILL))
	}
	clear(g.children)
	close(g.ended)
}

func (g *Guardian) handle(r reply) {
	g.mu.Lock()
	defer g.mu.Unlock()
	c := g.children[r.ID]
	switch {
	case c == nil:
	case r.Ended:
		delete(g.children, r.ID)
		c.peak = r.Peak
		c.end(syscall.WaitStatus(r.Status))
	default:
		c.leads = r.PID
		c.started <- r
	}
}

// end is called once.
func (c *Child) end(status syscall.WaitStatus) {
	c.status = status
	close(c.ended)
}

// Run starts a process.
func (g *Guardian) Run(command Command) (*Child, error) {
	c := &Child{guardian: g, started: make(chan reply, 1), ended: make(chan struct{})}
	g.mu.Lock()
	if g.gone {
		g.mu.Unlock()
		return nil, errGone
	}
	g.last++
	c.id = g.last
	g.children[c.id] = c
	g.mu.Unlock()
	o := order{
		ID: c.id, Path: command.Path, Args: command.Args, Env: command.Env, Dir: command.Dir,
		ReadOnly: command.ReadOnly,
	}
	if err := g.wire.send(o, command.Files...); err != nil {
		g.forget(c)
		return nil, fmt.Errorf("asking the guardian process: %w", errors.Join(errGone, err))
	}
	select {
	case r := <-c.started:
		if r.Failure != "" {
			g.forget(c)
			return nil, errors.New(r.Failure)
		}
		c.PID, c.Writable = r.PID, r.Writable
		return c, nil
	case <-g.ended:
		return nil, errGone
	}
}

func (g *Guardian) forget(c *Child) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.children, c.id)
}

// CanProtect reports whether folders can be read-only for what the guardian starts.
func (g *Guardian) CanProtect() bool { return g.canProtect }

// IsGone reports whether the guardian process has ended.
func (g *Guardian) IsGone() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.gone
}

// Close ends the guardian process and everything below it. The channel is closed when that
// is done.
func (g *Guardian) Close() <-chan struct{} {
	_ = g.wire.socket.CloseWrite()
	return g.ended
}

// Kill kills the process, its group, and everything that descends from it now.
func (c *Child) Kill() {
	select {
	case <-c.ended:
		return
	default:
	}
	if c.guardian.wire.send(order{ID: c.id, Kill: true}) != nil {
		_ = syscall.Kill(-c.PID, syscall.SIGKILL)
	}
}

// Ended is closed when the process has ended.
func (c *Child) Ended() <-chan struct{} { return c.ended }

// Status is how the process ended; it is known after Ended.
func (c *Child) Status() syscall.WaitStatus { return c.status }

// Peak is the most memory that the process or one of its children had, in KB; it is known
// after Ended.
func (c *Child) Peak() int { return c.peak }

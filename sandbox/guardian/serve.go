//go:build linux

package guardian

import (
	"os"
	"os/signal"
	"runtime"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// A guardian process is any program that has this package, also a test's, so it is
// recognized before main.
func init() {
	if len(os.Args) == 2 && os.Args[0] == programName {
		serve(os.Args[1] == ownView)
		os.Exit(0)
	}
}

// connectionFile is the number of the connection: the first after the standard streams.
const connectionFile = 3

// server is the guardian process.
type server struct {
	wire *wire
	// canProtect means that it has a view of the file system of its own.
	canProtect bool
	null       *os.File

	// mu is held while a process is started, and while one that has ended is taken from the
	// system: no number in running is that of another process.
	mu      sync.Mutex
	running map[int]int // ids by process
	wake    *sync.Cond  // a process was started
}

// serve runs until the other side has ended.
func serve(own bool) {
	// The system kills what this thread started when it ends, so it is one that never does.
	runtime.LockOSThread()
	// Signals that were sent to stop the other side do not end this one. They are not
	// ignored, because processes that are started would inherit that.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT,
		syscall.SIGPIPE)
	syscall.CloseOnExec(connectionFile)
	w, err := newWire(os.NewFile(connectionFile, "guarded"))
	if err != nil {
		return
	}
	s := &server{wire: w, running: map[int]int{}}
	s.wake = sync.NewCond(&s.mu)
	first := reply{Ready: true}
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return
	}
	if own {
		if err := separateView(); err != nil {
			first.Failure = err.Error()
		}
		s.canProtect = first.Failure == ""
		first.CanProtect = s.canProtect
	}
	if s.null, err = os.Open(os.DevNull); err != nil || w.send(first) != nil {
		return
	}
	go s.reap()
	for {
		var o order
		files, err := w.receive(&o)
		if err == nil && o.Kill {
			s.kill(o.ID)
		} else if err == nil {
			s.start(o, files)
		}
		for _, file := range files {
			_ = syscall.Close(file)
		}
		if err != nil {
			break
		}
	}
	endAll()
}

// start starts a process and says so.
func (s *server) start(o order, files []int) {
	r := reply{ID: o.ID}
	if s.canProtect {
		for _, folder := range o.ReadOnly {
			if err := protect(folder); err != nil {
				r.Writable = err.Error()
			}
		}
	}
	all := []uintptr{s.null.Fd()}
	for _, file := range files {
		syscall.CloseOnExec(file)
		all = append(all, uintptr(file))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	pid, err := syscall.ForkExec(o.Path, o.Args, &syscall.ProcAttr{
		Dir: o.Dir, Env: o.Env, Files: all, Sys: &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL},
	})
	if err != nil {
		r.Failure = (&os.PathError{Op: "fork/exec", Path: o.Path, Err: err}).Error()
	} else {
		r.PID = pid
		s.running[pid] = o.ID
		s.wake.Signal()
	}
	_ = s.wire.send(r)
}

// reap takes the processes that have ended from the system: those that were started, and
// those that were adopted.
func (s *server) reap() {
	for {
		var info unix.Siginfo
		// It stays there until the lock is held.
		err := unix.Waitid(unix.P_ALL, 0, &info, unix.WEXITED|unix.WNOWAIT, nil)
		s.mu.Lock()
		for err == unix.ECHILD && len(s.running) == 0 {
			s.wake.Wait()
			err = nil
		}
		s.takeEnded()
		s.mu.Unlock()
	}
}

// takeEnded takes every process that has ended. The lock is held.
func (s *server) takeEnded() {
	for {
		var (
			status syscall.WaitStatus
			used   syscall.Rusage
		)
		pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, &used)
		if err == syscall.EINTR {
			continue
		}
		if err != nil || pid <= 0 {
			return
		}
		id, started := s.running[pid]
		if !started {
			continue
		}
		delete(s.running, pid)
		if len(s.running) == 0 {
			// Whatever is left was started by processes that have all ended.
			killBelow(os.Getpid(), nil)
		}
		_ = s.wire.send(reply{ID: id, Ended: true, Status: int(status), Peak: int(used.Maxrss)})
	}
}

// kill kills a process that was started, and everything below it.
func (s *server) kill(id int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for pid, one := range s.running {
		if one == id {
			// It must not start others meanwhile.
			_ = syscall.Kill(pid, syscall.SIGSTOP)
			killBelow(pid, nil)
			_ = syscall.Kill(-pid, syscall.SIGKILL)
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

package file

import (
	"os"
	"time"
)

const (
	shortest = time.Millisecond
	longest  = 50 * time.Millisecond
	// patience is how long a file may be in use before that is an error. Programs that
	// watch files hold them for some milliseconds.
	patience = time.Second
)

// Retry calls do until it does not fail because a file is in use, for a second at most.
func Retry(do func() error) error { return retry(do, IsInUse, time.Sleep) }

func retry(do func() error, inUse func(error) bool, sleep func(time.Duration)) error {
	var waited time.Duration
	for pause := shortest; ; pause = min(2*pause, longest) {
		err := do()
		if err == nil || !inUse(err) || waited+pause > patience {
			return err
		}
		sleep(pause)
		waited += pause
	}
}

// Rename is os.Rename, with [Retry].
func Rename(from, to string) error {
	return Retry(func() error { return os.Rename(from, to) })
}

// Remove is os.Remove, with [Retry].
func Remove(name string) error {
	return Retry(func() error { return os.Remove(name) })
}

// RemoveAll is os.RemoveAll, with [Retry].
func RemoveAll(name string) error {
	return Retry(func() error { return os.RemoveAll(name) })
}

// ReadShared is ReadRegular, with [Retry].
func ReadShared(name string) (data []byte, err error) {
	err = Retry(func() error {
		data, err = ReadRegular(name)
		return err
	})
	return data, err
}

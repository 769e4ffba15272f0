package lock

import "sync"

// inProcess has the locks of this process alone, by their keys.
var (
	inProcess      = make(map[any]*HeldError)
	inProcessMutex sync.Mutex
)

// TakeInProcess takes a lock that excludes nobody outside of this process: for
// what lies in its memory. The key is comparable; name is what errors call it.
func TakeInProcess(key any, name string) (*Lock, error) {
	inProcessMutex.Lock()
	defer inProcessMutex.Unlock()
	if held := inProcess[key]; held != nil {
		return nil, held
	}
	holder := thisProcess()
	holder.File = name
	inProcess[key] = holder
	return &Lock{release: func() error {
		inProcessMutex.Lock()
		defer inProcessMutex.Unlock()
		if inProcess[key] == holder {
			delete(inProcess, key)
		}
		return nil
	}}, nil
}

// CheckInProcess is a *HeldError while the lock of that key is held.
func CheckInProcess(key any) error {
	inProcessMutex.Lock()
	defer inProcessMutex.Unlock()
	if held := inProcess[key]; held != nil {
		return held
	}
	return nil
}

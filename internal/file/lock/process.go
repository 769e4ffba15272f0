package lock

import "sync"

// inProcess are the holders of the locks of TakeInProcess, by their keys.
var (
	inProcess      = make(map[any]*HeldError)
	inProcessMutex sync.Mutex
)

// TakeInProcess takes a lock that other processes do not see, for data in memory. The
// key must be comparable; name is the lock's file in errors.
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

// CheckInProcess returns a *HeldError while the lock of that key is held.
func CheckInProcess(key any) error {
	inProcessMutex.Lock()
	defer inProcessMutex.Unlock()
	if held := inProcess[key]; held != nil {
		return held
	}
	return nil
}

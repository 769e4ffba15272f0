package network

import "syscall"

// Numbers of Windows Sockets,
// https://learn.microsoft.com/windows/win32/winsock/windows-sockets-error-codes-2
const (
	wsaEACCES       = syscall.Errno(10013)
	wsaEMFILE       = syscall.Errno(10024)
	wsaEADDRINUSE   = syscall.Errno(10048)
	wsaECONNABORTED = syscall.Errno(10053)
	wsaECONNRESET   = syscall.Errno(10054)
	wsaENOBUFS      = syscall.Errno(10055)
	wsaENOTCONN     = syscall.Errno(10057)
	wsaECONNREFUSED = syscall.Errno(10061)
	// networkNameDeleted is ERROR_NETNAME_DELETED: the client left before it was accepted.
	networkNameDeleted = syscall.Errno(64)
)

var (
	refused   = []syscall.Errno{wsaECONNREFUSED}
	reset     = []syscall.Errno{wsaECONNRESET, wsaECONNABORTED, wsaENOTCONN, networkNameDeleted}
	inUse     = []syscall.Errno{wsaEADDRINUSE}
	forbidden = []syscall.Errno{wsaEACCES}
	exhausted = []syscall.Errno{wsaEMFILE, wsaENOBUFS}
)

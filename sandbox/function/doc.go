// Package function runs handler functions on this machine as Lambda does: processes
// that ask for events over the Lambda Runtime API
// (https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html).
//
// Each function has a pool of workers (pool.go). A worker is a process with a
// Runtime API server of its own (worker.go, runtime.go). It has one call at a time, so
// that every line it writes belongs to a request. Node.js and Python workers run the
// embedded bootstraps; Go functions are their own programs. A Node.js worker inherits
// its connection and blocks while it waits for an event, as Lambda freezes a function
// between calls (pair_unix.go).
//
// On Linux the processes are started by another one (guardian), which ends what they leave
// behind. A function cannot write into its source (source.go), and what it has of memory is
// measured (memory.go).
//
// The lock of a pool guards its workers and their calls. It is never held while
// writing to a worker, reading files or calling back.
package function

// Package function runs handler functions on this machine as the cloud runs
// them: processes that ask for events over the Lambda Runtime API.
//
// Each function has a pool of workers (pool.go). A worker is a process and the
// Runtime API server that it alone talks to (worker.go, runtime.go), and has one
// call at a time, so that every line it writes belongs to a request. Node.js and
// Python workers run the embedded bootstraps; Go functions are their own programs.
// A Node.js worker inherits its connection and stands still while it waits for
// an event, as the cloud freezes a function between calls (pair_unix.go).
//
// The lock of a pool guards its workers and their calls. Nobody holds it while
// writing to a worker, looking at a disk, or telling anybody anything.
package function

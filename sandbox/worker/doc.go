// Package worker runs handler functions on this machine as Lambda does: processes that ask for events over
// the Lambda Runtime API (https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html).
//
// Each function has a pool of workers (pool.go). A worker is a process with a Runtime API server of its own
// (worker.go, runtime.go). It has one call at a time, so that every line it writes belongs to a request.
// Node.js and Python workers run the embedded bootstraps; Go functions are their own programs. A Node.js
// worker inherits its connection and blocks while it waits for an event, as Lambda freezes a function between
// calls (pair_unix.go).
//
// On Linux the processes are started by another one (guardian), which ends what they leave behind. A function
// cannot write into its source (source.go), and what it has of memory is measured (memory.go).
//
// A source is made ready without a file being written into it: packages are installed in a cache, the AWS SDK
// that the cloud's runtime brings is added, scripts of the project run in a copy, TypeScript is compiled.
// What was prepared says where each of these lies, and for Node.js lookup.cjs leads there.
//
// A new runtime is a model.Runtime, its variables (environment.go), a bootstrap that speaks the Runtime API,
// its preparation, and a row in the tests that every runtime passes. Outside of this package it has a name in
// AWS (render/template) and a template (render/handler).
//
// The lock of a pool guards its workers and their calls. It is never held while writing to a worker, reading
// files or calling back.
//
// The clients of the Runtime API are our own, and embedded: aws-lambda-ric
// (https://www.npmjs.com/package/aws-lambda-ric) compiles curl when it is installed, with cmake, a C++
// compiler and minutes.
package worker

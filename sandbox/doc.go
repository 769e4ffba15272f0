// Package sandbox is the facility on one machine: it serves the REST APIs that
// it is told of, runs their handler functions and schedules, and keeps the logs.
// It reads no project.
//
// One process at a time owns a state folder, and says in run.json how the others
// reach it (Connect). It listens on 127.0.0.1 only: on one port for callers of
// the APIs, on another for clients of the sandbox, so that a crowd of callers
// keeps no client out.
package sandbox

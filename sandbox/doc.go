// Package sandbox runs a project on one machine: it serves the REST APIs, tables and user pools of a Config,
// runs their functions and schedules, and keeps their logs. It does not read the project itself.
//
// One process at a time owns a state folder (package state); run.json in it says how clients reach the
// process (Connect). It listens on 127.0.0.1 only: on one port for callers of the APIs, and on another for
// clients of the sandbox, which many callers cannot block.
package sandbox

"use strict";
// Runs a Node.js handler function: asks the Runtime API for events, calls the
// handler as the cloud's Node.js runtime does, and posts what it answers. Under a
// debugger: continue here, your function is loaded next. The files of this folder
// are one script, put together in the order that bootstrap.go says.

const processes = require("node:child_process");
const fs = require("node:fs");
const net = require("node:net");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const util = require("node:util");

const address = process.env.AWS_LAMBDA_RUNTIME_API;
const [host, port] = address.split(":");
const root = process.env.LAMBDA_TASK_ROOT;
const major = Number(process.versions.node.split(".")[0]);
// The number of a connection that was inherited: no business of the function.
const inherited = process.env.GATEWRIGHT_CONNECTION;
delete process.env.GATEWRIGHT_CONNECTION;
process.env.AWS_EXECUTION_ENV = `AWS_Lambda_nodejs${major}.x`;

// What was compiled is kept beside this file, where Node.js can do that (22.8).
try {
  require("node:module").enableCompileCache?.(
    path.join(process.env.LAMBDA_RUNTIME_DIR, "compiled"),
  );
} catch {
  // It is only faster with it.
}

// The request that is served, for the lines that are written.
let requestID = "";

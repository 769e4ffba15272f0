"use strict";
// Runs a Node.js handler function: asks the Runtime API for events, calls the
// handler as Lambda's Node.js runtime does, and posts its answers. Under a
// debugger: continue here, your function is loaded next. The files of this folder
// become one script, in the order of nodeParts in bootstrap.go.

const processes = require("node:child_process");
const fs = require("node:fs");
const net = require("node:net");
const path = require("node:path");
const { fileURLToPath, pathToFileURL } = require("node:url");
const util = require("node:util");

const [host, port, secret] = process.env.AWS_LAMBDA_RUNTIME_API.split(/[:/]/);
const root = process.env.LAMBDA_TASK_ROOT;
// The version of the cloud's runtime, whose rules count whatever runs here.
const major = Number(
  process.env.GATEWRIGHT_RUNTIME?.match(/^nodejs([0-9]+)/)?.[1] ??
    process.versions.node.split(".")[0],
);
delete process.env.GATEWRIGHT_RUNTIME;
// The number of the inherited connection, which the function must not see.
const inherited = process.env.GATEWRIGHT_CONNECTION;
delete process.env.GATEWRIGHT_CONNECTION;
process.env.AWS_EXECUTION_ENV = `AWS_Lambda_nodejs${major}.x`;

// Node.js 22.8 and later can keep compiled code, here beside this file.
try {
  require("node:module").enableCompileCache?.(
    path.join(process.env.LAMBDA_RUNTIME_DIR, "compiled"),
  );
} catch {
  // It only makes starts faster.
}

// The request that is being served, for log entries.
let requestID = "";

"use strict";

// The code of every function: it answers with the caller's id from the path, and does what
// the request asks for.

const { spawn } = require("node:child_process");

const never = () => new Promise((done) => setTimeout(done, 600_000));

// Invalid results of a handler.
const nonsense = [
  null,
  7,
  "text",
  [],
  { statusCode: "test" },
  { statusCode: 7 },
  { statusCode: 200, unknown: true },
  { statusCode: 200, body: {} },
  { multiValueHeaders: { "x-a": "b" } },
];

// obey does what the request asks for before the answer.
async function obey(behaviour, caller) {
  const number = Number.parseInt(caller, 10) || 0;
  console.log(`caller ${caller}`);
  switch (behaviour) {
    case "exit":
      process.exit(number % 5);
      break;
    case "kill":
      process.kill(process.pid, "SIGKILL");
      return never();
    case "throw":
      throw new Error(`thrown for ${caller}`);
    case "uncaught":
      setTimeout(() => {
        throw new Error(`uncaught for ${caller}`);
      }, number % 4);
      return never();
    case "reject":
      Promise.reject(new Error(`rejected for ${caller}`));
      return never();
    case "late":
      setTimeout(() => {
        throw new Error(`late for ${caller}`);
      }, number % 4);
      break;
    case "hang":
      return never();
    case "spin":
      for (;;);
    case "spawn":
      spawn("sleep", ["600"], { detached: true, stdio: "ignore" }).unref();
      break;
  }
}

// much is a body of 1 MB with the caller's id.
const much = (caller) =>
  `${caller} `.repeat(Math.ceil(2 ** 20 / (caller.length + 1)));

const lastOf = (path) => path.slice(path.lastIndexOf("/") + 1);

// answer is the result of a handler with a version of its source.
exports.answer = async (event, context, version) => {
  const caller = lastOf(event.path);
  const behaviour = event.queryStringParameters?.do;
  await obey(behaviour, caller);
  if (behaviour === "nonsense") {
    return nonsense[Number.parseInt(caller, 10) % nonsense.length];
  }
  return {
    statusCode: 200,
    headers: {
      "content-type": "application/json",
      "x-caller": caller,
      "x-request": context.awsRequestId,
      "x-version": version,
    },
    body:
      behaviour === "much"
        ? much(caller)
        : JSON.stringify({ method: event.httpMethod, caller, body: event.body }),
  };
};

// middleware does the same for the Express template, before its routes.
exports.middleware = (version) => async (req, res, next) => {
  const caller = lastOf(req.path);
  res.set({
    "x-caller": caller,
    "x-request": req.apiGateway.context.awsRequestId,
    "x-version": String(version),
  });
  await obey(req.query.do, caller);
  if (req.query.do === "much") {
    res.type("text").send(much(caller));
    return;
  }
  next();
};

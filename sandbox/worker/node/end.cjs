process.on("beforeExit", () => whenIdle());

process.on("uncaughtException", (err) => {
  logError("Uncaught Exception", err);
  fatal(err, 129);
});
process.on("unhandledRejection", (reason) => {
  const err = new RuntimeError("UnhandledPromiseRejection", String(reason));
  err.reason = reason;
  logError("Unhandled Promise Rejection", err);
  fatal(err, 128);
});

function fatal(err, code) {
  if (handler === undefined) {
    giveUp("init/error", err, code);
  } else if (current !== null && !current.done) {
    current.done = true;
    giveUp(`invocation/${current.id}/error`, err, code);
  } else {
    process.exit(code);
  }
}

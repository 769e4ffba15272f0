"use strict";

// Requests that end badly, late or not at all.

const { note, told } = require("./app");

const fail = (status) => Object.assign(new Error("secret"), { status });

const routes = {
  throws: () => {
    throw fail();
  },
  "throws-404": () => {
    throw fail(404);
  },
  rejects: async () => {
    await null;
    throw fail(503);
  },
  next: (req, res, next) => next(fail(409)),
  "next-late": (req, res, next) => setTimeout(next, 5, fail()),
  "throws-after-head": (req, res) => {
    res.write("some");
    throw fail();
  },
  "next-after-end": (req, res, next) => {
    res.end("done");
    next(fail());
  },
  handled: (req, res, next) => next(Object.assign(fail(), { handled: true })),
  "no-route": (req, res, next) => next(),
  "on-finish": (req, res) => {
    res.on("finish", () => note("finish", res.statusCode, res.getHeader("x-a")));
    res.on("close", () => note("close", res.closed, res.errored));
    res.set("X-A", "1").send("x");
  },
  "destroy-on-finish": (req, res) => {
    res.on("finish", () => res.destroy());
    res.send("all of it");
  },
  "req-destroy": (req) => req.destroy(),
  "req-destroy-error": (req) => req.destroy(fail()),
  "res-destroy": (req, res) => res.destroy(),
  "res-destroy-error": (req, res) => res.destroy(fail()),
  "res-destroy-half": (req, res) => {
    res.write("half");
    setImmediate(() => res.destroy());
  },
  "socket-destroy": (req) => req.socket.destroy(),
  "write-after-destroy": (req, res) => {
    res.on("error", (err) => note("error", told(err)));
    res.destroy();
    note(res.write("x", (err) => note("callback", told(err))));
    res.end();
    note(res.writableEnded, res.headersSent, res.destroyed);
  },
  "res-timeout": (req, res) => {
    note(res.setTimeout(20, () => res.status(503).end("too late")) === res);
  },
  "res-timeout-unheard": (req, res) => res.setTimeout(20),
  "req-timeout": (req) => note(req.setTimeout(20, () => note("heard")) === req),
  "timeout-taken-back": (req, res) => {
    res.setTimeout(20, () => note("heard"));
    res.setTimeout(0);
    setTimeout(() => res.end("in time"), 60);
  },
  "timeout-kept-off": (req, res) => {
    res.setTimeout(1000, () => note("heard"));
    res.end("in time");
  },
  never: () => {},
  "never-ends": (req, res) => res.write("some"),
};

exports.names = Object.keys(routes);

exports.mount = (app) => {
  for (const name of exports.names) {
    app.all(`/ends/${name}`, routes[name]);
  }
  app.use((err, req, res, next) => {
    if (!err.handled) {
      next(err);
      return;
    }
    res.status(400).json({ handled: err.message });
  });
};

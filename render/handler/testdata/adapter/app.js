"use strict";

const express = require("express");

// What an app tells of one request: `seen` is the request itself, and the
// others are what happened to it, to its response and elsewhere, in order.
const record = { seen: null, req: [], res: [], notes: [] };
exports.record = record;

exports.start = () => {
  Object.assign(record, { seen: null, req: [], res: [], notes: [] });
};

// note keeps what a route has to say beside its answer.
const note = (...what) => record.notes.push(what.join(" "));
exports.note = note;

const told = (err) => (err ? `${err.code ?? err.name}: ${err.message}` : "no error");
exports.told = told;

// make makes the app, the same each time.
exports.make = () => {
  const app = express();
  app.set("env", "production");
  app.set("trust proxy", false);
  app.use((req, res, next) => {
    const { req: ofReq, res: ofRes } = record;
    record.seen = {
      method: req.method,
      url: req.url,
      query: req.query,
      headers: { ...req.headers },
      distinct: { ...req.headersDistinct },
      rawHeaders: [...req.rawHeaders],
      trailers: req.trailers,
      ip: req.ip,
      hostname: req.hostname,
      path: req.path,
      httpVersion: req.httpVersion,
      readable: [req.readable, req.readableEnded, req.destroyed, req.aborted],
      writable: [res.writable, res.writableEnded, res.writableFinished, res.destroyed],
      head: [res.headersSent, res.statusCode, String(res.statusMessage)],
    };
    if (!req.path.startsWith("/unheard")) {
      for (const name of ["end", "close", "aborted", "error", "timeout"]) {
        req.on(name, (err) => ofReq.push(err?.code ? `${name} ${told(err)}` : name));
      }
    }
    for (const name of ["prefinish", "finish", "close", "pipe", "unpipe"]) {
      res.on(name, () =>
        ofRes.push(`${name} ${res.writableEnded} ${res.writableFinished} ${res.destroyed}`),
      );
    }
    next();
  });
  for (const room of ["answers", "streams", "bodies", "ends", "packages"]) {
    require(`./${room}`).mount(app);
  }
  return app;
};

"use strict";

// Answers that are written piece by piece, and answers that fail on the way.

const fs = require("node:fs");
const path = require("node:path");
const { finished, pipeline, Readable } = require("node:stream");
const zlib = require("node:zlib");
const { note, told } = require("./app");

const file = path.join(__dirname, "files", "page.html");
const pieces = () => Readable.from(["one ", "twö ", Buffer.from("three")]);

function* failing() {
  yield "some";
  throw new Error("on the way");
}

const routes = {
  writes: (req, res) => {
    res.write("a");
    res.write("ü", "latin1");
    res.write("6869", "hex");
    res.write(new Uint8Array([33]), () => note("written"));
    res.write("");
    res.end("z", "utf8", () => note("ended"));
  },
  "write-later": async (req, res) => {
    for (const text of ["1", "2", "3"]) {
      res.write(text);
      await new Promise(setImmediate);
    }
    res.end();
  },
  "write-reused": (req, res) => {
    const buffer = Buffer.from("first");
    res.write(buffer, () => {
      buffer.write("other");
      res.end(buffer);
    });
  },
  "write-wrong": (req, res) => {
    for (const chunk of [null, undefined, 5, {}]) {
      try {
        res.write(chunk);
      } catch (err) {
        note(err.code);
      }
    }
    res.end();
  },
  "write-after-end": (req, res) => {
    res.on("error", (err) => note("error", told(err)));
    res.end("x");
    note(res.write("y", (err) => note("callback", told(err))));
    res.end("z", (err) => note("second end", told(err)));
  },
  "write-after-close": (req, res) => {
    res.on("error", (err) => note("error", told(err)));
    res.on("close", () => note(res.write("y", (err) => note("callback", told(err)))));
    res.end("x");
  },
  "end-twice": (req, res) => {
    res.end("x", () => note("first"));
    res.end(() => note("second"));
    res.on("close", () => res.end((err) => note("third", told(err))));
  },
  "end-callback": (req, res) => res.end(() => note("ended", res.writableFinished)),
  corked: (req, res) => {
    res.cork();
    note(res.writableCorked);
    res.write("a");
    res.write("b");
    res.uncork();
    res.end("c");
  },
  "pipe-file": (req, res) => fs.createReadStream(file).pipe(res),
  "pipe-pieces": (req, res) => pieces().pipe(res),
  "pipe-large": (req, res) =>
    Readable.from(Array.from({ length: 200 }, (_, i) => `${i}`.padEnd(4096, "x"))).pipe(res),
  gzip: (req, res) => {
    res.set("Content-Encoding", "gzip");
    fs.createReadStream(file).pipe(zlib.createGzip()).pipe(res);
  },
  pipeline: (req, res) =>
    pipeline(pieces(), res, (err) => note("pipeline", told(err))),
  "pipeline-fails": (req, res) =>
    pipeline(Readable.from(failing()), res, (err) => note("pipeline", told(err))),
  "pipeline-fails-first": (req, res) =>
    pipeline(fs.createReadStream(`${file}.not`), res, (err) => note("pipeline", err.code)),
  finished: (req, res) => {
    finished(res, (err) => note("finished", told(err)));
    finished(req, (err) => note("finished req", told(err)));
    res.end("x");
  },
  "flush-headers": (req, res) => {
    res.set("X-A", "1").flushHeaders();
    note(res.headersSent);
    setImmediate(() => res.end("x"));
  },
  drain: (req, res) => {
    let left = 50;
    const more = () => {
      while (left > 0) {
        left--;
        if (!res.write("x".repeat(20000))) {
          res.once("drain", more);
          return;
        }
      }
      res.end();
    };
    more();
  },
  events: (req, res) => {
    res.type("text/event-stream").flushHeaders();
    res.write("data: 1\n\n");
    setTimeout(() => res.end("data: 2\n\n"), 5);
  },
  "pipe-from": (req, res) => {
    res.on("error", (err) => note(told(err)));
    res.pipe(process.stderr);
    res.end();
  },
};

exports.names = Object.keys(routes);

exports.mount = (app) => {
  for (const name of exports.names) {
    app.all(`/streams/${name}`, routes[name]);
  }
};

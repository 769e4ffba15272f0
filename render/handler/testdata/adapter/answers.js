"use strict";

// Every way that Express and Node.js have to make an answer at once.

const path = require("node:path");
const express = require("express");
const { note, told } = require("./app");

const file = path.join(__dirname, "files", "page.html");

const attempt = (what) => {
  try {
    what();
    note("no error");
  } catch (err) {
    note(told(err));
  }
};

const routes = {
  json: (req, res) => res.json({ a: 1, ü: "✓" }),
  "json-null": (req, res) => res.json(null),
  send: (req, res) => res.send("plain"),
  "send-html": (req, res) => res.send("<p>ü</p>"),
  "send-bytes": (req, res) => res.send(Buffer.from([0, 255, 128, 13, 10, 13, 10])),
  "send-nothing": (req, res) => res.send(),
  "send-object": (req, res) => res.send({ a: [1] }),
  "send-status": (req, res) => res.sendStatus(418),
  redirect: (req, res) => res.redirect("/else?a=ü b"),
  "redirect-301": (req, res) => res.redirect(301, "https://example.com/"),
  cookie: (req, res) =>
    res
      .cookie("a", "1", { httpOnly: true, expires: new Date(2e12) })
      .cookie("b", { c: "ü;=" })
      .clearCookie("d", { path: "/x" })
      .end("three"),
  "one-cookie": (req, res) => res.cookie("a", "1").end(),
  status: (req, res) => res.status(201).end(),
  "status-599": (req, res) => res.status(599).send("x"),
  type: (req, res) => res.type("png").send(Buffer.from("not really")),
  append: (req, res) =>
    res.append("X-A", "1").append("X-A", ["2", "3"]).append("Warning", "199 x").end(),
  vary: (req, res) => res.vary("Accept").vary("Origin").end(),
  location: (req, res) => res.location("/somewhere").status(201).end(),
  links: (req, res) =>
    res.links({ next: "http://x/?p=2", last: "http://x/?p=9" }).end(),
  format: (req, res) =>
    res.format({
      text: () => res.send("text"),
      html: () => res.send("<b>html</b>"),
      json: () => res.send({ json: true }),
    }),
  attachment: (req, res) => res.attachment("ü 1.csv").send("a,b"),
  "send-file": (req, res, next) =>
    res.sendFile(file, { maxAge: 5000 }, (err) => (err ? next(err) : note("sent"))),
  "send-file-missing": (req, res, next) => res.sendFile(`${file}.not`, next),
  download: (req, res) => res.download(file, "other.html"),
  jsonp: (req, res) => res.jsonp({ a: "\u2028" }),
  "head-object": (req, res) =>
    res.writeHead(202, { "X-A": ["1", "2"], "Content-Type": "text/x" }).end("x"),
  "head-pairs": (req, res) => {
    res.removeHeader("X-Powered-By");
    res.writeHead(202, [["X-A", "1"], ["X-a", "2"], ["Set-Cookie", ["a=1", "b=2"]]]);
    res.end("x");
  },
  "head-flat": (req, res) => {
    res.writeHead(202, ["X-A", "1", "X-B", "2"]);
    res.end("x");
  },
  "head-reason": (req, res) =>
    res.writeHead(404, "Nowhere", { "Content-Length": 3 }).end("abc"),
  "head-twice": (req, res) => {
    res.writeHead(200);
    attempt(() => res.writeHead(201));
    res.end();
  },
  "head-wrong": (req, res) => {
    attempt(() => res.writeHead(99));
    attempt(() => res.writeHead(200, "a\nb"));
    attempt(() => res.setHeader("a b", "1"));
    attempt(() => res.setHeader("a", "ü\n"));
    attempt(() => res.setHeader("a", "✓"));
    attempt(() => res.setHeader("a", undefined));
    res.statusMessage = undefined;
    res.status(200).end();
  },
  latin1: (req, res) => res.set("X-A", "caf\u00e9").end(Buffer.from("x")),
  names: (req, res) => {
    res.setHeader("constructor", "a");
    res.setHeader("X-Empty", "");
    res.setHeader("X-Colon", "a: b:c");
    res.setHeader("X-Number", 5);
    res.setHeader("Cookie", ["a=1", "b=2"]);
    note(JSON.stringify(res.getHeaders()), res.getRawHeaderNames(), res.hasHeader("x-empty"));
    res.end();
  },
  "set-headers": (req, res) => {
    res.setHeaders(new Headers([["a", "1"], ["set-cookie", "x=1"], ["set-cookie", "y=2"]]));
    res.appendHeader("a", "2");
    res.removeHeader("x-powered-by");
    res.end();
  },
  "headers-sent": (req, res) => {
    res.end("x");
    note(res.headersSent, res.writableEnded, res.finished);
    attempt(() => res.setHeader("a", "1"));
    attempt(() => res.removeHeader("a"));
    attempt(() => res.appendHeader("a", "1"));
    attempt(() => res.json({}));
  },
  "set-close": (req, res) => res.set("Connection", "close").end("x"),
  "set-chunked": (req, res) => {
    res.set("Transfer-Encoding", "chunked");
    res.write("one");
    res.end("two");
  },
  trailers: (req, res) => {
    res.set("Trailer", "X-After");
    res.write("body");
    res.addTrailers({ "X-After": "1" });
    res.end();
  },
  "early-hints": (req, res) =>
    res.writeEarlyHints({ link: "</a.css>; rel=preload" }, () => res.end("late")),
  continue: (req, res) => {
    res.writeContinue();
    res.writeProcessing();
    res.end("x");
  },
  204: (req, res) => res.status(204).send("nothing of this"),
  304: (req, res) => res.status(304).end("nor this"),
  "raw-204": (req, res) => {
    res.writeHead(204);
    note(res.write("x", () => note("written")));
    res.end("y", () => note("ended"));
  },
  etag: (req, res) => res.set("ETag", '"v1"').send("tagged"),
  fresh: (req, res) => res.set("Last-Modified", new Date(1e12).toUTCString()).send("old"),
  megabyte: (req, res) => res.send("ü".repeat(1 << 19)),
  "length-wrong": (req, res) => {
    res.strictContentLength = true;
    res.set("Content-Length", "5");
    attempt(() => res.end("four"));
    res.destroy();
  },
  local: (req, res) => {
    note(res.app === req.app, req.res === res, res.req === req, req.socket === res.socket);
    note(req.connection === req.socket, typeof req.socket.destroy, req.socket.writable);
    note(req.is("json"), req.accepts(["html", "json"]), req.xhr, req.fresh, req.subdomains);
    req.socket.setNoDelay(true).setKeepAlive(true).setTimeout(0);
    res.end();
  },
};

exports.names = Object.keys(routes);

exports.mount = (app) => {
  for (const name of exports.names) {
    app.all(`/answers/${name}`, routes[name]);
  }
  app.use("/static", express.static(path.join(__dirname, "files"), { index: "page.html" }));
};

"use strict";

// Public packages that reach into responses, as they are.

const express = require("express");
const compression = require("compression");
const cookieParser = require("cookie-parser");
const cookieSession = require("cookie-session");
const cors = require("cors");
const helmet = require("helmet");
const morgan = require("morgan");
const multer = require("multer");
const onHeaders = require("on-headers");
const responseTime = require("response-time");
const session = require("express-session");
const { note, told } = require("./app");

// compression as it is, for bodies of every length.
function compressing() {
  const router = express.Router();
  router.use(compression({ threshold: 100 }));
  router.all("/short", (req, res) => res.send("short"));
  router.all("/long", (req, res) => res.type("text").send("long ".repeat(500)));
  router.all("/json", (req, res) => res.json(Array(500).fill({ a: "ü" })));
  router.all("/image", (req, res) => res.type("png").send(Buffer.alloc(500)));
  router.all("/empty", (req, res) => res.status(204).end());
  router.all("/pieces", (req, res) => {
    res.type("text");
    for (let i = 0; i < 5; i++) {
      res.write("piece ".repeat(50));
    }
    res.flush();
    setImmediate(() => res.end("end"));
  });
  return router;
}

function sessions() {
  let made = 0;
  const router = express.Router();
  router.use(
    session({
      secret: "s",
      resave: false,
      saveUninitialized: false,
      genid: () => `session-${++made}`,
    }),
  );
  router.all("/count", (req, res) => {
    req.session.count = (req.session.count ?? 0) + 1;
    res.send(`count ${req.session.count}`);
  });
  router.all("/look", (req, res) => res.json({ count: req.session.count ?? null }));
  router.all("/again", (req, res, next) => {
    req.session.regenerate((err) => (err ? next(err) : res.send(req.sessionID)));
  });
  router.all("/out", (req, res) => req.session.destroy(() => res.redirect("/")));
  return router;
}

function cookies() {
  const router = express.Router();
  router.use(cookieParser("s"), cookieSession({ name: "cs", keys: ["k"], secure: false }));
  router.all("/set", (req, res) => {
    req.session.who = "me";
    res.cookie("signed", "1", { signed: true }).json(req.cookies);
  });
  router.all("/get", (req, res) =>
    res.json([req.session.who ?? null, req.cookies, req.signedCookies]),
  );
  router.all("/drop", (req, res) => {
    req.session = null;
    res.end();
  });
  return router;
}

function uploads() {
  const router = express.Router();
  const upload = multer({ limits: { fileSize: 2000 } });
  router.post("/any", upload.any(), (req, res) =>
    res.json({
      body: req.body,
      files: req.files.map((f) => [f.fieldname, f.originalname, f.buffer.toString("hex")]),
    }),
  );
  router.use((err, req, res, next) => res.status(400).send(told(err)));
  return router;
}

exports.mount = (app) => {
  app.use("/compression", compressing());
  app.use("/session", sessions());
  app.use("/cookies", cookies());
  app.use("/upload", uploads());
  app.use("/helmet", helmet(), (req, res) => res.send("safe"));
  app.use(
    "/cors",
    cors({ origin: /example/, credentials: true, exposedHeaders: ["X-A"] }),
    (req, res) => res.send("shared"),
  );
  const line = ":remote-addr :method :url :status :res[content-type] HTTP/:http-version :user-agent";
  app.use(
    "/morgan",
    morgan(line, { stream: { write: (text) => note(text.trim()) } }),
    morgan(":method", { immediate: true, stream: { write: (text) => note("at once", text.trim()) } }),
    (req, res) => res.send("logged"),
  );
  app.use(
    "/response-time",
    responseTime((req, res, time) => res.set("X-Time", time >= 0 ? "some" : "none")),
    (req, res) => res.send("timed"),
  );
  app.use(
    "/on-headers",
    (req, res, next) => {
      onHeaders(res, () => res.set("X-Late", String(res.getHeader("x-early"))));
      next();
    },
    (req, res) => res.writeHead(201, { "X-Early": "1" }).end("x"),
  );
  // One over the other, as apps have them.
  app.use(
    "/all",
    morgan(":method :status", { stream: { write: (text) => note(text.trim()) } }),
    helmet(),
    cors(),
    compression({ threshold: 0 }),
    session({ secret: "s", resave: true, saveUninitialized: true, genid: () => "one" }),
    (req, res) => res.json({ all: "x".repeat(300) }),
  );
};

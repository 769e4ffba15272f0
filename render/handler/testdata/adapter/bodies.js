"use strict";

// Every way to read what a request brings.

const { pipeline, Writable } = require("node:stream");
const express = require("express");
const { note, told } = require("./app");

// tell answers with the body as a parser left it.
const tell = (req, res) => {
  note(JSON.stringify([req.readableEnded, req.destroyed]));
  res.json(Buffer.isBuffer(req.body) ? { bytes: req.body.toString("hex") } : { body: req.body });
};

const readers = {
  data: (req, res) => {
    let length = 0;
    req.on("data", (chunk) => (length += chunk.length));
    req.on("end", () => res.json({ length }));
  },
  text: (req, res) => {
    let text = "";
    req.setEncoding("utf8").on("data", (chunk) => (text += chunk));
    req.on("end", () => res.send(text));
  },
  iterate: async (req, res) => {
    const chunks = [];
    for await (const chunk of req) {
      chunks.push(chunk);
    }
    res.send(Buffer.concat(chunks));
  },
  echo: (req, res) => req.pipe(res),
  late: (req, res) => setTimeout(() => readers.data(req, res), 5),
  readable: (req, res) => {
    let length = 0;
    req.on("readable", () => {
      for (let chunk = req.read(); chunk !== null; chunk = req.read()) {
        length += chunk.length;
      }
    });
    req.on("end", () => res.json({ length }));
  },
  pipeline: (req, res) => {
    const sink = new Writable({ write: (chunk, encoding, done) => setImmediate(done) });
    pipeline(req, sink, (err) => res.send(told(err)));
  },
  unread: (req, res) => res.send("no need"),
  resume: (req, res) => {
    req.resume();
    res.send("thrown away");
  },
};

exports.readers = Object.keys(readers);
exports.parsers = ["json", "loose", "urlencoded", "extended", "text", "raw", "small"];

exports.mount = (app) => {
  for (const name of exports.readers) {
    app.all(`/bodies/${name}`, readers[name]);
    app.all(`/unheard/${name}`, readers[name]);
  }
  app.all("/bodies/json", express.json(), tell);
  app.all("/bodies/loose", express.json({ type: () => true, strict: false, limit: "6mb" }), tell);
  app.all("/bodies/urlencoded", express.urlencoded(), tell);
  app.all("/bodies/extended", express.urlencoded({ extended: true }), tell);
  app.all("/bodies/text", express.text({ type: "*/*", limit: "6mb" }), tell);
  app.all("/bodies/raw", express.raw({ type: () => true, limit: "6mb" }), tell);
  app.all("/bodies/small", express.text({ type: () => true, limit: 3 }), tell);
};

"use strict";

const express = require("express");

// The API paths that this function serves: each path itself and, with
// `*__BELOW__`, everything below it. The first that matches a request serves it.
const routes = __ROUTES__;

const app = express();
app.disable("x-powered-by");
app.enable("case sensitive routing");

app.use((req, res, next) => {
  res.set({
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Headers":
      "Origin, X-Requested-With, Content-Type, Accept, Authorization, X-Amz-Date, X-Amz-Security-Token",
    "Access-Control-Allow-Methods":
      "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT",
  });
  // API Gateway answers it, unless the settings of the API say `handler`.
  if (req.method === "OPTIONS") {
    res.end();
    return;
  }
  next();
});

// A form of a page is read by its content type. Any other body is read as JSON even without a content type, so that a request made by
// hand needs no header. An event has at most 6 MB.
app.use(express.urlencoded({ extended: false, limit: "6mb" }));
app.use(express.json({ type: () => true, strict: false, limit: "6mb" }));

// A handler can use `req.body`, `req.query`, the path variables such as
// `req.params["id"]`, and the segments below the path in `req.params.__BELOW__`,
// such as ["1"] (undefined for the path itself).

// GET path:      list all items.
// GET path/<id>: load an item by id.
app.get(routes, (req, res) => {
  res.json({ success: "get call succeed!", url: req.originalUrl });
});

// POST path: create an item, which is req.body.
app.post(routes, (req, res) => {
  res.json({
    success: "post call succeed!",
    url: req.originalUrl,
    body: req.body,
  });
});

// PUT path: update an item, which is req.body.
app.put(routes, (req, res) => {
  res.json({
    success: "put call succeed!",
    url: req.originalUrl,
    body: req.body,
  });
});

// PATCH path: update some attributes of an item, which are req.body.
app.patch(routes, (req, res) => {
  res.json({
    success: "patch call succeed!",
    url: req.originalUrl,
    body: req.body,
  });
});

// DELETE path/<id>: delete an item by id.
app.delete(routes, (req, res) => {
  res.json({ success: "delete call succeed!", url: req.originalUrl });
});

app.use((req, res) => {
  res
    .status(404)
    .json({ error: `no route for ${req.method} ${req.originalUrl}` });
});

// Express recognizes an error handler by its four parameters.
app.use((err, req, res, next) => {
  if (err.status >= 400 && err.status < 500) {
    res.status(err.status).json({ error: err.message });
    return;
  }
  console.error(err);
  res.status(500).json({ error: "internal error" });
});

module.exports = app;

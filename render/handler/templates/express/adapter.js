"use strict";

const { isUtf8 } = require("node:buffer");
const { EventEmitter } = require("node:events");
const { IncomingMessage, ServerResponse } = require("node:http");

// serve makes a handler of an app (Express, or anything else that takes a
// request and a response of Node.js): each event becomes a request, and the
// response becomes the result. No port is listened on. The app finds the event
// and the context in `req.apiGateway`.
exports.serve = (app) => (event, context) =>
  new Promise((resolve, reject) => {
    const req = requestOf(event, new Caller(event, reject));
    req.apiGateway = { event, context };
    app(req, responseTo(req, resolve))?.catch?.(reject);
  });

// Caller stands where a connection would be.
class Caller extends EventEmitter {
  constructor(event, fail) {
    super();
    this.remoteAddress = event.requestContext?.identity?.sourceIp;
    this.encrypted = true;
    this.readable = true;
    this.writable = true;
    this.destroyed = false;
    this.fail = fail;
  }

  destroy(err) {
    if (!this.destroyed) {
      this.destroyed = true;
      this.writable = false;
      this.fail(err ?? new Error("the app closed the connection"));
      this.emit("close");
    }
    return this;
  }

  setTimeout() {
    return this;
  }
}

function requestOf(event, caller) {
  const req = new IncomingMessage(caller);
  req.method = event.httpMethod ?? "GET";
  req.url = urlOf(event);
  req.httpVersion = "1.1";
  req.httpVersionMajor = 1;
  req.httpVersionMinor = 1;
  req.complete = true;
  req.rawHeaders = rawHeadersOf(event);
  req.headers = headersOf(req.rawHeaders);
  const body = event.body
    ? Buffer.from(event.body, event.isBase64Encoded ? "base64" : "utf8")
    : null;
  // The gateway takes the length away, and without one there is no body.
  if (body !== null || !/^(GET|HEAD|DELETE|OPTIONS)$/.test(req.method)) {
    req.headers["content-length"] = String(body?.length ?? 0);
  }
  if (body !== null) {
    req.push(body);
  }
  req.push(null);
  return req;
}

function urlOf(event) {
  const path = (event.path || "/").replace(/[?#]/g, encodeURIComponent);
  const query = event.queryStringParameters;
  const all = event.multiValueQueryStringParameters ?? query;
  if (!all) {
    return path;
  }
  const pairs = [];
  for (const name of Object.keys(all)) {
    for (const value of [all[name] ?? ""].flat()) {
      pairs.push(`${encoded(name)}=${encoded(value)}`);
    }
  }
  return pairs.length > 0 ? `${path}?${pairs.join("&")}` : path;
}

const encoded = (text) => encodeURIComponent(String(text).toWellFormed());

function rawHeadersOf(event) {
  const raw = [];
  const all = event.multiValueHeaders ?? event.headers ?? {};
  for (const name of Object.keys(all)) {
    const values = all[name];
    if (Array.isArray(values)) {
      for (const value of values) {
        raw.push(name, String(value));
      }
    } else {
      raw.push(name, String(values ?? ""));
    }
  }
  return raw;
}

// Of several of these the first counts; others are joined.
const single = new Set(
  "age authorization content-length content-type etag expires from host if-modified-since if-unmodified-since last-modified location max-forwards proxy-authorization referer retry-after server user-agent".split(
    " ",
  ),
);

function headersOf(raw) {
  const headers = {};
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i].toLowerCase();
    const before = headers[name];
    if (before === undefined) {
      headers[name] = raw[i + 1];
    } else if (!single.has(name)) {
      headers[name] = before + (name === "cookie" ? "; " : ", ") + raw[i + 1];
    }
  }
  return headers;
}

// What an app writes is kept, and handed over as a result at its end. Express
// changes the prototype of a response, so each has the methods for itself.
const kept = Symbol("what was written");

function responseTo(req, done) {
  const res = new ServerResponse(req);
  res.sendDate = false;
  res.useChunkedEncodingByDefault = false;
  res[kept] = { chunks: [], done };
  res.writeHead = writeHead;
  res.write = write;
  res.end = end;
  res.destroy = destroy;
  return res;
}

// Node.js would keep headers that are given here where nobody can ask for them.
function writeHead(status, reason, headers) {
  const given = typeof reason === "string" ? headers : reason;
  if (Array.isArray(given)) {
    const list = Array.isArray(given[0]) ? given.flat() : given;
    for (let i = 0; i < list.length; i += 2) {
      this.removeHeader(list[i]);
    }
    for (let i = 0; i < list.length; i += 2) {
      this.appendHeader(list[i], list[i + 1]);
    }
  } else {
    for (const name of Object.keys(given ?? {})) {
      this.setHeader(name, given[name]);
    }
  }
  return typeof reason === "string"
    ? ServerResponse.prototype.writeHead.call(this, status, reason)
    : ServerResponse.prototype.writeHead.call(this, status);
}

function write(chunk, encoding, callback) {
  if (typeof encoding === "function") {
    callback = encoding;
    encoding = undefined;
  }
  if (!this.headersSent) {
    this.writeHead(this.statusCode);
  }
  if (!this.finished) {
    this[kept].chunks.push(Buffer.from(chunk, encoding));
  }
  if (callback) {
    process.nextTick(callback);
  }
  return true;
}

function end(chunk, encoding, callback) {
  if (typeof chunk === "function") {
    [chunk, callback] = [undefined, chunk];
  } else if (typeof encoding === "function") {
    [encoding, callback] = [undefined, encoding];
  }
  if (this.finished) {
    callback?.();
    return this;
  }
  if (callback) {
    this.once("finish", callback);
  }
  if (chunk) {
    this.write(chunk, encoding);
  } else if (!this.headersSent) {
    this.writeHead(this.statusCode);
  }
  this.finished = true;
  process.nextTick(finish, this);
  return this;
}

function destroy(err) {
  this.destroyed = true;
  this.req.socket.destroy(err);
  return this;
}

function finish(res) {
  res.emit("prefinish");
  res.emit("finish");
  res[kept].done(resultOf(res));
  res.emit("close");
}

function resultOf(res) {
  const { chunks } = res[kept];
  const bodiless =
    res.req.method === "HEAD" || res.statusCode === 204 || res.statusCode === 304;
  const body = bodiless ? Buffer.alloc(0) : Buffer.concat(chunks);
  const text = isUtf8(body);
  const headers = {};
  const multiValueHeaders = {};
  const all = res.getHeaders();
  for (const name of Object.keys(all)) {
    const value = all[name];
    if (Array.isArray(value)) {
      multiValueHeaders[name] = value.map(String);
    } else {
      headers[name] = String(value);
    }
  }
  return {
    statusCode: res.statusCode,
    headers,
    multiValueHeaders,
    body: body.toString(text ? "utf8" : "base64"),
    isBase64Encoded: !text,
  };
}

"use strict";

const { isUtf8 } = require("node:buffer");
const { EventEmitter } = require("node:events");
const { IncomingMessage, ServerResponse } = require("node:http");

// serve makes a Lambda handler of an app (Express, or any function of a
// request and a response of Node.js): each event becomes a request, and the
// response becomes the result, without a server. The event and the context are
// in `req.apiGateway`.
exports.serve = (app) => (event, context) =>
  new Promise((resolve, reject) => {
    const caller = new Caller(event, resolve, reject);
    caller.req = requestOf(event, caller);
    caller.res = responseTo(caller);
    caller.req.apiGateway = { event, context };
    app(caller.req, caller.res)?.catch?.(reject);
  });

// Caller takes the place of a connection. Requests and responses are those
// of Node.js, so that an app works as on a server. Caller keeps what the
// response writes, which becomes the body of the result.
class Caller extends EventEmitter {
  constructor(event, resolve, reject) {
    super();
    this.remoteAddress = event.requestContext?.identity?.sourceIp;
    this.encrypted = true;
    this.readable = true;
    this.writable = true;
    this.writableLength = 0;
    this.destroyed = false;
    // Node.js sets these two.
    this._httpMessage = null;
    this._writableState = { corked: 0 };
    this.req = null;
    this.res = null;
    this.chunks = [];
    this.timer = null;
    this.resolve = resolve;
    this.reject = reject;
  }

  // What is written before the head is an informational response, such as 103,
  // which a result cannot have.
  write(data, encoding, callback) {
    if (data.length > 0 && this.res.headersSent) {
      this.chunks.push(Buffer.from(data, encoding));
    }
    this.timer?.refresh();
    if (callback) {
      process.nextTick(callback);
    }
    return true;
  }

  get writableCorked() {
    return this._writableState.corked;
  }

  cork() {
    this._writableState.corked++;
  }

  uncork() {
    this._writableState.corked--;
  }

  end() {
    return this.destroy();
  }

  // A complete response is the result, even if an error follows.
  destroy(err) {
    if (this.destroyed) {
      return this;
    }
    this.destroyed = true;
    this.readable = false;
    this.writable = false;
    this.setTimeout(0);
    if (this.res.writableEnded) {
      this.resolve(resultOf(this));
      process.nextTick(closed, this, drain);
    } else {
      // Node.js emits no "finish" for a response after this.
      this._hadError = true;
      this.reject(err ?? new Error("the app closed the connection"));
      process.nextTick(closed, this, abort);
    }
    return this;
  }

  setTimeout(milliseconds, callback) {
    if (callback) {
      this.once("timeout", callback);
    }
    if (this.timer !== null) {
      clearTimeout(this.timer);
      this.timer = null;
    }
    if (milliseconds > 0) {
      this.timer = setTimeout(timeout, milliseconds, this);
    }
    return this;
  }

  setKeepAlive() {
    return this;
  }

  setNoDelay() {
    return this;
  }
}

function timeout(caller) {
  const heard = caller.res.emit("timeout", caller);
  caller.emit("timeout");
  if (!heard) {
    caller.destroy();
  }
}

function closed(caller, leave) {
  leave(caller.req);
  caller.emit("close");
}

function abort(req) {
  req.destroy(Object.assign(new Error("aborted"), { code: "ECONNRESET" }));
}

// A server reads the rest of a body that the app did not read. Here that matters
// only if the app waits for the end of the request.
function drain(req) {
  const awaited = req.listenerCount("end") > 0 || req.listenerCount("close") > 0;
  if (awaited && !req.readableDidRead) {
    req.resume();
  }
}

function requestOf(event, caller) {
  const req = new IncomingMessage(caller);
  req.method = event.httpMethod ?? "GET";
  req.url = urlOf(event);
  req.httpVersion = "1.1";
  req.httpVersionMajor = 1;
  req.httpVersionMinor = 1;
  const raw = rawHeadersOf(event);
  const body = event.body
    ? Buffer.from(event.body, event.isBase64Encoded ? "base64" : "utf8")
    : null;
  // API Gateway removes the length, and without it there is no body.
  if (body !== null || !/^(GET|HEAD|DELETE|OPTIONS)$/.test(req.method)) {
    raw.push("Content-Length", String(body?.length ?? 0));
  }
  req._addHeaderLines(raw, raw.length);
  req.complete = true;
  if (body !== null) {
    req.push(body);
  }
  req.push(null);
  return req;
}

// A path that was written by hand may have characters that no URL has.
function urlOf(event) {
  const path = (event.path || "/").replace(/[^!-~]|[?#]/gu, encoded);
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
    // The body has a new length here.
    if (/^(content-length|transfer-encoding)$/i.test(name)) {
      continue;
    }
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

// Express changes the prototype of a response, so the changes are in properties
// of the object itself.
function responseTo(caller) {
  const res = new ServerResponse(caller.req);
  res.sendDate = false;
  res._storeHeader = storeHeader;
  res.assignSocket(caller);
  res.on("finish", finish);
  return res;
}

function finish() {
  this.socket.destroy();
}

// storeHeader is called for every head. It marks the head as sent, so that only
// the body is written, and turns HTTP's chunks off.
function storeHeader(firstLine, headers) {
  ServerResponse.prototype._storeHeader.call(this, firstLine, headers);
  this.chunkedEncoding = false;
  this._headerSent = true;
}

function resultOf({ res, chunks }) {
  const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
  const text = isUtf8(body);
  return {
    statusCode: res.statusCode,
    ...headersOf(res._header),
    body: body.toString(text ? "utf8" : "base64"),
    isBase64Encoded: !text,
  };
}

// These headers are about a connection and not about the response.
const ofConnections = new Set(["connection", "keep-alive", "transfer-encoding"]);

// The head has a line before the headers and two line ends after them.
function headersOf(head) {
  const headers = {};
  const multiValueHeaders = {};
  for (const line of head.split("\r\n").slice(1, -2)) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 2);
    if (ofConnections.has(name)) {
      continue;
    }
    if (Object.hasOwn(multiValueHeaders, name)) {
      multiValueHeaders[name].push(value);
    } else if (Object.hasOwn(headers, name)) {
      multiValueHeaders[name] = [headers[name], value];
      delete headers[name];
    } else {
      headers[name] = value;
    }
  }
  return { headers, multiValueHeaders };
}

"use strict";

const answers = require("./answers");
const bodies = require("./bodies");
const ends = require("./ends");
const streams = require("./streams");

const all = [];

// add puts a request into the list. `pieces` is the body: without a length
// among the headers it is sent in chunks. `event` stands for the one that a
// gateway would make; `jar` sends the cookies that came before. What is not
// answered within its patience, in milliseconds, never is.
function add(method, url, { name = "", headers = [], body, pieces, event, jar } = {}) {
  const sent = [["Host", "api.example.com"], ["X-Id", "1"], ...headers];
  if (body !== undefined) {
    sent.push(["Content-Length", String(Buffer.byteLength(body))]);
  } else if (pieces === undefined && /^P/.test(method)) {
    sent.push(["Content-Length", "0"]);
  }
  all.push({
    name: `${method} ${url} ${name}`.trim(),
    method, url, event, jar,
    patience: url.startsWith("/ends/never") ? 250 : 20_000,
    headers: sent,
    pieces: pieces ?? (body === undefined ? [] : [body]),
  });
}

for (const [room, { names }] of Object.entries({ answers, streams, ends })) {
  for (const name of names) {
    add("GET", `/${room}/${name}`);
    // A client that has the head of an answer to HEAD hangs up, and Node.js
    // makes no head with trailers for it.
    if (!/^(never|events|trailers)/.test(name)) {
      add("HEAD", `/${room}/${name}`);
    }
  }
}
for (const name of ["throws", "rejects", "res-destroy", "req-destroy", "no-route"]) {
  add("POST", `/ends/${name}`, { body: "x", name: "with a body" });
}
for (const url of ["/nowhere", "/nowhere/%2F", "/%zz", "/", "/static", "/static/", "/static/page.html", "/static/no", "/static/..%2Fapp.js"]) {
  add("GET", url);
}
add("POST", "/static/page.html");
add("OPTIONS", "/answers/json");
add("PROPFIND", "/answers/json");

const header = (method, url, ...headers) =>
  add(method, url, { headers, name: headers.join(" ") });
header("GET", "/answers/format", ["Accept", "application/json"]);
header("GET", "/answers/format", ["Accept", "text/html"]);
header("GET", "/answers/format", ["Accept", "image/png"]);
header("GET", "/answers/etag", ["If-None-Match", '"v1"']);
header("GET", "/answers/etag", ["If-None-Match", '"v2"']);
header("GET", "/answers/fresh", ["If-Modified-Since", new Date(1e12).toUTCString()]);
header("GET", "/answers/send-file", ["Range", "bytes=2-5"]);
header("GET", "/answers/send-file", ["Range", "bytes=99999-"]);
header("GET", "/static/page.html", ["Range", "bytes=0-1,4-5"]);
header("GET", "/answers/local", ["X-Requested-With", "XMLHttpRequest"], ["Accept", "application/json"]);
header("GET", "/answers/json", ["Cookie", "a=1"], ["Cookie", "b=2"]);
header("GET", "/answers/json", ["X-A", "1"], ["X-A", "2"], ["x-a", "3"]);
header("GET", "/answers/json", ["Authorization", "a"], ["Authorization", "b"]);
header("GET", "/answers/json", ["User-Agent", "a"], ["User-Agent", "b"], ["Referer", "x"], ["Referer", "y"]);
header("GET", "/answers/json", ["Set-Cookie", "a"], ["Set-Cookie", "b"], ["constructor", "x"], ["__proto__", "y"], ["toString", "z"]);
header("GET", "/answers/json", ["X-Forwarded-For", "1.2.3.4"], ["X-Forwarded-Proto", "https"], ["X-Empty", ""]);
header("GET", "/answers/json", ["X-Latin", "caf\u00e9"]);

for (const query of [
  "a=1", "a=1&a=2", "a=1&b=2&a=3", "a[]=1&a[]=2", "a[b]=1", "a=", "a", "a=&a=", "=x", "a=1=2",
  "q=a+b", "q=a%2Bb", "q=a%20b", "q=%2F%3F%23%26%3D", "q=%C3%BC%E2%9C%93%F0%9F%98%80", "%C3%BC=1",
  "q=100%25", "q='(!*)", "__proto__=1&constructor=2", "callback=f", "",
]) {
  add("GET", `/answers/jsonp?${query}`);
}
for (const path of ["a%2Fb", "a%20b", "a+b", "%C3%BC", "a;b=c", "a%3Fb%23c", "a//b", "a/./b/../c", "'()*!$&,=:@~"]) {
  add("GET", `/answers/json/${path}`);
  add("GET", `//answers/json/${path}/`);
}

const text = '{"a":[1,"ü"]}';
const bytes = Buffer.from([0, 1, 254, 255, 13, 10]);
const large = JSON.stringify("x".repeat(1 << 20));
const types = ["application/json", "application/x-www-form-urlencoded", "text/plain"];
for (const name of [...bodies.parsers, ...bodies.readers]) {
  const url = `/bodies/${name}`;
  const typed = (type) => [["Content-Type", type]];
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
    add(method, url, { name: "without a body" });
    add(method, url, { headers: typed(types[0]), body: text, name: "with a body" });
  }
  for (const type of types) {
    add("POST", url, { headers: typed(type), body: "a=1&b[c]=2+3&a=%C3%BC", name: type });
  }
  add("POST", url, { headers: typed("application/octet-stream"), body: bytes, name: "bytes" });
  // A server has not read what nobody reads of a large one.
  if (!/urlencoded|extended|small|unread|resume/.test(name)) {
    add("POST", url, { headers: typed(types[0]), body: large, name: "large" });
  }
  add("POST", url, { headers: typed(types[0]), pieces: ['{"a":', '"chu', 'nks"}'], name: "in chunks" });
  add("POST", url, { headers: typed("application/json; charset=utf-16"), body: text, name: "charset" });
  add("POST", url, { headers: [...typed(types[0]), ["Content-Encoding", "gzip"]], body: require("node:zlib").gzipSync(text), name: "gzip" });
}
for (const name of bodies.readers) {
  add("POST", `/unheard/${name}`, { body: "some" });
}

for (const coding of ["gzip", "br", "deflate", "gzip;q=0, br", "identity", "*"]) {
  for (const name of ["short", "long", "json", "image", "empty", "pieces"]) {
    header("GET", `/compression/${name}`, ["Accept-Encoding", coding]);
    header("HEAD", `/compression/${name}`, ["Accept-Encoding", coding]);
  }
}
for (const [i, step] of ["look", "count", "count", "look", "again", "count", "out", "look"].entries()) {
  add("GET", `/session/${step}`, { jar: true, name: `step ${i}` });
}
for (const step of ["get", "set", "get", "drop", "get"]) {
  add("GET", `/cookies/${step}`, { jar: true });
}
header("GET", "/cookies/get", ["Cookie", "a=1; b=%7B%7D; c=j:{\"d\":1}"]);
const form = (name, content) =>
  `--X\r\nContent-Disposition: form-data; name="t"\r\n\r\nü\r\n--X\r\nContent-Disposition: form-data; name="f"; filename="${name}"\r\nContent-Type: x/y\r\n\r\n${content}\r\n--X--\r\n`;
const multipart = [["Content-Type", "multipart/form-data; boundary=X"]];
add("POST", "/upload/any", { headers: multipart, body: form("a.bin", "\0\u0001ü"), name: "text" });
add("POST", "/upload/any", { headers: multipart, body: Buffer.from(form("b.bin", "\u00ff\u00fe"), "latin1"), name: "bytes" });
add("POST", "/upload/any", { headers: multipart, body: form("a", "x".repeat(3000)), name: "too large" });
add("POST", "/upload/any", { headers: multipart, body: form("a", "x").slice(0, 90), name: "broken off" });
add("POST", "/upload/any", { headers: multipart, pieces: [form("a", "x")], name: "in chunks" });
for (const url of ["/helmet", "/morgan?a=1", "/response-time", "/on-headers", "/all"]) {
  for (const method of ["GET", "HEAD", "POST"]) {
    add(method, url, { headers: [["Accept-Encoding", "gzip"], ["User-Agent", "test"]] });
  }
}
header("GET", "/cors", ["Origin", "https://example.com"]);
header("GET", "/cors", ["Origin", "https://other.test"]);
header("OPTIONS", "/cors", ["Origin", "https://example.com"], ["Access-Control-Request-Method", "PUT"], ["Access-Control-Request-Headers", "x-b"]);

// Events that were written by hand, and what they mean.
const hand = (method, url, event, body) =>
  add(method, url, { event, body, name: JSON.stringify(event) });
hand("GET", "/answers/jsonp?callback=f", { httpMethod: "GET", path: "/answers/jsonp", queryStringParameters: { callback: "f" } });
hand("GET", "/answers/json", { httpMethod: "GET", path: "/answers/json", headers: null, multiValueHeaders: null, queryStringParameters: null, multiValueQueryStringParameters: null, body: null });
hand("GET", "/answers/json", { path: "/answers/json" });
hand("GET", "/", { httpMethod: "GET" });
hand("GET", "/answers/json%3Fa=1%23b", { httpMethod: "GET", path: "/answers/json?a=1#b" });
hand("GET", "/static/%C3%BC%20%E2%9C%93", { httpMethod: "GET", path: "/static/ü ✓" });
hand("GET", "/nowhere/%EF%BF%BD%F0%9F%98%80", { httpMethod: "GET", path: "/nowhere/\ud800😀" });
hand("GET", "/answers/jsonp?callback=%EF%BF%BD&a=null", { httpMethod: "GET", path: "/answers/jsonp", queryStringParameters: { callback: "\udc00", a: "null" } });
hand("GET", "/answers/jsonp?a=&b=5", { httpMethod: "GET", path: "/answers/jsonp", queryStringParameters: { a: null, b: 5 } });
hand("POST", "/bodies/loose", { httpMethod: "POST", path: "/bodies/loose", headers: { "content-length": "99", "Transfer-Encoding": "chunked" }, body: text }, text);
hand("POST", "/bodies/loose", { httpMethod: "POST", path: "/bodies/loose", body: null }, "");
hand("POST", "/bodies/raw", { httpMethod: "POST", path: "/bodies/raw", body: bytes.toString("base64"), isBase64Encoded: true }, bytes);

module.exports = all;

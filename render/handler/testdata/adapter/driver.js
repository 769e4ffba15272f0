"use strict";

// Sends each request of requests.js to the app behind a server and through the
// adapter, and writes {"name", "server", "adapter"}, what came of both, as a
// line for each. Called with the file of the adapter.

const http = require("node:http");
const { make, note, record, start, told } = require("./app");
const { eventOf } = require("./event");
const requests = require("./requests");

const { serve } = require(process.argv[2]);

console.error = (text) => note("error", String(text).split("\n")[0]);
process.on("uncaughtException", (err) => note("uncaught", told(err)));

// settled waits until request and response have been closed, and for what
// follows from that.
async function settled(r) {
  const closed = (events) => events.some((e) => e.startsWith("close"));
  const all = () => closed(record.res) && (closed(record.req) || r.url.startsWith("/unheard"));
  for (let i = 0; i < 500 && !all(); i++) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  for (let i = 0; i < 20; i++) {
    await new Promise(setImmediate);
  }
}

function ask(port, r) {
  return new Promise((resolve) => {
    const req = http.request(
      {
        host: "127.0.0.1", port, agent: false, setHost: false,
        method: r.method, path: r.url, headers: r.headers.flat(),
      },
      (res) => {
        const chunks = [];
        res.on("data", (chunk) => chunks.push(chunk));
        res.on("end", () =>
          resolve({
            status: res.statusCode,
            headers: res.rawHeaders,
            body: Buffer.concat(chunks).toString("base64"),
          }),
        );
        res.on("error", () => resolve({ refused: true }));
      },
    );
    req.on("error", () => resolve({ refused: true }));
    setTimeout(() => {
      resolve({ unanswered: true });
      req.destroy();
    }, r.patience).unref();
    for (const piece of r.pieces) {
      req.write(piece);
    }
    req.end();
  });
}

function call(handler, r) {
  const answer = handler(eventOf(r), {}).then(
    (result) => {
      const { statusCode, headers, multiValueHeaders, body, isBase64Encoded, ...more } = result;
      const raw = Object.entries(headers).flat();
      for (const [name, values] of Object.entries(multiValueHeaders)) {
        raw.push(...values.flatMap((value) => [name, value]));
      }
      const bytes = Buffer.from(body, isBase64Encoded ? "base64" : "utf8");
      return { status: statusCode, headers: raw, body: bytes.toString("base64"), more };
    },
    () => ({ refused: true }),
  );
  const late = new Promise((resolve) => setTimeout(resolve, r.patience, { unanswered: true }).unref());
  return Promise.race([answer, late]);
}

// withCookies gives each side the cookies back that it has set.
function withCookies(r, jar) {
  const kept = r.jar && Object.entries(jar).map((pair) => pair.join("="));
  return kept?.length ? { ...r, headers: [...r.headers, ["Cookie", kept.join("; ")]] } : r;
}

function keep(jar, { headers = [] }) {
  for (let i = 0; i < headers.length; i += 2) {
    if (headers[i].toLowerCase() === "set-cookie") {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(headers[i + 1]);
      jar[name] = value;
    }
  }
}

async function main() {
  const server = http.createServer(make());
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const handler = serve(make());
  const sides = {
    server: { jar: {}, send: (r) => ask(server.address().port, r) },
    adapter: { jar: {}, send: (r) => call(handler, r) },
  };
  for (const r of requests) {
    const line = { name: r.name, short: r.event !== undefined };
    for (const [name, side] of Object.entries(sides)) {
      start();
      const answer = await side.send(withCookies(r, side.jar));
      // Only a server hears of a caller who goes away.
      if (!answer.unanswered) {
        await settled(r);
      }
      if (r.jar) {
        keep(side.jar, answer);
      }
      line[name] = structuredClone({ answer, ...record });
    }
    process.stdout.write(`${JSON.stringify(line)}\n`);
  }
  process.exit();
}

main().catch((err) => {
  process.stderr.write(`${err.stack}\n`);
  process.exit(1);
});

// The Runtime API over one socket that asks for the next event in the write
// that answers the last one. Node's own client would cost more than most
// handlers do.

const base = "/2018-06-01/runtime";
const poll = `GET ${base}/invocation/next HTTP/1.1\r\nHost: ${address}\r\n\r\n`;
let socket;
// The answers that are to come: a function each, called with status, head, body.
const expected = [];
let received = Buffer.alloc(0);
let wanted = 0;

function connect() {
  socket = net.connect({ host, port: Number(port), noDelay: true });
  socket.on("data", onData);
  socket.on("error", () => process.exit(1));
  socket.on("close", () => process.exit(1));
}

function onData(chunk) {
  received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
  // A large event is put together once, when all of it is there.
  while (received.length > 0 && received.length >= wanted) {
    const end = received.indexOf("\r\n\r\n");
    if (end < 0) {
      return;
    }
    const head = received.latin1Slice(0, end);
    const length = Number(header(head, "Content-Length") ?? 0);
    wanted = end + 4 + length;
    if (received.length < wanted) {
      gather();
      return;
    }
    const body = received.subarray(end + 4, wanted);
    received = received.subarray(wanted);
    wanted = 0;
    expected.shift()(Number(head.slice(9, 12)), head, body);
  }
}

// gather reads the rest of a large answer into one buffer.
function gather() {
  const whole = Buffer.allocUnsafe(wanted);
  let have = received.copy(whole);
  received = Buffer.alloc(0);
  socket.off("data", onData);
  const more = (chunk) => {
    const taken = chunk.copy(whole, have, 0, Math.min(chunk.length, wanted - have));
    have += taken;
    if (have < wanted) {
      return;
    }
    socket.off("data", more);
    socket.on("data", onData);
    onData(
      taken < chunk.length
        ? Buffer.concat([whole, chunk.subarray(taken)])
        : whole,
    );
  };
  socket.on("data", more);
}

function header(head, name) {
  const at = head.indexOf(`\r\n${name}: `);
  if (at < 0) {
    return undefined;
  }
  const start = at + name.length + 4;
  const end = head.indexOf("\r\n", start);
  return head.slice(start, end < 0 ? undefined : end);
}

function post(to, body, headers = "") {
  return `POST ${base}/${to} HTTP/1.1\r\nHost: ${address}\r\nContent-Type: application/json\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

const ignore = () => {};

// ask posts what there is to post and asks for the next event.
function ask(posts) {
  if (posts !== "") {
    expected.push(ignore);
  }
  expected.push(onEvent);
  socket.ref();
  socket.write(posts + poll);
}

// giveUp posts an error and ends the process when that has arrived.
function giveUp(to, err, code) {
  whenIdle = ignore;
  const text = JSON.stringify(errorObject(err));
  const type = `Lambda-Runtime-Function-Error-Type: ${errorObject(err).errorType.replace(/[^\x21-\x7e]/g, "?")}\r\n`;
  expected.push(() => process.exit(code));
  socket.ref();
  socket.write(post(to, text, type));
}

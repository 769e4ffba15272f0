// The Runtime API over one connection. One write posts an answer and asks for the next
// event. Node's own HTTP client takes longer than most handlers.

const base = `/${secret}/2018-06-01/runtime`;
// The inherited connection needs no Host header. Over it only polls are answered.
const fields = inherited ? "" : `Host: ${host}:${port}\r\n`;
const poll = `GET ${base}/invocation/next HTTP/1.1\r\n${fields}\r\n`;
// A function for each expected answer, called with status, head and body.
const expected = [];
const ignore = () => {};

// The bytes that were received and not taken yet are the first of the inbox.
const usualSize = 64 * 1024;
let inbox = Buffer.allocUnsafe(usualSize);
let received = 0;
// The size of the first answer, 0 while its head is not complete.
let wanted = 0;

// makeRoom makes the inbox large enough for a number of bytes.
function makeRoom(size) {
  if (size > inbox.length) {
    const larger = Buffer.allocUnsafe(Math.max(size, wanted, 2 * inbox.length));
    inbox.copy(larger, 0, 0, received);
    inbox = larger;
  }
}

// take passes on the complete answers in the inbox.
function take() {
  let at = 0;
  while (expected.length > 0 && at < received && received - at >= wanted) {
    const end = inbox.indexOf("\r\n\r\n", at, "latin1");
    if (end < 0 || end + 4 > received) {
      break;
    }
    const head = inbox.latin1Slice(at, end);
    wanted = end + 4 - at + Number(header(head, "Content-Length") ?? 0);
    if (received - at < wanted) {
      break;
    }
    const body = inbox.utf8Slice(end + 4, at + wanted);
    at += wanted;
    wanted = 0;
    expected.shift()(Number(head.slice(9, 12)), head, body);
  }
  inbox.copyWithin(0, at, received);
  received -= at;
  if (received === 0 && inbox.length > 16 * usualSize) {
    inbox = Buffer.allocUnsafe(usualSize);
  }
}

// overSocket connects to AWS_LAMBDA_RUNTIME_API, as Lambda's runtimes do.
function overSocket() {
  const socket = net.connect({ host, port: Number(port), noDelay: true });
  socket.on("data", (chunk) => {
    makeRoom(received + chunk.length);
    received += chunk.copy(inbox, received);
    take();
  });
  socket.on("error", () => process.exit(1));
  socket.on("close", () => process.exit(1));
  const ask = (posts) => {
    if (posts !== "") {
      expected.push(ignore);
    }
    expected.push((status, head, body) => {
      if (status !== 200) {
        process.exit(1);
      }
      const meta = [
        "Lambda-Runtime-Aws-Request-Id",
        "Lambda-Runtime-Deadline-Ms",
        "Lambda-Runtime-Trace-Id",
        "Lambda-Runtime-Invoked-Function-Arn",
        "Lambda-Runtime-Client-Context",
      ];
      onEvent(meta.map((name) => header(head, name)), body);
    });
    socket.ref();
    socket.write(posts + poll);
  };
  return {
    ask,
    begin: (data) => {
      expected.push(ignore);
      socket.write(data);
    },
    send: (data, done) => socket.write(data, done),
    sendLast: (data, code) => {
      expected.push(() => process.exit(code));
      socket.ref();
      socket.write(data);
    },
    // Only the handler's own work keeps the process alive in a call.
    leave: () => socket.unref(),
  };
}

// overInherited uses the inherited connection. Waiting on it blocks the process, as
// Lambda freezes it between calls: unfinished work of a handler goes on in the next
// call. It costs half as much as a socket.
//
// Work that is due when the answer is posted runs before the process blocks, as in
// Lambda: it may take long, and the caller does not wait for it.
//
// An event comes as a frame: four numbers of four bytes, which are the lengths of
// the head (id, deadline, trace, ARN and the client context, if any, a line each), of the
// event, and of a long body, which goes beside the event, as text or as the bytes of which
// it is the base64. No byte behind a frame is read: the next frame can be taken back until
// its turn comes.
function overInherited(fd) {
  const outbox = Buffer.allocUnsafe(usualSize);
  const read = (size) => {
    makeRoom(size);
    for (let at = 0; at < size; ) {
      const n = retry(() => fs.readSync(fd, inbox, at, size - at));
      if (n === 0) {
        process.exit(1);
      }
      at += n;
    }
  };
  const pull = () => {
    read(16);
    const lines = inbox.readUInt32LE(0);
    const size = lines + inbox.readUInt32LE(4);
    const text = size + inbox.readUInt32LE(8);
    const whole = text + inbox.readUInt32LE(12);
    read(whole);
    const meta = inbox.latin1Slice(0, lines).split("\n");
    const event = inbox.utf8Slice(lines, size);
    let body;
    if (whole > text) {
      body = inbox.base64Slice(text, whole);
    } else if (text > size) {
      body = inbox.utf8Slice(size, text);
    }
    if (inbox.length > 16 * usualSize) {
      inbox = Buffer.allocUnsafe(usualSize);
    }
    onEvent(meta, event, body);
  };
  const send = (data, done = ignore) => {
    let bytes = data;
    let size = data.length;
    if (typeof data === "string" && 3 * data.length <= outbox.length) {
      bytes = outbox;
      size = outbox.utf8Write(data, 0);
    } else if (typeof data === "string") {
      bytes = Buffer.from(data);
      size = bytes.length;
    }
    for (let at = 0; at < size; ) {
      at += retry(() => fs.writeSync(fd, bytes, at, size - at));
    }
    done();
  };
  // sendAll sends several parts with one call of the system.
  const sendAll = (parts) => {
    const size = parts.reduce((sum, part) => sum + part.length, 0);
    const n = retry(() => fs.writevSync(fd, parts));
    if (n < size) {
      send(Buffer.concat(parts).subarray(n));
    }
  };
  return {
    ask: (posts) => {
      send(posts + poll);
      setImmediate(pull);
    },
    askApart: (to, { before, body, kind, after }) => {
      const json = Buffer.byteLength(before) + Buffer.byteLength(after) + 2;
      const head = `POST ${base}/${to} HTTP/1.1\r\nGatewright-Apart: ${Buffer.byteLength(before)} ${body.length} ${kind}\r\nContent-Length: ${json + body.length}\r\n\r\n${before}""${after}`;
      sendAll([Buffer.from(head), body, Buffer.from(poll)]);
      setImmediate(pull);
    },
    begin: send,
    send,
    sendLast: (data, code) => {
      send(data);
      process.exit(code);
    },
    leave: ignore,
  };
}

// retry repeats an operation while it would block: another process that has the
// connection may have made it non-blocking.
function retry(operation) {
  for (;;) {
    try {
      return operation();
    } catch (err) {
      if (err.code !== "EAGAIN") {
        process.exit(1);
      }
      Atomics.wait(pause, 0, 0, 1);
    }
  }
}

const connection = inherited ? overInherited(Number(inherited)) : overSocket();

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
  return `POST ${base}/${to} HTTP/1.1\r\n${fields}${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

// giveUp posts an error and ends the process after that.
function giveUp(to, err, code) {
  whenIdle = ignore;
  const text = JSON.stringify(errorObject(err));
  const type = `Lambda-Runtime-Function-Error-Type: ${errorObject(err).errorType.replace(/[^\x21-\x7e]/g, "?")}\r\n`;
  connection.sendLast(post(to, text, type), code);
}

// The Runtime API, over one connection that asks for the next event in the write
// that answers the last one. Node's own client would cost more than most
// handlers do.

const base = "/2018-06-01/runtime";
// Over a connection that was inherited there is nobody else to be told from, and
// nothing is answered but what is asked for.
const fields = inherited ? "" : `Host: ${address}\r\n`;
const poll = `GET ${base}/invocation/next HTTP/1.1\r\n${fields}\r\n`;
// The answers that are to come: a function each, called with status, head, body.
const expected = [];
const ignore = () => {};

// What was received and not yet taken: the first bytes of the inbox.
const usualRoom = 64 * 1024;
let inbox = Buffer.allocUnsafe(usualRoom);
let have = 0;
// How many bytes the answer has whose head was read.
let wanted = 0;

// makeRoom lets the inbox have room for so many bytes.
function makeRoom(size) {
  if (size > inbox.length) {
    const larger = Buffer.allocUnsafe(Math.max(size, wanted, 2 * inbox.length));
    inbox.copy(larger, 0, 0, have);
    inbox = larger;
  }
}

// take hands out the answers that are there as a whole.
function take() {
  let at = 0;
  while (expected.length > 0 && at < have && have - at >= wanted) {
    const end = inbox.indexOf("\r\n\r\n", at, "latin1");
    if (end < 0 || end + 4 > have) {
      break;
    }
    const head = inbox.latin1Slice(at, end);
    wanted = end + 4 - at + Number(header(head, "Content-Length") ?? 0);
    if (have - at < wanted) {
      break;
    }
    const body = inbox.utf8Slice(end + 4, at + wanted);
    at += wanted;
    wanted = 0;
    expected.shift()(Number(head.slice(9, 12)), head, body);
  }
  inbox.copyWithin(0, at, have);
  have -= at;
  if (have === 0 && inbox.length > 16 * usualRoom) {
    inbox = Buffer.allocUnsafe(usualRoom);
  }
}

// overSocket is the connection to the address that the cloud's runtimes use.
function overSocket() {
  const socket = net.connect({ host, port: Number(port), noDelay: true });
  socket.on("data", (chunk) => {
    makeRoom(have + chunk.length);
    have += chunk.copy(inbox, have);
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

// overInherited is a connection that the process was born with. Waiting on it
// stops the process, as the cloud freezes it between calls: what a handler left
// to do goes on with the next one. It costs half of what a socket does.
//
// What is due when the answer is given runs before it stops, as in the cloud: it may
// take long, and the caller does not wait for it.
//
// An event comes as a frame: two numbers of four bytes, which are the lengths of
// the four lines that say what call it is and of the event. A frame is read when
// its turn has come and no byte beyond it: one that waits behind it can be taken
// back until then.
function overInherited(fd) {
  const outbox = Buffer.allocUnsafe(usualRoom);
  const read = (size) => {
    makeRoom(size);
    for (let at = 0; at < size; ) {
      const n = patiently(() => fs.readSync(fd, inbox, at, size - at));
      if (n === 0) {
        process.exit(1);
      }
      at += n;
    }
  };
  const pull = () => {
    read(8);
    const lines = inbox.readUInt32LE(0);
    const size = lines + inbox.readUInt32LE(4);
    read(size);
    const meta = inbox.latin1Slice(0, lines).split("\n");
    const body = inbox.utf8Slice(lines, size);
    if (inbox.length > 16 * usualRoom) {
      inbox = Buffer.allocUnsafe(usualRoom);
    }
    onEvent(meta, body);
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
      at += patiently(() => fs.writeSync(fd, bytes, at, size - at));
    }
    done();
  };
  return {
    ask: (posts) => {
      send(posts + poll);
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

// patiently does what others may have made not wait.
function patiently(act) {
  for (;;) {
    try {
      return act();
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

// giveUp posts an error and ends the process when that has arrived.
function giveUp(to, err, code) {
  whenIdle = ignore;
  const text = JSON.stringify(errorObject(err));
  const type = `Lambda-Runtime-Function-Error-Type: ${errorObject(err).errorType.replace(/[^\x21-\x7e]/g, "?")}\r\n`;
  connection.sendLast(post(to, text, type), code);
}

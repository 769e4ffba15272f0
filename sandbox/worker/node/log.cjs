// A log entry is one line: a mark, the request, the level, the text with the mark in
// place of line breaks.

const mark = "\x1e";
const longest = 255 * 1024;
const pause = new Int32Array(new SharedArrayBuffer(4));

function writeAll(data) {
  for (let at = 0; at < data.length; ) {
    try {
      at += fs.writeSync(1, data, at);
    } catch (err) {
      if (err.code !== "EAGAIN") {
        return;
      }
      Atomics.wait(pause, 0, 0, 1);
    }
  }
}

function entry(level, text) {
  if (text.includes(mark)) {
    text = text.replaceAll(mark, "\u241e");
  }
  if (text.length > longest) {
    text = text.slice(0, longest) + " ... (cut)";
  }
  writeAll(
    Buffer.from(
      `${mark}${requestID}\t${level}\t${text.replaceAll("\n", mark)}\n`,
    ),
  );
}

const priorities = ["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"];
const asJSON = process.env.AWS_LAMBDA_LOG_FORMAT?.toUpperCase() === "JSON";
const least = Math.max(
  0,
  priorities.indexOf(process.env.AWS_LAMBDA_LOG_LEVEL?.toUpperCase() ?? ""),
);

function log(level, values) {
  entry(level, asJSON ? structured(level, values) : util.format(...values));
}

function structured(level, values) {
  const record = { timestamp: new Date().toISOString(), level, requestId: requestID };
  const replace = (_, value) =>
    value instanceof Error
      ? {
          errorType: value.constructor?.name ?? "UnknownError",
          errorMessage: value.message,
          stackTrace: String(value.stack).split("\n"),
          ...value,
        }
      : value;
  try {
    record.message = values.length === 1 ? values[0] : util.format(...values);
    return JSON.stringify(record, replace);
  } catch {
    record.message = util.format(...values);
    return JSON.stringify(record);
  }
}

for (const [method, level] of Object.entries({
  trace: "TRACE",
  debug: "DEBUG",
  info: "INFO",
  log: "INFO",
  warn: "WARN",
  error: "ERROR",
  fatal: "FATAL",
})) {
  console[method] =
    level === "FATAL" || priorities.indexOf(level) >= least
      ? (...values) => log(level, values)
      : () => {};
}

// The first plain output of a call follows a line with its request: the reader may not
// know yet that the call has begun. Processes that the function starts write too.
let markedRequest = "";

function markOutput() {
  if (markedRequest !== requestID) {
    markedRequest = requestID;
    writeAll(Buffer.from(`${mark}${mark}${requestID}\n`));
  }
}

function markBefore(object, name) {
  const original = object[name];
  object[name] = function (...values) {
    markOutput();
    return original.apply(this, values);
  };
}

markBefore(processes.ChildProcess.prototype, "spawn");
for (const name of ["spawnSync", "execSync", "execFileSync"]) {
  markBefore(processes, name);
}
require("node:module").syncBuiltinESMExports();

// Direct output is in the pipe when write returns, and so before the answer. The
// streams are still made at their first use.
for (const name of ["stdout", "stderr"]) {
  const lazy = Object.getOwnPropertyDescriptor(process, name);
  let stream;
  Object.defineProperty(process, name, {
    ...lazy,
    get() {
      if (stream === undefined) {
        stream = lazy.get.call(process);
        stream._handle?.setBlocking?.(true);
        markBefore(stream, "write");
      }
      return stream;
    },
  });
}

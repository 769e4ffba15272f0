let handler;
let streams = false;
// The running call, and what to do when the event loop is empty.
let current = null;
let whenIdle = ignore;

// onEvent begins a call. meta has its id, deadline, trace, the function's ARN and the client
// context.
// body is the event's, if it came beside the event.
function onEvent(meta, event, body) {
  const call = new Call(meta);
  current = call;
  requestID = call.id;
  connection.leave();
  process.nextTick(() => (streams ? call.stream(event, body) : call.run(event, body)));
}

function eventOf(text, body) {
  const event = JSON.parse(text);
  if (body !== undefined) {
    event.body = body;
  }
  return event;
}

// apart divides a result with a long body: the text of its JSON before and after the body. As a
// part of JSON, the body would be escaped here and unescaped by its reader. Base64 goes as the
// bytes that it stands for, if it is what these become again.
function apart(result) {
  const body = result?.body;
  if (
    !inherited ||
    typeof body !== "string" ||
    body.length < 4096 ||
    !body.isWellFormed?.() ||
    Object.getPrototypeOf(result) !== Object.prototype ||
    Object.hasOwn(result, "__proto__") ||
    result.toJSON !== undefined ||
    !Object.keys(result).includes("body")
  ) {
    return undefined;
  }
  const before = {};
  const after = {};
  let part = before;
  for (const key of Object.keys(result)) {
    if (key === "body") {
      part = after;
    } else {
      part[key] = result[key];
    }
  }
  let bytes;
  if ((before.isBase64Encoded ?? after.isBase64Encoded) === true) {
    bytes = Buffer.from(body, "base64");
  }
  const isBase64 = bytes?.toString("base64") === body;
  const [first, last] = [JSON.stringify(before), JSON.stringify(after)];
  return {
    before: `${first.slice(0, -1)}${first === "{}" ? "" : ","}"body":`,
    body: isBase64 ? bytes : Buffer.from(body),
    kind: isBase64 ? "base64" : "text",
    after: last === "{}" ? "}" : `,${last.slice(1)}`,
  };
}

// Each read of process.env calls the system's library.
const {
  AWS_LAMBDA_FUNCTION_VERSION: functionVersion,
  AWS_LAMBDA_FUNCTION_NAME: functionName,
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: memoryLimitInMB,
  AWS_LAMBDA_LOG_GROUP_NAME: logGroupName,
  AWS_LAMBDA_LOG_STREAM_NAME: logStreamName,
} = process.env;

class Call {
  constructor([id, deadline, trace, arn, client]) {
    this.id = id;
    this.done = false;
    if (trace === undefined) {
      delete process.env._X_AMZN_TRACE_ID;
    } else {
      process.env._X_AMZN_TRACE_ID = trace;
    }
    this.context = {
      callbackWaitsForEmptyEventLoop: true,
      succeed: (result) => this.finish(null, result),
      fail: (err) => this.finish(err ?? "handled"),
      done: (err, result) => this.finish(err, result),
      functionVersion,
      functionName,
      memoryLimitInMB,
      logGroupName,
      logStreamName,
      clientContext: client ? JSON.parse(client) : undefined,
      identity: undefined,
      invokedFunctionArn: arn,
      awsRequestId: this.id,
      getRemainingTimeInMillis: () => Number(deadline) - Date.now(),
    };
  }

  run(text, body) {
    whenIdle = () => {
      if (this.promised) {
        const err = new RuntimeError(
          "NodeJsExit",
          "The Lambda runtime client detected an unexpected Node.js exit code. This is most commonly caused by a Promise that was never settled. For more information, see https://nodejs.org/docs/latest/api/process.html#exit-codes",
        );
        this.finish(err);
        return;
      }
      if (this.returned !== undefined) {
        console.warn(
          "the handler is not async and returned a value: Lambda ignores it and answers null; make the handler async",
        );
      }
      this.finish(null, null);
    };
    this.promised = util.types.isAsyncFunction(handler);
    try {
      const result = handler(eventOf(text, body), this.context, (err, value) =>
        this.callback(err, value),
      );
      if (typeof result?.then === "function") {
        this.promised = true;
        result.then(this.context.succeed, this.context.fail);
      } else if (major >= 24) {
        // Since Node.js 24 Lambda has no callbacks and answers with any value.
        this.finish(null, result);
      } else {
        this.returned = result;
      }
    } catch (err) {
      this.finish(err ?? "handled");
    }
  }

  // callback answers when the event loop is empty, or at once if the handler cleared
  // callbackWaitsForEmptyEventLoop.
  callback(err, value) {
    if (this.done || this.called) {
      return;
    }
    this.called = true;
    if ((err !== undefined && err !== null) || !this.context.callbackWaitsForEmptyEventLoop) {
      this.finish(err, value);
    } else {
      whenIdle = () => this.finish(null, value);
    }
  }

  finish(err, result) {
    if (this.done) {
      return;
    }
    this.done = true;
    whenIdle = ignore;
    if (err !== undefined && err !== null) {
      logError("Invoke Error", err);
      connection.ask(this.error(err));
      return;
    }
    let text;
    let parts;
    try {
      parts = apart(result);
      text = parts ? "" : JSON.stringify(result === undefined ? null : result) ?? "null";
    } catch (cause) {
      connection.ask(
        this.error(
          new RuntimeError(
            "MarshalError",
            `Unable to stringify response body: ${cause.message}`,
          ),
        ),
      );
      return;
    }
    const to = `invocation/${this.id}/response`;
    if (parts) {
      connection.askApart(to, parts);
    } else {
      connection.ask(post(to, text));
    }
  }

  error(err) {
    return post(`invocation/${this.id}/error`, JSON.stringify(errorObject(err)));
  }

  // stream runs a handler that streams its response (awslambda.streamifyResponse).
  async stream(text, body) {
    const stream = new ResponseStream(this.id);
    whenIdle = () => {
      if (!stream.closed) {
        stream.fail(new Error("Response stream is not finished."));
      }
    };
    try {
      const running = handler(eventOf(text, body), stream, this.context);
      if (typeof running?.then !== "function") {
        throw new Error("Streaming does not support non-async handlers.");
      }
      if ((await running) !== undefined) {
        console.warn("Streaming handlers ignore return values.");
      }
      if (!stream.writableEnded) {
        throw new Error("Response stream is not finished.");
      }
      await stream.whenClosed;
    } catch (err) {
      logError("Invoke Error", err);
      stream.fail(err);
    }
    this.done = true;
    whenIdle = ignore;
    connection.ask("");
  }
}

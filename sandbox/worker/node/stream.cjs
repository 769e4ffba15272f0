const { Writable } = require("node:stream");

class ResponseStream extends Writable {
  constructor(id) {
    super({ decodeStrings: true });
    this.id = id;
    this.type = "application/octet-stream";
    this.whenClosed = new Promise((resolve) => this.once("close", resolve));
    this.failed = null;
  }

  setContentType(type) {
    if (this.begun) {
      throw new RuntimeError(
        "InvalidStreamingOperation",
        "Cannot set content-type, too late.",
      );
    }
    this.type = String(type).replace(/[\r\n]/g, " ");
  }

  write(chunk, ...rest) {
    if (typeof chunk !== "string" && !(chunk instanceof Uint8Array)) {
      chunk = JSON.stringify(chunk);
    }
    return super.write(chunk, ...rest);
  }

  begin() {
    if (this.begun) {
      return;
    }
    this.begun = true;
    connection.begin(
      `POST ${base}/invocation/${this.id}/response HTTP/1.1\r\n${fields}Content-Type: ${this.type}\r\nLambda-Runtime-Function-Response-Mode: streaming\r\nTransfer-Encoding: chunked\r\nTrailer: Lambda-Runtime-Function-Error-Type, Lambda-Runtime-Function-Error-Body\r\n\r\n`,
    );
    this._onBeforeFirstWrite?.((chunk) => this.chunk(Buffer.from(chunk)));
  }

  chunk(data, done = ignore) {
    if (data.length === 0) {
      done();
      return;
    }
    connection.send(`${data.length.toString(16)}\r\n`);
    connection.send(data);
    connection.send("\r\n", done);
  }

  _write(chunk, _, done) {
    this.begin();
    this.chunk(chunk, done);
  }

  _final(done) {
    this.begin();
    this.trailers("");
    done();
  }

  trailers(text) {
    if (!this.finished) {
      this.finished = true;
      connection.send(`0\r\n${text}\r\n`);
    }
  }

  // fail ends the response with the error in its trailers.
  fail(err) {
    if (this.finished) {
      return;
    }
    this.begin();
    const object = errorObject(err);
    const type = object.errorType.replace(/[^\x21-\x7e]/g, "?");
    const body = Buffer.from(JSON.stringify(object)).toString("base64");
    this.trailers(
      `Lambda-Runtime-Function-Error-Type: ${type}\r\nLambda-Runtime-Function-Error-Body: ${body}\r\n`,
    );
    this.destroy();
  }
}

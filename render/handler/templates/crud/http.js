"use strict";

const json = require("./json");

// The most that a function may return, in bytes of its serialized result.
const maxResult = 6 * 1024 * 1024;

// HttpError is thrown to answer with a status and a message.
class HttpError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

// answer is the result for a status and a value that is written as JSON.
function answer(event, statusCode, value) {
  const hasBody = value !== undefined && event.httpMethod !== "HEAD";
  const result = {
    statusCode,
    headers: {
      "access-control-allow-origin": "*",
      "access-control-allow-headers":
        "Origin, X-Requested-With, Content-Type, Accept, Authorization, X-Amz-Date, X-Amz-Security-Token",
      "access-control-allow-methods":
        "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT",
      "content-type": "application/json; charset=utf-8",
    },
    body: hasBody ? json.stringify(value) : "",
    isBase64Encoded: false,
  };
  if (Buffer.byteLength(JSON.stringify(result)) > maxResult) {
    throw new HttpError(
      413,
      "more than 6 MB of items: ask for fewer with ?limit=N",
    );
  }
  return result;
}

// readBody is the request's body, which must be a JSON object.
function readBody(event) {
  const encoding = event.isBase64Encoded ? "base64" : "utf8";
  const text = Buffer.from(event.body ?? "", encoding).toString();
  let body;
  try {
    body = json.parse(text);
  } catch (err) {
    throw new HttpError(400, `the body is not JSON: ${err.message}`);
  }
  if (!json.isObject(body)) {
    throw new HttpError(400, "the body must be a JSON object, the item");
  }
  return body;
}

// readLimit is the query parameter `limit`, or undefined without one.
function readLimit(event) {
  const text = event.queryStringParameters?.limit;
  if (text === undefined) {
    return undefined;
  }
  const limit = Number(text);
  if (!/^\d+$/.test(text) || limit < 1 || limit > 2 ** 31 - 1) {
    throw new HttpError(400, "limit must be a whole number of at least 1");
  }
  return limit;
}

// requestedURL is the path of the request with its query string.
function requestedURL(event) {
  const parameters =
    event.multiValueQueryStringParameters ?? event.queryStringParameters ?? {};
  const query = Object.entries(parameters).flatMap(([name, values]) =>
    [values]
      .flat()
      .map(
        (value) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
      ),
  );
  return query.length === 0 ? event.path : `${event.path}?${query.join("&")}`;
}

module.exports = { HttpError, answer, readBody, readLimit, requestedURL };

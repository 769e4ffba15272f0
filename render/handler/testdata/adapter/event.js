"use strict";

// What a gateway takes away from the headers of a request.
const taken = /^(connection|content-length|expect|te|trailer|transfer-encoding|upgrade)$/i;

const plus = (text) => decodeURIComponent(text.replace(/\+/g, " "));

// eventOf is the event that a gateway makes of a request: the path as it came,
// the query decoded, null for what there is not. A request with an event of its
// own has that, a part or the whole.
exports.eventOf = (r) => {
  if (r.event) {
    return r.event;
  }
  const [path, query] = r.url.split("?");
  const body = Buffer.concat(r.pieces.map((piece) => Buffer.from(piece)));
  const text = Buffer.from(body.toString()).equals(body);
  // Without a prototype, so that __proto__ is a name as any other.
  const headers = Object.create(null);
  const multiValueHeaders = Object.create(null);
  const single = Object.create(null);
  const multi = Object.create(null);
  for (const [name, value] of r.headers) {
    if (!taken.test(name)) {
      headers[name] = value;
      (multiValueHeaders[name] ??= []).push(value);
    }
  }
  for (const pair of (query ?? "").split("&").filter(Boolean)) {
    const [name, value = ""] = pair.split(/=(.*)/s);
    single[plus(name)] = plus(value);
    (multi[plus(name)] ??= []).push(plus(value));
  }
  const event = {
    resource: "/{proxy+}",
    path,
    httpMethod: r.method,
    headers,
    multiValueHeaders,
    queryStringParameters: query ? single : null,
    multiValueQueryStringParameters: query ? multi : null,
    pathParameters: { proxy: path.slice(1) },
    stageVariables: null,
    requestContext: { stage: "dev", path: `/dev${path}`, identity: { sourceIp: "127.0.0.1" } },
    body: body.length > 0 ? body.toString(text ? "utf8" : "base64") : null,
    isBase64Encoded: !text,
  };
  return JSON.parse(JSON.stringify(event));
};

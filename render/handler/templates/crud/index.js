"use strict";

const {
  HttpError,
  answer,
  readBody,
  readLimit,
  requestedURL,
} = require("./http");
const {
  keyDiffers,
  keyFromBody,
  keyFromPath,
  partitionKeyFromPath,
} = require("./key");
const { segmentsBelow } = require("./path");
const table = require("./table");

// The routes. P is a path that this function serves, and <key> is <pk>, or
// <pk>/<sk> if the table has a sort key: the percent-encoded values of the
// partition key and the sort key.
const routes = {
  // The list of all items.
  "GET P": (event) => table.scan(readLimit(event)),

  // The list of the items with this partition key.
  "GET P/<pk>": (event, [pk]) =>
    table.query(partitionKeyFromPath(pk), readLimit(event)),

  // One item, or an empty object.
  "GET P/object/<key>": async (event, [, ...values]) =>
    (await table.get(keyFromPath(values))) ?? {},

  // Creates an item, or replaces the one with the same key.
  "PUT P": put,
  "POST P": put,

  // Changes the attributes given and leaves the others as they are.
  "PATCH P": (event) => {
    const body = readBody(event);
    return patch(event, keyFromBody(body), body);
  },
  "PATCH P/object/<key>": (event, [, ...values]) => {
    const key = keyFromPath(values);
    const body = readBody(event);
    const other = keyDiffers(key, body);
    if (other !== undefined) {
      throw new HttpError(
        400,
        `"${other}" in the body differs from the path`,
      );
    }
    return patch(event, key, body);
  },

  // Deletes an item, if there is one.
  "DELETE P/object/<key>": async (event, [, ...values]) => {
    await table.remove(keyFromPath(values));
    return done(event, {});
  },
};

exports.handler = async (event) => {
  if (event.httpMethod === "OPTIONS") {
    return answer(event, 200);
  }
  try {
    const segments = segmentsBelow(event.path);
    const route = routes[routeName(event.httpMethod, segments)];
    if (route === undefined) {
      throw new HttpError(
        404,
        `no route for ${event.httpMethod} ${event.path}`,
      );
    }
    return answer(event, 200, await route(event, segments));
  } catch (err) {
    if (err instanceof HttpError) {
      return answer(event, err.status, { error: err.message });
    }
    console.error(err);
    return answer(event, 500, {
      error: "internal error; see the function's log",
    });
  }
};

// routeName is the name in `routes` of a request. P/object alone is P/<pk>: a
// partition key may be "object".
function routeName(method, segments) {
  const name = method === "HEAD" ? "GET" : method;
  if (segments === undefined) {
    return undefined;
  }
  if (segments.length === 0) {
    return `${name} P`;
  }
  if (segments.length === 1) {
    return `${name} P/<pk>`;
  }
  return segments[0] === "object" ? `${name} P/object/<key>` : undefined;
}

async function put(event) {
  const item = readBody(event);
  await table.put({ ...item, ...keyFromBody(item) });
  return done(event, {});
}

async function patch(event, key, body) {
  const changes = Object.entries(body).filter(
    ([name]) => !Object.hasOwn(key, name),
  );
  return done(event, await table.update(key, changes));
}

function done(event, data) {
  const success = `${event.httpMethod.toLowerCase()} call succeed!`;
  return { success, url: requestedURL(event), data };
}

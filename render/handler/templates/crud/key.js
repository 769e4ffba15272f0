"use strict";

const { NumberValue } = require("@aws-sdk/lib-dynamodb");
const { HttpError } = require("./http");
const { canonical, isNumber, isSafe } = require("./json");
const { partitionKey, sortKey } = require("./schema");

const keys = sortKey === null ? [partitionKey] : [partitionKey, sortKey];

// keyFromPath is the key of one item, read from the one or two values of
// P/object/<pk>/<sk>.
function keyFromPath(values) {
  if (values.length < keys.length) {
    throw new HttpError(
      400,
      `the sort key "${sortKey.name}" is missing: the path is object/<${partitionKey.name}>/<${sortKey.name}>`,
    );
  }
  if (values.length > keys.length) {
    throw new HttpError(404, "no route: too many segments below object/");
  }
  return Object.fromEntries(
    keys.map((key, i) => [key.name, valueFromPath(key, values[i])]),
  );
}

// keyFromBody is the key of one item, read from the item itself.
function keyFromBody(body) {
  return Object.fromEntries(
    keys.map((key) => [key.name, valueFromBody(key, body)]),
  );
}

// keyDiffers is the name of the first key attribute whose value in the body
// differs from the key; undefined when there is none.
function keyDiffers(key, body) {
  return keys.find(
    (part) =>
      Object.hasOwn(body, part.name) &&
      !same(key[part.name], valueFromBody(part, body)),
  )?.name;
}

// partitionKeyFromPath is the value of P/<pk>.
const partitionKeyFromPath = (segment) => valueFromPath(partitionKey, segment);

function same(a, b) {
  if (a instanceof NumberValue) {
    return canonical(a.toString()) === canonical(b.toString());
  }
  return a instanceof Uint8Array ? Buffer.compare(a, b) === 0 : a === b;
}

// valueFromPath is a key's value from one percent-encoded segment of a path.
function valueFromPath(key, segment) {
  let text;
  try {
    text = decodeURIComponent(segment);
  } catch {
    throw new HttpError(
      400,
      `"${key.name}" is not correctly percent-encoded`,
    );
  }
  return valueFromText(key, text);
}

// valueFromBody is a key's value from an item. A number that JavaScript would
// round may be a string, as in the answers of this function.
function valueFromBody(key, body) {
  if (!Object.hasOwn(body, key.name)) {
    throw new HttpError(400, `the key "${key.name}" is missing in the body`);
  }
  const value = body[key.name];
  const isText = typeof value === "string";
  if (key.type !== "number") {
    return valueFromText(key, isText ? value : "");
  }
  if (isText && isNumber(value) && isSafe(value)) {
    throw mistyped(key);
  }
  const isDigits = typeof value === "number" || value instanceof NumberValue;
  return valueFromText(key, isText || isDigits ? value.toString() : "");
}

function valueFromText(key, text) {
  if (key.type === "number" && isNumber(text)) {
    return NumberValue.from(text);
  }
  if (key.type === "string" && text !== "") {
    return text;
  }
  if (key.type === "binary" && isBase64(text)) {
    return new Uint8Array(Buffer.from(text, "base64"));
  }
  throw mistyped(key);
}

// isBase64 accepts base64 and base64url, with or without padding.
function isBase64(text) {
  const digits = text.replace(/={1,2}$/, "");
  return /^[A-Za-z0-9+/_-]+$/.test(digits) && digits.length % 4 !== 1;
}

function mistyped(key) {
  const type = {
    string: "a string that is not empty",
    number: "a number",
    binary: "binary data in base64",
  }[key.type];
  return new HttpError(400, `the key "${key.name}" must be ${type}`);
}

module.exports = { keyDiffers, keyFromBody, keyFromPath, partitionKeyFromPath };

"use strict";

const { randomUUID } = require("node:crypto");
const { NumberValue } = require("@aws-sdk/lib-dynamodb");

// Numbers in a table have up to 38 digits, numbers in JavaScript 15 to 17.
// Numbers that JavaScript would round are kept as NumberValue, which has their
// text.

const numberSyntax = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

const isNumber = (text) => numberSyntax.test(text);

// canonical writes a number as its digits and a power of ten, so that equal
// numbers ("1.0", "1", "10e-1") are equal strings.
function canonical(text) {
  const [, sign, whole, fraction = "", exponent = "0"] =
    /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text);
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") {
    return "0";
  }
  const power =
    Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign === "-" ? "-" : ""}${significant}e${power}`;
}

// isSafe tells whether a number is the same after JavaScript has read it.
function isSafe(text) {
  const number = Number(text);
  return (
    Math.abs(number) <= Number.MAX_SAFE_INTEGER &&
    canonical(String(number)) === canonical(text)
  );
}

const isObject = (value) =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof NumberValue);

const lexeme = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

// mark begins a marked number. It is random, so that no text of a caller begins
// with it.
const mark = randomUUID();

// parse is JSON.parse that keeps every digit. Nested objects become Maps, since
// the SDK takes a plain object with a key "constructor" for a class.
function parse(text) {
  JSON.parse(text);
  const marked = text.replace(lexeme, (part) =>
    part.startsWith('"') || isSafe(part) ? part : JSON.stringify(mark + part),
  );
  return JSON.parse(marked, (name, value) => {
    if (typeof value === "string" && value.startsWith(mark)) {
      return NumberValue.from(value.slice(mark.length));
    }
    return name !== "" && isObject(value)
      ? new Map(Object.entries(value))
      : value;
  });
}

// stringify is JSON.stringify for what a table holds: a number that is not safe
// is a string, binary data is base64, a set is an array.
function stringify(value) {
  return JSON.stringify(value, function (name, converted) {
    // JSON.stringify has called a Buffer's toJSON already.
    const given = this[name];
    if (given instanceof NumberValue) {
      return isSafe(given.toString()) ? Number(given) : given.toString();
    }
    if (given instanceof Uint8Array) {
      return Buffer.from(given).toString("base64");
    }
    return given instanceof Set ? [...given] : converted;
  });
}

module.exports = { canonical, isNumber, isObject, isSafe, parse, stringify };

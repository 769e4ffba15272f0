"use strict";

// The API paths that this function serves, the narrower ones first.
const paths = __PATHS__;

const split = (path) => path.split("/").slice(1);
const patterns = paths.map((path) => split(path).filter(Boolean));

// segmentsBelow is the percent-encoded segments of a request's path below the
// function's path: [] for the path itself, undefined for a path that this
// function does not serve. A slash at the end is ignored.
exports.segmentsBelow = function segmentsBelow(path) {
  const given = split(path ?? "/");
  if (given.at(-1) === "") {
    given.pop();
  }
  const pattern = patterns.find(
    (pattern) =>
      pattern.length <= given.length &&
      pattern.every((segment, i) =>
        segment.startsWith("{") ? given[i] !== "" : segment === given[i],
      ),
  );
  return pattern && given.slice(pattern.length);
};

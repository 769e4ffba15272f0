"use strict";

// The API paths that this function serves, the narrower ones first.
const paths = __PATHS__;

const split = (path) => path.split("/").slice(1);
const patterns = paths.map((path) => split(path).filter(Boolean));

// segmentsBelow is what follows the function's path in a request's path, still
// percent-encoded: [] for the path itself, undefined for a path that is none
// of this function's. A slash at the end does not count.
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

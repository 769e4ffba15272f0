"use strict";

// Serves an empty dynalite and writes its port; ends with its standard input.
const server = require("dynalite")({ createTableMs: 0 });

server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`${server.address().port}\n`);
});
process.stdin.resume().on("end", () => process.exit(0));

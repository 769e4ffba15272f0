"use strict";

// Reads {"folder", "events", "together", "env"} from each line of standard
// input, calls the handler in that folder with the events, one after the other
// or all at once, and writes the list of their outcomes as a line. The
// environment is that of this one call; a handler reads its own when it loads.

const net = require("node:net");
const path = require("node:path");
const readline = require("node:readline");

console.log = console.error;

// Two workers of one function cannot listen on one port.
net.Server.prototype.listen = () => {
  throw new Error("the handler listens on a port");
};

async function outcome(folder, event) {
  try {
    const { handler } = require(path.join(folder, "src", "index"));
    return { result: await handler(event, {}) };
  } catch (err) {
    return { error: String(err?.stack ?? err) };
  }
}

async function main() {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const { folder, events, together, env } = JSON.parse(line);
    const before = { ...process.env };
    Object.assign(process.env, env);
    let outcomes = [];
    if (together) {
      outcomes = await Promise.all(events.map((e) => outcome(folder, e)));
    } else {
      for (const event of events) {
        outcomes.push(await outcome(folder, event));
      }
    }
    process.env = before;
    process.stdout.write(JSON.stringify(outcomes) + "\n");
  }
}

main();

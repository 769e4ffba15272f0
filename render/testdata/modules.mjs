// Compares modules with JSON: a line {"module": file, "json": text} in, a line
// out that says "same" or where the module's default export differs.
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

function difference(one, other) {
  const pairs = [[one, other, '']];
  while (pairs.length > 0) {
    const [a, b, at] = pairs.pop();
    if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) {
      if (!Object.is(a, b)) return `at ${JSON.stringify(at)}: ${String(a)} and ${String(b)}`;
      continue;
    }
    if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return `at ${JSON.stringify(at)}: another prototype`;
    const keys = Object.keys(a);
    if (JSON.stringify(keys) !== JSON.stringify(Object.keys(b))) return `at ${JSON.stringify(at)}: other keys`;
    for (const key of keys) pairs.push([a[key], b[key], at.length < 200 ? `${at}/${key}` : at]);
  }
  return 'same';
}

for await (const line of createInterface({ input: process.stdin })) {
  const { module, json } = JSON.parse(line);
  let answer;
  try {
    answer = difference((await import(pathToFileURL(module))).default, JSON.parse(json));
  } catch (error) {
    answer = `${error}`;
  }
  console.log(answer.replaceAll('\n', ' '));
}

// Where modules are: packages are installed outside of the function's folder, layers
// are below /opt, and the runtime brings the AWS SDK.

const Module = require("node:module");
const lookup = JSON.parse(process.env.GATEWRIGHT_LOOKUP ?? '{"installed":[],"layers":[],"sdk":""}');
delete process.env.GATEWRIGHT_LOOKUP;
// A handler that was written in TypeScript is no file of the function's folder.
const compiled = lookup.compiled && {
  ...lookup.compiled,
  url: pathToFileURL(lookup.compiled.file).href,
  module: lookup.compiled.file.endsWith(".mjs"),
};

// The node_modules of a folder in the cache comes before the folder's own.
const nodeModulePaths = Module._nodeModulePaths;
Module._nodeModulePaths = function (from) {
  const paths = nodeModulePaths.call(Module, from);
  for (const [folder, installed] of lookup.installed) {
    if (from === folder || from.startsWith(folder + path.sep)) {
      const own = paths.indexOf(path.join(folder, "node_modules"));
      paths.splice(own < 0 ? paths.length : own, 0, path.join(installed, "node_modules"));
    }
  }
  return paths;
};

// A name below /opt is looked for in the layers, the last one first.
const resolveFilename = Module._resolveFilename;
Module._resolveFilename = function (request, ...rest) {
  if (typeof request === "string" && request.startsWith("/opt/")) {
    for (const layer of lookup.layers.toReversed()) {
      try {
        return resolveFilename.call(Module, path.join(layer, request.slice("/opt/".length)), ...rest);
      } catch (err) {
        if (err.code !== "MODULE_NOT_FOUND") {
          throw err;
        }
      }
    }
  }
  return resolveFilename.call(Module, request, ...rest);
};

// places returns the modules from whose places an ES module's import is resolved, in
// order: undefined is the importing module itself.
function places(specifier, parent) {
  if (/^(\.|\/|#|[a-z]+:)/i.test(specifier) || !parent?.startsWith("file:")) {
    return [undefined];
  }
  const found = [undefined];
  const file = fileURLToPath(parent);
  for (const [folder, installed] of lookup.installed) {
    if (file.startsWith(folder + path.sep)) {
      found.unshift(pathToFileURL(path.join(installed, path.relative(folder, file))).href);
    }
  }
  if (lookup.sdk !== "") {
    found.push(pathToFileURL(path.join(lookup.sdk, "module.mjs")).href);
  }
  return found;
}

function fileInLayer(specifier) {
  const file = specifier.startsWith("file:///opt/") ? specifier.slice("file://".length) : specifier;
  if (!file.startsWith("/opt/")) {
    return undefined;
  }
  const found = lookup.layers
    .map((layer) => path.join(layer, file.slice("/opt/".length)))
    .findLast((name) => fs.existsSync(name));
  return found && pathToFileURL(found).href;
}

const notFound = (err) => err?.code === "ERR_MODULE_NOT_FOUND" || err?.code === "MODULE_NOT_FOUND";

if (lookup.installed.length > 0 || lookup.layers.length > 0 || lookup.sdk !== "" || compiled?.module) {
  if (Module.registerHooks) {
    Module.registerHooks({
      load(url, context, next) {
        return url === compiled?.url
          ? { format: "module", source: fs.readFileSync(compiled.from, "utf8"), shortCircuit: true }
          : next(url, context);
      },
      resolve(specifier, context, next) {
        if (specifier === compiled?.url) {
          return { url: specifier, format: "module", shortCircuit: true };
        }
        // CommonJS has its own way above.
        if (context.conditions?.includes("require")) {
          return next(specifier, context);
        }
        const layered = fileInLayer(specifier);
        if (layered) {
          return next(layered, context);
        }
        let first;
        for (const place of places(specifier, context.parentURL)) {
          try {
            return next(specifier, place ? { ...context, parentURL: place } : context);
          } catch (err) {
            if (!notFound(err)) {
              throw err;
            }
            if (place === undefined || first === undefined) {
              first = err;
            }
          }
        }
        throw first;
      },
    });
  } else if (lookup.esm) {
    // Older versions of Node.js resolve imports in a thread of their own.
    const source = `
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
const lookup = ${JSON.stringify(lookup)};
const compiled = ${JSON.stringify(compiled ?? {})};
${places}
${fileInLayer}
const notFound = ${notFound};
export async function load(url, context, next) {
  return url === compiled.url
    ? { format: "module", source: fs.readFileSync(compiled.from, "utf8"), shortCircuit: true }
    : next(url, context);
}
export async function resolve(specifier, context, next) {
  if (specifier === compiled.url) {
    return { url: specifier, format: "module", shortCircuit: true };
  }
  const layered = fileInLayer(specifier);
  if (layered) {
    return next(layered, context);
  }
  let first;
  for (const place of places(specifier, context.parentURL)) {
    try {
      return await next(specifier, place ? { ...context, parentURL: place } : context);
    } catch (err) {
      if (!notFound(err)) {
        throw err;
      }
      if (place === undefined || first === undefined) {
        first = err;
      }
    }
  }
  throw first;
}
`;
    Module.register(`data:text/javascript,${encodeURIComponent(source)}`);
  }
}

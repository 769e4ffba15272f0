// Where modules are: packages are installed outside of the function's folder, layers
// are in a folder that stands for /opt, and the runtime brings the AWS SDK.

const Module = require("node:module");
const lookup = JSON.parse(
  process.env.GATEWRIGHT_LOOKUP ?? '{"modules":"","opt":"","sdk":"","project":""}',
);
delete process.env.GATEWRIGHT_LOOKUP;
if (lookup.maps) {
  // Stacks name the lines of the source.
  process.setSourceMapsEnabled(true);
}

// The folders that a function has. What is in folders around them is not there in Lambda.
const real = fs.existsSync(root) ? fs.realpathSync(root) : root;
const homes = [real];
const ofLayers = lookup.opt && path.join(lookup.opt, "nodejs", "node_modules");
for (const modules of [lookup.modules, lookup.sdk && path.join(lookup.sdk, "node_modules"), ofLayers]) {
  if (modules) {
    homes.push(path.dirname(modules));
  }
}
if (lookup.opt) {
  homes.push(lookup.opt);
}
const within = (file, folder) => file === folder || file.startsWith(folder + path.sep);
// Folders with links to packages, whose own packages are in the same folder.
const flat = [within(lookup.modules, real) && lookup.modules, ofLayers].filter(Boolean);
const isThere = (file) => homes.some((home) => within(file, home));

// A package that a link leads to has its own packages, and then those beside the link.
const nodeModulePaths = Module._nodeModulePaths;
function placesFrom(from) {
  const all = nodeModulePaths.call(Module, from);
  const paths = all.filter(isThere);
  if (!isThere(from)) {
    const own = all.findIndex((place) => fs.existsSync(path.join(path.dirname(place), "package.json")));
    paths.push(...all.slice(0, own + 1), ...flat);
  }
  return paths;
}
Module._nodeModulePaths = placesFrom;

// Node.js looks for packages in folders of the user, too.
const { HOME, USERPROFILE } = process.env;
delete process.env.HOME;
delete process.env.USERPROFILE;
Module._initPaths();
for (const [name, value] of Object.entries({ HOME, USERPROFILE })) {
  if (value !== undefined) {
    process.env[name] = value;
  }
}

// isAstray reports whether a path leads from the function to something else in the project.
const isAstray = (file, from) => within(file, lookup.project) && !isThere(file) && (!from || within(from, real));

// A name below /opt is looked for in the layers.
const resolveFilename = Module._resolveFilename;
Module._resolveFilename = function (request, ...rest) {
  if (typeof request === "string" && request.startsWith("/opt/") && lookup.opt) {
    try {
      return resolveFilename.call(Module, path.join(lookup.opt, request.slice("/opt/".length)), ...rest);
    } catch (err) {
      if (err.code !== "MODULE_NOT_FOUND") {
        throw err;
      }
    }
  }
  const found = resolveFilename.call(Module, request, ...rest);
  if (/^\.{0,2}[\\/]|^[a-z]:/i.test(request) && isAstray(found, rest[0]?.filename)) {
    const from = rest[0]?.filename;
    throw Object.assign(new Error(`Cannot find module '${request}'${from ? `\nRequire stack:\n- ${from}` : ""}`), {
      code: "MODULE_NOT_FOUND",
      requireStack: from ? [from] : [],
    });
  }
  return found;
};

const isPath = (specifier) => /^(\.|\/|#|[a-z]+:)/i.test(specifier);

// places returns the modules from whose places an ES module's import is resolved, in
// order: undefined is the importing module itself.
function places(specifier, parent) {
  if (isPath(specifier) || !parent?.startsWith("file:")) {
    return [undefined];
  }
  const found = [undefined];
  if (!isThere(fileURLToPath(parent))) {
    found.push(...flat.map((modules) => pathToFileURL(path.join(path.dirname(modules), "module.mjs")).href));
  }
  if (lookup.sdk !== "") {
    found.push(pathToFileURL(path.join(lookup.sdk, "module.mjs")).href);
  }
  return found;
}

// checkPlace refuses what was found in a folder around those that the function has. Only a link in
// one of its node_modules leads elsewhere.
function checkPlace(url, specifier, parent) {
  if (!url.startsWith("file:") || !parent?.startsWith("file:")) {
    return;
  }
  const [file, from] = [fileURLToPath(url), fileURLToPath(parent)];
  const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  const astray = isPath(specifier)
    ? isAstray(file, from)
    : !isThere(file) && !placesFrom(path.dirname(from)).some((place) => fs.existsSync(path.join(place, name)));
  if (astray) {
    const what = isPath(specifier) ? `module '${file}'` : `package '${name}'`;
    throw Object.assign(new Error(`Cannot find ${what} imported from ${from}`), { code: "ERR_MODULE_NOT_FOUND" });
  }
}

function fileInLayer(specifier) {
  const file = specifier.startsWith("file:///opt/") ? specifier.slice("file://".length) : specifier;
  if (!file.startsWith("/opt/")) {
    return undefined;
  }
  const found = path.join(lookup.opt, file.slice("/opt/".length));
  return lookup.opt && fs.existsSync(found) ? pathToFileURL(found).href : undefined;
}

const notFound = (err) => err?.code === "ERR_MODULE_NOT_FOUND" || err?.code === "MODULE_NOT_FOUND";

// Whether a walk up from the folders of the function would find packages.
const isCrowded = [real, lookup.modules && path.dirname(lookup.modules)].some(
  (home) => home && nodeModulePaths.call(Module, home).some((place) => !isThere(place) && fs.existsSync(place)),
);

if (isCrowded || flat.length > 0 || lookup.opt !== "" || lookup.sdk !== "") {
  if (Module.registerHooks) {
    Module.registerHooks({
      resolve(specifier, context, next) {
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
            const found = next(specifier, place ? { ...context, parentURL: place } : context);
            checkPlace(found.url, specifier, place ?? context.parentURL);
            return found;
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
import Module from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
const lookup = ${JSON.stringify(lookup)};
const real = ${JSON.stringify(real)};
const homes = ${JSON.stringify(homes)};
const flat = ${JSON.stringify(flat)};
const within = ${within};
const isThere = ${isThere};
const isAstray = ${isAstray};
const isPath = ${isPath};
const nodeModulePaths = Module._nodeModulePaths;
${placesFrom}
${places}
${checkPlace}
${fileInLayer}
const notFound = ${notFound};
export async function resolve(specifier, context, next) {
  const layered = fileInLayer(specifier);
  if (layered) {
    return next(layered, context);
  }
  let first;
  for (const place of places(specifier, context.parentURL)) {
    try {
      const found = await next(specifier, place ? { ...context, parentURL: place } : context);
      checkPlace(found.url, specifier, place ?? context.parentURL);
      return found;
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

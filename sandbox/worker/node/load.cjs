// The handler is loaded by the rules of Lambda's runtime
// (https://github.com/aws/aws-lambda-nodejs-runtime-interface-client).

const streaming = Symbol.for("aws.lambda.runtime.handler.streaming");

if (!/^(1|true)$/.test(process.env.AWS_LAMBDA_NODEJS_NO_GLOBAL_AWSLAMBDA ?? "")) {
  globalThis.awslambda = {
    streamifyResponse: (wrapped) => {
      wrapped[streaming] = "response";
      return wrapped;
    },
    HttpResponseStream: class {
      static from(stream, prelude) {
        stream.setContentType(
          "application/vnd.awslambda.http-integration-response",
        );
        const text = JSON.stringify(prelude);
        stream._onBeforeFirstWrite = (write) => {
          write(text);
          write(new Uint8Array(8));
        };
        return stream;
      }
    },
  };
}

async function load(name) {
  if (name.includes("..")) {
    throw new RuntimeError(
      "MalformedHandlerName",
      `'${name}' is not a valid handler name. Use absolute paths when specifying root directories in handler names.`,
    );
  }
  const last = path.basename(name);
  const folder = name.slice(0, name.indexOf(last));
  const [, module, property] = last.match(/^([^.]*)\.(.*)$/) ?? [];
  if (module === undefined) {
    throw new RuntimeError("MalformedHandlerName", "Bad handler");
  }
  let exported;
  try {
    exported = await loadModule(path.resolve(root, folder, module), folder, module);
  } catch (err) {
    throw loadError(err);
  }
  const found = property
    .split(".")
    .reduce((object, key) => object && object[key], exported);
  if (typeof found !== "function") {
    throw new RuntimeError(
      "HandlerNotFound",
      found ? `${name} is not a function` : `${name} is undefined or not exported`,
    );
  }
  if (major >= 24 && found.length >= 3 && !found[streaming]) {
    throw new RuntimeError(
      "CallbackHandlerDeprecated",
      "ERROR: AWS Lambda has removed support for callback-based function handlers starting with Node.js 24. You need to modify this function to use a supported handler signature to use Node.js 24 or later. For more information see https://docs.aws.amazon.com/lambda/latest/dg/nodejs-handler.html.",
    );
  }
  return found;
}

async function loadModule(file, folder, module) {
  if (isFile(file)) {
    return require(file);
  }
  const script = `${file}.js`;
  if (isFile(script)) {
    return isModule(path.dirname(script)) ? importModule(script) : require(script);
  }
  if (isFile(`${file}.mjs`)) {
    return importModule(`${file}.mjs`);
  }
  if (isFile(`${file}.cjs`)) {
    return require(`${file}.cjs`);
  }
  return require(
    require.resolve(module, { paths: [root, path.resolve(root, folder)] }),
  );
}

const importModule = (file) => import(pathToFileURL(file).href);

function isFile(name) {
  return fs.statSync(name, { throwIfNoEntry: false })?.isFile() ?? false;
}

// isModule reports whether the nearest package.json makes .js files ES modules.
function isModule(folder) {
  for (let at = folder; path.basename(at) !== "node_modules"; at = path.dirname(at)) {
    const file = path.join(at, "package.json");
    if (isFile(file)) {
      try {
        return JSON.parse(fs.readFileSync(file, "utf8"))?.type === "module";
      } catch (err) {
        console.warn(
          `${file} cannot be read, it will be ignored for ES module detection purposes.`,
          err,
        );
        return false;
      }
    }
    if (path.dirname(at) === at) {
      return false;
    }
  }
  return false;
}

function loadError(err) {
  let type;
  if (err instanceof SyntaxError) {
    type = "UserCodeSyntaxError";
  } else if (err?.code === "MODULE_NOT_FOUND" || err?.code === "ERR_MODULE_NOT_FOUND") {
    type = "ImportModuleError";
  } else {
    return err;
  }
  const wrapped = new RuntimeError(type, String(err));
  wrapped.stack = err.stack;
  if (type === "UserCodeSyntaxError" && !err.stack.includes(root)) {
    wrapped.stack = `${placeOfSyntaxError()}\n${err.stack}`;
  }
  return wrapped;
}

// placeOfSyntaxError returns the file and line of a syntax error, which an error of an
// ES module lacks: it checks the function's own files one by one.
function placeOfSyntaxError() {
  const { NODE_OPTIONS: _, ...env } = process.env;
  for (const file of sources(root, [])) {
    const check = processes.spawnSync(process.execPath, ["--check", file], { env });
    const place = String(check.stderr).match(/^(\S.*:\d+)$/m);
    if (check.status !== 0 && place) {
      return place[1];
    }
  }
  return "";
}

const mostChecked = 20;

function sources(folder, found) {
  for (const item of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, item.name);
    if (item.isDirectory() && item.name !== "node_modules") {
      sources(file, found);
    } else if (/\.[cm]?js$/.test(item.name) && found.length < mostChecked) {
      found.push(file);
    }
  }
  return found;
}

// An empty event loop before the end of loading is an error.
connection.leave();
whenIdle = () => {
  const err = new RuntimeError(
    "NodeJsExit",
    "the module never finished loading: an await at its top level was never settled",
  );
  logError("Uncaught Exception", err);
  giveUp("init/error", err, 1);
};
load(process.env._HANDLER).then(
  (found) => {
    handler = found;
    streams = found[streaming] === "response";
    whenIdle = ignore;
    connection.ask("");
  },
  (err) => {
    whenIdle = ignore;
    logError("Uncaught Exception", err);
    giveUp("init/error", err, 1);
  },
);

// The function's own source is read-only, as in the cloud. Where the system can refuse a
// write it does so too, also to other programs and libraries; here every system does, and
// the sandbox gets to know which file it was.

const ownFolders = JSON.parse(process.env.GATEWRIGHT_SOURCE ?? "[]");
delete process.env.GATEWRIGHT_SOURCE;

const sameCase = (text) => (process.platform === "win32" ? text.toLowerCase() : text);

// ownFile returns the absolute name of a file that is in the source, "" if it is not.
function ownFile(name) {
  let file;
  if (typeof name === "string") {
    file = path.resolve(name);
  } else if (Buffer.isBuffer(name)) {
    file = path.resolve(name.toString());
  } else if (name instanceof URL && name.protocol === "file:") {
    file = fileURLToPath(name);
  } else {
    return "";
  }
  const inside = (folder) => file === folder || sameCase(file).startsWith(sameCase(folder + path.sep));
  return ownFolders.some(inside) ? file : "";
}

// The positions of the names that a function changes. Those of onlyIf are refused only if
// there is such a file (true), or if there is none: else the system has another error.
const changes = {
  appendFile: [0],
  chmod: [0],
  chown: [0],
  copyFile: [1],
  cp: [1],
  lchown: [0],
  link: [1],
  lutimes: [0],
  mkdir: [0],
  mkdtemp: [0],
  open: [0],
  rename: [0, 1],
  rm: [0],
  rmdir: [0],
  symlink: [1],
  truncate: [0],
  unlink: [0],
  utimes: [0],
  writeFile: [0],
};
const onlyIf = { chmod: true, chown: true, mkdir: false, rm: true, truncate: true, utimes: true };

const { O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND } = fs.constants;
const writes = (flags) =>
  typeof flags === "number"
    ? (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND)) !== 0
    : /[wa+]/.test(typeof flags === "string" ? flags : "r");

const exists = fs.existsSync;

// refused returns the error of a call that would change the source.
function refused(name, values) {
  if (name === "open" && !writes(values[1])) {
    return undefined;
  }
  for (const at of changes[name]) {
    const file = ownFile(values[at]);
    if (file === "" || (name in onlyIf && exists(file) !== onlyIf[name])) {
      continue;
    }
    entry("SOURCE", file);
    const syscall = /^(appendFile|writeFile)$/.test(name) ? "open" : name.toLowerCase();
    const err = new Error(`EROFS: read-only file system, ${syscall} '${values[at]}'`);
    return Object.assign(err, { errno: -30, code: "EROFS", syscall, path: String(values[at]) });
  }
  return undefined;
}

function refuse(object, method, name, fail) {
  const original = object[method];
  if (typeof original !== "function") {
    return;
  }
  object[method] = function (...values) {
    const err = refused(name, values);
    return err === undefined ? original.apply(this, values) : fail(err, values);
  };
  Object.defineProperty(object[method], "name", { value: method });
  // util.promisify and others find what belongs to the function.
  Object.setPrototypeOf(object[method], original);
}

if (ownFolders.length > 0) {
  for (const name of Object.keys(changes)) {
    refuse(fs, name, name, (err, values) => {
      const callback = values.at(-1);
      if (typeof callback !== "function") {
        throw err;
      }
      process.nextTick(callback, err);
    });
    refuse(fs, `${name}Sync`, name, (err) => {
      throw err;
    });
    refuse(fs.promises, name, name, (err) => Promise.reject(err));
  }
  require("node:module").syncBuiltinESMExports();
}

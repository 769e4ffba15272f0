class RuntimeError extends Error {
  constructor(type, message) {
    super(message);
    this.name = `Runtime.${type}`;
  }
}

function errorObject(err) {
  try {
    if (
      util.types.isNativeError(err) ||
      (err?.name && err.message && typeof err.stack === "string")
    ) {
      return {
        errorType: String(err.name),
        errorMessage: String(err.message),
        trace: String(err.stack).split("\n"),
      };
    }
    return { errorType: typeof err, errorMessage: String(err), trace: [] };
  } catch {
    return {
      errorType: "handled",
      errorMessage:
        "callback called with Error argument, but there was a problem while retrieving one or more of its message, name, and stack",
    };
  }
}

// logError writes an error as Lambda does: its fields and its stack.
function logError(title, err) {
  let text;
  try {
    text = JSON.stringify(err, (_, value) =>
      value instanceof Error
        ? {
            errorType: value.name,
            errorMessage: value.message,
            code: value.code,
            ...value,
            stack: String(value.stack).split("\n"),
          }
        : value,
    );
  } catch {
    text = JSON.stringify(errorObject(err));
  }
  entry("ERROR", `${title} \t${text}`);
}

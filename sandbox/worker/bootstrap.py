"""Runs a Python handler function: asks the Runtime API for events, calls the
handler as Lambda's Python runtime does, and posts its answers."""

import errno
import importlib
import importlib.util
import io
import json
import logging
import os
import re
import site
import socket
import sys
import time
import traceback

# Names that Python defines unless it is told to leave out what is installed.
site.setquit()
site.setcopyright()
site.sethelper()

ADDRESS, _, SECRET = os.environ["AWS_LAMBDA_RUNTIME_API"].partition("/")
BASE = f"/{SECRET}/2018-06-01/runtime"
POLL = f"GET {BASE}/invocation/next HTTP/1.1\r\nHost: {ADDRESS}\r\n\r\n".encode()
MARK = "\x1e"
LONGEST = 255 * 1024

os.environ["AWS_EXECUTION_ENV"] = "AWS_Lambda_" + os.environ.pop(
    "GATEWRIGHT_RUNTIME", f"python{sys.version_info[0]}.{sys.version_info[1]}"
)
os.environ["TZ"] = os.environ.get("TZ", ":UTC")

OWN_FOLDERS = json.loads(os.environ.pop("GATEWRIGHT_SOURCE", "[]"))

CLOUD = json.loads(os.environ.pop("GATEWRIGHT_CLOUD", "null"))

# The request that is being served, for log entries.
request_id = ""


def entry(level, text):
    """Writes a log entry: one line with a mark, the request, the level, and the
    text with the mark in place of line breaks."""
    text = text.replace(MARK, "\u241e").rstrip("\n")
    if len(text) > LONGEST:
        text = text[:LONGEST] + " ... (cut)"
    line = f"{MARK}{request_id}\t{level}\t{text.replace(chr(10), MARK)}\n"
    data = line.encode("utf-8", "backslashreplace")
    while data:
        try:
            data = data[os.write(1, data) :]
        except BlockingIOError:
            time.sleep(0.001)


class Output(io.TextIOBase):
    """Standard output and error, with one log entry for each print."""

    def __init__(self, binary):
        self.rest = ""
        self.buffer = binary

    encoding = "utf-8"
    errors = "backslashreplace"

    def writable(self):
        return True

    def reconfigure(self, **options):
        pass

    def fileno(self):
        return self.buffer.fileno()

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self.rest += text
        if self.rest.endswith("\n"):
            self.flush()
        return len(text)

    def flush(self):
        rest, self.rest = self.rest, ""
        if rest:
            entry("", rest)
        self.buffer.flush()


CLOUD_HOST = re.compile(r"(^|\.)(amazonaws\.com(\.cn)?|api\.aws)\.?$", re.IGNORECASE)
look_up = socket.getaddrinfo


def look_up_locally(host, *rest, **named):
    """Refuses the hosts of the cloud's services. SDKs ask the sandbox instead, by the
    variable AWS_ENDPOINT_URL."""
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    if isinstance(name, str) and CLOUD_HOST.search(name):
        text = (
            f"a connection to the cloud ({name}) is not served here, and no call leaves "
            "this machine; let such calls leave with: gatewright sandbox --allow-cloud"
        )
        entry("WARN", text)
        raise RuntimeError(text)
    return look_up(host, *rest, **named)


if CLOUD is not None and not CLOUD["allow"]:
    socket.getaddrinfo = look_up_locally

# Services whose variable is not their name in capitals.
ENDPOINT_NAMES = {
    "cognito-identity": "COGNITO_IDENTITY",
    "cognito-idp": "COGNITO_IDENTITY_PROVIDER",
    "dynamodbstreams": "DYNAMODB_STREAMS",
    "secretsmanager": "SECRETS_MANAGER",
}


class EndpointsOfVariables:
    """Finds the AWS SDK, and has a version that does not read the variables
    AWS_ENDPOINT_URL and AWS_ENDPOINT_URL_SERVICE (botocore before 1.31.0,
    https://github.com/boto/botocore/blob/develop/CHANGELOG.rst) obey them."""

    def find_spec(self, name, path, target=None):
        if name != "botocore.session":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def execute_and_lead(module):
            execute(module)
            version = sys.modules["botocore"].__version__.split(".")[:2]
            if [int(part) for part in version] < [1, 31]:
                lead(module.Session)

        spec.loader.exec_module = execute_and_lead
        return spec


def lead(session):
    create = session.create_client

    def create_client(self, service_name, *rest, **named):
        # The positions are region_name, api_version, use_ssl, verify, endpoint_url.
        if len(rest) < 5 and named.get("endpoint_url") is None:
            plain = service_name.upper().replace("-", "_")
            service = ENDPOINT_NAMES.get(service_name, plain)
            address = os.environ.get(f"AWS_ENDPOINT_URL_{service}")
            address = address or os.environ.get("AWS_ENDPOINT_URL")
            if address:
                named["endpoint_url"] = address
        return create(self, service_name, *rest, **named)

    session.create_client = create_client


if CLOUD is not None:
    sys.meta_path.insert(0, EndpointsOfVariables())

# The names that an event of the interpreter changes, then the folders to which they are
# relative (https://docs.python.org/3/library/audit_events.html), by position.
CHANGES = {
    "os.chmod": ((0,), (2,)),
    "os.chown": ((0,), (3,)),
    "os.link": ((1,), (3,)),
    "os.mkdir": ((0,), (2,)),
    "os.remove": ((0,), (1,)),
    "os.rename": ((0, 1), (2, 3)),
    "os.rmdir": ((0,), (1,)),
    "os.symlink": ((1,), (2,)),
    "os.truncate": ((0,), ()),
    "os.utime": ((0,), (3,)),
    "sqlite3.connect": ((0,), ()),
}
# Those that are refused only if there is such a file (True), or if there is none.
ONLY_IF = {
    "os.chmod": True,
    "os.chown": True,
    "os.mkdir": False,
    "os.truncate": True,
    "os.utime": True,
    "sqlite3.connect": False,
}
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def refuse_change(event, values):
    """Refuses writes into the function's own source, which is read-only as in the cloud.
    Where the system can refuse a write it does so too; here every system does, and the
    sandbox gets to know which file it was."""
    if event == "open":
        name, mode, flags = values
        # os.open has no mode, and its name may be relative to another folder.
        if not flags & WRITES or mode is None and not is_absolute(name):
            return
        names = (name,)
    elif event in CHANGES:
        at, folders = CHANGES[event]
        if any(isinstance(values[n], int) and values[n] >= 0 for n in folders):
            return
        names = [values[n] for n in at]
    else:
        return
    for name in names:
        file = own_file(name)
        # Else the system has another error.
        only_if = ONLY_IF.get(event)
        if file and (only_if is None or os.path.lexists(file) == only_if):
            entry("SOURCE", file)
            # The library has an error of its own for a database that it cannot make.
            if event != "sqlite3.connect":
                raise OSError(errno.EROFS, os.strerror(errno.EROFS), name)


def is_absolute(name):
    return isinstance(name, (str, bytes, os.PathLike)) and os.path.isabs(name)


def own_file(name):
    """Returns the absolute name of a file that is in the source, None if it is not."""
    if not isinstance(name, (str, bytes, os.PathLike)):
        return None
    file = os.path.abspath(os.fsdecode(name))
    for folder in OWN_FOLDERS:
        if os.path.normcase(file + os.sep).startswith(os.path.normcase(folder + os.sep)):
            return file
    return None


if OWN_FOLDERS:
    sys.addaudithook(refuse_change)

sys.stdout = Output(sys.stdout.buffer)
sys.stderr = Output(sys.stderr.buffer)

LEVELS = {
    "CRITICAL": "FATAL",
    "ERROR": "ERROR",
    "WARNING": "WARN",
    "INFO": "INFO",
    "DEBUG": "DEBUG",
}
AS_JSON = os.environ.get("AWS_LAMBDA_LOG_FORMAT", "").upper() == "JSON"


class EntryHandler(logging.Handler):
    def emit(self, record):
        try:
            entry(LEVELS.get(record.levelname, "INFO"), self.format(record))
        except Exception:
            self.handleError(record)


class RequestFilter(logging.Filter):
    def filter(self, record):
        record.aws_request_id = request_id
        return True


class JSONFormatter(logging.Formatter):
    def format(self, record):
        data = {
            "timestamp": time.strftime(
                "%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created)
            ),
            "level": record.levelname,
            "message": record.getMessage(),
            "logger": record.name,
            "requestId": request_id,
        }
        if record.exc_info:
            data["errorType"] = record.exc_info[0].__name__
            data["errorMessage"] = str(record.exc_info[1])
            data["stackTrace"] = traceback.format_tb(record.exc_info[2])
        return json.dumps(data, default=str)


def set_up_logging():
    handler = EntryHandler()
    handler.addFilter(RequestFilter())
    if AS_JSON:
        handler.setFormatter(JSONFormatter())
    logger = logging.getLogger()
    level = os.environ.get("AWS_LAMBDA_LOG_LEVEL", "").upper()
    level = {"TRACE": "DEBUG", "WARN": "WARNING", "FATAL": "CRITICAL"}.get(level, level)
    if level in LEVELS:
        logger.setLevel(level)
    logger.addHandler(handler)


def bind_locally():
    """Moves the function's own servers to free ports of the loopback address: a second
    worker could not listen on the same port, and no other machine may reach them."""
    bind = socket.socket.bind

    def local(self, address):
        if isinstance(address, tuple) and len(address) >= 2 and address[1] != 0:
            if self.family == socket.AF_INET:
                address = ("127.0.0.1", 0)
            elif self.family == socket.AF_INET6:
                address = ("::1", 0)
        return bind(self, address)

    def listening(self, *backlog):
        # A socket without a bind, or with one to port 0, would listen on every address.
        if self.family in (socket.AF_INET, socket.AF_INET6):
            host, port = self.getsockname()[:2]
            if host in ("0.0.0.0", "::"):
                if port != 0:
                    replace(self)
                bind(self, ("127.0.0.1" if self.family == socket.AF_INET else "::1", port))
        return listen(self, *backlog)

    def replace(self):
        """Replaces a bound socket by one that is not bound."""
        inheritable, timeout = self.get_inheritable(), self.gettimeout()
        with socket.socket(self.family, self.type, self.proto) as fresh:
            os.dup2(fresh.fileno(), self.fileno(), inheritable)
        self.settimeout(timeout)

    listen = socket.socket.listen
    socket.socket.bind = local
    socket.socket.listen = listening


class API:
    """The Runtime API over one socket. One write posts an answer and asks for the
    next event."""

    def __init__(self):
        host, port = ADDRESS.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.stream = self.socket.makefile("rb", 65536)

    def answer(self):
        status = self.stream.readline()
        if not status:
            os._exit(1)
        headers = {}
        while True:
            line = self.stream.readline()
            if line in (b"\r\n", b"\n", b""):
                break
            name, _, value = line.partition(b":")
            headers[name.strip().lower().decode("latin-1")] = value.strip().decode(
                "utf-8", "replace"
            )
        body = self.stream.read(int(headers.get("content-length", 0)))
        return int(status.split(b" ", 2)[1]), headers, body

    def request(self, path, body, kind=None):
        head = f"POST {BASE}/{path} HTTP/1.1\r\nHost: {ADDRESS}\r\n"
        if kind is not None:
            kind = "".join(c if "!" <= c <= "~" else "?" for c in kind)
            head += f"Lambda-Runtime-Function-Error-Type: {kind}\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        return head.encode() + body

    def ask(self, posts=b""):
        """Posts the last answer, if any, and waits for the next event."""
        try:
            self.socket.sendall(posts + POLL)
            if posts:
                self.answer()
            status, headers, body = self.answer()
        except OSError:
            os._exit(1)
        if status != 200:
            os._exit(1)
        return headers, body

    def give_up(self, error):
        """Posts an error of the start."""
        text = json.dumps(error).encode()
        self.socket.sendall(self.request("init/error", text, error["errorType"]))
        self.answer()


class RuntimeFault(Exception):
    def __init__(self, kind, message, trace=None):
        super().__init__(message)
        self.kind = kind
        self.trace = trace or []


def load(name):
    """Returns the handler of a name such as "folder/module.function", by the rules of
    Lambda's runtime."""
    if ".." in name:
        raise RuntimeFault(
            "Runtime.MalformedHandlerName", f"'{name}' is not a valid handler name"
        )
    try:
        module_name, function_name = name.rsplit(".", 1)
    except ValueError as error:
        raise RuntimeFault(
            "Runtime.MalformedHandlerName", f"Bad handler '{name}': {error}"
        ) from None
    try:
        if module_name.split(".")[0] in sys.builtin_module_names:
            raise RuntimeFault(
                "Runtime.ImportModuleError",
                f"Cannot use built-in module {module_name} as a handler module",
            )
        module = importlib.import_module(module_name.replace("/", "."))
    except ImportError as error:
        raise RuntimeFault(
            "Runtime.ImportModuleError",
            f"Unable to import module '{module_name}': {error}",
            traceback.format_tb(error.__traceback__),
        ) from None
    except SyntaxError as error:
        raise RuntimeFault(
            "Runtime.UserCodeSyntaxError",
            f"Syntax error in module '{module_name}': {error}",
            [f'  File "{error.filename}" Line {error.lineno}\n    {error.text}'],
        ) from None
    try:
        return getattr(module, function_name)
    except AttributeError:
        raise RuntimeFault(
            "Runtime.HandlerNotFound",
            f"Handler '{function_name}' missing on module '{module_name}'",
        ) from None


def error_object(error, request=""):
    if isinstance(error, RuntimeFault):
        kind, trace = error.kind, error.trace
    else:
        kind = type(error).__name__
        frames = traceback.extract_tb(error.__traceback__)
        own = [n for n, f in enumerate(frames) if f.filename != __file__]
        while own and frames[own[0]].filename.startswith("<frozen importlib"):
            own.pop(0)
        if own and frames[own[0]].filename.endswith("/importlib/__init__.py"):
            own = [n for n in own if "importlib" not in frames[n].filename]
        trace = traceback.format_list(frames[own[0] :] if own else [])
    return {
        "errorMessage": str(error),
        "errorType": kind,
        "requestId": request,
        "stackTrace": trace,
    }


def log_error(error):
    lines = [f"[ERROR] {error['errorType']}: {error['errorMessage']}"]
    if error["stackTrace"]:
        lines.append("Traceback (most recent call last):")
        lines.extend(part.rstrip("\n") for part in error["stackTrace"])
    entry("ERROR", "\n".join(lines))


class ClientContext:
    fields = ("custom", "env", "client")


class Client:
    fields = (
        "installation_id",
        "app_title",
        "app_version_name",
        "app_version_code",
        "app_package_name",
    )


def with_fields(kind, values):
    """Returns an object of a kind with its fields from a JSON object, None for those that
    are missing; None if there is no object."""
    if not isinstance(values, dict):
        return None
    made = kind()
    for field in kind.fields:
        setattr(made, field, values.get(field))
    return made


def client_context(headers):
    values = json.loads(headers.get("lambda-runtime-client-context", "null"))
    context = with_fields(ClientContext, values)
    if context is not None:
        context.client = with_fields(Client, context.client)
    return context


class Identity:
    cognito_identity_id = None
    cognito_identity_pool_id = None


class LambdaContext:
    def __init__(self, headers):
        self.aws_request_id = headers["lambda-runtime-aws-request-id"]
        self.invoked_function_arn = headers.get("lambda-runtime-invoked-function-arn")
        self.function_name = os.environ.get("AWS_LAMBDA_FUNCTION_NAME")
        self.function_version = os.environ.get("AWS_LAMBDA_FUNCTION_VERSION")
        self.memory_limit_in_mb = os.environ.get("AWS_LAMBDA_FUNCTION_MEMORY_SIZE")
        self.log_group_name = os.environ.get("AWS_LAMBDA_LOG_GROUP_NAME")
        self.log_stream_name = os.environ.get("AWS_LAMBDA_LOG_STREAM_NAME")
        self.client_context = client_context(headers)
        self.identity = Identity()
        self.tenant_id = None
        self._epoch_deadline_time_in_ms = int(headers["lambda-runtime-deadline-ms"])

    def get_remaining_time_in_millis(self):
        return max(self._epoch_deadline_time_in_ms - int(time.time() * 1000), 0)

    def log(self, message):
        sys.stdout.write(str(message))


def encode(value):
    import decimal

    if isinstance(value, decimal.Decimal):
        return float(value)
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def call(handler, headers, body):
    """Calls the handler and returns the request that posts its result or error."""
    request = headers["lambda-runtime-aws-request-id"]
    try:
        event = json.loads(body)
        result = handler(event, LambdaContext(headers))
        try:
            text = json.dumps(result, default=encode).encode()
        except (TypeError, ValueError, RecursionError) as error:
            raise RuntimeFault(
                "Runtime.MarshalError", f"Unable to marshal response: {error}"
            ) from None
    except Exception as error:
        failure = error_object(error, request)
        sys.stdout.flush()
        sys.stderr.flush()
        log_error(failure)
        return api.request(
            f"invocation/{request}/error",
            json.dumps(failure).encode(),
            failure["errorType"],
        )
    sys.stdout.flush()
    sys.stderr.flush()
    return api.request(f"invocation/{request}/response", text)


def run():
    global request_id
    set_up_logging()
    bind_locally()
    sys.path.insert(0, os.environ["LAMBDA_TASK_ROOT"])
    try:
        handler = load(os.environ["_HANDLER"])
    except Exception as error:
        failure = error_object(error)
        log_error(failure)
        api.give_up(failure)
        sys.exit(1)
    posts = b""
    while True:
        headers, body = api.ask(posts)
        request_id = headers["lambda-runtime-aws-request-id"]
        trace = headers.get("lambda-runtime-trace-id")
        if trace is None:
            os.environ.pop("_X_AMZN_TRACE_ID", None)
        else:
            os.environ["_X_AMZN_TRACE_ID"] = trace
        posts = call(handler, headers, body)


if __name__ == "__main__":
    # A function must not import modules from the bootstrap's folder.
    sys.path.pop(0)
    api = API()
    run()

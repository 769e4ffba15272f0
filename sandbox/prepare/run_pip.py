"""Runs pip for a function: python -c TEXT MACHINE LIST ARGUMENT...

MACHINE is a version of Python and a processor of Linux, such as "3.13 aarch64"; "" is this machine.
LIST is a lock, or another list that pip itself does not read; "" if the arguments name all packages.
Without arguments it prints the packages of LIST."""

import sys

# The folder that it runs in is the function's: nothing is imported from there.
sys.path[:] = [folder for folder in sys.path if folder]

import glob
import json
import logging
import os
import re
import runpy
import shutil
import tempfile

from pip._vendor.packaging import markers
from pip._vendor.packaging.requirements import Requirement
from pip._vendor.packaging.specifiers import SpecifierSet
from pip._vendor.packaging.utils import canonicalize_name as normal

MACHINE, LIST, *ARGUMENTS = sys.argv[1:]


def for_machine(python, processor):
    """Has markers speak of a machine of Lambda. pip itself reads them for the machine that it
    runs on, whatever wheels are asked for
    (https://packaging.python.org/en/latest/specifications/dependency-specifiers/#environment-markers).
    """
    here = markers.default_environment
    there = {
        "python_version": python,
        "python_full_version": python + ".0",
        "implementation_version": python + ".0",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
        "sys_platform": "linux",
        "platform_system": "Linux",
        "os_name": "posix",
        "platform_machine": processor,
    }
    markers.default_environment = lambda: {**here(), **there}

    # pip install finds wheels for another Python, and then asks whether this one may have them.
    from pip._internal.resolution.resolvelib.candidates import RequiresPythonCandidate

    create = RequiresPythonCandidate.__init__
    version = tuple(int(number) for number in python.split("."))
    RequiresPythonCandidate.__init__ = lambda self, _: create(self, version)


class NotExported(Exception):
    """What a list has and requirements cannot say."""


class Need:
    """A package that is needed: its ranges, and the extras of it."""

    def __init__(self, name, ranges="", marker="", extras=(), optional=False):
        self.name, self.ranges, self.marker = normal(name), ranges, marker
        self.extras, self.optional = sorted(extras), optional

    def holds(self, extras=("",)):
        return not self.marker or any(
            markers.Marker(self.marker).evaluate({"extra": extra}) for extra in extras
        )

    def allows(self, version):
        return not self.ranges or any(
            SpecifierSet(pep440(one)).contains(version, prereleases=True)
            for one in self.ranges.split("||")
        )

    def line(self):
        if "||" in self.ranges:
            raise NotExported(f"the range {self.ranges} of {self.name} is two ranges")
        extras = f"[{','.join(self.extras)}]" if self.extras else ""
        marker = f" ; {self.marker}" if self.marker else ""
        return self.name + extras + pep440(self.ranges) + marker


def pep440(ranges):
    """Returns ranges of Poetry (https://python-poetry.org/docs/dependency-specification/) as pip
    reads them."""
    found = []
    for part in ranges.replace(" ", "").split(","):
        if part[:1] in ("^", "~") and part[1:2] != "=":
            numbers = part[1:].split(".")
            at = min(1, len(numbers) - 1)
            if part[0] == "^":
                at = next((i for i, n in enumerate(numbers) if n != "0"), len(numbers) - 1)
            above = numbers[:at] + [str(int(numbers[at]) + 1)]
            found += [">=" + part[1:], "<" + ".".join(above)]
        elif part and part != "*":
            found.append("==" + part if part[0].isdigit() else part)
    return ",".join(found)


def needs_of(dependencies):
    """Yields what a table of dependencies of Poetry or of a Pipfile asks for."""
    for name, values in dependencies.items():
        for value in values if isinstance(values, list) else [values]:
            value = {"version": value} if isinstance(value, str) else value
            if os.path.normpath(value.get("path", "")) == "src" or name == "python":
                continue  # the function itself, as the Amplify CLI names it, or its version
            refuse(name, value)
            terms = [f"({value['markers']})"] if value.get("markers") else []
            for each in SpecifierSet(pep440(value.get("python", ""))):
                terms.append(f"python_version {each.operator} '{each.version}'")
            if "platform" in value:
                terms.append(f"sys_platform == '{value['platform']}'")
            yield Need(
                name,
                value.get("version", ""),
                " and ".join(terms),
                value.get("extras", ()),
                value.get("optional", False),
            )


def refuse(name, source):
    for kind in ("git", "url", "path", "file", "directory", "editable", "virtual"):
        if kind in source or source.get("type") == kind:
            raise NotExported(
                f"the package {name} is not from an index but {kind}; install it from an index, "
                "or put it into src yourself"
            )


def needed(packages, waiting, below):
    """Returns the packages of a lock that are needed, each once. below yields what a package
    needs."""
    by_name, seen, found = {}, set(), {}
    for package in packages:
        by_name.setdefault(normal(package["name"]), []).append(package)
    waiting = [need for need in waiting if need.holds() and not need.optional]
    while waiting:
        need = waiting.pop()
        key = (need.name, need.ranges, *need.extras)
        candidates = by_name.get(need.name, ())
        if len(candidates) > 1:
            candidates = [p for p in candidates if need.allows(p["version"])]
        if key in seen or not candidates:
            continue
        seen.add(key)
        package = candidates[0]
        found[need.name] = package
        waiting += [n for n in below(package, need.extras) if n.holds(["", *need.extras])]
    return list(found.values())


def of_uv(lock, beside):
    def needs(entries):
        for entry in entries:
            version = entry.get("version")
            ranges = "==" + version if version else ""
            yield Need(entry["name"], ranges, entry.get("marker", ""), entry.get("extra", ()))

    def below(package, extras):
        yield from needs(package.get("dependencies", ()))
        for extra in extras:
            yield from needs(package.get("optional-dependencies", {}).get(extra, ()))

    own, others = [], []
    for package in lock.get("package", ()):
        source = package.get("source", {})
        own_source = "." in (source.get("virtual"), source.get("editable"))
        (own if own_source else others).append(package)
    if not own:
        raise NotExported("it has no project of its folder")
    for package in needed(others, below(own[0], ()), below):
        files = [*package.get("wheels", ()), package.get("sdist", {})]
        hashes = [f["hash"] for f in files if "hash" in f]
        yield package, hashes, package.get("source", {}).get("registry", "")


def of_poetry(lock, beside):
    def below(package, extras):
        chosen = {
            normal(re.match(r"[\w.-]+", line)[0])
            for extra in extras
            for line in package.get("extras", {}).get(extra, ())
        }
        for need in needs_of(package.get("dependencies", {})):
            if not need.optional or need.name in chosen:
                yield need

    files = lock.get("metadata", {}).get("files", {})
    roots = list(project_needs(read(os.path.join(beside, "pyproject.toml"))))
    for package in needed(lock.get("package", ()), roots, below):
        own = package.get("files") or files.get(package["name"], ())
        yield package, [f["hash"] for f in own], package.get("source", {}).get("url", "")


def of_pipenv(lock, beside):
    for name, entry in lock.get("default", {}).items():
        for need in needs_of({name: entry}):
            if need.holds():
                package = {"name": name, "version": need.ranges.lstrip("=")}
                yield package, entry.get("hashes", ()), ""


def project_needs(project):
    """Yields what a pyproject.toml asks for
    (https://packaging.python.org/en/latest/specifications/pyproject-toml/)."""
    for line in project.get("project", {}).get("dependencies", ()):
        asked = Requirement(line)
        marker = str(asked.marker or "")
        yield Need(asked.name, str(asked.specifier), marker, asked.extras)
    poetry = project.get("tool", {}).get("poetry", {})
    yield from needs_of(poetry.get("dependencies", {}))


def of_project(project):
    own = project.get("project", {})
    yield from own.get("dependencies", ())
    if "dependencies" in own.get("dynamic", ()):
        setuptools = project.get("tool", {}).get("setuptools", {})
        files = setuptools.get("dynamic", {}).get("dependencies", {}).get("file", ())
        if not files:
            raise NotExported("its dependencies are dynamic; list them in src/requirements.txt")
        for file in [files] if isinstance(files, str) else files:
            yield "-r " + os.path.abspath(os.path.join(os.path.dirname(LIST), file))
    named = {need.name for need in project_needs({"project": own})}
    for need in project_needs({"tool": project.get("tool", {})}):
        if need.name not in named and not need.optional:
            yield need.line()


def read(name):
    if os.path.basename(name) == "Pipfile.lock":
        with open(name, encoding="utf-8") as file:
            return json.load(file)
    try:
        import tomllib
    except ImportError:  # Python before 3.11
        from pip._vendor import tomli as tomllib
    with open(name, "rb") as file:
        return tomllib.load(file)


LOCKS = {"uv.lock": of_uv, "poetry.lock": of_poetry, "Pipfile.lock": of_pipenv}


def lines_of(name):
    """Returns the packages of a list as requirements. Those of a lock have its hashes, so that none
    comes from another index than the lock's."""
    kind, content = os.path.basename(name), read(name)
    if kind == "pyproject.toml":
        return list(of_project(content))
    if kind == "Pipfile":
        return [need.line() for need in needs_of(content.get("packages", {}))]
    found = list(LOCKS[kind](content, os.path.dirname(name)))
    indexes, lines = set(), []
    every = all(hashes for _, hashes, _ in found)
    for package, hashes, index in found:
        refuse(package["name"], package.get("source", {}))
        if index.startswith("http") and not re.match(r"https://pypi\.org(/|$)", index):
            indexes.add("--extra-index-url " + index)
        line = f"{package['name']}=={package['version']}"
        lines.append(line + "".join(f" --hash={h}" for h in hashes if every))
    return sorted(indexes) + sorted(lines)


class Seen(logging.Handler):
    """Tells of a package that has nothing but its source, which pip says at no level that people
    see."""

    sources = set()

    def emit(self, record):
        text = record.getMessage()
        source = re.search(r"No sources permitted for .*/([^/]+?)(\.tar\.\w+|\.zip|\.tgz)\b", text)
        if source:
            name, _, version = source[1].rpartition("-")
            self.sources.add((normal(name), version))
        missing = re.match(r"No matching distribution found for (.*?)( \(from .*)?$", text)
        if missing:
            wanted = Requirement(missing[1])
            for name, version in self.sources:
                if name == normal(wanted.name) and wanted.specifier.contains(version):
                    fail(f"{wanted} has nothing but its source")


def fail(text):
    print("ERROR:", text, file=sys.stderr, flush=True)


def trim(target):
    """Removes what differs from one machine or installation to the next, and what does not run in
    Lambda: scripts with the path of this machine's interpreter, the address or folder that a package
    came from (https://packaging.python.org/en/latest/specifications/direct-url/), and their rows in
    the list of a package's files
    (https://packaging.python.org/en/latest/specifications/recording-installed-packages/)."""
    gone = re.compile(r'"?(\.\./|bin/|([^,]*/)?__pycache__/|[^,]*/direct_url\.json,)')
    for folder, folders, names in os.walk(target):
        if "__pycache__" in folders:
            folders.remove("__pycache__")
            shutil.rmtree(os.path.join(folder, "__pycache__"))
        for name in names:
            path, is_info = os.path.join(folder, name), folder.endswith(".dist-info")
            if is_info and name == "direct_url.json":
                os.remove(path)
            elif is_info and name == "RECORD":
                with open(path, encoding="utf-8", newline="") as file:
                    rows = file.readlines()
                with open(path, "w", encoding="utf-8", newline="") as file:
                    file.writelines(row for row in rows if not gone.match(row))
            elif folder == os.path.join(target, "bin"):
                with open(path, "rb") as file:
                    is_script = file.read(2) == b"#!"
                if is_script:
                    os.remove(path)


def run(arguments):
    level = logging.DEBUG
    logging.getLogger("pip").setLevel(level)
    logging.getLogger("pip").addHandler(Seen(level))
    sys.argv = ["pip", *arguments]
    try:
        runpy.run_module("pip", run_name="__main__", alter_sys=True)
    except SystemExit as ended:
        code = ended.code
    target = arguments[arguments.index("--target") + 1]
    if not code and glob.glob(os.path.join(glob.escape(target), "__editable__*")):
        fail("-e installs a link to a folder, which an archive cannot have; write it without -e")
        return 1
    if MACHINE and not code:
        trim(target)
    return code


def main():
    if MACHINE:
        for_machine(*MACHINE.split())
    if not LIST:
        return run(ARGUMENTS)
    try:
        lines = lines_of(LIST)
    except (NotExported, KeyError, OSError, TypeError, ValueError) as error:
        fail(f"{os.path.basename(LIST)}: {error}")
        return 1
    if not ARGUMENTS or not lines:
        print("\n".join(lines))
        return 0
    if os.path.basename(LIST) in LOCKS:
        ARGUMENTS.append("--no-deps")
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "requirements.txt")
        with open(name, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        return run([*ARGUMENTS, "--requirement", name])


sys.exit(main())

package source

import (
	"bytes"
	"io/fs"
	"path"
	"slices"
	"strings"

	"gatewright/internal/file"
	"gatewright/internal/text/lazyregexp"
)

// Import is a place where a module is imported.
type Import struct {
	// File is a path below the function's folder.
	File, Module string
	Line, Column int
	// inner means that it is in a block, and guarded that the block has another way.
	inner, guarded bool
}

// standard are the modules of Python (https://docs.python.org/3/library/sys.html#sys.stdlib_module_names),
// and those of Lambda's runtime (https://docs.aws.amazon.com/lambda/latest/dg/lambda-python.html).
var standard = strings.Fields("abc " +
	"aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb " +
	"binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections " +
	"colorsys compileall compression concurrent configparser contextlib contextvars copy copyreg crypt csv " +
	"ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ensurepip " +
	"enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt " +
	"getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib " +
	"inspect io ipaddress itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal " +
	"math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path " +
	"numbers opcode operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform " +
	"plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat " +
	"queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select selectors shelve " +
	"shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants " +
	"sre_parse ssl stat statistics string stringprep struct subprocess sunau symtable sys sysconfig syslog " +
	"tabnanny tarfile telnetlib tempfile termios textwrap this threading time timeit tkinter token tokenize " +
	"tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib uu " +
	"uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile " +
	"zipimport zlib zoneinfo __future__ _thread " +
	"boto3 botocore s3transfer jmespath dateutil urllib3 six awslambdaric")

var pythonImport = lazyregexp.New(
	`(?m)^([ \t]*)(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]*\(?([^;\n]*)|import[ \t]+([^;\n]+))`)

// pythonText matches what only looks like code: texts and comments.
var pythonText = lazyregexp.New(
	`(?s)"""(?:\\.|.)*?"""|'''(?:\\.|.)*?'''|#[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`)

var inLine = lazyregexp.New(`[^\n]`)

// guards are the words that begin a block in which an import has another way.
var guards = lazyregexp.New(`^(?:try|if|elif|else|except)\b`)

// mostSources is how many files of a function are read for their imports.
const mostSources = 2000

// pythonImports returns what the file of a handler and the files of src that it imports import. What a
// program works out is not known.
func pythonImports(folder fs.FS, handler string) (all []Import) {
	queue := []string{handler}
	follow := func(base, dotted string) {
		parts := strings.Split(dotted, ".")
		for i := range parts {
			at := path.Join(base, path.Join(parts[:i+1]...))
			for _, name := range []string{at + ".py", path.Join(at, "__init__.py")} {
				if !slices.Contains(queue, name) && isFile(folder, name) {
					queue = append(queue, name)
				}
			}
		}
	}
	for at := 0; at < min(len(queue), mostSources); at++ {
		text, err := file.ReadIn(folder, queue[at])
		if err != nil {
			continue
		}
		text = pythonText().ReplaceAllFunc(text, func(text []byte) []byte {
			return inLine().ReplaceAll(text, []byte(" "))
		})
		for _, found := range pythonImport().FindAllSubmatchIndex(text, -1) {
			part := func(n int) string { return string(text[max(found[2*n], 0):max(found[2*n+1], 0)]) }
			indent, dots, from := part(1), part(2), part(3)
			base, names, start := Folder, strings.Split(part(5), ","), found[10]
			if start < 0 {
				names, start = []string{from}, found[6]
				if dots != "" {
					base = path.Join(path.Dir(queue[at]), strings.Repeat("../", len(dots)-1))
				}
				for name := range strings.SplitSeq(part(4), ",") {
					name, _, _ = strings.Cut(strings.Trim(name, " \t\r)"), " ")
					follow(base, strings.TrimPrefix(from+"."+name, "."))
				}
			}
			for _, name := range names {
				name, _, _ = strings.Cut(strings.TrimSpace(name), " ")
				follow(base, name)
				module, _, _ := strings.Cut(name, ".")
				if dots != "" || module == "" {
					continue
				}
				line := 1 + bytes.Count(text[:start], []byte("\n"))
				column := start - bytes.LastIndexByte(text[:start], '\n') + strings.Index(string(text[start:]), module)
				all = append(all, Import{queue[at], module, line, column, indent != "", isGuarded(text[:found[0]], indent)})
			}
		}
	}
	return all
}

// isGuarded reports whether the block that a line is in begins with one of the guards. before is what is
// before the line.
func isGuarded(before []byte, indent string) bool {
	for len(before) > 0 {
		before = before[:len(before)-1]
		line := before[bytes.LastIndexByte(before, '\n')+1:]
		before = before[:len(before)-len(line)]
		code := bytes.TrimLeft(line, " \t")
		if len(bytes.TrimSpace(code)) > 0 && len(line)-len(code) < len(indent) {
			return guards().Match(code)
		}
	}
	return false
}

// MissingInPython returns the modules that the file of a handler and the files of src that it imports
// need, and that neither Python nor src has; none if a list of packages may bring them.
func MissingInPython(folder fs.FS, handler string) (missing []Import) {
	for _, list := range pythonLists {
		if isFile(folder, list) || isFile(folder, path.Join(Folder, list)) {
			return nil
		}
	}
	for _, found := range pythonImports(folder, handler) {
		entries, _ := fs.Glob(folder, path.Join(Folder, found.Module+"*"))
		if !found.inner && len(entries) == 0 && !slices.Contains(standard, found.Module) {
			missing = append(missing, found)
		}
	}
	return missing
}

// pythonLists are the files that list packages of Python.
var pythonLists = []string{"requirements.txt", "Pipfile", "Pipfile.lock", "pyproject.toml", "uv.lock", "poetry.lock"}

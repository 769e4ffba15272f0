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
}

// standard are the modules of Python
// (https://docs.python.org/3/library/sys.html#sys.stdlib_module_names), and those of Lambda's runtime
// (https://docs.aws.amazon.com/lambda/latest/dg/lambda-python.html).
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

var topImport = lazyregexp.New(`(?m)^(?:import[ \t]+([A-Za-z_][A-Za-z0-9_]*)[\w.]*[ \t]*(?:,|as\b|#|\r?$)` +
	`|from[ \t]+([A-Za-z_][A-Za-z0-9_]*)[\w.]*[ \t]+import\b)`)

// MissingInPython returns the modules that the file of a handler and the files of src that it imports
// need, and that neither Python nor src has; none if a list of packages may bring them.
func MissingInPython(folder fs.FS, handler string) (missing []Import) {
	for _, list := range []string{"requirements.txt", "Pipfile", "Pipfile.lock", "pyproject.toml"} {
		if isFile(folder, list) || isFile(folder, path.Join(Folder, list)) {
			return nil
		}
	}
	queue := []string{handler}
	for at := 0; at < len(queue); at++ {
		text, err := file.ReadIn(folder, queue[at])
		if err != nil {
			continue
		}
		for _, found := range topImport().FindAllSubmatchIndex(text, -1) {
			from, to := max(found[2], found[4]), max(found[3], found[5])
			module := string(text[from:to])
			own := false
			for _, name := range []string{path.Join(Folder, module+".py"), path.Join(Folder, module, "__init__.py")} {
				if isFile(folder, name) {
					own = true
					if !slices.Contains(queue, name) {
						queue = append(queue, name)
					}
				}
			}
			entries, _ := fs.Glob(folder, path.Join(Folder, module+"*"))
			if own || len(entries) > 0 || slices.Contains(standard, module) {
				continue
			}
			line := 1 + bytes.Count(text[:found[0]], []byte("\n"))
			missing = append(missing, Import{queue[at], module, line, from - found[0] + 1})
		}
	}
	return missing
}

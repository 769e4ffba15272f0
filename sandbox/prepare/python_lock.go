package prepare

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"deps.dev/util/semver"
	"github.com/pelletier/go-toml/v2"

	"gatewright/internal/file"
	"gatewright/internal/text/lazyregexp"
	"gatewright/internal/text/phrase"
	"gatewright/sandbox/function"
)

// Locks of uv and Poetry name each package in one version, with markers that say where it is needed
// (https://packaging.python.org/en/latest/specifications/dependency-specifiers/#environment-markers).
// pip would read the markers for the Python that it runs in, and not for that of the function, so
// they are read here. Groups of development are left out.

// pyNeed is a package that another needs. extras are parts of it that are needed too.
type pyNeed struct {
	Name, Version, Marker string
	Extra                 []string
}

// pyLocked is a package of a lock.
type pyLocked struct {
	Name, Version string
	Markers       any
	Source        map[string]any
	// Needs are what it needs, and Parts what its extras do.
	needs []pyNeed
	parts map[string][]pyNeed
}

// pyProject is the part of a pyproject.toml that is read here.
type pyProject struct {
	Project struct{ Dependencies []string }
	Tool    struct {
		Poetry struct{ Dependencies map[string]any }
	}
}

// readProject returns the requirements of a folder's uv.lock, poetry.lock or pyproject.toml, and the
// file that has them; "" if there are none. The error of one that is not right is a *prepareError.
func readProject(folder string, of machine) (requirements, where string, err error) {
	read := func(name string, into any) (found bool, err error) {
		text, err := file.ReadRegular(filepath.Join(folder, name))
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if err := toml.Unmarshal(text, into); err != nil {
			return false, notPrepared(name+" is not valid: "+err.Error(), "correct it, or make it anew")
		}
		return true, nil
	}
	var project pyProject
	listed, err := read("pyproject.toml", &project)
	if err != nil {
		return "", "pyproject.toml", err
	}
	var uv struct {
		Package []struct {
			pyLocked
			Dependencies []pyNeed
			Optional     map[string][]pyNeed `toml:"optional-dependencies"`
		}
	}
	if found, err := read("uv.lock", &uv); err != nil {
		return "", "uv.lock", err
	} else if found {
		var all []pyLocked
		var roots []pyNeed
		for _, p := range uv.Package {
			if p.Source["virtual"] == "." || p.Source["editable"] == "." {
				roots = p.Dependencies
				continue
			}
			p.needs, p.parts = p.Dependencies, p.Optional
			all = append(all, p.pyLocked)
		}
		requirements, err = export(all, roots, of, "uv.lock")
		return requirements, "uv.lock", err
	}
	var roots []pyNeed
	for _, line := range project.Project.Dependencies {
		roots = append(roots, pyNeed{Name: pyName().FindString(line), Marker: afterSemicolon(line)})
	}
	for _, name := range slices.Sorted(maps.Keys(project.Tool.Poetry.Dependencies)) {
		if name != "python" {
			roots = append(roots, poetryNeeds(name, project.Tool.Poetry.Dependencies[name])...)
		}
	}
	var poetry struct {
		Package []struct {
			pyLocked
			Dependencies map[string]any
			Extras       map[string][]string
		}
	}
	if found, err := read("poetry.lock", &poetry); err != nil {
		return "", "poetry.lock", err
	} else if found {
		var all []pyLocked
		for _, p := range poetry.Package {
			p.parts = make(map[string][]pyNeed)
			for name, value := range p.Dependencies {
				p.needs = append(p.needs, poetryNeeds(name, value)...)
			}
			for extra, lines := range p.Extras {
				for _, line := range lines {
					p.parts[extra] = append(p.parts[extra], pyNeed{Name: pyName().FindString(line)})
				}
			}
			all = append(all, p.pyLocked)
		}
		requirements, err = export(all, roots, of, "poetry.lock")
		return requirements, "poetry.lock", err
	}
	if !listed {
		return "", "", nil
	}
	lines := project.Project.Dependencies
	for _, name := range slices.Sorted(maps.Keys(project.Tool.Poetry.Dependencies)) {
		for _, n := range poetryNeeds(name, project.Tool.Poetry.Dependencies[name]) {
			if name == "python" || n.Marker == noMarker {
				continue
			}
			line := n.Name + extrasOf(n.Extra) + pipRange(n.Version)
			if n.Marker != "" {
				line += " ; " + n.Marker
			}
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n"), "pyproject.toml", nil
}

var pyName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]*`)

// sameNames matches what is the same in the names of packages
// (https://packaging.python.org/en/latest/specifications/name-normalization/).
var sameNames = lazyregexp.New(`[-_.]+`)

func normal(name string) string { return strings.ToLower(sameNames().ReplaceAllString(name, "-")) }

func afterSemicolon(line string) string {
	_, marker, _ := strings.Cut(line, ";")
	return strings.TrimSpace(marker)
}

func extrasOf(extras []string) string {
	if len(extras) == 0 {
		return ""
	}
	return "[" + strings.Join(extras, ",") + "]"
}

// noMarker never holds: what is optional is not needed.
const noMarker = "extra == 'optional'"

// poetryNeeds returns what a value of Poetry's dependencies asks for
// (https://python-poetry.org/docs/dependency-specification/).
func poetryNeeds(name string, value any) (needs []pyNeed) {
	switch v := value.(type) {
	case string:
		return []pyNeed{{Name: name, Version: v}}
	case []any:
		for _, each := range v {
			needs = append(needs, poetryNeeds(name, each)...)
		}
	case map[string]any:
		n := pyNeed{Name: name}
		n.Version, _ = v["version"].(string)
		n.Marker, _ = v["markers"].(string)
		if v["optional"] == true {
			n.Marker = noMarker
		}
		extras, _ := v["extras"].([]any)
		for _, each := range extras {
			n.Extra = append(n.Extra, fmt.Sprint(each))
		}
		return []pyNeed{n}
	}
	return needs
}

// pipRange returns a range of Poetry as pip reads it.
func pipRange(text string) string {
	var ranges []string
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		version := strings.TrimLeft(part, "^~")
		numbers := strings.Split(version, ".")
		at := min(1, len(numbers)-1)
		if strings.HasPrefix(part, "^") {
			at = max(0, slices.IndexFunc(numbers, func(n string) bool { return n != "0" }))
		}
		next, err := strconv.Atoi(numbers[at])
		switch {
		case part == "" || part == "*":
		case strings.HasPrefix(part, "~="), strings.ContainsAny(part[:1], "<>=!"):
			ranges = append(ranges, part)
		case version == part:
			ranges = append(ranges, "=="+part)
		case err == nil:
			ranges = append(ranges, ">="+version,
				"<"+strings.Join(append(slices.Clone(numbers[:at]), strconv.Itoa(next+1)), "."))
		}
	}
	return strings.Join(ranges, ",")
}

// export returns the packages of a lock that a machine needs, as requirements.
func export(all []pyLocked, roots []pyNeed, of machine, where string) (string, error) {
	byName := make(map[string][]pyLocked)
	for _, p := range all {
		byName[normal(p.Name)] = append(byName[normal(p.Name)], p)
	}
	lines, seen := make(map[string]bool), make(map[string]bool)
	for waiting := slices.Clone(roots); len(waiting) > 0; waiting = waiting[1:] {
		n := waiting[0]
		key := fmt.Sprint(normal(n.Name), n.Extra, n.Version)
		if seen[key] || !of.holds(n.Marker) {
			continue
		}
		seen[key] = true
		for _, p := range byName[normal(n.Name)] {
			marker, _ := p.Markers.(string)
			if len(byName[normal(n.Name)]) > 1 &&
				(n.Version != "" && where == "uv.lock" && n.Version != p.Version || !of.holds(marker)) {
				continue
			}
			for _, kind := range []string{"git", "directory", "editable", "virtual", "path", "url"} {
				if p.Source[kind] != nil || p.Source["type"] == kind {
					return "", notPrepared("the package "+phrase.Quote(p.Name)+" of "+where+" is not from an index but "+kind,
						"install it from an index, or put it into src yourself")
				}
			}
			lines[p.Name+"=="+p.Version] = true
			waiting = append(waiting, p.needs...)
			for _, extra := range n.Extra {
				waiting = append(waiting, p.parts[extra]...)
			}
			break
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(lines)), "\n"), nil
}

// machine is where packages of Python run: a version such as 3.13, a system as Go names it, and a
// processor as Python does.
type machine struct{ python, system, processor string }

// here returns the machine of a Python, which tells "(3, 13) x86_64".
func here(tells string) machine {
	m := lambdaMachine(&function.Spec{})
	m.system = runtime.GOOS
	var major, minor int
	var processor string
	if n, _ := fmt.Sscanf(tells, "(%d, %d) %s", &major, &minor, &processor); n == 3 {
		m.python, m.processor = fmt.Sprintf("%d.%d", major, minor), processor
	}
	return m
}

// variable returns the value of a marker's variable.
func (m machine) variable(name string) (value string, known bool) {
	of := map[string][3]string{
		"linux": {"linux", "Linux", "posix"}, "darwin": {"darwin", "Darwin", "posix"}, "windows": {"win32", "Windows", "nt"},
	}[m.system]
	value, known = map[string]string{
		"python_version": m.python, "python_full_version": m.python + ".0", "implementation_version": m.python + ".0",
		"sys_platform": of[0], "platform_system": of[1], "os_name": of[2], "platform_machine": m.processor,
		"implementation_name": "cpython", "platform_python_implementation": "CPython", "extra": "", "platform_release": "",
		"platform_version": "",
	}[name]
	return value, known
}

var markerToken = lazyregexp.New(`'[^']*'|"[^"]*"|[()]|[<>=!~]+|[A-Za-z_.]+`)

// holds reports whether a marker holds. One that cannot be read does.
func (m machine) holds(marker string) bool {
	tokens := markerToken().FindAllString(marker, -1)
	if len(tokens) == 0 {
		return true
	}
	take := func() (token string) {
		if len(tokens) > 0 {
			token, tokens = tokens[0], tokens[1:]
		}
		return token
	}
	next := func(word string) bool { return len(tokens) > 0 && tokens[0] == word && take() == word }
	var either func() bool
	one := func() bool {
		if next("(") {
			holds := either()
			take()
			return holds
		}
		left := m.value(take())
		op := take()
		if op == "not" {
			op += take()
		}
		right := m.value(take())
		return compare(left, op, right)
	}
	both := func() bool {
		holds := one()
		for next("and") {
			holds = one() && holds
		}
		return holds
	}
	either = func() bool {
		holds := both()
		for next("or") {
			holds = both() || holds
		}
		return holds
	}
	return either()
}

// value returns the value of a variable, or of a text in quotes.
func (m machine) value(token string) string {
	if value, known := m.variable(token); known {
		return value
	}
	return strings.Trim(token, `'"`)
}

// compare compares two values of a marker, as versions if both are.
func compare(left, op, right string) bool {
	order := strings.Compare(left, right)
	if a, err := semver.PyPI.Parse(left); err == nil {
		if b, err := semver.PyPI.Parse(strings.TrimSuffix(right, ".*")); err == nil {
			order = a.Compare(b)
		}
	}
	switch op {
	case "==", "===":
		return order == 0 || strings.HasSuffix(right, ".*") && strings.HasPrefix(left+".", strings.TrimSuffix(right, "*"))
	case "!=":
		return !compare(left, "==", right)
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	case ">=", "~=":
		return order >= 0
	case "in":
		return strings.Contains(right, left)
	case "notin":
		return !strings.Contains(right, left)
	}
	return true
}

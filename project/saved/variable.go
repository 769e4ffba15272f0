package saved

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/text/lazyregexp"
	"gatewright/model"
)

// variable is ${NAME}; $${ stands for ${ itself.
var variable = lazyregexp.New(`\$?\$\{[A-Za-z_][A-Za-z0-9_]*\}`)

func hasVariable(text string) bool {
	for _, found := range variable().FindAllString(text, -1) {
		if !strings.HasPrefix(found, "$$") {
			return true
		}
	}
	return false
}

// Expand replaces ${NAME} by the value of a variable of the process, which lookup knows, and
// $${NAME} by ${NAME}. The error names a variable that is not set.
func Expand(text string, lookup func(name string) (string, bool)) (string, error) {
	var missing string
	text = variable().ReplaceAllStringFunc(text, func(found string) string {
		if strings.HasPrefix(found, "$$") {
			return found[1:]
		}
		name := found[2 : len(found)-1]
		value, ok := lookup(name)
		if !ok && missing == "" {
			missing = name
		}
		return value
	})
	if missing != "" {
		return "", fmt.Errorf("the variable %s is not set; set it with: export %[1]s=VALUE", missing)
	}
	return text, nil
}

// Escape writes a text so that Expand gives it back.
func Escape(text string) string {
	return variable().ReplaceAllStringFunc(text, func(found string) string { return "$" + found })
}

func itoa(i int) string { return strconv.Itoa(i) }

func segment(name string) string { return model.PointerSegment(name) }

// pathOf is the JSON path of a pointer.
func pathOf(pointer string) string {
	path := "$"
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		name := strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		switch _, err := strconv.Atoi(name); {
		case err == nil:
			path += "[" + name + "]"
		case isName(name):
			path += "." + name
		default:
			path += "['" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(name) + "']"
		}
	}
	return path
}

func isName(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

// Sorted are names in order, without repeats.
func sorted(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

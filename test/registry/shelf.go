package registry

import (
	_ "embed"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// shelf has the files of packages. Their names begin with node/NAME@VERSION/, wheel/NAME@VERSION/
// or sdist/NAME@VERSION/; a word after the version tells another wheel of it.
//
//go:embed testdata/shelf.txtar
var shelf []byte

// Shelf returns the packages of testdata/shelf.txtar, which says what each is for.
func Shelf() []Package {
	pack := map[string]func(name, version string, files map[string]string) Package{
		"node": Node, "wheel": Wheel,
		"sdist": Sdist,
	}
	var all []Package
	var last, kind, name, version string
	var files map[string]string
	finish := func() {
		if files != nil {
			all = append(all, pack[kind](name, version, files))
		}
	}
	for _, file := range txtar.Parse(shelf).Files {
		at := strings.LastIndex(file.Name, "@")
		number, inside, _ := strings.Cut(file.Name[at+1:], "/")
		if this := file.Name[:at+1] + number; this != last {
			finish()
			last, files = this, map[string]string{}
			version, _, _ = strings.Cut(number, " ")
			kind, name, _ = strings.Cut(file.Name[:at], "/")
		}
		files[inside] = string(file.Data)
	}
	finish()
	return all
}

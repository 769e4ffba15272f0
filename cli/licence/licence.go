// Package licence has the licences of everything that is in the program: its own, that of Go, and
// those of the modules. They are in a packed file, so that the program has them however it was built.
package licence

import (
	"bytes"
	"compress/gzip"
	_ "embed" // for the packed file
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
)

// packed is a [Collection] as JSON. A test fails if it is out of date, and writes it:
// go test ./tools/release -run HasTheLicences -update.
//
//go:embed licences.json.gz
var packed []byte

// Module is a module whose code is in the program. Its licences are identifiers of SPDX
// (https://spdx.org/licenses/).
type Module struct {
	Path     string   `json:"module"`
	Version  string   `json:"version"`
	Licenses []string `json:"licenses"`
}

// Text is the text of a licence or a notice, with the modules that it came with.
type Text struct {
	Of   []string `json:"of"`
	Text string   `json:"text"`
}

// Collection has the program itself, Go, and then the modules, with all texts once.
type Collection struct {
	Modules []Module `json:"modules"`
	Texts   []Text   `json:"texts"`
}

// OfProgram returns the collection of this program, whose version is given.
func OfProgram(version string) (c Collection, err error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err == nil {
		err = json.NewDecoder(r).Decode(&c)
	}
	if err != nil {
		return c, fmt.Errorf("the licences in this program are damaged: %w; build it again", err)
	}
	c.Modules[0].Version, c.Modules[1].Version = version, strings.TrimPrefix(runtime.Version(), "go")
	return c, nil
}

const rule = "================================================================================"

// Document lists the modules, and has all texts below.
func (c Collection) Document() string {
	var b strings.Builder
	b.WriteString("gatewright is licensed under Apache-2.0. It contains code from Go (stdlib) and from the other\n" +
		"modules listed here. The text of each licence follows the list.\n\n")
	for _, m := range c.Modules {
		fmt.Fprintf(&b, "%-26s%s %s\n", strings.Join(m.Licenses, ", "), m.Path, m.Version)
	}
	for _, t := range c.Texts {
		fmt.Fprintf(&b, "\n%s\n", rule)
		for _, m := range c.Modules {
			if slices.Contains(t.Of, m.Path) {
				fmt.Fprintf(&b, "%s %s\n", m.Path, m.Version)
			}
		}
		fmt.Fprintf(&b, "%s\n\n%s\n", rule, t.Text)
	}
	return b.String()
}

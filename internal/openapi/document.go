package openapi

import (
	"bytes"
	"fmt"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/text/phrase"
)

// MaxText is the largest document that is read, in bytes, as for all files of a project.
const MaxText = 16 << 20

// Place is a place in a document: line and column from 1, and the JSON pointer (RFC 6901).
type Place struct {
	Line, Column int
	Pointer      string
}

// Document is a document as read. It is for one goroutine.
type Document struct {
	// Name is the name of the file, for messages.
	Name string
	// Version is the version of the format as the document has it, such as 2.0 or 3.0.3.
	Version string
	// Title is that of the API, and Label its label in x-gatewright-api; "" for none.
	Title, Label string
	Root         *cfn.Node
	// Items are the path items in the order of the document.
	Items []*Item
	// Schemes are the security schemes by name.
	Schemes map[string]*Scheme
	// Servers are the addresses of the API, as the document has them: with variables in
	// braces, or only a path.
	Servers []string
	// BinaryMediaTypes are those of the gateway's extension.
	BinaryMediaTypes []string
	// Restriction is what restricts the whole API besides the security of its operations: a
	// policy of the gateway, or a network. It is nil for none.
	Restriction *cfn.Member

	resolved map[string]*cfn.Node
}

// Is reports whether a text seems to be a document of this package, and no other JSON or YAML.
// It looks for the key that has the version, and reads nothing else.
func Is(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	for _, key := range []string{"openapi", "swagger"} {
		for at := text; ; {
			i := bytes.Index(at, []byte(key))
			if i < 0 {
				break
			}
			before, after := bytes.TrimRight(at[:i], `"'`), bytes.TrimLeft(at[i+len(key):], "\"' \t\r\n")
			starts := len(before) == 0 || bytes.ContainsAny(before[len(before)-1:], "{,\n \t\r")
			if starts && bytes.HasPrefix(after, []byte(":")) {
				return true
			}
			at = at[i+len(key):]
		}
	}
	return false
}

// Read reads a document; name is for messages. The error is a *cfn.SyntaxError, one line with
// the place and what to do.
func Read(name string, text []byte) (*Document, error) {
	if len(text) > MaxText {
		return nil, &cfn.SyntaxError{File: name, Text: fmt.Sprintf("has more than %d bytes; give a smaller file", MaxText)}
	}
	root, err := cfn.ParseDocument(name, text)
	if err != nil {
		return nil, err
	}
	d := &Document{Name: name, Root: root, Schemes: make(map[string]*Scheme), resolved: make(map[string]*cfn.Node)}
	for _, read := range []func() error{d.readVersion, d.readInfo, d.readSchemes, d.readItems} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// fault returns the error of a node.
func (d *Document) fault(n *cfn.Node, format string, arguments ...any) error {
	return &cfn.SyntaxError{File: d.Name, Line: n.Line, Column: n.Column, Text: fmt.Sprintf(format, arguments...)}
}

// faultAt returns the error of a member, at its name.
func (d *Document) faultAt(m cfn.Member, format string, arguments ...any) error {
	return &cfn.SyntaxError{File: d.Name, Line: m.Line, Column: m.Column, Text: fmt.Sprintf(format, arguments...)}
}

func (d *Document) readVersion() error {
	const known = "gatewright reads Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2"
	if d.Root.Kind != cfn.Map {
		return d.fault(d.Root, "a document is a map with the key openapi or swagger, this is %s; %s", d.Root.Kind, known)
	}
	version := d.Root.Get("openapi")
	if version == nil {
		version = d.Root.Get("swagger")
	}
	if version == nil {
		return d.fault(d.Root, "has no key openapi or swagger with the version of the format; %s", known)
	}
	d.Version = strings.TrimSpace(version.Text)
	major, minor, _ := strings.Cut(d.Version, ".")
	minor, _, _ = strings.Cut(minor, ".")
	ok := false
	if d.Root.Get("openapi") != nil {
		ok = major == "3" && (minor == "0" || minor == "1" || minor == "2")
	} else {
		// YAML writes 2.0 also as the number 2.
		ok = major == "2" && (minor == "0" || minor == "")
	}
	if !ok {
		return d.fault(version, "the version %s is not read; %s", phrase.Quote(d.Version), known)
	}
	return nil
}

// Swagger reports whether the document is of Swagger 2.0.
func (d *Document) Swagger() bool { return d.Root.Get("openapi") == nil }

func (d *Document) readInfo() error {
	d.Title, d.Label = TextOf(d.Root.Get("info", "title")), TextOf(d.Root.Get(ExtensionAPI))
	if d.Swagger() {
		if host, base := TextOf(d.Root.Get("host")), TextOf(d.Root.Get("basePath")); host != "" || base != "" {
			d.Servers = append(d.Servers, host+base)
		}
	}
	for _, server := range ItemsOf(d.Root.Get("servers")) {
		if url := TextOf(server.Get("url")); url != "" {
			d.Servers = append(d.Servers, url)
		}
	}
	for _, media := range ItemsOf(d.Root.Get(ExtensionBinaryMediaTypes)) {
		if text := TextOf(media); text != "" {
			d.BinaryMediaTypes = append(d.BinaryMediaTypes, text)
		}
	}
	for _, m := range MembersOf(d.Root) {
		if m.Name == extensionPolicy || m.Name == extensionEndpoint && m.Value.Get("vpcEndpointIds") != nil {
			d.Restriction = &m
			break
		}
	}
	return nil
}

// TextOf returns the text of a node of kind String, and "" for any other; it may be nil.
func TextOf(n *cfn.Node) string {
	if n == nil || n.Kind != cfn.String {
		return ""
	}
	return n.Text
}

// ItemsOf returns the items of a list, and none for any other node; it may be nil.
func ItemsOf(n *cfn.Node) []*cfn.Node {
	if n == nil || n.Kind != cfn.List {
		return nil
	}
	return n.Items
}

// MembersOf returns the members of a map, and none for any other node.
func MembersOf(n *cfn.Node) []cfn.Member {
	if n == nil || n.Kind != cfn.Map {
		return nil
	}
	return n.Members
}

// PlaceOf returns the place of a member of a document, at its name.
func PlaceOf(m cfn.Member) Place {
	return Place{Line: m.Line, Column: m.Column, Pointer: m.Value.Pointer}
}

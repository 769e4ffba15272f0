package openapi

import (
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/text/phrase"
)

// AnyMethod is the method of an operation for all methods that its path item does not have.
const AnyMethod = "ANY"

// Item is a path item: a path with its operations.
type Item struct {
	// Name is the path as the document has it, with variables in braces.
	Name string
	Place
	Node *cfn.Node
	// Operations are in the order of the document.
	Operations []*Operation
	// Unread says why the operations are not known: they are in another document, or their
	// reference leads nowhere. It is nil if they are known.
	Unread error
}

// Operation is a method of a path item.
type Operation struct {
	// Method is in capitals, or AnyMethod.
	Method string
	Place
	Node *cfn.Node
	// Item is the path item that has the operation.
	Item *Item
	// Security are the alternatives, one of which a request must meet. Public says that a
	// request needs to meet none.
	Security []Requirement
	Public   bool
	// ID, Summary and Description are texts of the document; "" for none.
	ID, Summary, Description string
	// Integration is what the gateway does with requests; nil if the document does not say.
	Integration *Integration
	// Unread says why a part of the operation is not known: it is in another document, or its
	// reference leads nowhere. The operation is not public then. It is nil if all is known.
	Unread error
}

// methods are the keys of a path item that are operations.
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"}

// IsMethod reports whether a key of a path item is an operation of that method. Only OpenAPI 3.2
// has query.
func IsMethod(key string) bool { return slices.Contains(methods, key) }

func (d *Document) readItems() error {
	paths := d.Root.Get("paths")
	if paths == nil || paths.Kind == cfn.Null {
		return nil
	}
	if paths.Kind != cfn.Map {
		return d.fault(paths, "paths is %s; write a map of paths", paths.Kind)
	}
	for _, m := range paths.Members {
		if strings.HasPrefix(m.Name, "x-") {
			continue
		}
		if m.Value.Kind != cfn.Map {
			return d.faultAt(m, "the path %s is %s; write a map of its operations", phrase.Quote(m.Name), m.Value.Kind)
		}
		item := &Item{Name: m.Name, Place: PlaceOf(m), Node: m.Value}
		if err := d.readItem(item); err != nil {
			return err
		}
		d.Items = append(d.Items, item)
	}
	return nil
}

func (d *Document) readItem(item *Item) error {
	nodes := []*cfn.Node{item.Node}
	if item.Node.Get("$ref") != nil {
		to, err := d.Resolve(item.Node)
		if err != nil {
			item.Unread = err
		} else {
			nodes = append(nodes, to)
		}
	}
	for _, n := range nodes {
		for _, m := range MembersOf(n) {
			method := strings.ToUpper(m.Name)
			switch {
			case m.Name == ExtensionAnyMethod:
				method = AnyMethod
			case m.Name == "additionalOperations":
				for _, more := range MembersOf(m.Value) {
					if err := d.readOperation(item, more, more.Name); err != nil {
						return err
					}
				}
				continue
			case !IsMethod(m.Name):
				continue
			}
			if err := d.readOperation(item, m, method); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *Document) readOperation(item *Item, m cfn.Member, method string) error {
	if m.Value.Kind != cfn.Map {
		return d.faultAt(m, "the operation %s is %s; write a map", phrase.Quote(m.Name), m.Value.Kind)
	}
	if slices.ContainsFunc(item.Operations, func(o *Operation) bool { return o.Method == method }) {
		return d.faultAt(m, "the path %s has the method %s already; remove one of the two", phrase.Quote(item.Name),
			phrase.Quote(method))
	}
	o := &Operation{Method: method, Place: PlaceOf(m), Node: m.Value, Item: item}
	if err := d.readSecurity(o); err != nil {
		return err
	}
	if m.Value.Get("$ref") != nil {
		if err := d.readReferenced(o); err != nil {
			return err
		}
	}
	o.ID, o.Summary, o.Description = TextOf(o.Node.Get("operationId")), TextOf(o.Node.Get("summary")),
		TextOf(o.Node.Get("description"))
	o.Integration = readIntegration(o.Node.Get(ExtensionIntegration))
	item.Operations = append(item.Operations, o)
	return nil
}

// readReferenced reads the operation that a reference names. The format allows references to
// path items only, but documents have them. What is next to the reference closes too.
func (d *Document) readReferenced(o *Operation) error {
	closed := !o.Public && (o.Node.Get("security") != nil || o.Node.Get(extensionAuth) != nil)
	to, err := d.Resolve(o.Node)
	if err != nil {
		o.Public, o.Unread = false, err
		return nil
	}
	if to.Kind != cfn.Map {
		return d.fault(to, "an operation is %s; write a map", to.Kind)
	}
	o.Node, o.Security = to, nil
	if err := d.readSecurity(o); err != nil {
		return err
	}
	o.Public = o.Public && !closed
	return nil
}

// Extension returns what gatewright or another program has added to a path item under a key;
// nil for nothing. A reference of the item is followed.
func (d *Document) Extension(item *Item, key string) *cfn.Node {
	if n := item.Node.Get(key); n != nil {
		return n
	}
	to, err := d.Resolve(item.Node)
	if err != nil {
		return nil
	}
	return to.Get(key)
}

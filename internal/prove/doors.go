package prove

import (
	"cmp"
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/text/phrase"
)

// Door is a way to a function other than the API of the project that gives somebody what the project
// does not, or what the role of a function may do beyond that.
type Door struct {
	// Of is what it leads to, such as "the function books".
	Of string `json:"of"`
	// Who gets through, and By is what it is: "the function URL BooksUrl". Both are "" for what a
	// role may do.
	Who string `json:"who"`
	By  string `json:"by"`
	// Direction is More, or Unknown if it depends on what is not read.
	Direction Direction `json:"direction"`
	// Why explains it, for people.
	Why string `json:"why"`

	// function tells what it leads to; api is the API of the template that it is, if it is one.
	function string
	api      *API
	// verb is what it lets them do; "" is for call.
	verb string
}

// String returns the door as a sentence: "the function books: anyone unsigned may call it by the
// function URL BooksUrl; it asks for no sign-in".
func (d Door) String() string {
	switch {
	case d.Who == "":
		return d.Of + ": " + d.Why
	case d.Direction == More:
		return d.Of + ": " + d.Who + " may " + cmp.Or(d.verb, "call") + " it by " + d.By + "; " + d.Why
	}
	return d.Of + ": whether " + d.Who + " may " + cmp.Or(d.verb, "call") + " it by " + d.By + " is not known; " + d.Why
}

// Add adds doors that were found elsewhere.
func (d *Deployment) Add(doors ...Door) { d.doors = append(d.doors, doors...) }

// doorsOf are the doors of a deployment that are no API of the backend; for one API of it, those to
// the functions behind it.
func doorsOf(d *Deployment, pairs []paired, only []paired) []Door {
	doors := []Door{}
	for _, door := range d.doors {
		is := func(p paired) bool { return p.api == door.api }
		leads := func(p paired) bool {
			return len(p.api.functions) == 0 || slices.Contains(p.api.functions, door.function)
		}
		if door.api != nil && slices.ContainsFunc(pairs, is) || only != nil && door.function != "" &&
			!slices.ContainsFunc(only, leads) {
			continue
		}
		doors = append(doors, door)
	}
	// One way may be there for several requests: the one that asks for least counts.
	doors = slices.DeleteFunc(slices.Clone(doors), func(x Door) bool {
		return x.Who != "" && x.Direction == Unknown && slices.ContainsFunc(doors, func(y Door) bool {
			return y.Direction == More && y.Of == x.Of && y.By == x.By
		})
	})
	slices.SortFunc(doors, func(x, y Door) int {
		return cmp.Or(cmp.Compare(x.Direction, y.Direction), cmp.Compare(x.Of, y.Of), cmp.Compare(x.By, y.By),
			cmp.Compare(x.Who, y.Who), cmp.Compare(x.Why, y.Why))
	})
	return slices.Compact(doors)
}

// function is a function of a template.
type function struct {
	// id is how sentences name it, key begins what refers to it. name is its own; "" if only a
	// deployment knows it. role is that which it takes.
	id, key, name, role string
	// statements and policies are what SAM gives that role.
	statements []cfn.Statement
	policies   []string
}

// words name the function in sentences.
func (f *function) words() string { return "the function " + phrase.Quote(f.id) }

// roleName is the name of its role.
func (f *function) roleName() string { return f.role[strings.LastIndexByte(f.role, '/')+1:] }

// target is the function as what rights are about.
func (f *function) target() target { return target{"lambda", "function:", f.key, f.name} }

// named reports whether a text refers to the function: by reference, name or ARN, of a version too.
func (f *function) named(text string) bool {
	if strings.Contains(text, f.key+"}") || strings.Contains(text, f.key+".") {
		return true
	}
	if f.name == "" {
		return false
	}
	plain := text == f.name || strings.HasPrefix(text, f.name+":")
	_, after, is := strings.Cut(text, ":function:"+f.name)
	return plain || is && (after == "" || after[0] == ':' || after[0] == '/')
}

// functionIn finds the function that a text refers to, also by an alias or a version; nil if it is
// none of the template.
func (r *reader) functionIn(text string) *function {
	for alias, of := range r.aliases {
		if strings.Contains(text, alias) {
			text = of
			break
		}
	}
	i := slices.IndexFunc(r.functions, func(f *function) bool { return f.named(text) })
	if i < 0 {
		return nil
	}
	return r.functions[i]
}

// leadsTo names what a text refers to in sentences, and for comparing.
func (r *reader) leadsTo(text string) (words, id string) {
	if f := r.functionIn(text); f != nil {
		return f.words(), f.id
	}
	return "the function " + phrase.Quote(plainReference(text)), ""
}

// plainReference is a text without what stands for the values of a deployment.
func plainReference(text string) string {
	text = text[strings.LastIndexByte(text, '/')+1:]
	return strings.Trim(text[strings.LastIndexByte(text, ':')+1:], "{}")
}

// door adds a door. depends is what it waits for whether there is one.
func (r *reader) door(d Door, depends string) {
	if depends != "" {
		d.Direction, d.Why = Unknown, "it depends on "+depends
	}
	r.d.doors = append(r.d.doors, d)
}

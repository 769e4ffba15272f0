package adopt

import (
	"strings"

	"gatewright/model"
	"gatewright/model/access"
)

// longestPath is the greatest length of a path of an API, see access.ParsePath.
const longestPath = 1024

// place is where a path of a document is in an API.
type place struct {
	// segments are those of the path of the API.
	segments []access.Segment
	// greedy says that the document's path goes on with everything below, as {proxy+} does,
	// and greedyName has the name of that variable.
	greedy     bool
	greedyName string
	// rest is what cannot be a path of an API; "" for nothing. The requests go to the path
	// above.
	rest string
	// renamed lists the variables that have another name, as they were and as they are.
	renamed [][2]string
	// slash says that the document's path ends with a slash.
	slash bool
	// exact is the path as it is compared with others, with the rest. It may be no path of an
	// API. parts are its segments. patterned says that one of them is a text with a variable in it,
	// such as {name}.json.
	exact     string
	parts     []string
	patterned bool
	// deep says that everything below such a segment is meant.
	deep bool
}

// placeOf finds out where a path of a document is.
func placeOf(name string) place {
	var p place
	path, query := name, ""
	if i := strings.IndexAny(name, "?#"); i >= 0 {
		path, query = name[:i], name[i:]
	}
	path = strings.TrimPrefix(path, "/")
	if trimmed := strings.TrimRight(path, "/"); trimmed != path && trimmed != "" {
		p.slash, path = true, trimmed
	}
	path = strings.Trim(path, "/")
	length := 0
	seen := make(map[string]bool)
	cut := false
	for part := range strings.SplitSeq(path, "/") {
		if path == "" {
			break
		}
		if !cut {
			cut = p.greedy || !p.add(part, seen) || length+len(part) >= longestPath
		}
		length += 1 + len(part)
		switch {
		case cut && p.greedy:
			p.rest += "/" + part
			continue
		case cut && strings.HasSuffix(part, "+}"):
			p.rest += "/" + part
			p.deep = true
			continue
		case cut && p.deep:
			p.rest += "/" + part
			continue
		case cut:
			p.rest += "/" + part
			p.patterned = p.patterned || strings.Contains(part, "{")
		case p.greedy:
			part = "{proxy+}"
		}
		p.parts = append(p.parts, part)
	}
	p.exact = "/" + strings.Join(p.parts, "/")
	p.rest += query
	return p
}

// add adds a segment, and reports whether an API can have it.
func (p *place) add(part string, seen map[string]bool) bool {
	inner, opens := strings.CutPrefix(part, "{")
	inner, closes := strings.CutSuffix(inner, "}")
	if !opens || !closes {
		if _, err := access.ParsePath("/" + part); err != nil || part == "" {
			return false
		}
		p.segments = append(p.segments, access.Segment{Text: part})
		return true
	}
	if strings.ContainsAny(inner, "{}") || inner == "" {
		return false
	}
	if name, ok := strings.CutSuffix(inner, "+"); ok {
		p.greedy, p.greedyName = true, name
		return true
	}
	name := variableName(inner)
	for n := "2"; seen[name]; n += "2" {
		name = variableName(inner) + n
	}
	seen[name] = true
	if name != inner {
		p.renamed = append(p.renamed, [2]string{inner, name})
	}
	p.segments = append(p.segments, access.Segment{Text: name, Variable: true})
	return true
}

// variableName makes a name that a variable of a path may have.
func variableName(name string) string {
	if _, err := access.ParsePath("/{" + name + "}"); err == nil {
		return name
	}
	if name == "proxy" {
		// Every path has {proxy+} already.
		return "proxy1"
	}
	return model.SuggestName(name, "value")
}

// pathOf writes segments as a path.
func pathOf(segments []access.Segment) string {
	if len(segments) == 0 {
		return "/"
	}
	var b strings.Builder
	for _, s := range segments {
		if s.Variable {
			b.WriteString("/{" + s.Text + "}")
		} else {
			b.WriteString("/" + s.Text)
		}
	}
	return b.String()
}

// fits reports whether a text may stand for a segment, which may have variables in it.
func fits(text, segment string) bool {
	open, end := strings.IndexByte(segment, '{'), strings.LastIndexByte(segment, '}')
	if open < 0 || end < open {
		return text == segment
	}
	before, after := segment[:open], segment[end+1:]
	return strings.HasPrefix(text, before) && strings.HasSuffix(text, after) && len(text) > len(before)+len(after)
}

package access

// ConflictKind is a kind of Conflict.
type ConflictKind uint8

// The kinds: two paths are the same route; they name the variable at one place differently; the
// root and ProxyPath have the same proxy resource.
const (
	SameRoute ConflictKind = iota
	OtherVariable
	SameProxy
)

// Conflict says why an API cannot have a path next to another.
type Conflict struct {
	Kind        ConflictKind
	Path, Other *Path
	// Given is what Path calls the variable that Other calls Name.
	Given, Name string
}

// Conflicts finds pairs of paths that an API cannot have: the same route twice, or two names for
// the variable at one place. The order of the paths makes no difference.
func (a *API) Conflicts() []Conflict {
	var found []Conflict
	root := &node{}
	for _, p := range a.Paths {
		if p.Name == ProxyPath {
			if root.reserved != nil {
				found = append(found, Conflict{Kind: SameRoute, Path: p, Other: root.reserved})
			}
			root.reserved = p
			continue
		}
		at, clash := root.place(p)
		switch {
		case clash != nil:
			found = append(found, *clash)
		case at.path != nil:
			found = append(found, Conflict{Kind: SameRoute, Path: p, Other: at.path})
		}
		if at.path == nil {
			at.path = p
		}
	}
	if root.reserved != nil && root.path != nil {
		found = append(found, Conflict{Kind: SameProxy, Path: root.reserved, Other: root.path})
	}
	return found
}

// ConflictWith returns the conflict that Conflicts finds between two paths; nil if an API can have both.
func (p *Path) ConflictWith(other *Path) *Conflict {
	if !p.Meets(other.Name) {
		return nil
	}
	found := (&API{Paths: []*Path{other, p}}).Conflicts()
	if len(found) == 0 {
		return nil
	}
	found[0].Path, found[0].Other = p, other
	return &found[0]
}

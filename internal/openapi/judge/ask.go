package judge

import "strings"

// mostAsked is how many schemas are looked at to answer a question about one.
const mostAsked = 200

// Kinds returns the types that a schema may take: those of its type, and of the parts and
// choices that it has.
func (s *Schema) Kinds() Kinds {
	asked := mostAsked
	return s.kindsWithin(&asked)
}

func (s *Schema) kindsWithin(asked *int) Kinds {
	if *asked--; s == nil || *asked < 0 {
		return All
	}
	kinds := s.kinds
	for _, part := range s.parts {
		kinds &= part.kindsWithin(asked)
	}
	for _, schemas := range s.choices {
		var either Kinds
		for _, choice := range schemas {
			either |= choice.kindsWithin(asked)
		}
		kinds &= either
	}
	return kinds
}

// Property returns the schema of a property; nil if there is none.
func (s *Schema) Property(name string) *Schema {
	asked := mostAsked
	found := s.find(&asked, func(s *Schema) *Schema { return s.properties[name] })
	if found == nil {
		found = s.find(&asked, func(s *Schema) *Schema { return s.additional })
	}
	return found
}

// Items returns the schema of the items of an array; nil if there is none.
func (s *Schema) Items() *Schema {
	asked := mostAsked
	return s.find(&asked, func(s *Schema) *Schema { return s.items })
}

// find asks a schema, then its parts and choices.
func (s *Schema) find(asked *int, of func(*Schema) *Schema) *Schema {
	if *asked--; s == nil || *asked < 0 {
		return nil
	}
	if found := of(s); found != nil {
		return found
	}
	for _, schemas := range append([][]*Schema{s.parts}, s.choices...) {
		for _, schema := range schemas {
			if found := schema.find(asked, of); found != nil {
				return found
			}
		}
	}
	return nil
}

var escapes = strings.NewReplacer("~", "~0", "/", "~1")

// Token returns the part of a pointer (RFC 6901) that leads to a member.
func Token(name string) string { return "/" + escapes.Replace(name) }

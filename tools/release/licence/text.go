package licence

import (
	"fmt"
	"strings"
)

// signs are words of each licence that no other one has; all of them must be there.
var signs = []struct {
	name  string
	words []string
	not   string
}{
	{"Apache-2.0", []string{"apache license", "version 2.0"}, ""},
	{"MIT", []string{"permission is hereby granted, free of charge, to any person obtaining a copy"}, ""},
	{"BSD-3-Clause", []string{"redistribution and use in source and binary forms", "neither the name of"}, ""},
	{"BSD-2-Clause", []string{"redistribution and use in source and binary forms"}, "neither the name of"},
	{"ISC", []string{"permission to use, copy, modify, and/or distribute this software for any purpose with " +
		"or without fee"}, ""},
	{"MPL-2.0", []string{"mozilla public license", "2.0"}, ""},
	{"Unlicense", []string{"this is free and unencumbered software released into the public domain"}, ""},
}

// Recognize names the licences in a text by their SPDX identifiers. A text that it does not
// know gets none.
func Recognize(text string) []string {
	words := strings.ToLower(strings.Join(strings.Fields(text), " "))
	var names []string
	for _, s := range signs {
		found := s.not == "" || !strings.Contains(words, s.not)
		for _, w := range s.words {
			found = found && strings.Contains(words, w)
		}
		if found {
			names = append(names, s.name)
		}
	}
	return names
}

const rule = "================================================================================"

// Document writes all licences as one text. Modules with the same texts share them.
func Document(modules []Module) string {
	var b strings.Builder
	b.WriteString("gatewright contains code of the Go modules below, under these licences.\n")
	var order []string
	sharing := map[string][]Module{}
	for _, m := range modules {
		key := strings.Join(m.Texts, "\n"+rule+"\n\n")
		if sharing[key] == nil {
			order = append(order, key)
		}
		sharing[key] = append(sharing[key], m)
	}
	for _, key := range order {
		fmt.Fprintf(&b, "\n%s\n", rule)
		for _, m := range sharing[key] {
			fmt.Fprintf(&b, "%s %s", m.Path, m.Version)
			if len(m.Names) > 0 {
				fmt.Fprintf(&b, " (%s)", strings.Join(m.Names, ", "))
			}
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s\n\n%s\n", rule, key)
	}
	return b.String()
}

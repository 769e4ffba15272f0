package collect

import "strings"

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

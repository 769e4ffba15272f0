package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"gatewright/schemas"
)

// fieldPage is a page with the fields of some kinds of files.
type fieldPage struct {
	file, title, opening, next string
	// kinds are names of schemas with the paths of their files.
	kinds [][2]string
}

var fieldPages = []fieldPage{
	{
		file: "fields-project.md", title: "Fields: project, environments, APIs",
		opening: "Every field of the files that say what the project is and who may call its APIs.",
		next:    "[functions and tables](fields-resources.md), [schemas for your editor](files.md#schemas-for-your-editor)",
		kinds: [][2]string{
			{"project", "backend/project.json"},
			{"environment", "backend/environments/ENVIRONMENT.json"},
			{"cli-inputs", "backend/api/API/cli-inputs.json"},
			{"settings", "backend/api/API/settings.json"},
			{"request", "backend/requests/NAME.json"},
			{"access-test", "access.test.json"},
		},
	},
	{
		file: "fields-resources.md", title: "Fields: functions and tables",
		opening: "Every field of the files that define what is behind an API.",
		next:    "[fields of the user pool](fields-users.md), [writing functions](../guides/functions.md)",
		kinds: [][2]string{
			{"function", "backend/function/FUNCTION/function.json"},
			{"table", "backend/table/TABLE/table.json"},
		},
	},
	{
		file: "fields-users.md", title: "Fields: user pool, data, storage",
		opening: "Every field of the files that front ends are configured from.",
		next:    "[users and sign-in](../guides/users.md), [a front end](../guides/front-end.md)",
		kinds: [][2]string{
			{"auth", "backend/auth.json"},
			{"data", "backend/data.json"},
			{"storage", "backend/storage.json"},
		},
	},
}

// schema is what a page needs of a JSON Schema.
type schema struct {
	Description       string             `json:"description"`
	Ref               string             `json:"$ref"`
	Defs              map[string]*schema `json:"$defs"`
	Properties        ordered            `json:"properties"`
	PatternProperties ordered            `json:"patternProperties"`
	Items             *schema            `json:"items"`
}

func (f fieldPage) text() (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n", f.title, f.opening)
	for _, kind := range f.kinds {
		source, err := schemas.Source(kind[0])
		if err != nil {
			return "", err
		}
		var root schema
		if err := json.Unmarshal(source, &root); err != nil {
			return "", fmt.Errorf("reading the schema %s: %w", kind[0], err)
		}
		fmt.Fprintf(&b, "\n## %s\n\n", kind[1])
		root.list(&b, &root, "")
	}
	fmt.Fprintf(&b, "\nNext: %s.\n", f.next)
	return b.String(), nil
}

// ordered are schemas by their names, in the order of the file.
type ordered []struct {
	name string
	*schema
}

// UnmarshalJSON reads an object member by member.
func (o *ordered) UnmarshalJSON(text []byte) error {
	members := json.NewDecoder(bytes.NewReader(text))
	if _, err := members.Token(); err != nil {
		return err
	}
	for members.More() {
		name, err := members.Token()
		if err != nil {
			return err
		}
		var s schema
		if err := members.Decode(&s); err != nil {
			return err
		}
		*o = append(*o, struct {
			name string
			*schema
		}{fmt.Sprint(name), &s})
	}
	return nil
}

// list writes the fields of a schema and of all below it, each with the names that lead to it.
func (s *schema) list(b *strings.Builder, root *schema, prefix string) {
	for _, p := range s.Properties {
		if p.name == "$schema" || p.name == "version" && prefix == "" {
			continue
		}
		field := p.resolved(root)
		fmt.Fprintf(b, "- `%s`: %s\n", prefix+p.name, firstSentence(field.Description))
		field.inside(b, root, prefix+p.name)
	}
}

// inside lists what is in an object, in the entries of a map or in the items of a list.
func (s *schema) inside(b *strings.Builder, root *schema, path string) {
	s.list(b, root, path+".")
	if s.Items != nil {
		s.Items.resolved(root).inside(b, root, path+"[]")
	}
	for _, p := range s.PatternProperties {
		p.resolved(root).inside(b, root, path+".NAME")
	}
}

// resolved follows a $ref, and keeps the description beside it.
func (s *schema) resolved(root *schema) *schema {
	name, isRef := strings.CutPrefix(s.Ref, "#/$defs/")
	if !isRef || root.Defs[name] == nil {
		return s
	}
	target := *root.Defs[name]
	if s.Description != "" {
		target.Description = s.Description
	}
	return &target
}

var sentenceEnd = regexp.MustCompile(`\. [A-Z]`)

func firstSentence(text string) string {
	first := text
	if end := sentenceEnd.FindStringIndex(text); end != nil {
		first = text[:end[0]]
	}
	return strings.NewReplacer("<", `\<`, "*", `\*`).Replace(strings.TrimSuffix(first, "."))
}

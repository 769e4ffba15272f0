package project

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gatewright/internal/file"
	"gatewright/internal/text/phrase"
)

// SecondGenerationError is the error of Find for a project of the second generation of AWS Amplify, whose backend is
// a program (https://docs.amplify.aws/react/how-amplify-works/concepts/). It matches ErrNoProject.
type SecondGenerationError struct {
	// Root is the folder of the project, Program the file of its backend, relative to it.
	Root, Program string
}

// Error says what can be done.
func (e *SecondGenerationError) Error() string {
	return phrase.QuotePath(e.Program) +
		": is an Amplify Gen 2 backend, which is a program that gatewright does not open; see the options with: gatewright " +
		"import amplify"
}

// Is makes the error match ErrNoProject.
func (e *SecondGenerationError) Is(target error) bool { return target == ErrNoProject }

// secondGeneration returns the error for a folder with such a project; nil for others.
func secondGeneration(dir string) error {
	for _, program := range []string{
		"amplify/backend.ts", "amplify/backend.mts", "amplify/backend.js",
		"amplify/backend.mjs",
	} {
		if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(program))); err == nil && info.Mode().IsRegular() {
			return &SecondGenerationError{Root: dir, Program: program}
		}
	}
	return nil
}

// SecondGenerationFunction is a function of such a project.
type SecondGenerationFunction struct {
	// Folder has its resource.ts and its handler, relative to the project.
	Folder string
	// ImportsEnvironment says that the handler imports its variables from $amplify/env, a module that only Amplify
	// makes (https://docs.amplify.aws/react/build-a-backend/functions/environment-variables-and-secrets/).
	ImportsEnvironment bool
}

// Functions lists the functions of the project, by the folders below amplify that have both a
// resource.ts and a handler.
func (e *SecondGenerationError) Functions() []SecondGenerationFunction {
	var found []SecondGenerationFunction
	for _, pattern := range []string{"amplify/*/resource.ts", "amplify/*/*/resource.ts"} {
		resources, _ := filepath.Glob(filepath.Join(e.Root, filepath.FromSlash(pattern)))
		for _, resource := range resources {
			handlers, _ := filepath.Glob(filepath.Join(filepath.Dir(resource), "handler.*"))
			folder, err := filepath.Rel(e.Root, filepath.Dir(resource))
			if err != nil || len(handlers) == 0 {
				continue
			}
			f := SecondGenerationFunction{Folder: filepath.ToSlash(folder)}
			for _, handler := range handlers {
				text, err := file.ReadRegular(handler)
				f.ImportsEnvironment = f.ImportsEnvironment || err == nil && bytes.Contains(text, []byte("$amplify/env"))
			}
			found = append(found, f)
		}
	}
	slices.SortFunc(found, func(a, b SecondGenerationFunction) int { return strings.Compare(a.Folder, b.Folder) })
	return found
}

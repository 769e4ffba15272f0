package project

import (
	"os"
	"path/filepath"
	"slices"
)

// SecondGenerationError is the error of Find for a project of the second generation of AWS
// Amplify, whose backend is a program (https://docs.amplify.aws/react/how-amplify-works/concepts/).
// It matches ErrNoProject.
type SecondGenerationError struct {
	// Root is the folder of the project, Program the file of its backend, relative to it.
	Root, Program string
}

// Error says what can be done.
func (e *SecondGenerationError) Error() string {
	return QuotePath(e.Program) + ": is the backend of a project of Amplify's second generation, which is a program and not opened; see what can be done with: gatewright import amplify"
}

// Is makes the error match ErrNoProject.
func (e *SecondGenerationError) Is(target error) bool { return target == ErrNoProject }

// secondGeneration returns the error for a folder with such a project; nil for others.
func secondGeneration(dir string) error {
	for _, program := range []string{"amplify/backend.ts", "amplify/backend.mts", "amplify/backend.js", "amplify/backend.mjs"} {
		if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(program))); err == nil && info.Mode().IsRegular() {
			return &SecondGenerationError{Root: dir, Program: program}
		}
	}
	return nil
}

// Functions lists the functions of the project, by the folders below amplify that have both a
// resource.ts and a handler, relative to it.
func (e *SecondGenerationError) Functions() []string {
	var found []string
	for _, pattern := range []string{"amplify/*/resource.ts", "amplify/*/*/resource.ts", "amplify/*/resource.js", "amplify/*/*/resource.js"} {
		resources, _ := filepath.Glob(filepath.Join(e.Root, filepath.FromSlash(pattern)))
		for _, resource := range resources {
			handlers, _ := filepath.Glob(filepath.Join(filepath.Dir(resource), "handler.*"))
			folder, err := filepath.Rel(e.Root, filepath.Dir(resource))
			if err == nil && len(handlers) > 0 && !slices.Contains(found, filepath.ToSlash(folder)) {
				found = append(found, filepath.ToSlash(folder))
			}
		}
	}
	slices.Sort(found)
	return found
}

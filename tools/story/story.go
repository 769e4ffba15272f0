// Package story has the stories of the pictures, and plays them: a shell in a window of tmux, where the program is
// started and keys are pressed as a person would. The pictures in docs/pictures are made of what the window showed,
// and a test plays the stories again and compares.
package story

import (
	_ "embed"
	"time"

	"go.yaml.in/yaml/v3"
)

// Story is what a picture shows. Before are the commands that were given in its folder before it begins, and
// Files what was then written there, by their paths.
type Story struct {
	Name, Title, Description string
	Width, Height            int
	Folder                   string
	Before                   [][]string
	Files                    map[string]string
	Steps                    []Step
}

// Step is a part of a story.
type Step struct {
	Caption, Type, Until string
	Keys                 []string
	Calls                [][]string
	Hold                 time.Duration
}

//go:embed stories.yaml
var stories []byte

// All returns the stories.
func All() (all []Story, err error) {
	err = yaml.Unmarshal(stories, &all)
	return all, err
}

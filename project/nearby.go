package project

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// noProjectError is an ErrNoProject that says what was seen instead.
type noProjectError string

func (e noProjectError) Error() string { return "no project here or in any folder above; " + string(e) }

func (noProjectError) Is(target error) bool { return target == ErrNoProject }

// otherTools are the files by which projects of other tools are known
// (https://www.serverless.com/framework/docs/providers/aws/guide/serverless.yml,
// https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-specification-template-anatomy.html).
// A file without the text, if one is given, is something else.
var otherTools = []struct {
	tool, text string
	files      []string
}{
	{"the Serverless Framework", "", []string{"serverless.yml", "serverless.yaml", "serverless.json", "serverless.ts"}},
	{"AWS SAM", "AWS::Serverless", []string{"template.yaml", "template.yml", "template.json"}},
}

// noProject returns the error for a folder that belongs to no project: it says which folders in it
// have one, else which other tool's project it is. It looks at a bounded number of entries.
func noProject(dir string) error {
	const enough = 1000
	var folders []string
	if f, err := os.Open(dir); err == nil {
		entries, _ := f.ReadDir(enough)
		_ = f.Close()
		for _, entry := range entries {
			below := filepath.Join(dir, entry.Name())
			if !entry.IsDir() {
				continue
			}
			if _, found, _ := marked(below); found || secondGeneration(below) != nil {
				folders = append(folders, entry.Name())
			}
		}
	}
	slices.Sort(folders)
	switch len(folders) {
	case 0:
	case 1:
		return noProjectError("there is one in " + phrase.Quote(folders[0]) + "; go there with: cd " +
			model.ShellWord("./"+folders[0]))
	default:
		return noProjectError("there are some in " + phrase.QuoteList(folders) + "; go to one with: cd NAME")
	}
	for _, other := range otherTools {
		for _, name := range other.files {
			if text, err := beginning(filepath.Join(dir, name)); err == nil && bytes.Contains(text, []byte(other.text)) {
				return noProjectError(name + " is of " + other.tool +
					" and is not opened; make a project beside it with: gatewright init --name NAME")
			}
		}
	}
	return ErrNoProject
}

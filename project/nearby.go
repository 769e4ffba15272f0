package project

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// noProjectError is an ErrNoProject that says what was seen instead.
type noProjectError string

func (e noProjectError) Error() string { return "no project here or in any folder above; " + string(e) }

func (noProjectError) Is(target error) bool { return target == ErrNoProject }

// Seen is an error of Find as text if it says what was seen in place of a project, and which command
// helps; else "".
func Seen(err error) string {
	var second *SecondGenerationError
	if _, there := errors.AsType[noProjectError](err); there || errors.As(err, &second) {
		return err.Error()
	}
	return ""
}

// otherTools are the files by which projects of other tools are known
// (https://www.serverless.com/framework/docs/providers/aws/guide/serverless.yml,
// https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-specification-template-anatomy.html,
// https://docs.aws.amazon.com/cdk/v2/guide/projects.html), and what helps beside a new project. A
// file without the text, if one is given, is something else.
var otherTools = []struct {
	tool, text, help string
	files            []string
}{
	{
		"the Serverless Framework", "", "",
		[]string{"serverless.yml", "serverless.yaml", "serverless.json", "serverless.ts"},
	},
	{
		"AWS SAM", "AWS::Serverless", "compare who may do what with: gatewright prove ",
		[]string{"template.yaml", "template.yml", "template.json"},
	},
	{
		"AWS CloudFormation", "AWS::", "compare who may do what with: gatewright prove ",
		[]string{"template.yaml", "template.yml", "template.json"},
	},
	{
		"the AWS CDK", `"app"`, "compare who may do what with: gatewright prove cdk.out/STACK.template.json",
		[]string{"cdk.json"},
	},
	{"OpenAPI", "paths", "", documents},
}

// documents are names that documents of OpenAPI have by custom.
var documents = []string{"openapi.yaml", "openapi.yml", "openapi.json", "swagger.yaml", "swagger.yml", "swagger.json"}

// otherTool says which other tool's project a folder has; "" for none. from is the folder as it is seen
// from where the person stands.
func otherTool(dir, from string) string {
	for _, other := range otherTools {
		for _, name := range other.files {
			text, err := beginning(filepath.Join(dir, name))
			if err != nil || !bytes.Contains(text, []byte(other.text)) {
				continue
			}
			help, document := other.help, "FILE"
			if strings.HasSuffix(help, "prove ") {
				help += from + name
			}
			for _, one := range documents {
				if info, err := os.Stat(filepath.Join(dir, one)); err == nil && info.Mode().IsRegular() && document == "FILE" {
					document = from + one
				}
			}
			if document != "FILE" || help == "" {
				help = "take its API over from its OpenAPI document with: gatewright add api NAME --from " + document
			}
			return from + name + " is of " + other.tool +
				" and is not opened; make a project beside it with: gatewright init --name NAME, and " + help
		}
	}
	return ""
}

// noProject returns the error for a folder that belongs to no project: it says which folders in it
// have one, else which other tool's project it or the folder above is. It looks at a bounded number of
// entries.
func noProject(dir string) error {
	const enough = 1000
	var folders []string
	amplify := false
	if f, err := os.Open(dir); err == nil {
		entries, _ := f.ReadDir(enough)
		_ = f.Close()
		for _, entry := range entries {
			below := filepath.Join(dir, entry.Name())
			if !entry.IsDir() {
				continue
			}
			layout, found, _ := marked(below)
			if found || secondGeneration(below) != nil {
				folders = append(folders, entry.Name())
				amplify = found && layout == Amplify
			}
		}
	}
	slices.Sort(folders)
	switch len(folders) {
	case 0:
	case 1:
		there := model.ShellWord("./" + folders[0])
		text := "there is one in " + phrase.Quote(folders[0]) + "; go there with: cd " + there
		if amplify {
			text += ", or make one of gatewright's own of it with: gatewright import amplify " + there + " --into DIR"
		}
		return noProjectError(text)
	default:
		return noProjectError("there are some in " + phrase.QuoteList(folders) + "; go to one with: cd NAME")
	}
	for _, place := range []struct{ dir, from string }{{dir, ""}, {filepath.Dir(dir), "../"}} {
		if seen := otherTool(place.dir, place.from); seen != "" {
			return noProjectError(seen)
		}
	}
	return ErrNoProject
}

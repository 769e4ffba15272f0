package project

import (
	"bytes"
	"cmp"
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

func (e noProjectError) Error() string {
	return "no project in this folder or any folder above; " + string(e)
}

func (noProjectError) Is(target error) bool { return target == ErrNoProject }

// Seen is an error of Find as text if it says what was seen instead of a project, and which command helps; else "".
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
// https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/serverless-sam-cli-config.html,
// https://docs.aws.amazon.com/cdk/v2/guide/projects.html), and the template that can be compared with a
// project: FILE is the file itself. A file without the text is something else.
var otherTools = []struct{ files, text, tool, template string }{
	{"serverless.yml serverless.yaml serverless.json serverless.ts", "", "the Serverless Framework", ""},
	{"template.yaml template.yml template.json", "AWS::Serverless", "AWS SAM", "FILE"},
	{"template.yaml template.yml template.json", "AWS::", "AWS CloudFormation", "FILE"},
	{"samconfig.toml", "", "AWS SAM", "TEMPLATE"},
	{"cdk.json", `"app"`, "the AWS CDK", "cdk.out/STACK.template.json"},
	{documents, "paths", "OpenAPI", ""},
}

// documents are names that documents of OpenAPI have by custom.
const documents = "openapi.yaml openapi.yml openapi.json swagger.yaml swagger.yml swagger.json"

// firstOf is the first of files that a folder has with a text; "" for none.
func firstOf(dir, files, text string) string {
	for name := range strings.FieldsSeq(files) {
		if has, err := beginning(filepath.Join(dir, name)); err == nil && bytes.Contains(has, []byte(text)) {
			return name
		}
	}
	return ""
}

// otherTool says which other tool's project a folder has; "" for none. from is the folder as it is seen
// from where the person stands.
func otherTool(dir, from string) string {
	for _, other := range otherTools {
		name := firstOf(dir, other.files, other.text)
		if name == "" {
			continue
		}
		help, document := "import its OpenAPI document with: gatewright add api NAME --from ", "FILE"
		if found := firstOf(dir, documents, ""); found != "" {
			document = from + found
		} else if other.template != "" {
			help, document = "compare who may do what with: gatewright prove ",
				strings.Replace(other.template, "FILE", from+name, 1)
		}
		return from + name + " is of " + other.tool +
			", which gatewright does not open; create a project next to it with: gatewright init --name NAME, " +
			"and " + help + document
	}
	return ""
}

// noProject returns the error for a folder that belongs to no project: it says which folders in it have one, else
// which other tool's project it or the folder above is. It looks at a bounded number of entries.
func noProject(dir string) error {
	const enough = 1000
	var folders []string
	amplify := false
	if f, err := os.Open(dir); err == nil {
		entries, _ := f.ReadDir(enough)
		_ = f.Close()
		for _, entry := range entries {
			below := filepath.Join(dir, entry.Name())
			layout, found, _ := marked(below)
			if entry.IsDir() && (found || secondGeneration(below) != nil) {
				folders = append(folders, entry.Name())
				amplify = found && layout == Amplify
			}
		}
	}
	slices.Sort(folders)
	if len(folders) > 1 {
		return noProjectError("there are projects in " + phrase.QuoteList(folders) + "; change to one with: cd NAME")
	}
	if len(folders) == 1 {
		there := model.ShellWord("./" + folders[0])
		text := "there is a project in " + phrase.Quote(folders[0]) + "; change to it with: cd " + there
		if amplify {
			text += ", or convert it with: gatewright import amplify " + there + " --into DIR"
		}
		return noProjectError(text)
	}
	if seen := cmp.Or(otherTool(dir, ""), otherTool(filepath.Dir(dir), "../")); seen != "" {
		return noProjectError(seen)
	}
	return ErrNoProject
}

package amplify

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/afero"

	"gatewright/internal/text/lazyregexp"
	"gatewright/internal/text/phrase"
	"gatewright/project/document"
	"gatewright/project/read"
)

// Fact is something in the backend next to its APIs and functions that opens access, or may. Frame is a
// sentence with a % for Word; "" if it is not read, and then Word is a text for comparing, which says what it
// does and not how it is written.
type Fact struct{ File, Frame, Word string }

// Facts lists them. A resource without an override has the empty one.
func (p *Project) Facts() (facts []Fact) {
	if p == nil {
		return nil
	}
	base := p.Layout.String()
	overridden := func(folder string) {
		if file := path.Join(folder, OverrideFile); !read.Exists(p.FS, file) {
			facts = append(facts, Fact{File: file})
		}
	}
	overridden(path.Join(base, "awscloudformation"))
	_ = afero.Walk(p.FS, base, func(name string, info fs.FileInfo, err error) error {
		name = filepath.ToSlash(name)
		parts := strings.Split(strings.TrimPrefix(name, base+"/"), "/")
		switch {
		case err != nil || len(parts) < 2:
		case len(parts) > 2 && beside(parts[0], info.Name()), info.IsDir() && parts[0] == "function" && len(parts) > 2:
			if info.IsDir() {
				return filepath.SkipDir
			}
		case info.IsDir() && len(parts) == 2:
			overridden(name)
		case !info.IsDir():
			facts = append(facts, p.factsOf(name, parts[0], parts[1])...)
		}
		return nil
	})
	return facts
}

// besideNames are of folders that are made or have sources, and of files that say nothing of access.
var besideNames = []string{
	"build", "src", "types", "node_modules", "package.json", "package-lock.json", "yarn.lock", "pnpm-lock.yaml",
	"tsconfig.json", "README.md", "transform.conf.json",
}

// beside reports whether a file or folder of a category says nothing of access. What a stack of the CDK is made
// of may be in any folder.
func beside(category, name string) bool {
	return slices.Contains(besideNames, name) && (category != "custom" || name != "src" && name != "types")
}

// readCategories are read; all others, those of plugins too, are only compared.
var readCategories = []string{"api", "auth", "awscloudformation", "custom", "function", "storage", "types"}

var isCode = lazyregexp.New(`\.[cm]?[jt]sx?$`)

var templateName = lazyregexp.New(`(stack|template)\.(json|ya?ml)$`)

// factsOf has the facts of a file; none of one that is read elsewhere, or that follows from what is.
func (p *Project) factsOf(name, category, resource string) (facts []Fact) {
	file, graph := path.Base(name), category == "api" && strings.Count(name, "/") > 3 && p.Backend.API(resource) == nil
	bytes, err := read.Bytes(p.FS, name)
	if err != nil {
		return nil
	}
	text := string(bytes)
	switch {
	case file == OverrideFile, category != "function" && category != "types" && isCode().MatchString(file):
		return []Fact{{File: name, Word: codeMeaning(text)}}
	case file == path.Base(groupsFile), file == "layer-configuration.json":
		var groups []map[string]any
		var layer struct{ Permissions []map[string]any }
		_, _ = json.Unmarshal(bytes, &groups), json.Unmarshal(bytes, &layer)
		for _, g := range slices.Concat(groups, layer.Permissions) {
			if g["customPolicies"] != nil || g["type"] != nil && g["type"] != "Private" {
				what := fmt.Sprint(g["groupName"], g["customPolicies"], g["type"], g["accounts"], g["orgs"])
				facts = append(facts, Fact{File: name, Word: what})
			}
		}
	case graph && file == "cli-inputs.json":
		return jsonFacts(name, text, &struct {
			ServiceConfiguration struct{ DefaultAuthType, AdditionalAuthTypes any }
		}{})
	case graph && path.Ext(file) == ".graphql":
		return schemaFacts(name, text)
	case strings.Contains(file, "-awscloudformation-"):
		// A layer, whose template has other names with each version.
	case templateName().MatchString(file), strings.Contains(name, "/stacks/"):
		return p.templateFacts(category, resource, name, text)
	case (graph || category == "custom") && file != "parameters.json", !slices.Contains(readCategories, category):
		return jsonFacts(name, text, new(any))
	case category == "storage", category == "auth" && slices.Contains(amplifyAnswers, file):
		if f, err := read.JSON(p.FS, name); err == nil {
			return p.answered(path.Dir(name), resource, f.Doc.Root())
		}
	}
	return facts
}

// bucketWords are permissions of a bucket, in the words of newer files and of older ones.
var bucketWords = map[string]string{
	"CREATE_AND_UPDATE": "write", "create/update": "write", "s3:PutObject": "write", "READ": "read", "read": "read",
	"s3:GetObject": "read", "s3:ListBucket": "read", "DELETE": "delete", "delete": "delete", "s3:DeleteObject": "delete",
}

// answered has the facts that answers about a user pool or a bucket have.
func (p *Project) answered(folder, resource string, answers document.Node) (facts []Fact) {
	answers = PoolAnswers(answers)
	add := func(frame string, words ...string) {
		for _, word := range words {
			facts = append(facts, Fact{folder, frame, word})
		}
	}
	allow := func(who string, permissions []string) {
		for _, permission := range permissions {
			if word := bucketWords[permission]; word != "" && (who != "guests" || !p.Backend.Terms().NoGuests) {
				add(who+" may now % in bucket "+phrase.Quote(resource), word)
			}
		}
	}
	for field, value := range answers.Members() {
		texts, lower := amplifyTexts(answers, field), strings.ToLower(field)
		switch {
		case field == "permissions":
			for _, item := range value.Elements() {
				var said struct {
					Trigger string
					Actions []string
				}
				_ = json.Unmarshal([]byte(item.Text()), &said)
				add("the function at "+phrase.Quote(said.Trigger)+" may now use % on the user pool", said.Actions...)
			}
		case field == "userpoolClientWriteAttributes":
			add("users may now change their own %", slices.DeleteFunc(texts, func(text string) bool {
				return !strings.HasPrefix(text, "custom:")
			})...)
		case field == "authProviders", field == "authProvidersUserPool":
			add("people may now sign in with an identity of %", texts...)
		case field == "adminQueryGroup":
			add("members of % may now administer users", texts...)
		case field == "groupAccess", field == "groupPermissionMap":
			for group := range value.Members() {
				allow("members of "+phrase.Quote(group), amplifyTexts(value, group))
			}
		case strings.Contains(lower, "guest"):
			allow("guests", texts)
		case strings.Contains(lower, "auth"):
			allow("signed-in users", texts)
		}
	}
	return facts
}

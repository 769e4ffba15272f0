package inspect

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/prove"
	"gatewright/internal/text/phrase"
)

// mostTemplate is how many bytes a template may have.
const mostTemplate = 1 << 20

// openBeside finds the templates of nested stacks in files beside the first one: the file
// that the URL names, the one that the CDK names, and those of the Amplify CLI, which are in
// folders of their own.
func openBeside(folder string) prove.Open {
	return func(url, id, asset string) (*cfn.Template, error) {
		for _, file := range filesOf(folder, url, id, asset) {
			info, err := os.Stat(file)
			if err != nil || !info.Mode().IsRegular() || info.Size() > mostTemplate {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			return cfn.Parse(file, text)
		}
		return nil, fmt.Errorf("put its template, %s, next to the other one", phrase.Quote(path.Base(url)))
	}
}

// filesOf lists the files that may have the template of a nested stack.
func filesOf(folder, url, id, asset string) []string {
	names := []string{path.Base(url), id + ".json", id + ".yaml", id + ".template.json", id + ".nested.template.json"}
	folders := []string{folder, filepath.Join(folder, "build")}
	// The URLs of the Amplify CLI end with CATEGORY/NAME-cloudformation-template.json.
	category := path.Base(path.Dir(url))
	for _, base := range []string{folder, filepath.Dir(folder), filepath.Dir(filepath.Dir(folder))} {
		folders = append(folders, filepath.Join(base, category))
		for _, resource := range []string{
			id, strings.TrimPrefix(id, category),
			strings.TrimSuffix(path.Base(url), "-cloudformation-template.json"),
		} {
			folders = append(folders, filepath.Join(base, category, resource), filepath.Join(base, category, resource, "build"))
		}
	}
	var files []string
	for _, local := range []string{asset, assetOf(folder, path.Base(url))} {
		if local != "" && filepath.IsLocal(filepath.FromSlash(local)) {
			files = append(files, filepath.Join(folder, filepath.FromSlash(local)))
		}
	}
	for _, in := range folders {
		for _, name := range names {
			if name != "." && name != "/" && !strings.ContainsAny(name, `\*`) && !strings.Contains(in, "*") {
				files = append(files, filepath.Join(in, name))
			}
		}
	}
	return files
}

// assetOf returns the file of an asset of the CDK: the template of a nested stack is uploaded
// under its hash, and a file beside the first template says which one that is. See
// https://docs.aws.amazon.com/cdk/v2/guide/assets.html
func assetOf(folder, name string) string {
	lists, _ := os.ReadDir(folder)
	for _, list := range lists {
		if !strings.HasSuffix(list.Name(), ".assets.json") {
			continue
		}
		if info, err := list.Info(); err != nil || !info.Mode().IsRegular() || info.Size() > mostTemplate {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, list.Name()))
		if err != nil {
			continue
		}
		var assets struct {
			Files map[string]struct {
				Source struct{ Path string }
			}
		}
		if json.Unmarshal(text, &assets) == nil {
			if file := assets.Files[strings.TrimSuffix(name, path.Ext(name))].Source.Path; file != "" {
				return file
			}
		}
	}
	return ""
}

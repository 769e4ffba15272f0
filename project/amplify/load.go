package amplify

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/project/document"
	"gatewright/project/layout"
	"gatewright/project/read"
)

// Files of an Amplify CLI project.
const (
	groupsFile       = "auth/userPoolGroups/user-pool-group-precedence.json"
	EnvironmentsFile = "amplify/team-provider-info.json"
	ProjectFile      = "amplify/.config/project-config.json"
	BackendConfig    = "amplify/backend/backend-config.json"
)

// Project is a project of the Amplify CLI. The methods of nil answer that there is nothing.
type Project struct {
	*layout.Loaded
	// templates are the CloudFormation templates of the functions, by function.
	templates map[string]*functionTemplate
	// parsed are the templates that were read, by category and resource.
	parsed map[string]parsedTemplate
	// unreadable: see Unreadable.
	unreadable []*read.Problem
}

// ErrKept is the cause of a Problem about something that only the Amplify CLI may change.
var ErrKept = errors.New("reserved by the Amplify CLI")

// Load reads a project of the Amplify CLI.
func Load(l *layout.Loaded) *Project {
	p := &Project{Loaded: l, templates: make(map[string]*functionTemplate)}
	p.Backend.Layout = Layout
	p.Backend.Project.Dialect = model.Amplify
	base := p.Layout.String()
	p.LoadAPIs()
	p.loadAmplifyMediaTypes()
	config := p.JSON(BackendConfig)
	p.noteRegistered(config)
	p.loadAmplifyFunctions(base, config)
	p.loadAmplifyTables(base)
	p.loadAmplifyStreams()
	p.loadAmplifyGroups(path.Join(base, groupsFile))
	p.loadAmplifyAuth(base, config)
	p.loadAmplifyEnvironments()
	if f := p.JSON(ProjectFile); f != nil {
		r := &read.Reader{File: f, Problems: &p.Problems}
		p.Backend.Project.Name = r.Text(r.Root(), "", "projectName")
	}
	return p
}

// localEnvironment has the environment that the Amplify CLI works with on this machine.
const localEnvironment = "amplify/.config/local-env-info.json"

// Chosen returns the environment that was chosen with the Amplify CLI; "" if that is not known.
func (p *Project) Chosen() string {
	if p == nil {
		return ""
	}
	f, err := read.JSON(p.FS, localEnvironment)
	if err != nil {
		return ""
	}
	name, _ := f.Doc.Root().Get("envName")
	return name.Text()
}

// loadAmplifyFunctions lists the functions: the folders below function/ and the
// entries of service Lambda in backend-config.json, without Lambda layers.
func (p *Project) loadAmplifyFunctions(base string, config *read.File) {
	names := p.FoldersIn(path.Join(base, "function"))
	listed := map[string]string{}
	if config != nil {
		if functions, ok := config.Doc.Root().Get("function"); ok {
			for name, entry := range functions.Members() {
				service, _ := entry.Get("service")
				listed[name] = service.Text()
				if service.Text() == "Lambda" && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if listed[name] != "LambdaLayer" {
			p.Backend.Functions = append(p.Backend.Functions, p.amplifyFunction(path.Join(base, "function", name), name))
			p.noteTemplate(name)
		}
	}
}

// amplifyKey reads a table's key: an object, or in older files two members with the name and the type.
func amplifyKey(root document.Node, key string) model.Key {
	object, _ := root.Get(key)
	name, ok := object.Get("fieldName")
	kind, _ := object.Get("fieldType")
	if !ok {
		name, _ = root.Get(key + "Name")
		kind, _ = root.Get(key + "Type")
	}
	types := map[string]model.KeyType{"s": model.StringKey, "n": model.NumberKey, "b": model.BinaryKey}
	if known, ok := types[strings.ToLower(kind.Text())]; ok {
		return model.Key{Name: name.Text(), Type: known}
	}
	return model.Key{Name: name.Text(), Type: model.KeyType(strings.ToLower(kind.Text()))}
}

func (p *Project) loadAmplifyGroups(name string) {
	f := p.JSON(name)
	if f == nil {
		return
	}
	type group struct {
		name       string
		precedence int
	}
	var groups []group
	r := &read.Reader{File: f, Problems: &p.Problems}
	if r.Root().Kind() != document.Array {
		r.WrongKind("", "an array", r.Root())
	}
	for i, entry := range r.Root().Elements() {
		pointer := fmt.Sprintf("/%d", i)
		g := group{r.Text(entry, pointer, "groupName"), r.Number(entry, pointer, "precedence")}
		if g.name != "" {
			groups = append(groups, g)
		}
	}
	slices.SortStableFunc(groups, func(a, b group) int { return cmp.Compare(a.precedence, b.precedence) })
	for _, g := range groups {
		p.Backend.Groups = append(p.Backend.Groups, g.name)
	}
}

// loadAmplifyEnvironments reads the environments, which the Amplify CLI deploys. A project whose file of
// them is not there, as in many public ones, has the one that runs here.
func (p *Project) loadAmplifyEnvironments() {
	known := len(p.Problems)
	f := p.JSON(EnvironmentsFile)
	if f != nil && f.Doc.Root().Kind() != document.Object {
		p.Problems = append(p.Problems,
			f.Problem(model.Warning, "", "write an object with the environments", "has no environments"))
	}
	for _, problem := range p.Problems[known:] {
		// Without it the project still runs here, so this stops nothing.
		told := *problem
		p.unreadable = append(p.unreadable, &told)
		problem.Level = model.Warning
		problem.Fix = cmp.Or(problem.Fix, "correct it") + "; the environments are unknown until then"
	}
	var root document.Node
	if f != nil {
		root = f.Doc.Root()
	}
	for name, entry := range root.Members() {
		provider, _ := entry.Get("awscloudformation")
		region, _ := provider.Get("Region")
		app, _ := provider.Get("AmplifyAppId")
		p.Backend.Environments = append(p.Backend.Environments,
			&model.Environment{Name: name, Provider: model.AWS, Region: region.Text()})
		if p.Backend.Project.ApplicationID == "" {
			p.Backend.Project.ApplicationID = app.Text()
		}
	}
	if len(p.Backend.Environments) == 0 {
		// It runs here all the same.
		p.Backend.Environments = append(p.Backend.Environments, &model.Environment{
			Name: cmp.Or(p.Chosen(), model.FirstEnvironment), Provider: model.Local,
		})
	}
	slices.SortFunc(p.Backend.Environments, func(a, b *model.Environment) int { return cmp.Compare(a.Name, b.Name) })
}

package amplifycli

import (
	"path"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project/amplify"
	"gatewright/project/document"
	"gatewright/project/read"
)

// buckets takes over the bucket, which exists already. A definition has one.
func (c *converter) buckets() error {
	for _, bucket := range c.from.Amplify.Buckets() {
		at := path.Join(folder, "storage", bucket.Resource)
		if c.from.Amplify.StackNumber(c.places[0].environment.Name) == "" {
			c.leave(at, "the bucket was not imported, because its name is known only after the environment is pushed",
				"give it with: gatewright update storage --bucket-name NAME")
			continue
		}
		if c.bucket != "" {
			c.leave(at, "the bucket was not imported: a definition has one bucket, "+phrase.Quote(c.bucket)+" now", "")
			continue
		}
		c.bucket = bucket.Resource
		if err := edit.SetStorage(c.to, &model.Storage{Region: c.region(), BucketName: c.bucketIn(c.places[0])}); err != nil {
			c.refused(at, "the bucket", err)
			c.bucket = ""
		}
	}
	return nil
}

// bucketIn is the name of the bucket in an environment; "" if it is not known.
func (c *converter) bucketIn(p *place) string {
	if c.from.Amplify.StackNumber(p.environment.Name) == "" {
		return ""
	}
	return p.here.ByName["storage"+c.bucket+"BucketName"]
}

// storageIn is what an environment has of the bucket that is not the same in all of them.
func (c *converter) storageIn(p *place) *model.Storage {
	if c.bucket == "" || p == c.places[0] {
		return nil
	}
	name := c.bucketIn(p)
	if name == "" {
		c.leave(path.Join(folder, "storage", c.bucket),
			"the name of the bucket in the environment "+phrase.Quote(p.environment.Name)+" is not known",
			"give it with: gatewright update env "+model.ShellWord(p.environment.Name)+" --storage bucket_name=NAME")
		return nil
	}
	own := &model.Storage{BucketName: name}
	if p.environment.Region != c.region() {
		own.Region = p.environment.Region
	}
	return own
}

// generated are the folders of definitions that the Amplify CLI makes for itself.
var generated = []string{"awscloudformation", "types", ".temp"}

// rest adds everything else that the project has and that was not imported.
func (c *converter) rest() error {
	for _, category := range c.from.Folders(folder) {
		if slices.Contains(generated, category) {
			continue
		}
		at := path.Join(folder, category)
		for _, resource := range c.from.Folders(at) {
			of := path.Join(at, resource)
			switch category {
			case "function":
			case "api":
				c.otherAPI(of, resource)
			case "storage":
				c.otherStorage(of, resource)
			case "auth":
				c.otherAuth(of, resource)
			default:
				c.leave(of, "the category "+phrase.Quote(category)+" was not imported: a definition cannot express it", "")
			}
		}
	}
	c.overrides()
	c.hooks()
	return nil
}

func (c *converter) otherAPI(at, name string) {
	switch {
	case slices.Contains(c.from.Amplify.GraphQLAPIs(), name):
		c.leave(at, "the GraphQL API was not imported: gatewright supports REST APIs only",
			"describe the pushed one for the client configuration file with: gatewright update data --url URL")
	case c.from.Backend.API(name) == nil:
		c.leave(at, "the API was not imported: it is not a REST API", "")
	}
}

func (c *converter) otherStorage(at, name string) {
	isBucket := slices.ContainsFunc(c.from.Amplify.Buckets(), func(b amplify.Bucket) bool { return b.Resource == name })
	if c.from.Backend.Table(name) == nil && !isBucket {
		c.leave(at, "the storage was not imported: it defines no table or bucket",
			"define its table with: gatewright add table "+model.ShellWord(name)+" --partition-key NAME:TYPE")
	}
}

// otherAuth adds what the answers about the user pool have and a definition has not.
func (c *converter) otherAuth(at, name string) {
	if name == "userPoolGroups" {
		return
	}
	file := path.Join(at, "cli-inputs.json")
	text, err := c.from.Read(file)
	if err != nil {
		file = path.Join(at, "parameters.json")
		text, err = c.from.Read(file)
	}
	if err != nil {
		return
	}
	answers, err := document.Parse(text)
	if err != nil {
		return
	}
	root := amplify.PoolAnswers(answers.Root())
	for _, field := range []struct{ name, value, what, fix string }{
		{
			"hostedUI", "true", "sign-in at the pool's own pages (hostedUI)",
			"define it with: gatewright update auth, by the fields of oauth",
		},
		{"thirdPartyAuth", "true", "identities of other providers (thirdPartyAuth)", ""},
		{"serviceType", "imported", "the user pool that exists already", "give its ids with: gatewright update auth"},
	} {
		value, _ := root.Get(field.name)
		if value.Text() == field.value || value.Kind() == document.Bool && value.Bool() && field.value == "true" {
			c.left = append(c.left,
				&read.Problem{
					File: file, Pointer: "/" + field.name, Level: model.Warning,
					Text: field.what + " was not imported", Fix: field.fix,
				})
		}
	}
}

// overrides adds the programs that change what the Amplify CLI deploys
// (https://docs.amplify.aws/gen1/javascript/tools/cli/project/override/).
func (c *converter) overrides() {
	places := []string{path.Join(folder, "awscloudformation")}
	for _, category := range c.from.Folders(folder) {
		for _, resource := range c.from.Folders(path.Join(folder, category)) {
			places = append(places, path.Join(folder, category, resource))
		}
	}
	for _, at := range places {
		if file := path.Join(at, "override.ts"); c.from.HasFile(file) {
			c.leave(file, "the changes that this program makes were not imported", "")
		}
	}
}

// hooks adds the programs that the Amplify CLI starts before and after its commands
// (https://docs.amplify.aws/gen1/javascript/tools/cli/project/command-hooks/).
func (c *converter) hooks() {
	const folder = "amplify/hooks"
	for _, name := range c.from.Files(folder) {
		if !strings.HasPrefix(name, "README") && !strings.HasSuffix(name, ".sample") {
			c.leave(path.Join(folder, name), "gatewright does not run this program before or after its commands", "")
		}
	}
}

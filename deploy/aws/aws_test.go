package aws_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gatewright/deploy/account"
	"gatewright/deploy/archive"
	"gatewright/deploy/aws"
	"gatewright/deploy/awstest"
	"gatewright/deploy/contract"
	"gatewright/deploy/deploytest"
	"gatewright/deploy/index"
	"gatewright/deploy/stack"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/render/template"
)

const (
	awsAccount = "123456789012"
	awsRegion  = "eu-central-1"
	awsBucket  = "gatewright-assets-" + awsAccount + "-" + awsRegion
)

// cloudShop defines the environment dev in the cloud with an API, users and a table with data.
func cloudShop(t testing.TB) *model.Backend {
	t.Helper()
	b := &model.Backend{}
	deploytest.Must(t, edit.SetProject(b, model.Project{Name: "shop", ApplicationID: "app1", Region: awsRegion, Dialect: model.Neutral}))
	deploytest.Must(t, edit.AddEnvironment(b, &model.Environment{Name: "dev", Provider: model.AWS}))
	deploytest.Must(t, edit.AddTable(b, &model.Table{Name: "books", PartitionKey: model.Key{Name: "id", Type: model.StringKey}, Deletion: model.Delete}))
	f := deploytest.Function("items")
	f.Access = []model.ResourceAccess{{Resource: "table/books", Actions: access.EveryAction}}
	deploytest.Must(t, edit.AddFunction(b, f))
	deploytest.Must(t, edit.AddAPI(b, &access.API{Label: "shop", Paths: []*access.Path{deploytest.Open("/items", "items"), deploytest.SignedIn("/orders/{id}", "items")}}))
	return b
}

// cloudRoom is a project, and the fake cloud that it is pushed to.
type cloudRoom struct {
	t    testing.TB
	fake *awstest.Server
	dir  string
	aws  aws.Provider
	// env are variables in place of those that lead to the fake.
	env map[string]string
}

// archives keeps the archives of all tests of this package, which are the same.
func archives(t testing.TB) string {
	t.Helper()
	return t.TempDir()
}

// roomInCloud makes a project of a backend in front of a fake cloud.
func roomInCloud(t *testing.T, b *model.Backend, cache string, o awstest.Options) *cloudRoom {
	t.Helper()
	if o.EventsPerPage == 0 {
		// Most of the work would be to read the events of earlier steps again.
		o.EventsPerPage = 12
	}
	fake := awstest.New(t, o)
	r := &cloudRoom{t: t, fake: fake, dir: filepath.Join(t.TempDir(), "shop"), aws: aws.Provider{
		Pace: stack.Pace{Poll: time.Nanosecond, Patience: time.Millisecond}, Retry: account.Retry{Attempts: 3, Backoff: time.Nanosecond}, Cache: cache,
	}, env: make(map[string]string)}
	r.aws.Getenv = func(name string) string {
		if value, is := r.env[name]; is {
			return value
		}
		return fake.Getenv(name)
	}
	deploytest.Must(t, os.MkdirAll(r.dir, 0o755))
	deploytest.Made(t, r.dir, b)
	return r
}

// open opens the project as it is on disk now.
func (r *cloudRoom) open() *project.Project {
	r.t.Helper()
	return deploytest.Opened(r.t, r.dir)
}

func (r *cloudRoom) edit(edit func(*model.Backend) error) {
	r.t.Helper()
	deploytest.Edited(r.t, r.open(), edit)
}

// stackName is the name of the stack of an environment.
func (r *cloudRoom) stackName(env string) string {
	b := r.open().Backend
	return index.StackOf(b, b.Environment(env))
}

// outcome is what a push did.
type outcome struct {
	err      error
	record   project.Record
	prepared *aws.Push
	// told are the steps of resources, texts those of the push itself.
	told  []contract.ResourceProgress
	texts []string
	asked []string
}

// listen collects progress.
func (o *outcome) listen(p contract.Progress) {
	if p.Resource != nil {
		o.told = append(o.told, *p.Resource)
		return
	}
	o.texts = append(o.texts, p.Text)
}

// pushing says how a push is made.
type pushOptions struct {
	ctx   context.Context
	allow []string
	deny  bool
	// adopt and pool are the options of an adoption.
	adopt bool
	pool  string
	// listen sees the progress, and between is called after the preview.
	listen  func(contract.Progress)
	between func(*aws.Push)
}

// push pushes the environment dev as the command does.
func (r *cloudRoom) push(with pushOptions) *outcome {
	r.t.Helper()
	ctx := with.ctx
	if ctx == nil {
		ctx = r.t.Context()
	}
	o := &outcome{}
	listen := func(p contract.Progress) {
		o.listen(p)
		if with.listen != nil {
			with.listen(p)
		}
	}
	allow := func(question string) error {
		o.asked = append(o.asked, question)
		if with.deny {
			return errDenied
		}
		return nil
	}
	p := r.open()
	x, err := r.aws.Prepare(ctx, deploytest.Target(p, "dev"), aws.PushOptions{AllowDestroy: with.allow, Allow: allow, Adopt: with.adopt, AdoptPool: with.pool}, listen)
	if err != nil {
		o.err = err
		return o
	}
	o.prepared = x
	if with.between != nil {
		with.between(x)
	}
	o.record, o.err = x.Apply(ctx, listen, nil)
	return o
}

var errDenied = errors.New("denied")

// settle lets everything that goes on in the cloud come to its end.
func (r *cloudRoom) settle() {
	for _, s := range r.fake.Stacks() {
		r.fake.Settle(s.ID)
	}
}

// calm ends everything that disturbs.
func (r *cloudRoom) calm() {
	r.fake.Clear()
	r.fake.NewTokens()
	r.fake.CutFrom(0)
	r.settle()
}

// rendered renders what the environment dev is on disk, with the archives as they are.
func (r *cloudRoom) rendered() *template.Template {
	r.t.Helper()
	p := r.open()
	sources, err := p.Sources()
	deploytest.Must(r.t, err)
	o := template.Options{StackName: r.stackName("dev"), Archives: make(map[string]string), Sources: sources}
	for _, f := range p.Backend.Functions {
		all, err := archive.New(r.aws.Cache).BuildAll(r.t.Context(), []archive.Source{{
			Name: f.Name, Folder: filepath.Join(r.dir, filepath.FromSlash(p.Layout.FunctionFolder(f.Name)), "src"), Runtime: model.NodeJS,
		}}, func(archive.Progress) {})
		deploytest.Must(r.t, err)
		o.Archives[f.Name] = "functions/" + all[0].SHA256 + ".zip"
	}
	made, err := template.Render(p.Backend, p.Backend.Environment("dev"), o)
	deploytest.Must(r.t, err)
	return made
}

// local returns the files of this machine that a push brings up to date.
func (r *cloudRoom) local() map[string]string {
	r.t.Helper()
	all := make(map[string]string)
	for _, name := range []string{"gatewright/client_config.json", "client_config.json", ".gatewright/deployed/dev/record.json"} {
		if text, err := os.ReadFile(filepath.Join(r.dir, name)); err == nil {
			all[name] = string(text)
		}
	}
	return all
}

// oneLine checks the form of an error: one line that says what to do, without secrets.
func oneLine(t testing.TB, err error) {
	t.Helper()
	if err == nil {
		return
	}
	text := err.Error()
	if strings.ContainsAny(text, "\n\r") {
		t.Errorf("the error has several lines: %q", text)
	}
	for _, secret := range []string{awstest.SecretKey, "Signature=", "Credential="} {
		if strings.Contains(text, secret) {
			t.Errorf("the error has a secret: %q", text)
		}
	}
	advice := []string{
		"push again", "push it again", "run the command again", "gatewright push", "follow it with", "network", "fix ", "ask ", "give ", "sign in", "try again",
		"use another", "remove", "wait", "administrator", "listens there", "get new", "choose", "update env", "allow", "anew", "console", "write it",
	}
	if !slices.ContainsFunc(advice, func(a string) bool { return strings.Contains(text, a) }) {
		t.Errorf("the error does not say what to do: %q", text)
	}
}

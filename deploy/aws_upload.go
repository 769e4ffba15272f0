package deploy

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gatewright/deploy/archive"
	"gatewright/deploy/assets"
	"gatewright/model"
	"gatewright/project"
	"gatewright/render/template"
)

// archives makes the archives of functions and layers, and sets their keys.
func (x *CloudPush) archives(ctx context.Context, options *template.Options, tell func(Progress)) ([]assets.Asset, error) {
	var (
		sources []archive.Source
		keys    []func(key string)
	)
	here := x.project.Backend.For(x.Environment)
	layers := make(map[string]bool)
	for _, f := range here.Functions {
		folder := filepath.Join(x.project.Root, filepath.FromSlash(x.project.Layout.FunctionFolder(f.Name)), "src")
		runtime := f.Runtime
		if runtime == "" {
			runtime = model.NodeJS
		}
		sources = append(sources, archive.Source{Name: f.Name, Folder: folder, Runtime: runtime})
		keys = append(keys, func(key string) { options.Archives[f.Name] = "functions/" + key })
		for _, layer := range f.Layers {
			if strings.HasPrefix(layer, "arn:") || layers[layer] {
				continue
			}
			layers[layer] = true
			sources = append(sources, archive.Source{Name: layer, Folder: filepath.Join(x.project.Root, filepath.FromSlash(layer)), Layer: true, Runtime: runtime})
			keys = append(keys, func(key string) { options.Layers[layer] = "layers/" + key })
		}
	}
	cache := x.provider.Cache
	if cache == "" {
		folder, err := project.UserState(os.Getenv)
		if err != nil {
			return nil, err
		}
		cache = filepath.Join(folder, "archives")
	}
	made, err := archive.New(cache).BuildAll(ctx, sources, func(p archive.Progress) {
		tell(Progress{Text: "function " + model.Quote(p.Name) + ": " + p.Text})
	})
	if err != nil {
		return nil, err
	}
	var all []assets.Asset
	for i, a := range made {
		keys[i](a.SHA256 + ".zip")
		key := "functions/" + a.SHA256 + ".zip"
		if sources[i].Layer {
			key = "layers/" + a.SHA256 + ".zip"
		}
		all = append(all, assets.Asset{Key: key, File: a.File, SHA256: a.SHA256, Size: a.Size})
	}
	return all, nil
}

// ErrNoSecret is the cause of the error of a secret without a value.
var ErrNoSecret = errors.New("the secret has no value")

// secrets finds the values of the secrets: those on this machine, else those that the stack
// has stay.
func (x *CloudPush) secrets() error {
	known := readSecrets(x.project.Root, x.Environment.Name)
	x.given, x.kept = make(map[string]string), nil
	for _, s := range x.made.Secrets {
		value, given := known.values[s.Name]
		there := false
		if x.before != nil {
			_, there = x.before.Parameters[s.Parameter]
		}
		switch {
		case given:
			x.given[s.Parameter] = value
		case there:
			x.kept = append(x.kept, s.Parameter)
		default:
			text := "the secret " + model.Quote(s.Name) + " has no value"
			if known.problem != "" {
				text += ", and " + project.QuotePath(known.file) + " " + known.problem
			}
			return &model.Problem{
				Of: model.Ref{Kind: model.KindEnvironment, Name: x.Environment.Name}, Text: text,
				Fix: "write it into " + project.QuotePath(known.file) + " as {\"" + s.Name + "\": \"value\"}; it is sent to AWS and kept in no other file", Cause: ErrNoSecret,
			}
		}
	}
	return nil
}

// upload uploads what is missing in the bucket: archives, and the templates of all updates.
func (x *CloudPush) upload(ctx context.Context, all []assets.Asset, tell func(Progress), dryRun bool) error {
	if dryRun {
		// The change set needs the templates, and only those.
		all = nil
		if there, err := x.cloud.bucket.Exists(ctx); err != nil || !there || x.first {
			return err
		}
	} else if made, err := x.cloud.bucket.Ensure(ctx); err != nil {
		return err
	} else if made {
		tell(Progress{Text: "made the bucket " + x.cloud.bucket.Name() + " for archives and templates"})
	}
	seen := make(map[string]bool)
	add := func(key string, body []byte) {
		if !seen[key] {
			seen[key] = true
			all = append(all, assets.NewAsset(key, body))
		}
	}
	for _, s := range x.steps {
		add(s.Key, s.Body)
		for _, n := range s.Nested {
			add(n.Key, n.Body)
		}
	}
	add(x.made.Key, x.made.Body)
	for _, n := range x.made.Nested {
		add(n.Key, n.Body)
	}
	if len(x.steps) > 0 {
		// What a failed update goes back to.
		body := x.old.Root.Minified()
		add(oldKey(body), body)
	}
	done, err := x.cloud.bucket.Upload(ctx, all, func(p assets.Progress) {
		tell(Progress{Text: "uploading", Done: p.Done, Total: p.Total})
	})
	if err == nil && !dryRun {
		tell(Progress{Text: fmt.Sprintf("uploaded %s, %d were there already", model.Count(done.Uploaded, "file"), done.Kept)})
	}
	return err
}

func oldKey(body []byte) string { return "templates/" + assets.NewAsset("", body).SHA256 + ".json" }

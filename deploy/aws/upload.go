package aws

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"gatewright/deploy/archive"
	"gatewright/deploy/assets"
	"gatewright/deploy/contract"
	"gatewright/deploy/refuse"
	"gatewright/deploy/secretfile"
	"gatewright/internal/text/phrase"
	"gatewright/project"
	"gatewright/render/template"
)

// build makes the archives of functions and layers.
func (a Provider) build(
	ctx context.Context, sources []archive.Source, tell func(contract.Progress),
) ([]archive.Archive, error) {
	cache := a.Cache
	if cache == "" {
		getenv := a.Getenv
		if getenv == nil {
			getenv = os.Getenv
		}
		folder, err := project.UserState(getenv)
		if err != nil {
			return nil, err
		}
		cache = filepath.Join(folder, "archives")
	}
	return archive.New(cache).BuildAll(ctx, sources, func(p archive.Progress) {
		tell(contract.Progress{Text: "function " + phrase.Quote(p.Name) + ": " + p.Text})
	})
}

// archives makes the archives of functions and layers, and sets their keys.
func (x *Push) archives(
	ctx context.Context, options *template.Options, tell func(contract.Progress),
) ([]assets.Asset, error) {
	sources := refuse.Sources(contract.Target{Project: x.project, Environment: x.Environment})
	made, err := x.provider.build(ctx, sources, tell)
	if err != nil {
		return nil, err
	}
	x.archiveKeys = options.Archives
	var all []assets.Asset
	for i, a := range made {
		key, keys := archiveKey(sources[i], a), options.Archives
		if sources[i].Layer {
			keys = options.Layers
		}
		keys[sources[i].Name] = key
		all = append(all, assets.Asset{Key: key, File: a.File, SHA256: a.SHA256, Size: a.Size})
	}
	return all, nil
}

// secrets finds the values of the secrets: those on this machine, else those that the stack
// has stay.
func (x *Push) secrets() error {
	known := secretfile.Read(x.project.Root, x.Environment.Name)
	x.given, x.kept = make(map[string]string), nil
	inStack := func(s template.Secret) bool {
		if x.before == nil {
			return false
		}
		_, there := x.before.Parameters[s.Parameter]
		return there
	}
	for _, s := range x.made.Secrets {
		if value, given := known.Values[s.Name]; given {
			x.given[s.Parameter] = value
		} else if inStack(s) {
			x.kept = append(x.kept, s.Parameter)
		}
	}
	target := contract.Target{Project: x.project, Environment: x.Environment}
	if wrong := refuse.Secrets(target, x.made.Secrets, known, inStack); len(wrong) > 0 {
		return refuse.Because(wrong, target)
	}
	return nil
}

// upload uploads what is missing in the bucket: archives, and the templates of all updates.
func (x *Push) upload(ctx context.Context, all []assets.Asset, tell func(contract.Progress), dryRun bool) error {
	if dryRun {
		// The change set needs the templates, and only those.
		all = nil
		if there, err := x.cloud.bucket.Exists(ctx); err != nil || !there || x.first {
			return err
		}
	} else if made, err := x.cloud.bucket.Ensure(ctx); err != nil {
		return err
	} else if made {
		tell(contract.Progress{Text: "made the bucket " + x.cloud.bucket.Name() + " for archives and templates"})
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
	if len(x.steps) > 0 || len(x.imports) > 0 {
		// What the first update takes over, or a failed update goes back to.
		body := x.old.Root.Minified()
		add(oldKey(body), body)
	}
	done, err := x.cloud.bucket.Upload(ctx, all, func(p assets.Progress) {
		tell(contract.Progress{Text: "uploading", Done: p.Done, Total: p.Total})
	})
	if err == nil && !dryRun {
		tell(contract.Progress{Text: fmt.Sprintf("uploaded %s, %d were there already",
			phrase.Count(done.Uploaded, "file"), done.Kept)})
	}
	return err
}

func oldKey(body []byte) string { return "templates/" + assets.NewAsset("", body).SHA256 + ".json" }

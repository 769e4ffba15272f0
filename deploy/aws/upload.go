package aws

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"

	"gatewright/deploy/archive"
	"gatewright/deploy/assets"
	"gatewright/deploy/contract"
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
		var err error
		if cache, err = project.UserArchives(getenv); err != nil {
			return nil, err
		}
	}
	return archive.New(cache).BuildAll(ctx, sources, func(p archive.Progress) {
		tell(contract.Progress{Text: "function " + phrase.Quote(p.Name) + ": " + p.Text})
	})
}

// upload uploads what is missing in the bucket: archives, and the templates of all updates.
func (d *difference) upload(ctx context.Context, tell func(contract.Progress), dryRun bool) error {
	all, bucket := slices.Clone(d.archives), d.cloud.bucket
	if dryRun {
		// The change set needs the templates, and only those.
		all = nil
		if there, err := bucket.Exists(ctx); err != nil || !there || d.first {
			return err
		}
	} else if made, err := bucket.Ensure(ctx); err != nil {
		return err
	} else if made {
		tell(contract.Progress{Text: "made the bucket " + bucket.Name() + " for archives and templates"})
	}
	seen := make(map[string]bool)
	add := func(key string, body []byte) {
		if !seen[key] {
			seen[key] = true
			all = append(all, assets.NewAsset(key, body))
		}
	}
	last := template.Step{Key: d.made.Key, Body: d.made.Body, Nested: d.made.Nested}
	for _, s := range slices.Concat(d.steps, []template.Step{last}) {
		add(s.Key, s.Body)
		for _, n := range s.Nested {
			add(n.Key, n.Body)
		}
	}
	if d.base.Root != nil && (len(d.steps) > 0 || len(d.Adopted) > 0) {
		// What the first update takes over, or a failed update goes back to.
		body := d.base.Root.Minified()
		add(bodyKey(body), body)
	}
	done, err := bucket.Upload(ctx, all, func(p assets.Progress) {
		tell(contract.Progress{Text: "uploading", Done: p.Done, Total: p.Total})
	})
	if err == nil && !dryRun {
		tell(contract.Progress{Text: fmt.Sprintf("uploaded %s, %d were there already",
			phrase.Count(done.Uploaded, "file"), done.Kept)})
	}
	return err
}

// bodyKey is the key of a template in the bucket.
func bodyKey(body []byte) string { return "templates/" + assets.NewAsset("", body).SHA256 + ".json" }

// hotFolder is the folder of the bucket with a file for each function that a hot push gave
// code, until a push has brought stack and code together.
func hotFolder(stack string) string { return "hot/" + stack + "/" }

func hotKey(stack, function string) string { return hotFolder(stack) + function }

// keyHash is the hash of the archive with a key, as Lambda tells it.
func keyHash(key string) string {
	return codeHash(strings.TrimSuffix(strings.TrimPrefix(key, archive.FunctionFolder), archive.Ending))
}

// codeHash is the hash of an archive as Lambda tells it
// (https://docs.aws.amazon.com/lambda/latest/api/API_FunctionConfiguration.html).
func codeHash(sha256 string) string {
	sum, err := hex.DecodeString(sha256)
	if err != nil {
		return ""
	}
	return base64.StdEncoding.EncodeToString(sum)
}

// assetOf is the archive of a source as it lies in the bucket.
func assetOf(of archive.Source, a archive.Archive) assets.Asset {
	return assets.Asset{Key: archive.Key(of, a), File: a.File, SHA256: a.SHA256, Size: a.Size}
}

package aws

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gatewright/deploy/contract"
	"gatewright/deploy/stack"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// marked lists the functions that hot pushes gave code since the last push.
func (c *session) marked(ctx context.Context, stack string) ([]string, error) {
	folder := hotFolder(stack)
	names, err := c.bucket.List(ctx, folder)
	for i := range names {
		names[i] = strings.TrimPrefix(names[i], folder)
	}
	return names, err
}

// findHot finds the functions that have the code of a hot push, and would keep it: their
// archive is the one that the stack has already, so that no update changes it.
func (d *difference) findHot(ctx context.Context, changes []stack.Change) (hot []Change, err error) {
	if d.First() {
		return nil, nil
	}
	names, err := d.cloud.marked(ctx, d.Stack)
	if err != nil || len(names) == 0 {
		return nil, err
	}
	reached, err := d.cloud.reach(ctx, d.project, d.Environment)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		of := model.Ref{Kind: model.KindFunction, Name: name}
		if slices.ContainsFunc(changes,
			func(c stack.Change) bool { return d.words.of[c.Logical] == of && c.Type == functionType }) {
			continue
		}
		deployed, err := d.otherCode(ctx, reached, name)
		if err != nil {
			return nil, err
		}
		if deployed != "" {
			hot = append(hot,
				Change{Kind: contract.Updated, Of: of, Name: "the code of " + of.String() + ", which a hot push changed"})
		}
	}
	return hot, nil
}

// otherCode returns the name of a deployed function if it has other code than this push brings. One
// that is not deployed, or that the push does not bring, has not.
func (d *difference) otherCode(ctx context.Context, reached *Reached, name string) (string, error) {
	key := d.keys[name]
	deployed, err := reached.Function(name)
	if err != nil || key == "" {
		return "", nil
	}
	state, err := d.cloud.codeOf(ctx, deployed)
	if err != nil || state.CodeSha256 == keyHash(key) {
		return "", err
	}
	return deployed, nil
}

// converge gives the functions that hot pushes gave code the code of this push. After a first
// push it forgets those of an earlier stack of the name.
func (d *difference) converge(ctx context.Context) error {
	if d.first {
		return d.cloud.forgetHot(ctx, d.Stack)
	}
	names, err := d.cloud.marked(ctx, d.Stack)
	if err != nil || len(names) == 0 {
		return err
	}
	reached, err := d.cloud.reach(ctx, d.project, d.Environment)
	if err != nil {
		return err
	}
	return atOnce(ctx, len(names), func(ctx context.Context, i int) error {
		deployed, err := d.otherCode(ctx, reached, names[i])
		if err == nil && deployed != "" {
			err = d.cloud.swap(ctx, deployed, d.keys[names[i]])
		}
		if err != nil {
			return fmt.Errorf("function %s: %w", phrase.Quote(names[i]), err)
		}
		return d.cloud.bucket.Delete(ctx, hotKey(d.Stack, names[i]))
	})
}

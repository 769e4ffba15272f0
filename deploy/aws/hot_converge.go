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
func (x *Push) marked(ctx context.Context) ([]string, error) {
	folder := hotFolder(x.Stack)
	names, err := x.cloud.bucket.List(ctx, folder)
	for i := range names {
		names[i] = strings.TrimPrefix(names[i], folder)
	}
	return names, err
}

// findHot finds the functions that have the code of a hot push, and would keep it: their
// archive is the one that the stack has already, so that no update changes it.
func (x *Push) findHot(ctx context.Context) error {
	if x.First() {
		return nil
	}
	names, err := x.marked(ctx)
	if err != nil || len(names) == 0 {
		return err
	}
	reached, err := x.cloud.reach(ctx, x.project, x.Environment)
	if err != nil {
		return err
	}
	for _, name := range names {
		of := model.Ref{Kind: model.KindFunction, Name: name}
		if slices.ContainsFunc(x.set.Changes,
			func(c stack.Change) bool { return x.words.of[c.Logical] == of && c.Type == functionType }) {
			continue
		}
		differs, err := x.differs(ctx, reached, name)
		if err != nil {
			return err
		}
		if !differs {
			continue
		}
		x.hot = append(x.hot, name)
		x.Changes = append(x.Changes,
			Change{Kind: contract.Updated, Of: of, Name: "the code of " + of.String() + ", which a hot push changed"})
	}
	return nil
}

// differs reports whether a deployed function has other code than this push brings. One that
// is not deployed, or that the push does not bring, does not.
func (x *Push) differs(ctx context.Context, reached *Reached, name string) (bool, error) {
	key := x.archiveKeys[name]
	deployed, err := reached.Function(name)
	if err != nil || key == "" {
		return false, nil
	}
	state, err := reached.cloud.codeOf(ctx, deployed)
	return state.CodeSha256 != keyHash(key), err
}

// converge gives the functions that hot pushes gave code the code of this push. After a first
// push it forgets those of an earlier stack of the name.
func (x *Push) converge(ctx context.Context) error {
	if x.first {
		return x.cloud.forgetHot(ctx, x.Stack)
	}
	names, err := x.marked(ctx)
	if err != nil || len(names) == 0 {
		return err
	}
	reached, err := x.cloud.reach(ctx, x.project, x.Environment)
	if err != nil {
		return err
	}
	return atOnce(ctx, len(names), func(ctx context.Context, i int) error {
		differs, err := x.differs(ctx, reached, names[i])
		if err == nil && differs {
			var deployed string
			if deployed, err = reached.Function(names[i]); err == nil {
				err = reached.swap(ctx, deployed, x.cloud.bucket.Name(), x.archiveKeys[names[i]], x.provider.Pace.Poll)
			}
		}
		if err != nil {
			return fmt.Errorf("function %s: %w", phrase.Quote(names[i]), err)
		}
		return x.cloud.bucket.Delete(ctx, hotKey(x.Stack, names[i]))
	})
}

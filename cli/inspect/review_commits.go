package inspect

import (
	"context"
	"errors"
	"fmt"

	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/git"
	"gatewright/project/read"
	"gatewright/project/review"
)

// commits compares two commits, or one with the working tree.
func (x *reviewCommand) commits(ctx context.Context, c *compared, text string) error {
	base, head, isRange, between := ends(text)
	root, inTree, missing := x.place()
	if !isRange && missing != nil && !errors.Is(missing, project.ErrNoProject) {
		return missing
	}
	repository, err := git.Open(ctx, root, x.streams.Environ...)
	switch {
	case err != nil && !isRange && missing != nil:
		return missing
	case err != nil:
		return err
	}
	c.close = append(c.close, repository.Close)
	if !isRange && repository.Bare() {
		return errors.New("this folder has no working tree; compare two commits: BASE..HEAD")
	}
	ids, err := idsOf(repository, base, head, isRange, between)
	if err != nil {
		return err
	}
	var files [2]*git.FS
	for i, id := range ids {
		if files[i], err = repository.Files(id); err != nil {
			return err
		}
	}
	c.folder = repository.Prefix()
	if !inTree {
		if c.folder, err = x.projectIn(repository.Prefix(), files[:len(ids)]); err != nil {
			return err
		}
	}
	name := review.CommitName(base, ids[0])
	if between {
		name = review.CommitName("", ids[0]) + ", which " + phrase.Quote(base) + " and " + phrase.Quote(head) +
			" have in common"
	}
	if c.base, err = review.AtCommit(name, files[0].In(c.folder)); err != nil {
		return err
	}
	if isRange {
		if c.head, err = review.AtCommit(review.CommitName(head, ids[1]), files[1].In(c.folder)); err != nil {
			return err
		}
	} else if c.head = (review.State{Name: workingTree}); inTree {
		if err := x.workingTree(c); err != nil {
			return err
		}
	}
	if c.base.Deployment == nil && c.head.Deployment == nil {
		return errors.New("neither " + c.base.Name + " nor " + c.head.Name + " has a project in this folder")
	}
	c.noteNoProject()
	if err := readable(c.head); err != nil {
		return err
	}
	return x.chooseEnvironment(c)
}

// noteNoProject notes that one side has no project, which may have been moved.
func (c *compared) noteNoProject() {
	const text = " has no project in this folder, so everything is "
	if c.base.Deployment == nil {
		c.base.Notes = append(c.base.Notes, c.base.Name+text+"new")
	}
	if c.head.Deployment == nil {
		c.head.Notes = append(c.head.Notes, c.head.Name+text+"gone; if it moved, run the command in its new folder")
	}
}

// idsOf returns the ids of the commits that are compared: of one if the other side is the
// working tree.
func idsOf(r *git.Repository, base, head string, isRange, between bool) ([]string, error) {
	first, err := r.Commit(base)
	if err != nil || !isRange {
		return []string{first}, err
	}
	second, err := r.Commit(head)
	if err == nil && between {
		first, err = r.MergeBase(first, second)
	}
	return []string{first, second}, err
}

func (x *reviewCommand) workingTree(c *compared) error {
	p, err := command.OpenProject(x.streams)
	if err != nil {
		return err
	}
	c.close = append(c.close, p.Close)
	c.head = review.StateOf(workingTree, p)
	return nil
}

// readable refuses a head with an error: what cannot be read would seem closed.
func readable(s review.State) error {
	if s.Deployment == nil {
		return nil
	}
	if err := read.FirstError(s.Project.Problems); err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	return nil
}

// chooseEnvironment takes --env, which one of the states must have.
func (x *reviewCommand) chooseEnvironment(c *compared) error {
	name := x.env.String()
	if name == "" {
		return nil
	}
	for _, s := range []review.State{c.head, c.base} {
		if s.Deployment != nil && s.Project.Backend.Environment(name) != nil {
			c.environment = name
			return nil
		}
	}
	// It is in neither, so that the newer one says which there are.
	if c.head.Deployment != nil {
		return c.head.Project.Backend.Known(model.Ref{Kind: model.KindEnvironment, Name: name})
	}
	return c.base.Project.Backend.Known(model.Ref{Kind: model.KindEnvironment, Name: name})
}

package aws

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gatewright/deploy/contract"
	"gatewright/deploy/stack"
	"gatewright/model"
)

// updater makes change sets of a stack, and carries them out one after the other.
type updater struct {
	Place
	words words
	tell  func(contract.Progress)
	// first says that the stack goes with its change set, adopted what a change set takes over.
	first   bool
	adopted []Found
	// set is made and not carried out; begun says that one was carried out.
	set   *stack.ChangeSet
	begun bool
}

// change makes a change set.
func (u *updater) change(ctx context.Context, in stack.Input) (err error) {
	if u.set, err = u.cloud.client.Change(ctx, in); err != nil {
		return u.refused(ctx, err)
	}
	return nil
}

// refused discards a change set that could not be made, and makes one line of the reason.
func (u *updater) refused(ctx context.Context, err error) error {
	// What is left behind in spite of this is removed by the next push.
	_ = u.discard(ctx)
	if errors.Is(err, stack.ErrBusy) {
		return u.overtaken(ctx, err)
	}
	if !errors.Is(err, stack.ErrRefused) {
		return err
	}
	text := err.Error()
	if _, owner, taken := strings.Cut(text, " already exists in stack "); taken {
		for _, f := range u.adopted {
			if strings.Contains(text, f.ID) {
				owner, _, _ := strings.Cut(owner, " ")
				f.belongs(stackNameOf(owner))
				return &model.Problem{
					Of: u.of(), Text: f.Name + ", " + f.ID + ", cannot be adopted: " + f.Cannot,
					Fix: f.Fix + "; nothing has changed", Cause: err,
				}
			}
		}
	} else {
		for id, name := range u.words.names {
			if len(id) > len("Definition") {
				text = strings.ReplaceAll(text, id, name)
			}
		}
	}
	return &model.Problem{
		Of: u.of(), Text: "AWS does not accept it: " + shortly(text),
		Fix: "fix it and push again; nothing has changed", Cause: err,
	}
}

// shortCall is how long a call may take that an interruption does not end.
const shortCall = time.Minute

// discard removes the change set that is not carried out, and with it the empty stack of a first push.
func (u *updater) discard(ctx context.Context) error {
	if u.set == nil || u.set.ARN == "" {
		return nil
	}
	set, client := u.set, u.cloud.client
	u.set = nil
	// A push that was interrupted is cleaned up after, too.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shortCall)
	defer cancel()
	if err := client.Discard(ctx, set); err != nil {
		return err
	}
	if !u.first {
		return nil
	}
	s, err := client.Describe(ctx, set.StackARN)
	if errors.Is(err, stack.ErrNoStack) || err == nil && s.Status != stack.Review {
		return nil
	}
	if err != nil {
		return err
	}
	// Somebody else may be about to push, too.
	if others, err := client.HasChangeSets(ctx, s.ARN); err != nil || others {
		return err
	}
	if err := client.Delete(ctx, s.ARN, ""); err != nil {
		return err
	}
	// Until it is gone, the next push would find it.
	_, err = client.Follow(s.ARN, "").Wait(ctx, func(stack.Event) {}, nil)
	if errors.Is(err, stack.ErrNoStack) {
		return nil
	}
	return err
}

// execute carries out the change set and follows it.
func (u *updater) execute(ctx context.Context, token string) error {
	set, client := u.set, u.cloud.client
	after, err := client.LastEvent(ctx, set.StackARN)
	if errors.Is(err, stack.ErrNoStack) {
		return u.overtaken(ctx, err)
	}
	if err != nil {
		return err
	}
	// From here on it is either known that the update goes on, or that it does not.
	asking, cancel := context.WithTimeout(context.WithoutCancel(ctx), shortCall)
	defer cancel()
	err = client.Execute(asking, set, token)
	switch {
	case errors.Is(err, stack.ErrBusy):
		return u.overtaken(asking, err)
	case err != nil && stack.Unanswered(err):
		u.set = nil
		return fmt.Errorf("whether the push continues in AWS is unknown (%w); see it with: %s", err, u.watching())
	case err != nil:
		return err
	}
	u.set = nil
	follower := client.Follow(set.StackARN, after)
	ended, err := u.follow(ctx, follower, u.words, u.tell)
	if err != nil {
		return u.interrupted(err)
	}
	if ended.Status.Succeeded() && ended.Status != stack.DeleteComplete {
		u.begun = true
		return nil
	}
	return pushFailed(u.words, u.of(), ended, follower.Failures)
}

// overtaken is the error of a push that somebody else came before.
func (u *updater) overtaken(ctx context.Context, err error) error {
	if s, found := u.cloud.client.Describe(ctx, u.Stack); found == nil && s.Status.Busy() {
		return u.busy(ctx, s)
	}
	happened := "this push changed nothing"
	if u.begun {
		happened = "only part of this push was done"
	}
	return &model.Problem{
		Of: u.of(), Text: "somebody else changed its stack in between; " + happened,
		Fix: "push again", Cause: errors.Join(ErrStackBusy, err),
	}
}

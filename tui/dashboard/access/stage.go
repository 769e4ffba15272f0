package access

import (
	"slices"
	"strings"

	editor "gatewright/flow/matrix"
	"gatewright/flow/merge"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
)

// stage is the edits of access that wait for review: of several paths, and of the groups. It
// is never changed in place, so that earlier ones can be taken back.
type stage struct {
	paths []stagedPath
	// groups are the groups of the pool in their order, made those of them that are new. Both
	// are nil if no edit changed them.
	groups, made []string
	// pool are the groups that the project had when they were edited.
	pool []string
	// done says what the edit did that led here.
	done string
}

// stagedPath is the access that a path gets.
type stagedPath struct {
	api, path string
	// was is the access that the project had when the edit began.
	was access.Access
	// to is the editor with the access that it gets.
	to editor.Matrix
}

func (p stagedPath) key() [2]string { return [2]string{p.api, p.path} }

// of is the edit of a path; false if there is none.
func (s stage) of(api, path string) (stagedPath, bool) {
	for _, p := range s.paths {
		if p.api == api && p.path == path {
			return p, true
		}
	}
	return stagedPath{}, false
}

// empty reports whether nothing waits.
func (s stage) empty() bool { return len(s.paths) == 0 && s.groups == nil }

// what says what has edits: "2 paths", "the groups", or both.
func (s stage) what() string {
	var parts []string
	if len(s.paths) > 0 {
		parts = append(parts, phrase.Count(len(s.paths), "path"))
	}
	if s.groups != nil {
		parts = append(parts, "the groups")
	}
	return strings.Join(parts, " and ")
}

// keys are the paths with edits.
func (s stage) keys() map[[2]string]bool {
	keys := make(map[[2]string]bool, len(s.paths))
	for _, p := range s.paths {
		keys[p.key()] = true
	}
	return keys
}

// with returns the stage with the matrix of a path as a person left it. pool are the groups
// that the project has. An edit that brings the path back to what it was is none.
func (s stage) with(p stagedPath, pool []string) stage {
	earlier := p.was
	if waited, ok := s.of(p.api, p.path); ok {
		earlier = waited.to.Access
	}
	next := stage{
		groups: p.to.Groups, made: p.to.Made, pool: pool,
		done: p.to.Since(editor.Matrix{Path: p.path, Access: earlier, Groups: s.order(pool), Terms: p.to.Terms}),
	}
	if slices.Equal(p.to.Groups, pool) {
		next.groups, next.made = nil, nil
	}
	gone := slices.DeleteFunc(slices.Clone(s.made), func(group string) bool { return slices.Contains(p.to.Groups, group) })
	for _, other := range s.paths {
		if other.key() == p.key() {
			continue
		}
		for _, group := range gone {
			other.to = other.to.WithoutEntry(group)
		}
		next.paths = append(next.paths, other)
	}
	if !(editor.Matrix{Access: p.to.Written()}).Equal(editor.Matrix{Access: p.was}) {
		next.paths = append(next.paths, p)
	}
	return next
}

// order is the order of the groups with the edits.
func (s stage) order(pool []string) []string {
	if s.groups != nil {
		return s.groups
	}
	return pool
}

// onto is the stage laid on a backend that was read later.
func (s stage) onto(b *model.Backend, m *merge.Merge) stage {
	if s.groups != nil {
		s.groups = editor.MergedGroups(m, s.pool, b.Groups, s.groups)
		s.pool = b.Groups
	}
	paths := s.paths
	s.paths = nil
	for _, p := range paths {
		if api := b.API(p.api); api != nil && api.Path(p.path) != nil {
			now := api.Path(p.path).Access
			p.to.Access = editor.Merged(m, p.path, p.was, now, p.to.Access)
			if p.was = now; p.to.Access.Same(now) {
				continue
			}
			p.to.Before = &p.was
		}
		s.paths = append(s.paths, p)
	}
	return s
}

// apply gives the paths and the user pool of a backend what waits.
func (s stage) apply(b *model.Backend) error {
	for _, group := range s.made {
		if !slices.Contains(b.Groups, group) {
			if err := edit.AddGroup(b, group); err != nil {
				return err
			}
		}
	}
	if s.groups != nil && b.Defines(model.KindGroup) && !slices.Equal(b.Groups, s.groups) {
		if err := edit.OrderGroups(b, s.groups); err != nil {
			return err
		}
	}
	for _, p := range s.paths {
		if err := p.apply(b); err != nil {
			return err
		}
	}
	return nil
}

func (p stagedPath) apply(b *model.Backend) error {
	of := model.Ref{Kind: model.KindPath, API: p.api, Name: p.path}
	api := b.API(p.api)
	if api == nil || api.Path(p.path) == nil {
		return &model.Problem{Of: of, Text: "no longer exists", Fix: "undo the edit"}
	}
	path := *api.Path(p.path)
	if p.to.Access.Setting == access.Protected && b.Defines(model.KindAuth) && !b.Auth.GuestsEnabled() {
		auth, yes := *b.Auth, true
		auth.UnauthenticatedIdentitiesEnabled = &yes
		b.Auth = &auth
	}
	path.Access = p.to.Written()
	return edit.UpdatePath(b, p.api, p.path, &path)
}

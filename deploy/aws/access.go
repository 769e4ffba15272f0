package aws

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"gatewright/internal/cfn"
	"gatewright/internal/prove"
	"gatewright/model"
	"gatewright/render/policy"
)

// LiveAccess reads who may do what from what is in force in the account, and not from a
// template: the methods of the APIs as they are served, the resource policies, the roles that
// the identity pool gives, with all their policies, and the groups of the user pool. What an
// organization denies its accounts is not seen, nor whom the roles trust. APIs that are gone are
// not in it.
func (r *Reached) LiveAccess(ctx context.Context) (*prove.Deployment, error) {
	x := &accessReading{
		Reached: r, resources: make(map[string]any), ids: make(map[string]string),
		roles: make(map[string]bool),
	}
	for i, api := range r.Backend().APIs {
		if err := x.api(ctx, i, api.Label); err != nil {
			return nil, err
		}
	}
	if err := x.pools(ctx); err != nil {
		return nil, err
	}
	text, err := json.Marshal(map[string]any{"Resources": x.resources})
	if err != nil {
		return nil, err
	}
	t, err := cfn.Parse("what is in force", text)
	if err != nil {
		return nil, fmt.Errorf("reading who may do what: %w", err)
	}
	d, err := prove.ReadAt(t, prove.Place{Region: r.Region, Account: r.ID, Partition: r.Partition, IDs: x.ids})
	if err != nil {
		return nil, err
	}
	d.Unread, d.Notices = append(d.Unread, x.unread...), append(d.Notices, x.notices...)
	return d, nil
}

// CompareAccess compares what is in force with a backend, which words name, such as "the last
// push". Only the API with a label is compared, or all if it is "".
func CompareAccess(d *prove.Deployment, b *model.Backend, words, api string) *prove.Report {
	return prove.Compare(d, b, prove.Options{API: api, Policies: policy.Patterns(b), Project: words})
}

// LastPush is what reports call the definition as deployed.
const LastPush = "the last push"

// accessDrift compares what is in force with the definition as deployed.
func (r *Reached) accessDrift(ctx context.Context) (*prove.Report, error) {
	b := r.Backend()
	if len(b.APIs) == 0 {
		return &prove.Report{
			Differences: []prove.Difference{}, Refused: []prove.Difference{}, Undecided: []string{},
			Notices: []string{},
		}, nil
	}
	d, err := r.LiveAccess(ctx)
	if err != nil {
		return nil, err
	}
	return CompareAccess(d, b, LastPush, ""), nil
}

// accessReading collects what is in force as the resources of a template, which is what access
// is read from.
type accessReading struct {
	*Reached
	resources map[string]any
	// ids are the ids of the APIs by logical ids, roles those that were read.
	ids             map[string]string
	roles           map[string]bool
	unread, notices []string
}

// put adds a resource.
func (x *accessReading) put(id, kind string, properties map[string]any) {
	x.resources[id] = map[string]any{"Type": kind, "Properties": properties}
}

func (x *accessReading) note(text string) {
	if !slices.Contains(x.notices, text) {
		x.notices = append(x.notices, text)
	}
}

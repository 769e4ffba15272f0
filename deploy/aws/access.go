package aws

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"gatewright/deploy/account"
	"gatewright/deploy/stack"
	"gatewright/internal/cfn"
	"gatewright/internal/prove"
	"gatewright/model"
	"gatewright/render/policy"
)

// LiveAccess reads who may do what from the rules in force in the account, and not from a template:
// the methods of the APIs as they are served, the resource policies, the roles that the identity
// pool gives, with all their policies and whom they trust, and the groups of the user pool. See
// NotLookedAt for what is not seen. APIs that are gone are not in it.
func (r *Reached) LiveAccess(ctx context.Context) (*prove.Deployment, error) {
	x := newReading(r.Account)
	x.pushed = true
	for _, api := range r.Backend().APIs {
		id, err := r.API(api.Label)
		if err != nil {
			return nil, err
		}
		x.apis = append(x.apis, apiItem{ID: id, Name: api.Label, StageName: r.Deployment.Environment})
	}
	for _, one := range r.resources {
		if x.own[one.Physical] = true; one.Type == functionType && one.Status != string(stack.DeleteComplete) {
			x.functions[one.Physical] = r.of[one.Logical].Name
		}
	}
	x.userPool, _, x.identities = r.Pools()
	return x.read(ctx)
}

// stackAccess is LiveAccess of a stack of any program: of its own resources and those of the stacks
// nested in it; nil if it has no API.
func (c *session) stackAccess(ctx context.Context, arn string) (*prove.Deployment, error) {
	x := newReading(c.Account)
	if err := x.collect(ctx, c.client, arn, "", 0); err != nil {
		return nil, err
	}
	if len(x.apis) == 0 {
		return nil, nil
	}
	return x.read(ctx)
}

// collect finds the resources of a stack whose access is read.
func (x *accessReading) collect(ctx context.Context, client *stack.Client, arn, path string, depth int) error {
	const deepest = 5
	all, err := client.Resources(ctx, arn)
	if err != nil || depth == deepest {
		return err
	}
	for _, one := range all {
		if one.Physical == "" || one.Status == string(stack.DeleteComplete) {
			continue
		}
		switch x.own[one.Physical] = true; one.Type {
		case nestedType:
			err := x.collect(ctx, client, one.Physical, path+one.Logical+"/", depth+1)
			if err != nil && !errors.Is(err, stack.ErrNoStack) {
				return err
			}
		case functionType:
			x.functions[one.Physical] = path + one.Logical
		case userPoolType:
			x.userPool = one.Physical
		case identityPoolType:
			x.identities = one.Physical
		case apiType:
			x.apis = append(x.apis, apiItem{ID: one.Physical})
		}
	}
	return nil
}

// read reads what was collected.
func (x *accessReading) read(ctx context.Context) (*prove.Deployment, error) {
	x.own[x.userPool] = true
	for i := range x.apis {
		if err := x.api(ctx, i, &x.apis[i]); err != nil {
			return nil, err
		}
	}
	if x.identities != "" {
		if err := x.identityPool(ctx, x.identities); err != nil {
			return nil, err
		}
	}
	if x.userPool != "" {
		if err := x.groups(ctx, x.userPool); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(x.functions)) {
		if err := x.function(ctx, x.functions[name], name); err != nil {
			return nil, err
		}
	}
	if err := x.otherAPIs(ctx); err != nil {
		return nil, err
	}
	text, err := json.Marshal(map[string]any{"Resources": x.resources})
	if err != nil {
		return nil, err
	}
	t, err := cfn.Parse("the rules in force", text)
	if err != nil {
		return nil, fmt.Errorf("reading access in AWS: %w", err)
	}
	d, err := prove.ReadAt(t, prove.Place{
		Region: x.Region, Account: x.ID, Partition: x.Partition, IDs: x.ids, Foreign: !x.pushed,
	})
	if err != nil {
		return nil, err
	}
	d.Unread, d.Notices = append(d.Unread, x.unread...), append(d.Notices, x.notices...)
	d.Add(x.doors...)
	return d, nil
}

// CompareAccess compares the rules in force with a backend, which words name, such as "the last
// push". Only the API with a label is compared, or all if it is "".
func CompareAccess(d *prove.Deployment, b *model.Backend, words, api string) *prove.Report {
	return prove.Compare(d, b, prove.Options{API: api, Policies: policy.Patterns(b), Project: words})
}

// LastPush is what reports call the definition as deployed.
const LastPush = "the last push"

// accessDrift compares the rules in force with the definition as deployed.
func (r *Reached) accessDrift(ctx context.Context) (*prove.Report, error) {
	d, err := r.LiveAccess(ctx)
	if err != nil {
		return nil, err
	}
	return CompareAccess(d, r.Backend(), LastPush, ""), nil
}

// accessReading collects the rules in force as the resources of a template, which is what access is read from.
type accessReading struct {
	*account.Account
	// apis, functions and the pools are what is read: functions are what people call them, by their
	// names in AWS. own are the ids of all resources of the stack. pushed says that gatewright made it.
	apis                 []apiItem
	functions            map[string]string
	userPool, identities string
	own                  map[string]bool
	pushed               bool

	resources map[string]any
	// ids are the ids of the APIs by logical ids, roles the policies of those that were read, denied the
	// operations that AWS refused.
	ids             map[string]string
	roles           map[string][]map[string]any
	denied          map[string]bool
	doors           []prove.Door
	unread, notices []string
}

func newReading(a *account.Account) *accessReading {
	return &accessReading{
		Account: a, functions: make(map[string]string), own: make(map[string]bool), resources: make(map[string]any),
		ids: make(map[string]string), roles: make(map[string][]map[string]any), denied: make(map[string]bool),
	}
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

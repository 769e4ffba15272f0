package userpool

import (
	"slices"

	"gatewright/model/access"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool/record"
	"gatewright/sandbox/identity/wire"
)

// groupOutput is GroupType of the cloud's API, without dates: groups are part of the project.
type groupOutput struct {
	GroupName  string `json:"GroupName"`
	UserPoolID string `json:"UserPoolId"`
	RoleARN    string `json:"RoleArn"`
	Precedence int    `json:"Precedence"`
}

// groupOf is a group of a pool. Its precedence is its index.
func groupOf(cfg pool.Pool, name string) (groupOutput, error) {
	place := slices.Index(cfg.Groups, name)
	if place < 0 {
		return groupOutput{}, wire.Refuse("ResourceNotFoundException", "Group not found.")
	}
	return groupOutput{name, cfg.UserPoolID, cfg.RoleARN(access.Principal{Kind: access.Group, Group: name}), place}, nil
}

type userAndGroupInput struct {
	poolAndUserInput
	GroupName string `json:"GroupName"`
}

func (p *Pools) adminAddUserToGroup(in *userAndGroupInput) (*emptyOutput, error) {
	return p.administer(&in.poolAndUserInput, func(r record.Records, u *record.User) error {
		if _, err := groupOf(r.Pool, in.GroupName); err != nil {
			return err
		}
		if slices.Contains(u.Groups, in.GroupName) {
			return nil
		}
		u.Groups = append(u.Groups, in.GroupName)
		return r.SaveUser(u)
	})
}

func (p *Pools) adminRemoveUserFromGroup(in *userAndGroupInput) (*emptyOutput, error) {
	return p.administer(&in.poolAndUserInput, func(r record.Records, u *record.User) error {
		place := slices.Index(u.Groups, in.GroupName)
		if place < 0 {
			_, err := groupOf(r.Pool, in.GroupName)
			return err
		}
		u.Groups = slices.Delete(u.Groups, place, place+1)
		return r.SaveUser(u)
	})
}

type adminListGroupsForUserInput struct {
	poolAndUserInput
	Limit     *int   `json:"Limit"`
	NextToken string `json:"NextToken"`
}

type listGroupsOutput struct {
	Groups    []groupOutput `json:"Groups"`
	NextToken string        `json:"NextToken,omitempty"`
}

func (p *Pools) adminListGroupsForUser(cfg pool.Pool, in *adminListGroupsForUserInput) (*listGroupsOutput, error) {
	found, err := p.User(in.UserPoolID, in.Username)
	if err != nil {
		return nil, err
	}
	return listedGroups(cfg, found.Groups, in.Limit, in.NextToken)
}

type listGroupsInput struct {
	UserPoolID string `json:"UserPoolId"`
	Limit      *int   `json:"Limit"`
	NextToken  string `json:"NextToken"`
}

func (p *Pools) listGroups(cfg pool.Pool, in *listGroupsInput) (*listGroupsOutput, error) {
	return listedGroups(cfg, cfg.Groups, in.Limit, in.NextToken)
}

func listedGroups(cfg pool.Pool, names []string, limit *int, after string) (*listGroupsOutput, error) {
	shown, next, err := page(names, limit, after, func(name string) groupOutput {
		group, _ := groupOf(cfg, name) // one of the pool's
		return group
	})
	return &listGroupsOutput{shown, next}, err
}

type groupInput struct {
	UserPoolID string `json:"UserPoolId"`
	GroupName  string `json:"GroupName"`
}

func (p *Pools) getGroup(cfg pool.Pool, in *groupInput) (map[string]groupOutput, error) {
	group, err := groupOf(cfg, in.GroupName)
	return map[string]groupOutput{"Group": group}, err
}

// refuseGroupChange refuses to change groups, which are part of the project.
func (p *Pools) refuseGroupChange(cfg pool.Pool, in *groupInput) (*emptyOutput, error) {
	return nil, invalid("Groups are part of the project: change them with %s", cfg.Command("gatewright add group NAME, "+
		"gatewright update group --order or gatewright remove group NAME", "amplify update auth"))
}

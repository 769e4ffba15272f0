package userpool

import (
	"encoding/base64"
	"slices"
	"strconv"

	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool/record"
)

// userOutput is UserType of the cloud's API.
type userOutput struct {
	Username             string      `json:"Username"`
	Attributes           []attribute `json:"Attributes"`
	UserCreateDate       epoch       `json:"UserCreateDate"`
	UserLastModifiedDate epoch       `json:"UserLastModifiedDate"`
	Enabled              bool        `json:"Enabled"`
	UserStatus           string      `json:"UserStatus"`
	MFAOptions           []mfaOption `json:"MFAOptions,omitempty"`
}

// outputOf is a user with these attributes only; none is all of them.
func outputOf(u *record.User, only []string) userOutput {
	attributes := attributesOf(u)
	if len(only) > 0 {
		attributes = slices.DeleteFunc(attributes, func(a attribute) bool { return !slices.Contains(only, a.Name) })
	}
	return userOutput{u.Name, attributes, epoch(u.Created), epoch(u.Modified), !u.Disabled, u.Status, mfaOptionsOf(u)}
}

type listUsersInput struct {
	UserPoolID      string   `json:"UserPoolId"`
	AttributesToGet []string `json:"AttributesToGet"`
	Limit           *int     `json:"Limit"`
	PaginationToken string   `json:"PaginationToken"`
	Filter          string   `json:"Filter"`
}

type listUsersOutput struct {
	Users           []userOutput `json:"Users"`
	PaginationToken string       `json:"PaginationToken,omitempty"`
}

func (p *Pools) listUsers(cfg pool.Pool, in *listUsersInput) (*listUsersOutput, error) {
	for _, name := range in.AttributesToGet {
		if !slices.Contains(standardAttributes, name) && (writer{cfg, true, true}).checkWritable(name) != nil {
			return nil, invalid("One or more requested attributes do not exist in user pool.")
		}
	}
	wanted, err := parseFilter(in.Filter)
	if err != nil {
		return nil, err
	}
	users, next, err := p.pageOfUsers(cfg, in.Limit, in.PaginationToken, wanted, in.AttributesToGet)
	return &listUsersOutput{users, next}, err
}

type listUsersInGroupInput struct {
	groupInput
	Limit     *int   `json:"Limit"`
	NextToken string `json:"NextToken"`
}

type listUsersInGroupOutput struct {
	Users     []userOutput `json:"Users"`
	NextToken string       `json:"NextToken,omitempty"`
}

func (p *Pools) listUsersInGroup(cfg pool.Pool, in *listUsersInGroupInput) (*listUsersInGroupOutput, error) {
	if _, err := groupOf(cfg, in.GroupName); err != nil {
		return nil, err
	}
	members := record.Search{Attribute: record.Membership, Value: in.GroupName}
	users, next, err := p.pageOfUsers(cfg, in.Limit, in.NextToken, members, nil)
	return &listUsersInGroupOutput{users, next}, err
}

// pageOfUsers lists users in an arbitrary order, as the cloud does. The token of the next page is
// the place of the last user.
func (p *Pools) pageOfUsers(
	cfg pool.Pool, limit *int, after string, wanted record.Search, only []string,
) (users []userOutput, next string, err error) {
	last, err := readPageToken(after)
	if err != nil {
		return nil, "", err
	}
	most := pageSize(limit)
	err = p.view(cfg, func(r record.Records) error {
		return r.Search(wanted, last, func(u *record.User, place string) bool {
			if len(users) == most {
				next = pageToken(last)
				return false
			}
			users, last = append(users, outputOf(u, only)), place
			return true
		})
	})
	return users, next, err
}

// page is a part of a short list, of what its names stand for. The token of the next page is its index.
func page[T any](names []string, limit *int, after string, of func(name string) T) (shown []T, next string, err error) {
	text, err := readPageToken(after)
	if err != nil {
		return nil, "", err
	}
	from := 0
	if text != "" {
		if from, err = strconv.Atoi(text); err != nil || from < 0 || from > len(names) {
			return nil, "", errPage
		}
	}
	to := min(from+pageSize(limit), len(names))
	if to < len(names) {
		next = pageToken(strconv.Itoa(to))
	}
	for _, name := range names[from:to] {
		shown = append(shown, of(name))
	}
	return shown, next, nil
}

// pageSize is the number of entries on a page: 60 by default, as in the cloud.
func pageSize(limit *int) int {
	if limit == nil || *limit == 0 {
		return mostListed
	}
	return *limit
}

var errPage = invalid("Invalid pagination token.")

// longestPlace is the most bytes of a place: a value, of which a filter has a part, before a sub.
const longestPlace = 2048

func pageToken(place string) string { return base64.RawURLEncoding.EncodeToString([]byte(place)) }

func readPageToken(text string) (string, error) {
	place, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(place) > longestPlace {
		return "", errPage
	}
	return string(place), nil
}

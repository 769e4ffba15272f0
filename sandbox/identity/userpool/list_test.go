package userpool_test

import (
	"fmt"
	"slices"
	"testing"

	"gatewright/sandbox/pages"
	"github.com/go-json-experiment/json"

	"gatewright/model"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool"
)

// names are the users in a list, sorted.
func names(t *testing.T, out object) []string {
	t.Helper()
	found := []string{}
	for _, each := range out["Users"].([]any) {
		found = append(found, each.(object)["Username"].(string))
	}
	slices.Sort(found)
	return found
}

func TestUsersAreFiltered(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("Ada", "email=Ada@example.com", "given_name=Ada", "phone_number=+41791234567")
	w.addConfirmed("adam", "email=adam@example.com", `name=A "quoted" \ name`)
	w.addSignedUp("bob", "email=bob@example.com")
	w.do("AdminDisableUser", object{"Username": "adam"})
	user, err := w.pools.User(poolID, "bob")
	if err != nil {
		t.Fatal(err)
	}
	for filter, want := range map[string]string{
		``: "[Ada adam bob]", `username = "ada"`: "[Ada]", `username ^= "AD"`: "[Ada adam]", `username^="ad"`: "[Ada adam]", `"username" = "bob"`: "[bob]",
		`email = "ada@EXAMPLE.com"`: "[Ada]", `email ^= "ada"`: "[Ada adam]", `phone_number = "+41791234567"`: "[Ada]", `given_name = "Ada"`: "[Ada]",
		`given_name = "ada"`: "[]", `given_name ^= ""`: "[Ada]", `name = "A \"quoted\" \\ name"`: "[adam]", `sub = "` + user.Sub + `"`: "[bob]",
		`cognito:user_status = "UNCONFIRMED"`: "[bob]", `cognito:user_status = "unconfirmed"`: "[bob]", `status = "Disabled"`: "[adam]", `status = "Enabled"`: "[Ada bob]",
		`username = "nobody"`: "[]",
	} {
		if got := fmt.Sprint(names(t, w.do("ListUsers", object{"Filter": filter}))); got != want {
			t.Errorf("%s gives %s, want %s", filter, got, want)
		}
	}
	for _, bad := range []string{"username", `username = ada`, `username = "ada`, `username = "ada" x`, `= "ada"`, `username > "ada"`, `username = 'ada'`, `username = "a\"`} {
		w.wantRefused("ListUsers", object{"Filter": bad}, "InvalidParameterException", "Error while parsing filter.")
	}
	w.wantRefused("ListUsers", object{"Filter": `custom:team = "x"`}, "InvalidParameterException", "Invalid search attribute: custom:team")
	w.wantRefused("ListUsers", object{"Limit": 61}, "InvalidParameterException", "")
	w.wantRefused("ListUsers", object{"Limit": -1}, "InvalidParameterException", "")

	shown := w.do("ListUsers", object{"Filter": `username = "ada"`, "AttributesToGet": []string{"email"}})["Users"].([]any)[0].(object)
	if values := valuesOf(t, shown["Attributes"]); len(values) != 1 || values["email"] != "Ada@example.com" || shown["UserStatus"] != "CONFIRMED" {
		t.Errorf("the user is %v", shown)
	}
	w.wantRefused("ListUsers", object{"AttributesToGet": []string{"nope"}}, "InvalidParameterException", "One or more requested attributes do not exist in user pool.")
}

func TestNewPoolHasNoUsers(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil, "Admins")
	for operation, in := range map[string]object{"ListUsers": {}, "ListUsersInGroup": {"GroupName": "Admins"}} {
		if users := w.do(operation, in)["Users"].([]any); len(users) != 0 {
			t.Errorf("%s gives %v", operation, users)
		}
	}
	w.wantRefused("ListUsersInGroup", object{"GroupName": "Owners"}, "ResourceNotFoundException", "Group not found.")
}

// manyUsers is a pool of many copies of one user, every tenth of them in Admins.
func manyUsers(t testing.TB, many int) *fixture {
	w := newFixture(t, nil, "Admins")
	w.addConfirmed("user00000", "email=user00000@example.com")
	w.stop()
	o := w.options()
	err := o.DB.Update(func(tx *pages.Tx) error {
		bucket := tx.Bucket([]byte("user pools")).Bucket([]byte(poolID))
		users, known := bucket.Bucket([]byte("users")), bucket.Bucket([]byte("names"))
		_, text := users.Cursor().First()
		for i := 1; i < many; i++ {
			var user map[string]any
			if err := json.Unmarshal(text, &user); err != nil {
				return err
			}
			name, sub := fmt.Sprintf("user%05d", i), fmt.Sprintf("%08d-0000-4000-8000-000000000000", i)
			user["name"], user["sub"], user["attributes"] = name, sub, map[string]any{"email": name + "@example.com"}
			if i%10 == 0 {
				user["groups"] = []string{"Admins"}
			}
			copied, err := json.Marshal(user)
			if err != nil {
				return err
			}
			if err := users.Put([]byte(sub), copied); err != nil {
				return err
			}
			if err := known.Put([]byte(name), []byte(sub)); err != nil {
				return err
			}
		}
		// So do older programs leave the file.
		return bucket.Put([]byte("rules"), []byte("username "))
	})
	if err != nil {
		t.Fatal(err)
	}
	if w.pools, err = userpool.New(o); err != nil {
		t.Fatal(err)
	}
	w.pools.Apply([]pool.Pool{w.pool})
	return w
}

func TestPagesListEveryUserOnce(t *testing.T) {
	t.Parallel()
	const many = 1000
	w := manyUsers(t, many)
	for _, c := range []struct {
		operation, token string
		in               object
		limit, want      int
	}{
		{"ListUsers", "PaginationToken", object{}, 60, many},
		{"ListUsers", "PaginationToken", object{"Limit": 0}, 60, many},
		{"ListUsers", "PaginationToken", object{"Limit": 7}, 7, many},
		{"ListUsers", "PaginationToken", object{"Limit": 50, "Filter": `username ^= "user009"`}, 50, 100},
		{"ListUsersInGroup", "NextToken", object{"GroupName": "Admins", "Limit": 33}, 33, 99},
	} {
		seen := make(map[string]bool)
		for next := any(nil); ; {
			in := object{}
			for name, value := range c.in {
				in[name] = value
			}
			if next != nil {
				in[c.token] = next
			}
			out := w.do(c.operation, in)
			page := names(t, out)
			if len(page) > c.limit {
				t.Fatalf("%s %v: a page of %d", c.operation, c.in, len(page))
			}
			for _, name := range page {
				if seen[name] {
					t.Fatalf("%s %v: %s is there twice", c.operation, c.in, name)
				}
				seen[name] = true
			}
			if next = out[c.token]; next == nil {
				break
			}
			if len(page) != c.limit {
				t.Fatalf("%s %v: a page of %d that is not the last", c.operation, c.in, len(page))
			}
		}
		if len(seen) != c.want {
			t.Errorf("%s %v gives %d users, want %d", c.operation, c.in, len(seen), c.want)
		}
	}
	for _, bad := range []string{"!", "AAA=", "A B"} {
		w.wantRefused("ListUsers", object{"PaginationToken": bad}, "InvalidParameterException", "Invalid pagination token.")
	}
}

// What a filter costs must not grow with the pool.
func BenchmarkList(b *testing.B) {
	for _, many := range []int{1000, 10_000, 100_000} {
		w := manyUsers(b, many)
		last := fmt.Sprintf("user%05d", many-1)
		for _, c := range []struct {
			name, operation string
			in              object
		}{
			{"all", "ListUsers", object{}},
			{"equal", "ListUsers", object{"Filter": `email = "` + last + `@example.com"`}},
			{"begins", "ListUsers", object{"Filter": `username ^= "` + last + `"`}},
			{"none", "ListUsers", object{"Filter": `status = "Disabled"`}},
			{"most", "ListUsers", object{"Filter": `cognito:user_status = "CONFIRMED"`}},
			{"group", "ListUsersInGroup", object{"GroupName": "Admins"}},
			{"get", "AdminGetUser", object{"Username": last}},
			{"describe", "DescribeUserPool", object{}},
			{"add", "AdminCreateUser", object{"MessageAction": "SUPPRESS", "TemporaryPassword": password}},
		} {
			b.Run(fmt.Sprintf("%s/users=%d", c.name, many), func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if c.name == "add" {
						c.in["Username"] = fmt.Sprintf("another%d-%d", b.N, i)
					}
					w.do(c.operation, c.in)
				}
			})
		}
	}
}

func TestPoolsAreDescribed(t *testing.T) {
	t.Parallel()
	w := newFixture(t, &model.Auth{
		PasswordPolicy: &model.PasswordPolicy{MinLength: pointer(12), RequireNumbers: pointer(true)}, StandardRequiredAttributes: []string{"email"},
		UsernameAttributes: []string{"email"}, UserVerificationTypes: []string{"email"}, MFAConfiguration: "REQUIRED",
	})
	w.addSignedUp("ada@example.com")
	d := w.do("DescribeUserPool", nil)["UserPool"].(object)
	policy := d["Policies"].(object)["PasswordPolicy"].(object)
	if d["Id"] != poolID || d["MfaConfiguration"] != "ON" || fmt.Sprint(d["UsernameAttributes"]) != "[email]" || d["AliasAttributes"] != nil ||
		d["EstimatedNumberOfUsers"] != 1.0 || d["CreationDate"] != float64(start.Unix()) || d["Arn"] != "arn:aws:cognito-idp:eu-west-1:123456789012:userpool/"+poolID {
		t.Errorf("the pool is %v", d)
	}
	if policy["MinimumLength"] != 12.0 || policy["RequireNumbers"] != true || policy["RequireSymbols"] != false {
		t.Errorf("the policy is %v", policy)
	}
	c := w.do("DescribeUserPoolClient", nil)["UserPoolClient"].(object)
	if c["ClientId"] != clientID || c["UserPoolId"] != poolID || !slices.Contains(c["ExplicitAuthFlows"].([]any), "ALLOW_USER_SRP_AUTH") || c["ClientSecret"] != nil {
		t.Errorf("the client is %v", c)
	}
	w.wantRefused("DescribeUserPoolClient", object{"ClientId": "other"}, "ResourceNotFoundException", "User pool client other does not exist.")
	pools := w.do("ListUserPools", object{"MaxResults": 10})["UserPools"].([]any)
	if len(pools) != 1 || pools[0].(object)["Id"] != poolID || pools[0].(object)["Name"] != "dev" {
		t.Errorf("the pools are %v", pools)
	}
	w.wantRefused("ListUserPools", nil, "InvalidParameterException", "")
	clients := w.do("ListUserPoolClients", object{"MaxResults": 10})["UserPoolClients"].([]any)
	if len(clients) != 1 || clients[0].(object)["ClientId"] != clientID {
		t.Errorf("the clients are %v", clients)
	}
	if empty := newFixture(t, nil).do("DescribeUserPool", nil)["UserPool"].(object); empty["MfaConfiguration"] != "OFF" || empty["CreationDate"] != nil {
		t.Errorf("an empty pool is %v", empty)
	}
}

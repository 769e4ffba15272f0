package aws_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/deploy/aws"
	"gatewright/deploy/awstest"
	"gatewright/deploy/contract"
	"gatewright/deploy/deploytest"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/test/depth"
)

// removed makes a room whose guarded environment was pushed, filled and removed: its table, its
// pools with a group, and its log group are in the account.
func removed(t *testing.T, o awstest.Options) *cloudRoom {
	t.Helper()
	b := cloudShop(t)
	b.Groups = []string{"Admins"}
	r := roomInCloud(t, b, archives(t), o)
	r.guard(true)
	deploytest.Must(t, r.push(pushOptions{}).err)
	r.fake.Fill("books-dev", 7)
	r.fake.Fill(r.pool(), 3)
	p := r.open()
	removal, err := r.aws.PrepareRemoval(t.Context(), p, p.Backend.Environment("dev"))
	deploytest.Must(t, err)
	_, err = removal.Apply(t.Context(), nil)
	deploytest.Must(t, err)
	deploytest.Must(t, p.Undeploy("dev"))
	return r
}

// pool is the id of the only user pool.
func (r *cloudRoom) pool() string {
	r.t.Helper()
	for name := range r.fake.Data() {
		if id, is := strings.CutPrefix(name, "AWS::Cognito::UserPool "); is {
			return id
		}
	}
	r.t.Fatal("there is no user pool")
	return ""
}

// mustHold checks that everything that the account held is there, and whose it is.
func (r *cloudRoom) mustHold(want map[string]awstest.Data, stack string) {
	r.t.Helper()
	has := r.fake.Data()
	for name, data := range want {
		data.Stack = stack
		if diff := cmp.Diff(data, has[name]); diff != "" {
			r.t.Errorf("%s is not as it was (-before +now):\n%s", name, diff)
		}
	}
	if len(has) != len(want) {
		r.t.Errorf("the account holds %v, and held %v", has, want)
	}
}

func TestARemovalKeepsTheGroupsOfAPoolThatStays(t *testing.T) {
	t.Parallel()
	r := removed(t, awstest.Options{})
	data := r.fake.Data()
	for _, name := range []string{"AWS::DynamoDB::Table books-dev", "AWS::Logs::LogGroup /aws/lambda/items-dev", "AWS::Cognito::UserPoolGroup Admins", "AWS::Cognito::UserPool " + r.pool()} {
		if data[name].Instance == "" {
			t.Errorf("%s is not kept: %v", name, data)
		}
	}
	if len(data) != 5 {
		t.Errorf("kept are %v", data)
	}
}

func TestWhatIsKeptIsInTheWayUntilItIsTakenOver(t *testing.T) {
	t.Parallel()
	r := removed(t, awstest.Options{})
	kept := r.fake.Data()
	before := len(r.fake.Stacks())
	o := r.push(pushOptions{})
	oneLine(t, o.err)
	var inTheWay *aws.InTheWay
	if !errors.Is(o.err, aws.ErrInTheWay) || !errors.As(o.err, &inTheWay) || !inTheWay.Adoptable() {
		t.Fatalf("the push ends with %v", o.err)
	}
	var lines []string
	for _, f := range inTheWay.Found {
		lines = append(lines, f.String())
	}
	all := strings.Join(lines, "\n")
	for _, want := range []string{"the table books, books-dev: 7 items, made 2026-", "the user pool, " + r.pool() + ": 3 users, made 2026-", "the log group of the function items, /aws/lambda/items-dev: 0 B", "the group Admins"} {
		if !strings.Contains(all, want) {
			t.Errorf("what is in the way is not told with %q:\n%s", want, all)
		}
	}
	if len(r.fake.Stacks()) != before {
		t.Error("a push that is refused makes a stack")
	}
	r.mustHold(kept, "")

	o = r.push(pushOptions{adopt: true})
	deploytest.Must(t, o.err)
	r.mustHold(kept, r.stackName("dev"))
	counts := make(map[contract.EventKind]int)
	for _, c := range o.prepared.Changes {
		counts[c.Kind]++
	}
	if counts[contract.Adopted] != 5 || counts[contract.Updated] != 0 || counts[contract.Deleted] != 0 || len(o.prepared.Adopted) != 5 {
		t.Errorf("the preview counts %v", counts)
	}
	if text := o.prepared.CountChanges(); !strings.HasPrefix(text, "AWS: 5 resources to adopt, ") {
		t.Errorf("the preview says %q", text)
	}
	r.mustBeAtRest(o)

	o = r.push(pushOptions{})
	if o.err != nil || o.prepared.Changed() {
		t.Errorf("the push after that: %v, changes %v", o.err, o.prepared)
	}
	if s, _ := r.fake.Stack(r.stackName("dev")); !s.Protected {
		t.Error("the stack can be deleted")
	}
	p := r.open()
	removal, err := r.aws.PrepareRemoval(t.Context(), p, p.Backend.Environment("dev"))
	deploytest.Must(t, err)
	left, err := removal.Apply(t.Context(), nil)
	deploytest.Must(t, err)
	if len(left) != 5 {
		t.Errorf("the second removal tells to keep %v", left)
	}
	r.mustHold(kept, "")
}

// TestTheDefinitionMayHaveChangedSince takes a table over into a definition with indexes and a
// stream, which the table gets, one index in an update.
func TestTheDefinitionMayHaveChangedSince(t *testing.T) {
	t.Parallel()
	r := removed(t, awstest.Options{})
	kept := r.fake.Data()
	r.guard(false)
	r.edit(func(b *model.Backend) error {
		table := *b.Table("books")
		text := func(name string) model.Key { return model.Key{Name: name, Type: model.StringKey} }
		table.Indexes = []model.Index{{Name: "byAuthor", PartitionKey: text("author")}, {Name: "byYear", PartitionKey: text("year")}}
		return edit.UpdateTable(b, &table)
	})
	o := r.push(pushOptions{adopt: true})
	deploytest.Must(t, o.err)
	if o.prepared.Updates != 3 {
		t.Errorf("the push takes %d updates", o.prepared.Updates)
	}
	r.mustHold(kept, r.stackName("dev"))
	r.mustBeAtRest(o)
	// A table that is to go does so, whatever the adoption said.
	p := r.open()
	removal, err := r.aws.PrepareRemoval(t.Context(), p, p.Backend.Environment("dev"))
	deploytest.Must(t, err)
	if !slices.Equal(removal.Lost, []string{"the table books"}) {
		t.Errorf("a removal would lose %v and keep %v", removal.Lost, removal.Kept)
	}
	_, err = removal.Apply(t.Context(), nil)
	deploytest.Must(t, err)
	for left := range r.fake.Data() {
		if strings.HasPrefix(left, "AWS::DynamoDB::Table") {
			t.Errorf("the removal leaves %s", left)
		}
	}
}

// TestWhatChangesOfATableThatIsTakenOverIsNamed: billing, stream, time to live, backups and protection,
// each, unless the definition has them.
func TestWhatChangesOfATableThatIsTakenOverIsNamed(t *testing.T) {
	t.Parallel()
	r := roomInCloud(t, cloudShop(t), archives(t), awstest.Options{})
	r.fake.Put("AWS::DynamoDB::Table", "books-dev", keyed("id", map[string]any{
		"BillingMode": "PROVISIONED", "ProvisionedThroughput": map[string]any{"ReadCapacityUnits": 5, "WriteCapacityUnits": 2},
		"StreamSpecification":              map[string]any{"StreamViewType": "KEYS_ONLY"},
		"TimeToLiveSpecification":          map[string]any{"AttributeName": "until", "Enabled": true},
		"PointInTimeRecoverySpecification": map[string]any{"PointInTimeRecoveryEnabled": true}, "DeletionProtectionEnabled": true,
	}))
	found := func(options pushOptions) string {
		o := r.push(options)
		var inTheWay *aws.InTheWay
		if !errors.As(o.err, &inTheWay) || len(inTheWay.Found) != 1 {
			t.Fatalf("the push ends with %v", o.err)
		}
		_, changes, _ := strings.Cut(inTheWay.Found[0].String(), "; ")
		return changes
	}
	const want = `it becomes what the definition says: billing PAY_PER_REQUEST in the definition, PROVISIONED there, ` +
		`read capacity 5 units, only there, write capacity 2 units, only there, stream of changes KEYS_ONLY, only there, ` +
		`items expire by until, only there, the expiry of items on, only there, point-in-time backups on, only there, ` +
		`protection from deletion on, only there; put the settings to keep into the definition`
	if got := found(pushOptions{}); got != want {
		t.Errorf("what changes is %s", got)
	}
	definition := func(ttl string) {
		r.edit(func(b *model.Backend) error {
			table := *b.Table("books")
			table.Billing, table.ReadCapacity, table.WriteCapacity, table.StreamView = model.Provisioned, 5, 2, "KEYS_ONLY"
			table.Recovery, table.Protected, table.TimeToLive, table.Deletion = true, true, ttl, ""
			return edit.UpdateTable(b, &table)
		})
	}
	definition("expires")
	if got := found(pushOptions{adopt: true}); !strings.Contains(got, "it cannot be adopted: its items expire by until, in the definition by expires") {
		t.Errorf("another attribute: %s", got)
	}
	definition("until")
	if got := found(pushOptions{}); got != "" {
		t.Errorf("of the same table changes %s", got)
	}
	o := r.push(pushOptions{adopt: true})
	deploytest.Must(t, o.err)
	r.mustBeAtRest(o)
}

// TestATableThatStaysIsInTheWayOfAnotherOne removes a table, which stays in the account, and adds one of
// its name.
func TestATableThatStaysIsInTheWayOfAnotherOne(t *testing.T) {
	t.Parallel()
	r := roomInCloud(t, cloudShop(t), archives(t), awstest.Options{})
	of, left := model.Ref{Kind: model.KindTable, Name: "left"}, &model.Table{Name: "left", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}
	r.edit(func(b *model.Backend) error { return edit.AddTable(b, left) })
	deploytest.Must(t, r.push(pushOptions{}).err)
	r.fake.Fill("left-dev", 3)
	r.edit(func(b *model.Backend) error { return edit.Remove(b, of, false) })
	deploytest.Must(t, r.push(pushOptions{allow: []string{"left"}}).err)
	r.edit(func(b *model.Backend) error { return edit.AddTable(b, left) })
	before := r.now()
	err := r.push(pushOptions{}).err
	oneLine(t, err)
	if !errors.Is(err, aws.ErrInTheWay) || !strings.HasSuffix(err.Error(), "the table left, left-dev, is in the account 123456789012, eu-central-1, and cannot be adopted: its environment is deployed, so it adopts nothing; remove it in AWS, or give the table another name") {
		t.Errorf("the push ends with %v", err)
	}
	r.mustBeAsBefore(before)
	if d := r.fake.Data()["AWS::DynamoDB::Table left-dev"]; d.Items != 3 {
		t.Errorf("the table has %d items", d.Items)
	}
}

// keyed are the properties of a table with a key of its own.
func keyed(name string, more map[string]any) map[string]any {
	properties := map[string]any{
		"BillingMode": "PAY_PER_REQUEST", "KeySchema": []any{map[string]any{"AttributeName": name, "KeyType": "HASH"}},
		"AttributeDefinitions": []any{map[string]any{"AttributeName": name, "AttributeType": "S"}},
	}
	for name, value := range more {
		properties[name] = value
	}
	return properties
}

// ownPool are the properties of a pool of the environment dev.
func ownPool(more map[string]any) map[string]any {
	properties := map[string]any{
		"UserPoolName": "shop-dev", "UsernameConfiguration": map[string]any{"CaseSensitive": false},
		"UserPoolTags": map[string]any{"gatewright:application": "app1", "gatewright:environment": "dev"},
	}
	for name, value := range more {
		properties[name] = value
	}
	return properties
}

func TestWhatCannotBeTakenOverIsToldBeforeAnythingHappens(t *testing.T) {
	t.Parallel()
	const table, pool = "AWS::DynamoDB::Table", "AWS::Cognito::UserPool"
	for name, tt := range map[string]struct {
		put  func(fake *awstest.Server)
		want string
	}{
		"another key": {func(f *awstest.Server) { f.Put(table, "books-dev", keyed("isbn", nil)) }, "its key is isbn (S), the key in the definition is id (S)"},
		"a local index": {func(f *awstest.Server) {
			f.Put(table, "books-dev", keyed("id", map[string]any{"LocalSecondaryIndexes": []any{map[string]any{"IndexName": "byYear"}}}))
		}, "local index byYear"},
		"its own encryption": {func(f *awstest.Server) {
			f.Put(table, "books-dev", keyed("id", map[string]any{"SSEDescription": map[string]any{"SSEType": "KMS", "KMSMasterKeyArn": "arn:aws:kms:x"}}))
		}, "encrypted with the key arn:aws:kms:x"},
		"another region": {func(f *awstest.Server) {
			f.Put(table, "books-dev", keyed("id", map[string]any{"Replicas": []any{map[string]any{"RegionName": "eu-west-1"}}}))
		}, "a replica in eu-west-1"},
		"names for sign-in": {func(f *awstest.Server) {
			f.Put(pool, "eu-central-1_1", ownPool(map[string]any{"UsernameAttributes": []any{"email"}}))
		}, "its users sign in with email, in the definition with a name"},
		"required attributes": {func(f *awstest.Server) {
			f.Put(pool, "eu-central-1_1", ownPool(map[string]any{"Schema": []any{map[string]any{"Name": "email", "Required": true}}}))
		}, "it requires email of users, the definition nothing"},
		"two pools": {func(f *awstest.Server) {
			f.Put(pool, "eu-central-1_1", ownPool(nil))
			f.Put(pool, "eu-central-1_2", ownPool(nil))
		}, "2 user pools match; choose one with --adopt-pool ID"},
		"a function": {func(f *awstest.Server) { f.Put("AWS::Lambda::Function", "items-dev", map[string]any{}) }, "the function items, items-dev, is in the account 123456789012, eu-central-1, and cannot be adopted: something else created it"},
	} {
		t.Run(name, func(t *testing.T) {
			r := roomInCloud(t, cloudShop(t), archives(t), awstest.Options{})
			tt.put(r.fake)
			held := r.fake.Data()
			for _, adopt := range []bool{false, true} {
				o := r.push(pushOptions{adopt: adopt})
				oneLine(t, o.err)
				if !errors.Is(o.err, aws.ErrInTheWay) || !strings.Contains(o.err.Error(), tt.want) {
					t.Errorf("the push (adopt %v) ends with %v, and should say %q", adopt, o.err, tt.want)
				}
			}
			if n := r.fake.Count("CreateChangeSet"); n > 0 {
				t.Errorf("%d change sets were made", n)
			}
			r.mustHold(held, "")
		})
	}
}

// TestAnAdoptionReadsAllPagesAndTellsWhatItLeaves has a pool with groups that the definition lacks, and as
// many identity pools as there are names.
func TestAnAdoptionReadsAllPagesAndTellsWhatItLeaves(t *testing.T) {
	t.Parallel()
	const group = ", which the definition does not have: it stays in the pool, and grants nothing"
	for _, tt := range []struct {
		identities []string
		notes      []string
		adopted    int
	}{
		{nil, []string{"the user pool eu-central-1_1 no longer has an identity pool, and gets a new one"}, 1},
		{[]string{"i:1"}, nil, 2},
		{[]string{"i:1", "i:2"}, []string{"2 identity pools use the user pool eu-central-1_1; none is adopted, and users get new identities in a new one"}, 1},
	} {
		r := roomInCloud(t, cloudShop(t), archives(t), awstest.Options{})
		r.fake.Put("AWS::Cognito::UserPool", "eu-central-1_1", ownPool(nil))
		r.fake.Serve("cognito-idp", func(q awstest.Request) (any, error) {
			var in struct{ NextToken string }
			deploytest.Must(t, q.Read(&in))
			switch q.Action + in.NextToken {
			case "ListUserPools":
				return map[string]any{"UserPools": []any{map[string]any{"Id": "eu-central-1_9", "Name": "shop-production"}}, "NextToken": "2"}, nil
			case "ListUserPools2":
				return map[string]any{"UserPools": []any{map[string]any{"Id": "eu-central-1_1", "Name": "before-dev"}}}, nil
			case "ListGroups":
				return map[string]any{"Groups": []any{map[string]any{"GroupName": "Old"}}, "NextToken": "2"}, nil
			case "ListGroups2":
				return map[string]any{"Groups": []any{map[string]any{"GroupName": "two words"}}}, nil
			}
			return nil, awstest.ErrUnserved
		})
		r.fake.Serve("cognito-identity", func(q awstest.Request) (any, error) {
			var in struct{ NextToken, IdentityPoolID string }
			deploytest.Must(t, q.Read(&in))
			all := []any{map[string]any{"IdentityPoolId": "i:other", "IdentityPoolName": "shop-dev"}, map[string]any{"IdentityPoolId": "i:far", "IdentityPoolName": "shop-prod"}}
			for _, id := range tt.identities {
				all = append(all, map[string]any{"IdentityPoolId": id, "IdentityPoolName": "before-dev"})
			}
			switch {
			case q.Action == "ListIdentityPools" && in.NextToken == "":
				return map[string]any{"IdentityPools": all[:2], "NextToken": "2"}, nil
			case q.Action == "ListIdentityPools":
				return map[string]any{"IdentityPools": all[2:]}, nil
			case in.IdentityPoolID == "i:other":
				return map[string]any{"IdentityPoolId": in.IdentityPoolID, "CognitoIdentityProviders": []any{map[string]any{"ProviderName": "x/eu-central-1_11"}}}, nil
			}
			return map[string]any{"IdentityPoolId": in.IdentityPoolID, "CognitoIdentityProviders": []any{map[string]any{"ProviderName": "x/y"}, map[string]any{"ProviderName": "x/eu-central-1_1"}}}, nil
		})
		x, err := r.dryRun(aws.PushOptions{Adopt: true})
		deploytest.Must(t, err)
		want := append([]string{`the user pool eu-central-1_1 has the group Old` + group, `the user pool eu-central-1_1 has the group "two words"` + group}, tt.notes...)
		if diff := cmp.Diff(want, x.Notes); diff != "" || len(x.Adopted) != tt.adopted {
			t.Errorf("with %q it takes over %d and notes (-want +got):\n%s", tt.identities, len(x.Adopted), diff)
		}
	}
}

func TestItemsAreSaidAsTheyWereCounted(t *testing.T) {
	t.Parallel()
	for want, scan := range map[string]func(awstest.Request) (any, error){
		"7 items, made": func(awstest.Request) (any, error) { return nil, awstest.ErrUnserved },
		"7 items when AWS last counted, made": func(awstest.Request) (any, error) {
			return nil, &awstest.Refusal{Code: "AccessDeniedException", Message: "not you"}
		},
		"at least 5 items, made": func(awstest.Request) (any, error) {
			return map[string]any{"Count": 5, "LastEvaluatedKey": map[string]any{"id": map[string]any{"S": "x"}}}, nil
		},
	} {
		r := roomInCloud(t, cloudShop(t), archives(t), awstest.Options{})
		r.fake.Put("AWS::DynamoDB::Table", "books-dev", keyed("id", nil))
		r.fake.Fill("books-dev", 7)
		r.fake.Serve("dynamodb", func(q awstest.Request) (any, error) {
			if q.Action == "Scan" {
				return scan(q)
			}
			return nil, awstest.ErrUnserved
		})
		var way *aws.InTheWay
		if err := r.push(pushOptions{}).err; !errors.As(err, &way) || len(way.Found) != 1 || !strings.HasPrefix(way.Found[0].Text, want) {
			t.Errorf("instead of %q the push ends with %v, %+v", want, err, way)
		}
	}
}

func TestAPoolIsChosenByItsID(t *testing.T) {
	t.Parallel()
	r := roomInCloud(t, cloudShop(t), archives(t), awstest.Options{})
	for _, id := range []string{"eu-central-1_1", "eu-central-1_2"} {
		r.fake.Put("AWS::Cognito::UserPool", id, ownPool(nil))
	}
	r.fake.Put("AWS::Cognito::UserPool", "eu-central-1_3", map[string]any{"UserPoolName": "others"})
	// What made a pool is in its tags, too.
	r.foreign("other", `{"Resources": {"T": {"Type": "AWS::SNS::Topic"}}}`, nil)
	other, _ := r.fake.Stack("other")
	tagged := ownPool(nil)
	tagged["UserPoolTags"].(map[string]any)["aws:cloudformation:stack-id"] = other.ID
	r.fake.Put("AWS::Cognito::UserPool", "eu-central-1_4", tagged)
	for id, want := range map[string]string{
		"eu-central-1_9": "has no user pool eu-central-1_9", "eu-central-1_3": "does not have the tags of this environment", "eu-central-1_4": "the user pool eu-central-1_4 belongs to the stack other;",
	} {
		if o := r.push(pushOptions{adopt: true, pool: id}); o.err == nil || !strings.Contains(o.err.Error(), want) {
			t.Errorf("a push with the pool %s ends with %v", id, o.err)
		} else {
			oneLine(t, o.err)
		}
	}
	deploytest.Must(t, r.push(pushOptions{pool: "eu-central-1_2"}).err)
	if has := r.fake.Data()["AWS::Cognito::UserPool eu-central-1_2"].Stack; has != r.stackName("dev") {
		t.Errorf("the pool belongs to %q", has)
	}
	if has := r.fake.Data()["AWS::Cognito::UserPool eu-central-1_1"].Stack; has != "" {
		t.Errorf("the other pool belongs to %q", has)
	}
}

func TestWhatBelongsToAnotherStackIsNotTakenOver(t *testing.T) {
	t.Parallel()
	r := roomInCloud(t, cloudShop(t), archives(t), awstest.Options{})
	deploytest.Must(t, r.push(pushOptions{}).err)
	owner := r.stackName("dev")
	// The environment has another branch now, and so another stack; its names are the same.
	r.edit(func(b *model.Backend) error {
		env := *b.Environment("dev")
		env.Branch = "other"
		return edit.UpdateEnvironment(b, &env)
	})
	o := r.push(pushOptions{adopt: true})
	oneLine(t, o.err)
	if !errors.Is(o.err, aws.ErrInTheWay) || !strings.Contains(o.err.Error(), "it belongs to the stack "+owner) {
		t.Errorf("the push ends with %v", o.err)
	}
}

// TestAPoolOfSomebodyElseIsLeftAlone has pools whose names are like that of the environment, and whose tags are not.
func TestAPoolOfSomebodyElseIsLeftAlone(t *testing.T) {
	t.Parallel()
	r := roomInCloud(t, cloudShop(t), archives(t), awstest.Options{})
	for id, tags := range map[string]map[string]any{
		"eu-central-1_1": nil, "eu-central-1_2": {"gatewright:application": "app2", "gatewright:environment": "dev"}, "eu-central-1_3": {"gatewright:application": "app1", "gatewright:environment": "prod"},
	} {
		r.fake.Put("AWS::Cognito::UserPool", id, ownPool(map[string]any{"UserPoolTags": tags}))
	}
	o := r.push(pushOptions{adopt: true})
	deploytest.Must(t, o.err)
	if len(o.prepared.Adopted) > 0 {
		t.Errorf("taken over is %+v", o.prepared.Adopted)
	}
	for _, id := range []string{"eu-central-1_1", "eu-central-1_2", "eu-central-1_3"} {
		if has := r.fake.Data()["AWS::Cognito::UserPool "+id].Stack; has != "" {
			t.Errorf("the pool %s belongs to %s", id, has)
		}
	}
}

// TestWhatAWSFindsInAnotherStackIsNamed has CloudFormation refuse the import, after the push has found nothing against it.
func TestWhatAWSFindsInAnotherStackIsNamed(t *testing.T) {
	t.Parallel()
	r := removed(t, awstest.Options{})
	kept := r.fake.Data()
	const owner = " already exists in stack arn:aws:cloudformation:eu-central-1:123456789012:stack/other/1f2e3d (it is)"
	for what, want := range map[string]string{
		"books-dev": "environment dev: the table books, books-dev, cannot be adopted: it belongs to the stack other; remove it there so that it stays, or give the environment another name; nothing has changed",
		"unknown":   "environment dev: AWS does not accept it: the service refuses the change set: environment dev: CloudFormation refuses CreateChangeSet: unknown" + owner + " (ValidationError); fix it and push again; nothing has changed",
	} {
		r.fake.Fail("CreateChangeSet", "ValidationError", what+owner, 1)
		if o := r.push(pushOptions{adopt: true}); o.err == nil || o.err.Error() != want {
			t.Errorf("the push ends with\n%v\nwant\n%s", o.err, want)
		}
		r.mustHold(kept, "")
	}
}

// TestWhatIsReplacedWhileItIsTakenOverIsTold has another table in the place of the one that the preview saw.
func TestWhatIsReplacedWhileItIsTakenOverIsTold(t *testing.T) {
	t.Parallel()
	r := removed(t, awstest.Options{})
	o := r.push(pushOptions{adopt: true, between: func(*aws.Push) {
		r.fake.Serve("dynamodb", func(q awstest.Request) (any, error) {
			return map[string]any{"Table": map[string]any{"TableName": "books-dev", "TableId": "another", "TableStatus": "ACTIVE"}}, nil
		})
	}})
	if want := "table books: the table books, books-dev, is no longer the one that was adopted; check in CloudTrail who replaced it"; !errors.Is(o.err, aws.ErrPushFailed) || o.err.Error() != want {
		t.Errorf("the push ends with\n%v\nwant\n%s", o.err, want)
	}
}

func TestAFailedAdoptionLeavesTheDataAsTheyWere(t *testing.T) {
	t.Parallel()
	r := removed(t, awstest.Options{})
	kept := r.fake.Data()
	r.fake.FailResource("AWS::Cognito::UserPool", "The pool cannot be read")
	o := r.push(pushOptions{adopt: true})
	oneLine(t, o.err)
	if text := o.err.Error(); !errors.Is(o.err, aws.ErrPushFailed) || !strings.Contains(text, "could not be adopted: The pool cannot be read") || !strings.HasSuffix(text, "all data is unchanged") {
		t.Errorf("the push ends with %v", o.err)
	}
	r.mustHold(kept, "")
	o = r.push(pushOptions{adopt: true})
	deploytest.Must(t, o.err)
	r.mustHold(kept, r.stackName("dev"))
	r.mustBeAtRest(o)
}

// TestTheRestOfAnAdoptionIsDoneByTheNextPush lets the update after an import fail.
func TestTheRestOfAnAdoptionIsDoneByTheNextPush(t *testing.T) {
	t.Parallel()
	r := removed(t, awstest.Options{})
	kept := r.fake.Data()
	r.fake.FailResource("AWS::Lambda::Function", "The code is too large")
	o := r.push(pushOptions{adopt: true})
	oneLine(t, o.err)
	if !errors.Is(o.err, aws.ErrPushFailed) || !strings.Contains(o.err.Error(), "the adopted resources stay in the stack") {
		t.Errorf("the push ends with %v", o.err)
	}
	r.mustHold(kept, r.stackName("dev"))
	state, err := r.look()
	deploytest.Must(t, err)
	if state.Deployment != nil || !strings.Contains(state.Note, "continue with: gatewright push --env dev --adopt") {
		t.Errorf("another machine sees %+v", state)
	}
	p := r.open()
	w, err := r.aws.Attach(t.Context(), p, p.Backend.Environment("dev"))
	deploytest.Must(t, err)
	if _, err := w.Follow(t.Context(), nil, nil); !errors.Is(err, aws.ErrPushFailed) {
		t.Errorf("following ends with %v", err)
	} else {
		oneLine(t, err)
	}
	removal, err := r.aws.PrepareRemoval(t.Context(), p, p.Backend.Environment("dev"))
	deploytest.Must(t, err)
	if len(removal.Kept) != 5 || len(removal.Lost) != 0 {
		t.Errorf("a removal would keep %v and lose %v", removal.Kept, removal.Lost)
	}
	// Whoever has consented once need not do so again, and can.
	if _, err := r.aws.Prepare(t.Context(), deploytest.Target(r.open(), "dev"), aws.PushOptions{}, nil); err != nil {
		t.Errorf("without consent again: %v", err)
	}
	o = r.push(pushOptions{adopt: true})
	deploytest.Must(t, o.err)
	if slices.ContainsFunc(o.prepared.Notes, func(note string) bool { return strings.Contains(note, "adopts nothing") }) {
		t.Errorf("the notes are %q", o.prepared.Notes)
	}
	r.mustHold(kept, r.stackName("dev"))
	r.mustBeAtRest(o)
}

// TestWhoeverFollowsAnImportIsToldOfTheRest leaves an adoption while it takes over what is there.
func TestWhoeverFollowsAnImportIsToldOfTheRest(t *testing.T) {
	t.Parallel()
	r := removed(t, awstest.Options{})
	kept := r.fake.Data()
	_, err := r.left(pushOptions{adopt: true}).Follow(t.Context(), nil, nil)
	if want := "environment dev: update 1 of 2 is done, and nobody is continuing the push; push again: gatewright push --env dev"; err == nil || err.Error() != want {
		t.Errorf("following ends with\n%v\nwant\n%s", err, want)
	}
	r.mustHold(kept, r.stackName("dev"))
	if _, err := project.ReadRecord(r.dir, "dev"); !errors.Is(err, project.ErrNeverDeployed) {
		t.Errorf("what is half done has a record: %v", err)
	}
	deploytest.Must(t, r.push(pushOptions{adopt: true}).err)
}

func TestWhoMayNotLookIsToldAndCanPush(t *testing.T) {
	t.Parallel()
	r := roomInCloud(t, cloudShop(t), archives(t), awstest.Options{})
	r.fake.Fail("ListUserPools", "AccessDeniedException", "User: ann is not authorized to perform: cognito-idp:ListUserPools", 1)
	o := r.push(pushOptions{})
	deploytest.Must(t, o.err)
	if !slices.ContainsFunc(o.prepared.Notes, func(note string) bool {
		return strings.Contains(note, "whether the account has a user pool is unknown")
	}) {
		t.Errorf("the notes are %q", o.prepared.Notes)
	}
}

// TestAnAdoptionThatIsCutAnywhereIsDoneByTheNextOne ends the network at calls all over an
// adoption, at some before they have their effect and at others afterwards.
func TestAnAdoptionThatIsCutAnywhereIsDoneByTheNextOne(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	depth.WithoutRace(t)
	between := depth.Rounds(97, 17, 5)
	for i, when := range []awstest.Moment{awstest.BeforeHandling, awstest.AfterHandling} {
		ended := false
		for at := 1 + i*between/2; !ended; at += between {
			r := removed(t, awstest.Options{Speed: 1000})
			kept := r.fake.Data()
			first := len(r.fake.Calls())
			r.fake.CutAt(first+at, when)
			r.fake.CutFrom(first + at + 1)
			o := r.push(pushOptions{adopt: true})
			ended = o.err == nil
			oneLine(t, o.err)
			r.calm()
			for name, data := range r.fake.Data() {
				if before, had := kept[name]; had && before.Instance != data.Instance {
					t.Errorf("cut at call %d: %s was made anew", at, name)
				}
			}
			o = r.push(pushOptions{adopt: true})
			if o.err != nil {
				t.Fatalf("after a cut at call %d the push ends with %v", at, o.err)
			}
			r.mustHold(kept, r.stackName("dev"))
			o = r.push(pushOptions{})
			if o.err != nil || o.prepared.Changed() {
				t.Errorf("cut at call %d: then the push is not up to date: %v", at, o.err)
			}
			if s, _ := r.fake.Stack(r.stackName("dev")); s.Tags["gatewright:environment"] != "dev" {
				t.Errorf("cut at call %d: the stack has the tags %v", at, s.Tags)
			}
		}
	}
}

package course_test

import (
	"strings"
	"testing"

	"gatewright/flow/course"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
)

// wrong is a wrong result of a task, and what the check must say about it.
type wrong struct {
	name string
	edit func(*model.Backend) error
	want string
}

// testRefused tests the check of a lesson with results that are wrong in one thing each.
func testRefused(t *testing.T, id string, results []wrong) {
	t.Helper()
	l := find(t, id)
	for _, r := range results {
		b := edited(t, solved(t, id), r.edit)
		missing := l.Check(b, goodFacts())
		if !strings.Contains(strings.Join(missing, "\n"), r.want) {
			t.Errorf("%s, %s: the check says %q, want %q", id, r.name, missing, r.want)
		}
	}
}

func path(name, function string, rules access.Access) *access.Path {
	return &access.Path{Name: name, Function: function, Access: rules}
}

var everybody = access.Access{Setting: access.Open}

func allow(guests, users, members access.Actions) access.Access {
	return access.Access{Setting: access.Protected, Grants: []access.Grant{
		{To: access.Principal{Kind: access.Guest}, Actions: guests},
		{To: access.Principal{Kind: access.Authenticated}, Actions: users},
		{To: access.Principal{Kind: access.Group, Group: "Editors"}, Actions: members},
	}}
}

const (
	read   = access.Actions(access.Read)
	change = access.Actions(access.Update | access.Delete)
)

func TestTheCheckNamesWhatIsWrongWithTheFirstAPI(t *testing.T) {
	t.Parallel()
	testRefused(t, "first-api", []wrong{
		{"another label", func(b *model.Backend) error {
			return edit.Rename(b, model.Ref{Kind: model.KindAPI, Name: "shop"}, "store")
		}, "There is no API shop, but there is store."},
		{"no API", func(b *model.Backend) error {
			return edit.Remove(b, model.Ref{Kind: model.KindAPI, Name: "shop"}, true)
		}, "There is no API shop yet."},
		{"another path", func(b *model.Backend) error {
			return edit.UpdatePath(b, "shop", "/books", path("/book", "books", everybody))
		}, "has no path /books, but there is /book."},
		{"restricted", func(b *model.Backend) error {
			return edit.UpdatePath(b, "shop", "/books", path("/books", "books", access.Access{Setting: access.Private, Grants: []access.Grant{{Actions: read}}}))
		}, "/books is restricted (signed-in users: read)"},
		{"without its function", func(b *model.Backend) error { b.Functions = nil; return nil }, "goes to the function books, which does not exist"},
	})
	if missing := find(t, "first-api").Check(&model.Backend{}, course.Facts{}); len(missing) != 1 || !strings.Contains(missing[0], "There is no project yet. Press ctrl+s on") {
		t.Errorf("without a project the check says %q", missing)
	}
}

func TestTheCheckNamesWhatIsWrongWithThePathOfABook(t *testing.T) {
	t.Parallel()
	testRefused(t, "paths", []wrong{
		{"another variable", func(b *model.Backend) error {
			return edit.UpdatePath(b, "shop", "/books/{isbn}", path("/books/{id}", "book", everybody))
		}, "must be /books/{isbn}, but it is /books/{id}: press enter and change it."},
		{"a text for a variable", func(b *model.Backend) error {
			return edit.UpdatePath(b, "shop", "/books/{isbn}", path("/books/isbn", "book", everybody))
		}, "but it is /books/isbn"},
		{"the same function", func(b *model.Backend) error {
			return edit.UpdatePath(b, "shop", "/books/{isbn}", path("/books/{isbn}", "books", everybody))
		}, "goes to the function books, like /books. Give it one of its own"},
		{"no path", func(b *model.Backend) error { return edit.RemovePath(b, "shop", "/books/{isbn}") }, "a request for /books/978 still goes to the function books"},
		{"the list is gone", func(b *model.Backend) error { return edit.RemovePath(b, "shop", "/books") }, "has no path /books, but there is /books/{isbn}"},
		{"its function is gone", func(b *model.Backend) error { b.Functions = b.Functions[1:]; return nil }, "goes to the function book, which does not exist"},
	})
}

func TestTheCheckNamesWhatIsWrongWithTheAccess(t *testing.T) {
	t.Parallel()
	set := func(a access.Access) func(*model.Backend) error {
		return func(b *model.Backend) error {
			return edit.UpdatePath(b, "shop", "/books/{isbn}", path("/books/{isbn}", "book", a))
		}
	}
	testRefused(t, "access", []wrong{
		{"open", set(everybody), "/books/{isbn} is open: anyone may do anything"},
		{"the one-group rule", set(allow(read, read, change)), "Members of Editors may not read /books/{isbn}. The path names their group, so the entry of the group is the only one"},
		{"members without delete", set(allow(read, read, read|access.Actions(access.Update))), "Members of Editors may not delete"},
		{"members with create", set(allow(read, read, access.EveryAction)), "Members of Editors may create /books/{isbn}, but should not."},
		{"guests with delete", set(allow(read|access.Actions(access.Delete), read, read|change)), "Guests may delete"},
		{"guests without read", set(access.Access{Setting: access.Private, Grants: allow(read, read, read|change).Grants[1:]}), "Guests may not read"},
		{"users without read", set(allow(read, access.Actions(access.Create), read|change)), "Signed-in users may not read"},
		{"users with create", set(allow(read, read|access.Actions(access.Create), read|change)), "Signed-in users may create"},
		{"no group named", set(access.Access{Setting: access.Protected, Grants: allow(read, read, 0).Grants[:2]}), "does not name the group Editors"},
		{"guests get no identity", func(b *model.Backend) error {
			auth, no := *b.Auth, false
			auth.UnauthenticatedIdentitiesEnabled = &no
			return edit.SetAuth(b, &auth)
		}, "Guests get no identity: unauthenticated_identities_enabled in auth.json is false"},
		{"another group", func(b *model.Backend) error {
			return edit.Rename(b, model.Ref{Kind: model.KindGroup, Name: "Editors"}, "Writers")
		}, "has no group Editors, but Writers"},
		{"the path is gone", func(b *model.Backend) error { return edit.RemovePath(b, "shop", "/books/{isbn}") }, "has no path /books/{isbn}"},
	})
}

func TestTheCheckNamesWhatIsWrongWithTheEnvironments(t *testing.T) {
	t.Parallel()
	change := func(name string, alter func(*model.Environment)) func(*model.Backend) error {
		return func(b *model.Backend) error {
			e := *b.Environment(name)
			alter(&e)
			return edit.UpdateEnvironment(b, &e)
		}
	}
	testRefused(t, "environments", []wrong{
		{"dev has it too", change("dev", func(e *model.Environment) { e.APIs = nil }), "The environment dev has the API stock too"},
		{"dev has nothing", change("dev", func(e *model.Environment) { e.APIs = []string{} }), "The environment dev does not have the API shop"},
		{"qa lacks it", change("qa", func(e *model.Environment) { e.APIs = []string{"shop"} }), "The environment qa does not have the API stock"},
		{"qa lacks the shop", change("qa", func(e *model.Environment) { e.APIs = []string{"stock"} }), "The environment qa does not have the API shop"},
		{"qa is in the cloud", change("qa", func(e *model.Environment) { e.Provider, e.Region = model.AWS, "eu-west-1" }), "qa has the provider aws"},
		{"another name", func(b *model.Backend) error {
			return edit.Rename(b, model.Ref{Kind: model.KindEnvironment, Name: "qa"}, "test")
		}, "There is no environment qa, but dev, test"},
		{"dev is gone", func(b *model.Backend) error {
			return edit.Remove(b, model.Ref{Kind: model.KindEnvironment, Name: "dev"}, true)
		}, "The environment dev no longer exists"},
		{"another API", func(b *model.Backend) error {
			return edit.Rename(b, model.Ref{Kind: model.KindAPI, Name: "stock"}, "store")
		}, "There is no API stock, but there is shop, store"},
		{"another path", func(b *model.Backend) error {
			return edit.UpdatePath(b, "stock", "/stock", path("/stocks", "stock", everybody))
		}, "has no path /stock, but there is /stocks"},
	})
}

func TestTheCheckNamesWhatIsWrongWithTheOutputs(t *testing.T) {
	t.Parallel()
	give := func(values model.Outputs) func(*model.Backend) error {
		return func(b *model.Backend) error { return edit.UpdateOutput(b, "covers", values) }
	}
	storage := map[string]any{"cloud_region": "eu-west-1", "bucket_name": "bookshop-covers"}
	mail := map[string]any{"supportMail": "help@bookshop.example"}
	testRefused(t, "outputs", []wrong{
		{"no storage", give(model.Outputs{"custom": mail}), "No output adds the section storage."},
		{"no region", give(model.Outputs{"custom": mail, "storage": map[string]any{"bucket_name": "bookshop-covers"}}), "has no cloud_region. A section that is not complete is left out"},
		{"no bucket", give(model.Outputs{"custom": mail, "storage": map[string]any{"cloud_region": "eu-west-1"}}), "has no bucket_name. A section that is not complete is left out"},
		{"another bucket", give(model.Outputs{"custom": mail, "storage": map[string]any{"cloud_region": "eu-west-1", "bucket_name": "covers"}}), "The bucket_name of storage is covers"},
		{"another region", give(model.Outputs{"custom": mail, "storage": map[string]any{"cloud_region": "us-east-1", "bucket_name": "bookshop-covers"}}), "The cloud_region of storage is us-east-1, but the bucket is in eu-west-1"},
		{"no mail", give(model.Outputs{"storage": storage}), "No output adds supportMail below custom."},
		{"a misspelled name", give(model.Outputs{"storage": storage, "custom": map[string]any{"suportMail": "help@bookshop.example"}}), "custom has suportMail, but the app looks for supportMail."},
		{"a number", give(model.Outputs{"storage": storage, "custom": map[string]any{"supportMail": 7}}), "which is not an email address"},
		{"no address", give(model.Outputs{"storage": storage, "custom": map[string]any{"supportMail": "the desk"}}), `supportMail below custom is "the desk"`},
		{"a definition", func(b *model.Backend) error {
			b.Outputs = nil
			return edit.SetStorage(b, &model.Storage{Region: "eu-west-1", BucketName: "bookshop-covers"})
		}, "storage.json, which is a definition"},
	})
}

func TestTheCheckNamesWhatWasNotTriedOrPushed(t *testing.T) {
	t.Parallel()
	l, b := find(t, "testing"), solved(t, "outputs")
	for want, change := range map[string]func(*course.Facts){
		"dev was never pushed.": func(f *course.Facts) { f.Pushed["dev"] = course.Push{Never: true} },
		"would change 2 things": func(f *course.Facts) { f.Pushed["dev"] = course.Push{Behind: 2} },
		"dev no longer exists":  func(f *course.Facts) { delete(f.Pushed, "dev") },
		"No request for /books has reached the function books in dev": func(f *course.Facts) { f.Called = map[string]bool{"dev/book": true, "qa/books": true} },
		"The event of the function books is missing":                  func(f *course.Facts) { f.Events = nil },
		"is not valid JSON":                func(f *course.Facts) { f.Events["books"] = `{"httpMethod": ` },
		"has the httpMethod POST, not GET": func(f *course.Facts) { f.Events["books"] = strings.ReplaceAll(goodEvent, "GET", "POST") },
		"has the path /book, not /books":   func(f *course.Facts) { f.Events["books"] = strings.ReplaceAll(goodEvent, "/books", "/book") },
		"has no limit":                     func(f *course.Facts) { f.Events["books"] = strings.ReplaceAll(goodEvent, "limit", "most") },
		`the limit 5, which is a number`:   func(f *course.Facts) { f.Events["books"] = strings.ReplaceAll(goodEvent, `"5"`, "5") },
		`not the text "5"`:                 func(f *course.Facts) { f.Events["books"] = strings.ReplaceAll(goodEvent, `"5"`, `"50"`) },
	} {
		facts := goodFacts()
		change(&facts)
		if missing := l.Check(b, facts); len(missing) != 1 || !strings.Contains(missing[0], want) {
			t.Errorf("the check says %q, want only %q", missing, want)
		}
	}
}

func TestWithoutNodeTheTaskNeedsNoRequest(t *testing.T) {
	t.Parallel()
	facts := goodFacts()
	facts.Node, facts.Called = false, nil
	if missing := find(t, "testing").Check(solved(t, "outputs"), facts); len(missing) > 0 {
		t.Errorf("without Node.js the check says %q", missing)
	}
}

func TestOnlyAFileThatCannotBeReadIsNamed(t *testing.T) {
	t.Parallel()
	facts := goodFacts()
	facts.Broken = []string{"backend/project.json:1:2: it is broken"}
	missing := course.Snapshot{Backend: &model.Backend{}, Facts: facts}.Missing(find(t, "first-api"))
	if len(missing) != 1 || missing[0] != "A file cannot be read: backend/project.json:1:2: it is broken" {
		t.Errorf("missing is %q", missing)
	}
}

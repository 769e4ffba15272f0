package template_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/render/template"
)

const (
	routesGo = "removes routes that are deleted or renamed"
	inTheWay = "removes resources that block new ones"
	oneIndex = "changes an index of a table"
)

func TestWhichChangesNeedAnUpdateBefore(t *testing.T) {
	t.Parallel()
	books := func(paths ...string) *model.Backend {
		a := api("shop")
		for _, name := range paths {
			a.Paths = append(a.Paths, accesstest.Open(name, "items"))
		}
		return backend(a)
	}
	tables := func(indexes ...model.Index) *model.Backend {
		b := books("/book")
		b.Tables = []*model.Table{{Name: "items", PartitionKey: model.Key{Name: "id", Type: model.StringKey}, Indexes: indexes}}
		return b
	}
	index := func(name, key string, kind model.KeyType) model.Index {
		return model.Index{Name: name, PartitionKey: model.Key{Name: key, Type: kind}}
	}
	many := func(paths ...int) *model.Backend {
		var all []*access.API
		for i, n := range paths {
			all = append(all, manyPaths(fmt.Sprintf("api%d", i), n))
		}
		return backend(all...)
	}
	signIn := func(domain string, names ...string) *model.Backend {
		b := shop()
		b.Auth = &model.Auth{UsernameAttributes: names, OAuth: &model.OAuth{Domain: domain, Scopes: []string{"openid"}, RedirectSignInURI: []string{"https://a.example"}, ResponseType: "code"}}
		return b
	}
	named := func(resource, deployed string) *model.Backend {
		b := backend(api("shop", accesstest.Open("/book", resource)))
		b.Functions[0].FunctionName, b.Functions[0].Schedule = deployed, "rate(1 day)"
		return b
	}
	twoAPIs := backend(api("shop", accesstest.Open("/book", "items")), api("other", accesstest.Open("/x", "items")))
	rules := shop()
	rules.APIs[0].Paths[0].Access.Setting = access.Open
	fewerGroups := shop()
	fewerGroups.Groups = fewerGroups.Groups[:1]
	for name, tt := range map[string]struct {
		was, is *model.Backend
		want    []string
	}{
		"nothing":                           {shop(), shop(), nil},
		"access":                            {shop(), rules, nil},
		"a group goes":                      {shop(), fewerGroups, nil},
		"a path comes":                      {books("/book"), books("/book", "/author"), nil},
		"a variable comes beside a path":    {books("/book"), books("/book", "/book/{isbn}"), []string{routesGo}},
		"a variable goes":                   {books("/book", "/book/{isbn}"), books("/book"), []string{routesGo}},
		"a variable gets another name":      {books("/book/{isbn}"), books("/book/{id}"), []string{routesGo}},
		"a path goes":                       {books("/book", "/author"), books("/book"), []string{routesGo}},
		"all paths are others":              {books("/book", "/author"), books("/a", "/b/{c}"), []string{routesGo}},
		"an API goes":                       {twoAPIs, books("/book"), nil},
		"an API comes":                      {books("/book"), twoAPIs, nil},
		"an API has another name":           {backend(api("shop", accesstest.Open("/", "f"))), backend(api("store", accesstest.Open("/", "f"))), nil},
		"APIs move into nested stacks":      {many(20, 30), many(75, 30), []string{routesGo}},
		"APIs move out of nested stacks":    {many(75, 30), many(20, 30), []string{routesGo}},
		"the largest API of several goes":   {many(30, 75), many(30), []string{routesGo}},
		"a path of a nested stack goes":     {many(75, 30), many(75, 29), []string{routesGo}},
		"a path of a nested stack comes":    {many(75, 30), many(75, 31), nil},
		"an index comes":                    {tables(), tables(index("a", "x", "string")), nil},
		"an index goes":                     {tables(index("a", "x", "string")), tables(), nil},
		"two indexes come":                  {tables(), tables(index("a", "x", "string"), index("b", "x", "string")), []string{oneIndex}},
		"four indexes go":                   {tables(index("a", "x", "string"), index("b", "y", "string"), index("c", "x", "string"), index("d", "x", "string")), tables(), []string{oneIndex, oneIndex, oneIndex}},
		"an index gets another key":         {tables(index("a", "x", "string")), tables(index("a", "y", "string")), []string{oneIndex}},
		"an attribute gets another type":    {tables(index("a", "x", "string"), index("b", "x", "string")), tables(index("a", "x", "number"), index("b", "x", "number")), []string{oneIndex, oneIndex, oneIndex}},
		"indexes are in another order":      {tables(index("a", "x", "string"), index("b", "y", "string")), tables(index("b", "y", "string"), index("a", "x", "string")), nil},
		"the pages to sign in move":         {signIn("books"), signIn("other-books"), []string{inTheWay}},
		"the pool of the pages is another":  {signIn("books"), signIn("books", "email"), []string{inTheWay}},
		"a function, not its deployed name": {named("items", "desk"), named("goods", "desk"), nil},
		"the name of a deployed function":   {named("items", "desk"), named("items", "shelf"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, s := range pushed(t, rendered(t, tt.was, "dev"), rendered(t, tt.is, "dev")) {
				got = append(got, s.Why)
				if moves := strings.HasPrefix(name, "APIs move") || strings.HasPrefix(name, "the largest"); (len(s.Interrupts) > 0) != moves {
					t.Errorf("it interrupts %v", s.Interrupts)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("the updates before are %q, want %q", got, tt.want)
			}
		})
	}
}

// TestATableWithAnotherKeyIsTakenAwayBefore: a table of the same name cannot be made beside it.
func TestATableWithAnotherKeyIsTakenAwayBefore(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string]func(*model.Table){
		"another key":            func(table *model.Table) { table.PartitionKey.Name = "number" },
		"another type":           func(table *model.Table) { table.PartitionKey.Type = model.NumberKey },
		"another key, and index": func(table *model.Table) { table.SortKey, table.Indexes = model.Key{}, nil },
	} {
		const reference = "${REGION}/${TABLE_ORDERS_NAME}"
		was, b := withVariables(shop(), reference), withVariables(shop(), reference)
		before := *b.Tables[1]
		before.Deletion = model.Delete
		table := before
		edit(&table)
		was.Tables[1], b.Tables[1] = &before, &table
		// Functions have its name and may use it; without it, they still have its name.
		steps := pushed(t, rendered(t, was, "dev"), rendered(t, b, "dev"))
		if len(steps) != 1 || steps[0].Why != inTheWay {
			t.Fatalf("%s: the updates before are %v", name, steps)
		}
		body := string(steps[0].Body)
		for text, want := range map[string]bool{`"TableName":"orders-dev"`: false, `:table/orders-dev/index/*"`: true, `"TABLE_ORDERS_NAME":"orders-dev"`: true, `"/","orders-dev"]]}`: true} {
			if strings.Contains(body, text) != want {
				t.Errorf("%s: that the update before has %s is %t", name, text, !want)
			}
		}
	}
	// Where tables stay in the account with their names, nothing helps but another name.
	b := shop()
	b.Tables[1] = &model.Table{Name: "orders", PartitionKey: model.Key{Name: "number", Type: model.StringKey}}
	for _, env := range []string{"dev", "prod"} {
		if steps := template.Steps(deployedAs(t, rendered(t, shop(), env)), rendered(t, b, env)); len(steps) > 0 {
			t.Errorf("a table that is kept is taken away first")
		}
	}
}

// TestAnUpdateBeforeKeepsWhatAnAPIAnswers: its deployment stays until the last update.
func TestAnUpdateBeforeKeepsWhatAnAPIAnswers(t *testing.T) {
	t.Parallel()
	was := rendered(t, backend(api("shop", accesstest.Open("/a", "f"), accesstest.Open("/b/{c}", "f"))), "dev")
	is := rendered(t, backend(api("shop", accesstest.Open("/b/{d}", "f"))), "dev")
	before := deployedAs(t, was)
	c := newCloud(t, before)
	want := fmt.Sprint(c.served())
	steps := template.Steps(before, is)
	if len(steps) != 1 {
		t.Fatalf("%d updates before", len(steps))
	}
	c.update(template.Deployed{Root: parsed(t, steps[0].Body)})
	if got := fmt.Sprint(c.served()); got != want || want == "" {
		t.Errorf("after the update before it answers %s, and before that %s", got, want)
	}
}

func TestTwoFunctionsWithOneDeployedNameAreRefused(t *testing.T) {
	t.Parallel()
	b := shop()
	b.Functions[0].FunctionName = "order-desk"
	want := "function orders: is deployed as order-desk, and so is the function items; give it another name"
	if got := refusalOf(t, b); got != want {
		t.Errorf("refused with %s", got)
	}
}

package expression

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/sandbox/table/attribute"
)

const (
	shelf = `{"n":{"N":"5"},"s":{"S":"a"},"ss":{"SS":["a","b"]},"ns":{"NS":["1"]},"bs":{"BS":["YQ=="]},"pair":{"BS":["Yg==","Yw=="]},"l":{"L":[{"S":"x"},{"S":"y"},{"S":"z"}]},
	"m":{"M":{"k":{"N":"1"},"l":{"L":[{"M":{"d":{"S":"deep"}}}]}}}}`
	shelfValues = `{":v":{"S":"v"},":w":{"S":"w"},":n":{"N":"2"},":ss":{"SS":["b","c"]},":all":{"SS":["b","a"]},":ns":{"NS":["1.0","2"]},":bs":{"BS":["YQ==","Yg=="]},":ones":{"BS":["YQ=="]},":l":{"L":[{"S":"n"}]}}`
)

// changedItem is an item with other attributes, and without those that are null.
func changedItem(t *testing.T, old, change string) string {
	t.Helper()
	var all, changed map[string]json.RawMessage
	for text, into := range map[string]*map[string]json.RawMessage{old: &all, "{" + change + "}": &changed} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
	for name, value := range changed {
		if all[name] = value; string(value) == "null" {
			delete(all, name)
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestUpdatesChangeAnItem(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"SET n = :v":                        `"n":{"S":"v"}`,
		"set (n) = :v":                      "",
		"SET n = n + :n":                    `"n":{"N":"7"}`,
		"SET n = :n - n":                    `"n":{"N":"-3"}`,
		"SET n = (n + :n)":                  `"n":{"N":"7"}`,
		"SET x = if_not_exists(x, :n) + :n": `"x":{"N":"4"}`,
		"SET n = if_not_exists(n, :v)":      `"n":{"N":"5"}`,

		"SET x = if_not_exists(x, if_not_exists(y, n))": `"x":{"N":"5"}`,
		"SET l = list_append(l, :l)":                    `"l":{"L":[{"S":"x"},{"S":"y"},{"S":"z"},{"S":"n"}]}`,
		"SET l = list_append(:l, l)":                    `"l":{"L":[{"S":"n"},{"S":"x"},{"S":"y"},{"S":"z"}]}`,
		"SET x = list_append(if_not_exists(x, :l), :l)": `"x":{"L":[{"S":"n"},{"S":"n"}]}`,
		"SET l[1] = :v":                                 `"l":{"L":[{"S":"x"},{"S":"v"},{"S":"z"}]}`,
		"SET l[9] = :v, l[5] = :w":                      `"l":{"L":[{"S":"x"},{"S":"y"},{"S":"z"},{"S":"w"},{"S":"v"}]}`,
		"REMOVE l[0], l[1]":                             `"l":{"L":[{"S":"z"}]}`,
		"SET l[0] = l[2] REMOVE l[2]":                   `"l":{"L":[{"S":"z"},{"S":"y"}]}`,
		"REMOVE l[9]":                                   `"l":{"L":[{"S":"x"},{"S":"y"},{"S":"z"}]}`,
		"SET m.k = m.k + :n, m.#new = :v":               `"m":{"M":{"k":{"N":"3"},"l":{"L":[{"M":{"d":{"S":"deep"}}}]},"new.one":{"S":"v"}}}`,
		"SET m.l[0].d = :v":                             `"m":{"M":{"k":{"N":"1"},"l":{"L":[{"M":{"d":{"S":"v"}}}]}}}`,
		"REMOVE m.k, m.l[0].d":                          `"m":{"M":{"l":{"L":[{"M":{}}]}}}`,
		"SET n = s, s = n":                              `"n":{"S":"a"},"s":{"N":"5"}`,
		"ADD n :n":                                      `"n":{"N":"7"}`,
		"ADD x :n, m.k :n":                              `"x":{"N":"2"},"m":{"M":{"k":{"N":"3"},"l":{"L":[{"M":{"d":{"S":"deep"}}}]}}}`,
		"ADD ss :ss":                                    `"ss":{"SS":["a","b","c"]}`,
		"ADD ns :ns":                                    `"ns":{"NS":["1","2"]}`,
		"ADD bs :bs":                                    `"bs":{"BS":["YQ==","Yg=="]}`,
		"ADD x :ss":                                     `"x":{"SS":["b","c"]}`,
		"DELETE ss :ss":                                 `"ss":{"SS":["a"]}`,
		"DELETE bs :bs, x :ss REMOVE n, nothing":        `"bs":null,"n":null`,
		"DELETE ss :all SET x = :v":                     `"ss":null,"x":{"S":"v"}`,
		"ADD two :bs DELETE bs :bs":                     `"bs":null,"two":{"BS":["YQ==","Yg=="]}`,
		"ADD pair :bs":                                  `"pair":{"BS":["Yg==","Yw==","YQ=="]}`,
		"DELETE pair :bs":                               `"pair":{"BS":["Yw=="]}`,
		"DELETE pair :ones":                             `"pair":{"BS":["Yg==","Yw=="]}`,
		"REMOVE l[0], l[2]":                             `"l":{"L":[{"S":"y"}]}`,
		"REMOVE l[2] SET l[7] = :v, l[3] = :w":          `"l":{"L":[{"S":"x"},{"S":"y"},{"S":"w"},{"S":"v"}]}`,
		"SET l[9] = :v REMOVE l[5]":                     `"l":{"L":[{"S":"x"},{"S":"y"},{"S":"z"},{"S":"v"}]}`,
	} {
		n := names(t, `{"#new":"new.one"}`, shelfValues)
		u, err := ParseUpdate(text, n)
		if want == "" {
			if err == nil {
				t.Errorf("%s is accepted", text)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		old := item(t, shelf)
		before := string(old.AppendJSON(nil))
		got, _, err := u.Apply(old)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if whole := string(item(t, changedItem(t, shelf, want)).AppendJSON(nil)); string(got.AppendJSON(nil)) != whole {
			t.Errorf("%s:\n got %s\nwant %s", text, got.AppendJSON(nil), whole)
		}
		if after := string(old.AppendJSON(nil)); after != before {
			t.Errorf("%s changed the old item: %s", text, after)
		}
	}
}

func TestAnUpdateMakesAnItemThatDoesNotExist(t *testing.T) {
	t.Parallel()
	u, err := ParseUpdate("SET a = :v ADD n :n DELETE ss :ss REMOVE r", names(t, "", shelfValues))
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := u.Apply(nil)
	if err != nil || string(got.AppendJSON(nil)) != `{"a":{"S":"v"},"n":{"N":"2"}}` {
		t.Errorf("%s, %v", got.AppendJSON(nil), err)
	}
	got, touched, err := (*Update)(nil).Apply(nil)
	if got == nil || touched != nil || err != nil {
		t.Errorf("no update of no item: %v, %v, %v; want an empty item", got, touched, err)
	}
}

func TestWhatAnUpdateTouchedIsFoundInTheOldAndInTheNewItem(t *testing.T) {
	t.Parallel()
	u, err := ParseUpdate("SET m.k = :v, l[7] = :w, fresh = :v REMOVE s ADD n :n", names(t, "", shelfValues))
	if err != nil {
		t.Fatal(err)
	}
	old := item(t, shelf)
	got, touched, err := u.Apply(old)
	if err != nil {
		t.Fatal(err)
	}
	if text := string(touched.Apply(old).AppendJSON(nil)); text != `{"m":{"M":{"k":{"N":"1"}}},"n":{"N":"5"},"s":{"S":"a"}}` {
		t.Errorf("UPDATED_OLD: %s", text)
	}
	if text := string(touched.Apply(got).AppendJSON(nil)); text != `{"fresh":{"S":"v"},"l":{"L":[{"S":"w"}]},"m":{"M":{"k":{"S":"v"}}},"n":{"N":"7"}}` {
		t.Errorf("UPDATED_NEW: %s", text)
	}
	if u.Paths()[1][1].Index != 7 {
		t.Errorf("applying changed the update: %v", u.Paths())
	}
}

func TestUpdatesThatTheItemRefuses(t *testing.T) {
	t.Parallel()
	const operand, path, missing = "An operand in the update expression has an incorrect data type",
		"The document path provided in the update expression is invalid for update",
		"The provided expression refers to an attribute that does not exist in the item"
	for text, want := range map[string]string{
		"SET n = x":                  missing,
		"SET n = x + :n":             missing,
		"SET l = list_append(x, :l)": missing,
		"SET n = s + :n":             operand,
		"SET l = list_append(l, n)":  operand,
		"ADD s :n":                   operand,
		"ADD ss :ns":                 operand,
		"DELETE n :ss":               operand,
		"SET x.y = :v":               path,
		"SET n.y = :v":               path,
		"SET m[0] = :v":              path,
		"SET l.k = :v":               path,
		"SET l[9].k = :v":            path,
		"REMOVE x.y":                 path,
		"SET n = n + :huge":          "Number overflow. Attempting to store a number with magnitude larger than supported range",
		"SET m.k = :deep":            "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit",
	} {
		n := names(t, "", shelfValues)
		n.Values[":huge"] = &attribute.Value{Kind: attribute.N, Text: "9" + strings.Repeat("0", 125)}
		n.Values[":deep"] = &attribute.Value{Kind: attribute.S, Text: "x"}
		for range 31 {
			n.Values[":deep"] = &attribute.Value{Kind: attribute.L, List: []*attribute.Value{n.Values[":deep"]}}
		}
		u, err := ParseUpdate(text, n)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		_, _, err = u.Apply(item(t, shelf))
		if got := messageOf(t, err); got != want {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestAValueMayBeNestedAsDeepAsTheServiceAllows(t *testing.T) {
	t.Parallel()
	for what, nest := range map[string]func(*attribute.Value) *attribute.Value{
		"lists": func(v *attribute.Value) *attribute.Value {
			return &attribute.Value{Kind: attribute.L, List: []*attribute.Value{{Kind: attribute.NULL}, v}}
		},
		"maps": func(v *attribute.Value) *attribute.Value {
			return &attribute.Value{Kind: attribute.M, Map: attribute.Item{"a": v}}
		},
	} {
		n, deep := names(t, "", shelfValues), &attribute.Value{Kind: attribute.S, Text: "x"}
		for levels := range attribute.MostLevels + 1 {
			n.Values[":deep"] = deep
			for text, above := range map[string]int{"SET x = :deep": 0, "SET m.k = :deep": 1, "SET m.l[0].d = :deep": 3} {
				u, err := ParseUpdate(text, n)
				if err != nil {
					t.Fatal(err)
				}
				if _, _, err = u.Apply(item(t, shelf)); (err == nil) != (levels+above < attribute.MostLevels) {
					t.Errorf("%s, %d levels of %s: %v", text, levels, what, err)
				}
			}
			deep = nest(deep)
		}
	}
}

func TestAttributeUpdates(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`{"n":{"Value":{"S":"v"}},"x.y":{"Action":"PUT","Value":{"S":"w"}}}`:      `{"l":{"L":[{"S":"a"}]},"n":{"S":"v"},"ss":{"SS":["a","b"]},"x.y":{"S":"w"}}`,
		`{"n":{"Action":"ADD","Value":{"N":"2"}}}`:                                `{"l":{"L":[{"S":"a"}]},"n":{"N":"7"},"ss":{"SS":["a","b"]}}`,
		`{"l":{"Action":"ADD","Value":{"L":[{"S":"b"}]}}}`:                        `{"l":{"L":[{"S":"a"},{"S":"b"}]},"n":{"N":"5"},"ss":{"SS":["a","b"]}}`,
		`{"ss":{"Action":"DELETE","Value":{"SS":["a"]}},"n":{"Action":"DELETE"}}`: `{"l":{"L":[{"S":"a"}]},"ss":{"SS":["b"]}}`,
		`{}`: `{"l":{"L":[{"S":"a"}]},"n":{"N":"5"},"ss":{"SS":["a","b"]}}`,
	} {
		u, err := FromAttributeUpdates(jsontext.Value(raw))
		if err != nil {
			t.Errorf("%s: %v", raw, err)
			continue
		}
		got, _, err := u.Apply(item(t, `{"n":{"N":"5"},"ss":{"SS":["a","b"]},"l":{"L":[{"S":"a"}]}}`))
		if err != nil || string(got.AppendJSON(nil)) != want {
			t.Errorf("%s:\n got %s, %v\nwant %s", raw, got.AppendJSON(nil), err, want)
		}
	}
	u, err := FromAttributeUpdates(jsontext.Value(`{"s":{"Action":"ADD","Value":{"N":"2"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := u.Apply(item(t, `{"s":{"S":"a"}}`)); messageOf(t, err) != "Type mismatch for attribute to update" {
		t.Error(err)
	}
}

func TestAttributeUpdatesThatAreRefused(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`{"a":null}`:             "Supplied AttributeValueUpdate is empty, must contain one of the supported actions",
		`{"a":{}}`:               "One or more parameter values were invalid: Only DELETE action is allowed when no attribute value is specified",
		`{"a":{"Action":"ADD"}}`: "One or more parameter values were invalid: Only DELETE action is allowed when no attribute value is specified",
		`{"a":{"Action":"DELETE","Value":{"N":"1"}}}`: "One or more parameter values were invalid: DELETE action with value is not supported for the type N",
		`{"a":{"Action":"ADD","Value":{"B":"YQ=="}}}`: "One or more parameter values were invalid: ADD action is not supported for the type B",
		`{"a":{"Value":{"N":"x"}}}`:                   "The parameter cannot be converted to a numeric value: x",
		`{"a":{"Action":"XOR","Value":{"N":"1"}}}`:    "1 validation error detected: Value 'XOR' at 'attributeUpdates.a.member.action' failed to satisfy constraint: Member must satisfy enum value set: [ADD, DELETE, PUT]",
	} {
		_, err := FromAttributeUpdates(jsontext.Value(raw))
		if got := messageOf(t, err); got != want {
			t.Errorf("%s:\n got %s\nwant %s", raw, got, want)
		}
	}
}

package expression

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/sandbox/table/attribute"
)

// refusedWell fails if an error cannot be sent on the wire.
func refusedWell(t *testing.T, err error) {
	t.Helper()
	var e *attribute.Error
	if err != nil && (!errors.As(err, &e) || e.Code == "" || e.Message == "") {
		t.Fatalf("%v cannot be sent on the wire", err)
	}
}

func FuzzExpressions(f *testing.F) {
	for _, text := range []string{
		"pk = :s AND (sk BETWEEN :n AND :m OR NOT size(l[0].#x) IN (:n, :m))", "attribute_type(a, :type)", "((a)) = b", "begins_with(a,:s)",
		"SET a = if_not_exists(b, :n) + :n, l[9] = list_append(l, :l) REMOVE m.k, l[0] ADD n :n DELETE ss :ss", "a, m.k, l[1]", "contains(((", "_", "a[1", "#", ":",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		i := item(t, `{"a":{"S":"1"},"n":{"N":"1"},"ss":{"SS":["1"]},"l":{"L":[{"S":"x"},{"N":"1"}]},"m":{"M":{"k":{"S":"2"},"l":{"L":[]}}}}`)
		before := string(i.AppendJSON(nil))
		c, err := ParseCondition("FilterExpression", text, names(t, `{"#x":"x"}`, everyKind))
		refusedWell(t, err)
		if err == nil {
			c.Holds(i)
		}
		_, err = ParseKeyCondition(text, names(t, `{"#x":"x"}`, everyKind), "pk", "sk")
		refusedWell(t, err)
		p, err := ParseProjection(text, names(t, `{"#x":"x"}`, everyKind))
		refusedWell(t, err)
		if err == nil {
			// A projection is a part of the item.
			if got := p.Apply(i).Size(); got > i.Size() {
				t.Fatalf("%q projects %d bytes of %d", text, got, i.Size())
			}
		}
		u, err := ParseUpdate(text, names(t, `{"#x":"x"}`, everyKind))
		refusedWell(t, err)
		if err == nil {
			_, _, err = u.Apply(i)
			refusedWell(t, err)
			if after := string(i.AppendJSON(nil)); after != before {
				t.Fatalf("%q changed the old item: %s", text, after)
			}
		}
	})
}

func FuzzOlderParameters(f *testing.F) {
	for _, raw := range []string{
		`{"a":{"ComparisonOperator":"BETWEEN","AttributeValueList":[{"N":"1"},{"N":"2"}]}}`, `{"a":{"Value":{"S":"x"},"Exists":true}}`,
		`{"a":{"Action":"ADD","Value":{"N":"1"}}}`, `{"a":null}`, `{"a":{"ComparisonOperator":"NULL"},"b":{"ComparisonOperator":"IN","AttributeValueList":[]}}`, `[]`,
	} {
		f.Add(raw, "OR")
	}
	f.Fuzz(func(t *testing.T, raw, operator string) {
		i := item(t, `{"a":{"S":"1"},"b":{"N":"1"}}`)
		c, err := FromFilter("ScanFilter", jsontext.Value(raw), operator)
		refusedWell(t, err)
		if err == nil {
			c.Holds(i)
		}
		c, err = FromExpected(jsontext.Value(raw), operator)
		refusedWell(t, err)
		if err == nil {
			c.Holds(i)
		}
		_, err = FromKeyConditions(jsontext.Value(raw), "a", "b")
		refusedWell(t, err)
		u, err := FromAttributeUpdates(jsontext.Value(raw))
		refusedWell(t, err)
		if err == nil {
			_, _, err = u.Apply(i)
			refusedWell(t, err)
		}
	})
}

func TestDeepExpressionsAreRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{strings.Repeat("(", 4096), strings.Repeat("NOT ", 1024), strings.Repeat("size(", 819), "SET a = " + strings.Repeat("(", 4000)} {
		if _, err := ParseCondition("FilterExpression", text, nil); err == nil {
			t.Errorf("%.10s... is accepted as a condition", text)
		}
		if _, err := ParseUpdate(text, nil); err == nil {
			t.Errorf("%.10s... is accepted as an update", text)
		}
	}
}

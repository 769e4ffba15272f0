package expression

import (
	"slices"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

const legacyItem = `{"s":{"S":"abc"},"n":{"N":"5"},"ss":{"SS":["a","b"]},"a.b":{"N":"1"}}`

func TestLegacyFilters(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]bool{
		`{"s":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"abc"}]}}`:               true,
		`{"s":{"ComparisonOperator":"NE","AttributeValueList":[{"S":"abc"}]}}`:               false,
		`{"gone":{"ComparisonOperator":"NE","AttributeValueList":[{"S":"abc"}]}}`:            true,
		`{"n":{"ComparisonOperator":"LE","AttributeValueList":[{"N":"5.0"}]}}`:               true,
		`{"n":{"ComparisonOperator":"LT","AttributeValueList":[{"N":"5"}]}}`:                 false,
		`{"n":{"ComparisonOperator":"GE","AttributeValueList":[{"N":"5"}]}}`:                 true,
		`{"n":{"ComparisonOperator":"GT","AttributeValueList":[{"N":"10"}]}}`:                false,
		`{"n":{"ComparisonOperator":"BETWEEN","AttributeValueList":[{"N":"1"},{"N":"10"}]}}`: true,
		`{"n":{"ComparisonOperator":"IN","AttributeValueList":[{"N":"1"},{"N":"5"}]}}`:       true,
		`{"s":{"ComparisonOperator":"BEGINS_WITH","AttributeValueList":[{"S":"ab"}]}}`:       true,
		`{"s":{"ComparisonOperator":"CONTAINS","AttributeValueList":[{"S":"bc"}]}}`:          true,
		`{"ss":{"ComparisonOperator":"CONTAINS","AttributeValueList":[{"S":"b"}]}}`:          true,
		`{"ss":{"ComparisonOperator":"NOT_CONTAINS","AttributeValueList":[{"S":"c"}]}}`:      true,
		`{"gone":{"ComparisonOperator":"NOT_CONTAINS","AttributeValueList":[{"S":"c"}]}}`:    false,
		`{"s":{"ComparisonOperator":"NULL"}}`:                                                false,
		`{"gone":{"ComparisonOperator":"NULL"}}`:                                             true,
		`{"s":{"ComparisonOperator":"NOT_NULL","AttributeValueList":[]}}`:                    true,
		`{"a.b":{"ComparisonOperator":"EQ","AttributeValueList":[{"N":"1"}]}}`:               true,
		`{"s":{"ComparisonOperator":"NOT_NULL"},"gone":{"ComparisonOperator":"NOT_NULL"}}`:   false,
	} {
		c, err := FromFilter("ScanFilter", jsontext.Value(raw), "")
		if err != nil {
			t.Errorf("%s: %v", raw, err)
			continue
		}
		if got := c.Holds(item(t, legacyItem)); got != want {
			t.Errorf("%s: %v", raw, got)
		}
	}
}

func TestAConditionalOperatorJoins(t *testing.T) {
	t.Parallel()
	const both = `{"s":{"ComparisonOperator":"NOT_NULL"},"gone":{"ComparisonOperator":"NOT_NULL"}}`
	for operator, want := range map[string]bool{"OR": true, "AND": false} {
		c, err := FromFilter("QueryFilter", jsontext.Value(both), operator)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Holds(item(t, legacyItem)); got != want {
			t.Errorf("%s: %v", operator, got)
		}
		if got := c.Names(); !slices.Equal(got, []string{"gone", "s"}) {
			t.Error(got)
		}
	}
	for _, c := range []struct{ raw, operator, want string }{
		{``, "OR", "ConditionalOperator cannot be used without Filter or Expected"},
		{`{}`, "AND", "ConditionalOperator cannot be used without Filter or Expected"},
		{`{"s":{"ComparisonOperator":"NULL"}}`, "OR", "ConditionalOperator can only be used when Filter or Expected has two or more elements"},
	} {
		_, err := FromFilter("QueryFilter", jsontext.Value(c.raw), c.operator)
		if got := messageOf(t, err); got != c.want {
			t.Errorf("%s %s:\n got %s\nwant %s", c.raw, c.operator, got, c.want)
		}
		if _, err := FromExpected(jsontext.Value(c.raw), c.operator); err == nil {
			t.Errorf("%s %s is accepted in Expected", c.raw, c.operator)
		}
	}
}

func TestExpectedHoldsWithOperatorsAndWithValueAndExists(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]bool{
		`{"s":{"Value":{"S":"abc"}}}`:             true,
		`{"s":{"Value":{"S":"x"},"Exists":true}}`: false,
		`{"gone":{"Exists":false}}`:               true,
		`{"s":{"Exists":false}}`:                  false,
		`{"s":{"ComparisonOperator":"BEGINS_WITH","AttributeValueList":[{"S":"ab"}]}}`: true,
		`{"s":{"ComparisonOperator":"EQ","Value":{"S":"abc"}}}`:                        true,
		`{"s":{"ComparisonOperator":"NULL"}}`:                                          false,
	} {
		c, err := FromExpected(jsontext.Value(raw), "")
		if err != nil {
			t.Errorf("%s: %v", raw, err)
			continue
		}
		if got := c.Holds(item(t, legacyItem)); got != want {
			t.Errorf("%s: %v", raw, got)
		}
	}
	if c, err := FromExpected(nil, ""); c != nil || err != nil {
		t.Errorf("no Expected is %v, %v; want no condition", c, err)
	}
}

func TestExpectedThatIsRefused(t *testing.T) {
	t.Parallel()
	const invalid = "One or more parameter values were invalid: "
	for raw, want := range map[string]string{
		`{"a":{}}`:              invalid + "Value must be provided when Exists is null for Attribute: a",
		`{"a":{"Exists":true}}`: invalid + "Value must be provided when Exists is true for Attribute: a",
		`{"a":{"Exists":false,"Value":{"S":"x"}}}`:                                           invalid + "Value cannot be used when Exists is false for Attribute: a",
		`{"a":{"AttributeValueList":[]}}`:                                                    invalid + "AttributeValueList can only be used with a ComparisonOperator for Attribute: a",
		`{"a":{"AttributeValueList":[],"Value":{"S":"x"}}}`:                                  invalid + "Value and AttributeValueList cannot be used together for Attribute: a",
		`{"a":{"ComparisonOperator":"EQ","Exists":true,"Value":{"S":"x"}}}`:                  invalid + "Exists and ComparisonOperator cannot be used together for Attribute: a",
		`{"a":{"ComparisonOperator":"LT"}}`:                                                  invalid + "Value or AttributeValueList must be used with ComparisonOperator: LT for Attribute: a",
		`{"a":{"ComparisonOperator":"BETWEEN","Value":{"S":"x"}}}`:                           invalid + "Invalid number of argument(s) for the BETWEEN ComparisonOperator",
		`{"a":{"ComparisonOperator":"NULL","Value":{"S":"x"}}}`:                              invalid + "Invalid number of argument(s) for the NULL ComparisonOperator",
		`{"a":{"ComparisonOperator":"IN","AttributeValueList":[{"S":"x"},{"N":"1"}]}}`:       invalid + "AttributeValues inside AttributeValueList must be of same type",
		`{"a":{"ComparisonOperator":"BETWEEN","AttributeValueList":[{"N":"10"},{"N":"9"}]}}`: "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound",
		`{"a":null}`:                "The filter condition for an attribute cannot be null",
		`{"a":{"Value":{"N":"x"}}}`: "The parameter cannot be converted to a numeric value: x",
	} {
		_, err := FromExpected(jsontext.Value(raw), "")
		if got := messageOf(t, err); got != want {
			t.Errorf("%s:\n got %s\nwant %s", raw, got, want)
		}
	}
}

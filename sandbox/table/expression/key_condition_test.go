package expression

import (
	"fmt"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// describe is a key condition in one line.
func describe(k KeyCondition) string {
	out := k.Partition.Text
	if k.Sort != nil {
		out += fmt.Sprintf(" %s %s", k.Sort.Op, k.Sort.Low.Text)
		if k.Sort.High != nil {
			out += " " + k.Sort.High.Text
		}
	}
	return out
}

func TestKeyConditionsArePartitionAndRange(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"pk = :s":                          "a",
		":s = pk":                          "a",
		"(pk = :s)":                        "a",
		"pk = :s AND sk = :n":              "a = 1",
		"(#sk < :n) AND (pk = :s)":         "a < 1",
		"pk = :s AND :n < sk":              "a > 1",
		"pk = :s AND :n >= sk":             "a <= 1",
		"(pk = :s AND (sk >= :n))":         "a >= 1",
		"pk = :s and sk between :n and :m": "a between 1 2",
		"pk = :s AND begins_with(sk, :s)":  "a begins_with a",
	} {
		k, err := ParseKeyCondition(text, names(t, `{"#sk":"sk"}`, everyKind), "pk", "sk")
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := describe(k); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestKeyConditionsThatAreRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                   "Invalid KeyConditionExpression: The expression can not be empty;",
		"pk":                                 `Invalid KeyConditionExpression: Syntax error; token: "<EOF>", near: "pk"`,
		"sk = :s":                            "Query condition missed key schema element: pk",
		"price = :s":                         "Query condition missed key schema element: pk",
		"pk = :s AND price = :s":             "Query condition missed key schema element: sk",
		"pk > :s":                            "Query key condition not supported",
		"pk = :s OR sk = :s":                 "Invalid operator used in KeyConditionExpression: OR",
		"pk IN (:s)":                         "Invalid operator used in KeyConditionExpression: IN",
		"NOT pk = :s":                        "Invalid operator used in KeyConditionExpression: NOT",
		"pk <> :s":                           "Invalid operator used in KeyConditionExpression: <>",
		"attribute_exists(pk)":               "Invalid operator used in KeyConditionExpression: attribute_exists",
		"attribute_type(pk, :type)":          "Invalid operator used in KeyConditionExpression: attribute_type",
		"pk = :s AND size(sk) = :n":          "KeyConditionExpressions cannot contain nested operations",
		"begins_with(:s, sk) AND pk = :s":    "Invalid condition in KeyConditionExpression: begins_with operator must have the key attribute as its first operand",
		":s BETWEEN :s AND :t":               "Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute as its first operand",
		"pk = sk":                            "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition",
		"pk.x = :s":                          "KeyConditionExpressions cannot have conditions on nested attributes",
		":s = :t AND pk = :s":                "Invalid condition in KeyConditionExpression: No key attribute specified",
		"pk = :s AND sk > :n AND sk < :m":    "KeyConditionExpressions must only contain one condition per key",
		"pk = :s AND sk = :n AND price = :n": "Conditions can be of length 1 or 2 only",
		"pk = :s AND sk BETWEEN :n AND :s":   "Invalid KeyConditionExpression: The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:a}",
		"pk = :s AND sk BETWEEN :m AND :n":   "Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}",
		"pk = :s AND :n BETWEEN sk AND :m":   "Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute as its first operand",
		"pk = :s AND sk = size(:s)":          "KeyConditionExpressions cannot contain nested operations",
		"pk = :s AND sk BETWEEN :n AND pk":   "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition",
		"pk = :s AND begins_with(sk, pk)":    "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition",
		"pk = :s AND sk[0] = :s":             "KeyConditionExpressions cannot have conditions on nested attributes",
		":s < pk":                            "Query key condition not supported",
	} {
		_, err := ParseKeyCondition(text, names(t, "", everyKind), "pk", "sk")
		if got := messageOf(t, err); got != want {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
	}
	_, err := ParseKeyCondition("pk = :s AND sk = :s", names(t, "", everyKind), "pk", "")
	if got := messageOf(t, err); got != "Query key condition not supported" {
		t.Errorf("two conditions where there is no sort key: %s", got)
	}
}

func TestARangeHasTheKeysThatMatchIt(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"sk = :b": " b", "sk < :b": " a ab", "sk <= :b": " a ab b", "sk > :ab": " b c", "sk >= :ab": " ab b c",
		":b = sk": " b", ":b > sk": " a ab", ":b >= sk": " a ab b", ":ab < sk": " b c", ":ab <= sk": " ab b c",
		"sk BETWEEN :ab AND :b": " ab b", "sk BETWEEN :b AND :b": " b", "begins_with(sk, :a)": " a ab",
	} {
		n := names(t, "", `{":a":{"S":"a"},":ab":{"S":"ab"},":b":{"S":"b"}}`)
		k, err := ParseKeyCondition("pk = :a AND "+text, n, "pk", "sk")
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, key := range []string{"a", "ab", "b", "c"} {
			if k.Sort.Holds(item(t, `{"k":{"S":"`+key+`"}}`)["k"]) {
				got += " " + key
			}
		}
		if got != want {
			t.Errorf("%s has%s, want%s", text, got, want)
		}
	}
	if !(*Range)(nil).Holds(nil) {
		t.Error("no range does not have every key")
	}
}

func TestLegacyKeyConditions(t *testing.T) {
	t.Parallel()
	const pk = `"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"a"}]}`
	for raw, want := range map[string]string{
		`{` + pk + `}`: "a",
		`{"sk":{"ComparisonOperator":"BETWEEN","AttributeValueList":[{"N":"1"},{"N":"2"}]},` + pk + `}`: "a between 1 2",
		`{"sk":{"ComparisonOperator":"BEGINS_WITH","AttributeValueList":[{"S":"x"}]},` + pk + `}`:       "a begins_with x",
		`{"sk":{"ComparisonOperator":"GT","AttributeValueList":[{"N":"1"}]},` + pk + `}`:                "a > 1",
	} {
		k, err := FromKeyConditions(jsontext.Value(raw), "pk", "sk")
		if err != nil || describe(k) != want {
			t.Errorf("%s: %v, want %s", raw, err, want)
		}
	}
	for raw, want := range map[string]string{
		`{}`: "Conditions can be of length 1 or 2 only",
		`{"sk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"a"}]}}`:           "Query condition missed key schema element: pk",
		`{"pk":{"ComparisonOperator":"GT","AttributeValueList":[{"S":"a"}]}}`:           "Query key condition not supported",
		`{"pk":{"ComparisonOperator":"NE","AttributeValueList":[{"S":"a"}]}}`:           "Attempted conditional constraint is not an indexable operation",
		`{"sk":{"ComparisonOperator":"NOT_NULL"},` + pk + `}`:                           "Attempted conditional constraint is not an indexable operation",
		`{"x":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"a"}]},` + pk + `}`: "Query condition missed key schema element: sk",
		`{"pk":{"ComparisonOperator":"EQ"}}`:                                            "One or more parameter values were invalid: Invalid number of argument(s) for the EQ ComparisonOperator",
		`{"pk":{"ComparisonOperator":"LT","AttributeValueList":[{"BOOL":true}]}}`:       "One or more parameter values were invalid: ComparisonOperator LT is not valid for BOOL AttributeValue type",
		`{"pk":{"AttributeValueList":[{"S":"a"}]}}`:                                     "1 validation error detected: Value null at 'keyConditions.pk.member.comparisonOperator' failed to satisfy constraint: Member must not be null",
		`{"pk":{"ComparisonOperator":"IS","AttributeValueList":[{"S":"a"}]}}`:           "1 validation error detected: Value 'IS' at 'keyConditions.pk.member.comparisonOperator' failed to satisfy constraint: Member must satisfy enum value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]",
	} {
		_, err := FromKeyConditions(jsontext.Value(raw), "pk", "sk")
		if got := messageOf(t, err); got != want {
			t.Errorf("%s:\n got %s\nwant %s", raw, got, want)
		}
	}
}

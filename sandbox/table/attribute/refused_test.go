package attribute

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestEveryTypeRefusesWhatItCannotHold(t *testing.T) {
	t.Parallel()
	const v, s = "ValidationException: ", "SerializationException: "
	for text, want := range map[string]string{
		`{"SS":[null]}`:        v + "One or more parameter values were invalid: An string set  may not have a null string as a member",
		`{"NS":["1",null]}`:    v + "One or more parameter values were invalid: An number set  may not have a null string as a member",
		`{"BS":[null]}`:        v + "One or more parameter values were invalid: Binary sets may not contain null values",
		`{"NS":["1","x"]}`:     v + "The parameter cannot be converted to a numeric value: x",
		`{"SS":["a",5]}`:       s + "NUMBER_VALUE cannot be converted to String",
		`{"NS":[1]}`:           s + "NUMBER_VALUE cannot be converted to String",
		`{"BS":["a"]}`:         s + "Base64 encoded length is expected a multiple of 4 bytes but found: 1",
		`{"SS":{}}`:            s + "Start of structure or map found where not expected",
		`{"NS":5}`:             s + "Unexpected field type",
		`{"L":true}`:           s + "Unexpected field type",
		`{"L":[null]}`:         v + "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
		`{"L":[5]}`:            s + "Unexpected value type in payload",
		`{"L":[[]]}`:           s + "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue",
		`{"M":5}`:              s + "Unexpected field type",
		`{"M":{"a":null}}`:     v + "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
		`{"M":{"a":[]}}`:       s + "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue",
		`{"S":false}`:          s + "FALSE_VALUE cannot be converted to String",
		`{"S":1e5}`:            s + "DECIMAL_VALUE cannot be converted to String",
		`{"N":1E5}`:            s + "DECIMAL_VALUE cannot be converted to String",
		`{"N":{}}`:             s + "Start of structure or map found where not expected",
		`{"N":[]}`:             s + "Unrecognized collection type class java.lang.String",
		`{"BOOL":[]}`:          s + "Unrecognized collection type class java.lang.Boolean",
		`{"BOOL":{}}`:          s + "Start of structure or map found where not expected",
		`{"BOOL":1.5}`:         s + "DECIMAL_VALUE cannot be converted to Boolean",
		`{"BOOL":""}`:          s + "Unexpected token received from parser",
		`{"NULL":"no"}`:        v + "One or more parameter values were invalid: Null attribute value types must have the value of true",
		`{"NULL":5}`:           s + "NUMBER_VALUE cannot be converted to Boolean",
		`{"B":5}`:              s + "only base-64-encoded strings are convertible to bytes",
		`{"B":{}}`:             s + "Start of structure or map found where not expected",
		`{"B":[]}`:             s + "Unrecognized collection type class java.nio.ByteBuffer",
		`{"B":"aG.="}`:         s + "Invalid last non-pad Base64 character dectected",
		`{"B":"aGk=aGk="}`:     s + "Invalid last non-pad Base64 character dectected",
		`{"B":"aGk\r"}`:        s + "Invalid last non-pad Base64 character dectected",
		`{"SS":["a"],"NS":[]}`: v + "One or more parameter values were invalid: An number set  may not be empty",
		`"S"`:                  s + "Unexpected value type in payload",
		`true`:                 s + "Unexpected value type in payload",
	} {
		value, err := ParseValue(jsontext.Value(text))
		if err == nil {
			t.Errorf("%s is accepted: %s", text, value.AppendJSON(nil))
			continue
		}
		if got := refusal(t, err); got != want {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
	}
}

// Parameters that are no values are converted as the texts and numbers of values are.
func TestWhatIsNoTextOrNumberIsNamedInTheRefusal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind     jsontext.Kind
		text, to string
		want     string
	}{
		{'"', "x", "Long", "STRING_VALUE cannot be converted to Long"},
		{'0', "1.0", "Long", "DECIMAL_VALUE cannot be converted to Long"},
		{'0', "10", "String", "NUMBER_VALUE cannot be converted to String"},
		{'t', "true", "Long", "TRUE_VALUE cannot be converted to Long"},
		{'f', "false", "Long", "FALSE_VALUE cannot be converted to Long"},
		{'[', "[", "Long", "Unrecognized collection type class java.lang.Long"},
		{'{', "{", "Long", "Start of structure or map found where not expected"},
	} {
		if got := refusal(t, Unconvertible(c.kind, c.text, c.to)); got != "SerializationException: "+c.want {
			t.Errorf("%s to %s: %s, want %s", c.text, c.to, got, c.want)
		}
	}
}

package attribute

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

// refusal is the code and the message of an error on the wire.
func refusal(t *testing.T, err error) string {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("%v is no *Error", err)
	}
	return e.Code + ": " + e.Message
}

func parsed(t *testing.T, text string) *Value {
	t.Helper()
	v, err := ParseValue(jsontext.Value(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func TestValuesComeBackAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"S":""}`:          `{"S":""}`,
		`{"S":"a\"\u00e9"}`: `{"S":"a\"é"}`,
		`{"N":"-0"}`:        `{"N":"0"}`,
		`{"B":"aGk="}`:      `{"B":"aGk="}`,
		`{"B":""}`:          `{"B":""}`,
		`{"BOOL":false}`:    `{"BOOL":false}`,
		`{"BOOL":"yes"}`:    `{"BOOL":true}`,
		`{"BOOL":"TRUE"}`:   `{"BOOL":true}`,
		`{"BOOL":"1"}`:      `{"BOOL":true}`,
		`{"BOOL":"False"}`:  `{"BOOL":false}`,
		`{"BOOL":"0"}`:      `{"BOOL":false}`,
		`{"BOOL":"no"}`:     `{"BOOL":false}`,
		`{"NULL":"yes"}`:    `{"NULL":true}`,
		`{"NULL":true}`:     `{"NULL":true}`,
		`{"M":{"b":{"N":"1.50"},"a":{"M":{}},"":{"S":"x"}}}`: `{"M":{"":{"S":"x"},"a":{"M":{}},"b":{"N":"1.5"}}}`,
		`{"L":[{"S":"b"},{"S":"a"},{"L":[]}]}`:               `{"L":[{"S":"b"},{"S":"a"},{"L":[]}]}`,
		`{"SS":["b","a"]}`:                                   `{"SS":["b","a"]}`,
		`{"NS":["2.0","10"]}`:                                `{"NS":["2","10"]}`,
		`{"BS":["aGk=",""]}`:                                 `{"BS":["aGk=",""]}`,
		`{"S":"a","N":null,"unknown":[1]}`:                   `{"S":"a"}`,
	} {
		if got := string(parsed(t, text).AppendJSON(nil)); got != want {
			t.Errorf("%s comes back as %s, want %s", text, got, want)
		}
	}
}

func TestAnItemIsWrittenInTheOrderOfItsNames(t *testing.T) {
	t.Parallel()
	item, err := ParseItem(jsontext.Value(`{"b":{"S":"2"}, "a":{"S":"1"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(item.AppendJSON(nil)); got != `{"a":{"S":"1"},"b":{"S":"2"}}` {
		t.Error(got)
	}
	if _, err := ParseItem(jsontext.Value(`{"":{"S":"x"}}`)); err == nil || refusal(t, err) != "ValidationException: One or more parameter values were invalid: Empty attribute name" {
		t.Errorf("an attribute without a name: %v", err)
	}
	if none, err := ParseItem(jsontext.Value(`null`)); none != nil || err != nil {
		t.Errorf("null is %v, %v; want no item", none, err)
	}
}

func TestInvalidValuesGetTheServicesMessage(t *testing.T) {
	t.Parallel()
	const v, s = "ValidationException: ", "SerializationException: "
	deep := strings.Repeat(`{"M":{"a":`, 100) + `{"S":"x"}` + strings.Repeat(`}}`, 100)
	for text, want := range map[string]string{
		`{}`:                                   v + "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
		`{"X":"a"}`:                            v + "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
		`{"S":null}`:                           v + "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
		`null`:                                 v + "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
		`{"S":"a","N":"1"}`:                    v + "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
		`{"S":"a","N":""}`:                     v + "The parameter cannot be converted to a numeric value",
		`{"N":""}`:                             v + "The parameter cannot be converted to a numeric value",
		`{"N":" 1"}`:                           v + "The parameter cannot be converted to a numeric value:  1",
		`{"N":"%d"}`:                           v + "The parameter cannot be converted to a numeric value: %d",
		`{"NULL":false}`:                       v + "One or more parameter values were invalid: Null attribute value types must have the value of true",
		`{"SS":[]}`:                            v + "One or more parameter values were invalid: An string set  may not be empty",
		`{"NS":[]}`:                            v + "One or more parameter values were invalid: An number set  may not be empty",
		`{"BS":[]}`:                            v + "One or more parameter values were invalid: Binary sets should not be empty",
		`{"SS":["a","a"]}`:                     v + "One or more parameter values were invalid: Input collection [a, a] contains duplicates.",
		`{"NS":["1","1.0"]}`:                   v + "Input collection contains duplicates",
		`{"BS":["aa==","aQ==","aQ=="]}`:        v + "One or more parameter values were invalid: Input collection [aQ==, aQ==, aQ==]of type BS contains duplicates.",
		`{"L":[{"M":{"a":{"SS":[]}}}]}`:        v + "One or more parameter values were invalid: An string set  may not be empty",
		deep:                                   v + "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit",
		`5`:                                    s + "Unexpected value type in payload",
		`[]`:                                   s + "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue",
		`{"S":5}`:                              s + "NUMBER_VALUE cannot be converted to String",
		`{"S":34.56}`:                          s + "DECIMAL_VALUE cannot be converted to String",
		`{"N":true}`:                           s + "TRUE_VALUE cannot be converted to String",
		`{"S":[]}`:                             s + "Unrecognized collection type class java.lang.String",
		`{"S":{}}`:                             s + "Start of structure or map found where not expected",
		`{"BOOL":"23"}`:                        s + "Unexpected token received from parser",
		`{"BOOL":23}`:                          s + "NUMBER_VALUE cannot be converted to Boolean",
		`{"B":true}`:                           s + "only base-64-encoded strings are convertible to bytes",
		`{"B":"23456"}`:                        s + "Base64 encoded length is expected a multiple of 4 bytes but found: 5",
		`{"B":"=+/="}`:                         s + "Invalid last non-pad Base64 character dectected",
		`{"B":"aG\nk=aG\n"}`:                   s + "Invalid last non-pad Base64 character dectected",
		`{"BS":[[]]}`:                          s + "Unrecognized collection type class java.nio.ByteBuffer",
		`{"SS":"a"}`:                           s + "Unexpected field type",
		`{"L":{}}`:                             s + "Start of structure or map found where not expected",
		`{"M":"a"}`:                            s + "Unexpected field type",
		`{"M":[]}`:                             s + "Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>",
		`{"L":[{"SS":[]},{"S":5}]}`:            s + "NUMBER_VALUE cannot be converted to String",
		`{"M":{"a":{"N":"x"},"b":{"BOOL":1}}}`: s + "NUMBER_VALUE cannot be converted to Boolean",
	} {
		value, err := ParseValue(jsontext.Value(text))
		if err == nil {
			t.Errorf("%s is accepted: %s", text, value.AppendJSON(nil))
			continue
		}
		if got := refusal(t, err); got != want {
			t.Errorf("%.60s:\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestJSONThatIsBrokenOrRepeatsAMemberIsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{``, `{`, `{"S"`, `{"S":"a"`, `{"L":[`, `{"M":{"a":`, `{"S":"a","S":"b"}`, "{\"S\":\"\xff\"}", `{"B":`, `{"BOOL":`} {
		if _, err := ParseValue(jsontext.Value(text)); err == nil || !strings.HasPrefix(refusal(t, err), "SerializationException") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestThirtyTwoLevelsAreTheMost(t *testing.T) {
	t.Parallel()
	wrapped := func(n int) jsontext.Value {
		return jsontext.Value(strings.Repeat(`{"L":[`, n) + `{"S":"x"}` + strings.Repeat(`]}`, n))
	}
	if _, err := ParseValue(wrapped(31)); err != nil {
		t.Errorf("31 lists around a value: %v", err)
	}
	if _, err := ParseValue(wrapped(32)); err == nil {
		t.Error("32 lists around a value are accepted")
	}
}

func TestSizesCountAsTheServiceCounts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		`{"S":"é"}`:                2,
		`{"N":"0"}`:                1,
		`{"N":"1"}`:                2,
		`{"N":"12"}`:               2,
		`{"N":"123.4"}`:            4,
		`{"N":"-1"}`:               3,
		`{"B":"aGk="}`:             2,
		`{"BOOL":true}`:            1,
		`{"NULL":true}`:            1,
		`{"L":[]}`:                 3,
		`{"L":[{"S":"ab"}]}`:       6,
		`{"M":{"key":{"S":"ab"}}}`: 9,
		`{"SS":["ab","c"]}`:        3,
		`{"NS":["1","-1"]}`:        5,
		`{"BS":["aGk=","aGkh"]}`:   5,
	} {
		if got := parsed(t, text).Size(); got != want {
			t.Errorf("%s counts for %d bytes, want %d", text, got, want)
		}
	}
	item := Item{"name": parsed(t, `{"S":"abc"}`)}
	if got := item.Size(); got != 7 {
		t.Errorf("a name of 4 and a text of 3 count for %d", got)
	}
}

func TestACloneSharesNothing(t *testing.T) {
	t.Parallel()
	const text = `{"a":{"M":{"l":{"L":[{"S":"x"}]},"b":{"B":"aGk="},"s":{"SS":["a"]},"t":{"BS":["aGk="]}}}}`
	item, err := ParseItem(jsontext.Value(text))
	if err != nil {
		t.Fatal(err)
	}
	other := item.Clone()
	inner := other["a"].Map
	inner["l"].List[0].Text = "y"
	inner["b"].Bytes[0] = 0
	inner["s"].Texts[0] = "z"
	inner["t"].Blobs[0][0] = 0
	inner["new"] = &Value{Kind: NULL}
	if got := string(item.AppendJSON(nil)); !item.Equal(item.Clone()) || strings.Contains(got, "new") || got != `{"a":{"M":{"b":{"B":"aGk="},"l":{"L":[{"S":"x"}]},"s":{"SS":["a"]},"t":{"BS":["aGk="]}}}}` {
		t.Errorf("after its clone changed the item is %s", got)
	}
}

// texts draws texts with the bytes that the escape handles.
var texts = rapid.Custom(func(t *rapid.T) []byte {
	return rapid.SliceOfN(rapid.SampledFrom([]byte{0, 0, 1, 2, 'a', 0xFE, 0xFF}), 0, 6).Draw(t, "bytes")
})

func TestKeysAreInTheOrderOfTheirValues(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var a, b *Value
		switch rapid.SampledFrom([]Kind{S, N, B}).Draw(t, "kind") {
		case S:
			a, b = &Value{Kind: S, Text: string(texts.Draw(t, "a"))}, &Value{Kind: S, Text: string(texts.Draw(t, "b"))}
		case B:
			a, b = &Value{Kind: B, Bytes: texts.Draw(t, "a")}, &Value{Kind: B, Bytes: texts.Draw(t, "b")}
		default:
			a, b = &Value{Kind: N, Text: numbers.Draw(t, "a")}, &Value{Kind: N, Text: numbers.Draw(t, "b")}
		}
		order, ok := Compare(a, b)
		if !ok {
			t.Fatal("no order")
		}
		x, y := AppendKey(nil, a), AppendKey(nil, b)
		if got := bytes.Compare(x, y); got != order {
			t.Fatalf("%v and %v are in order %d, their keys %x and %x in %d", a, b, order, x, y, got)
		}
		// Whatever follows two keys, the order of the keys decides.
		if order != 0 {
			tail, other := texts.Draw(t, "tail"), texts.Draw(t, "other")
			if got := bytes.Compare(append(x, tail...), append(y, other...)); got != order {
				t.Fatalf("%v and %v are in order %d, with something behind them in %d", a, b, order, got)
			}
		}
	})
}

func TestKindsWithoutOrderHaveNone(t *testing.T) {
	t.Parallel()
	if _, ok := Compare(parsed(t, `{"S":"1"}`), parsed(t, `{"N":"1"}`)); ok {
		t.Error("a text and a number have an order")
	}
	if _, ok := Compare(parsed(t, `{"BOOL":true}`), parsed(t, `{"BOOL":false}`)); ok {
		t.Error("booleans have an order")
	}
	if key := AppendKey([]byte("x"), parsed(t, `{"BOOL":true}`)); string(key) != "x" {
		t.Errorf("a boolean has the key %x", key)
	}
}

func FuzzParseValue(f *testing.F) {
	for _, text := range []string{
		`{"S":"a"}`, `{"N":"-1.5e-3"}`, `{"B":"aGk="}`, `{"BOOL":true}`, `{"NULL":true}`, `{"M":{"":{"L":[]}}}`,
		`{"SS":["a"]}`, `{"NS":["1"]}`, `{"BS":["aGk="]}`, `{"L":[{"M":{"a":{"N":"1E126"}}}]}`, `{"S":"a","N":"1"}`, `{"S":null}`, `[`, `{"SS":[null]}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		v, err := ParseValue(jsontext.Value(raw))
		if err != nil {
			refusal(t, err)
			return
		}
		text := v.AppendJSON(nil)
		again, err := ParseValue(jsontext.Value(text))
		if err != nil {
			t.Fatalf("%s is written as %s, which is refused: %v", raw, text, err)
		}
		if !Equal(v, again) || v.Size() != again.Size() {
			t.Fatalf("%s is written as %s, which is another value", raw, text)
		}
	})
}

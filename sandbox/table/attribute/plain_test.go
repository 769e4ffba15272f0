package attribute

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestPlainFormIsOrdinaryJSON(t *testing.T) {
	t.Parallel()
	for text, wire := range map[string]string{
		`{"id":"1","n":5,"big":12345678901234567890.5,"ok":true,"no":null,"list":[1,"a",[]],"map":{"a":{}}}`: `{"big":{"N":"12345678901234567890.5"},"id":{"S":"1"},"list":{"L":[{"N":"1"},{"S":"a"},{"L":[]}]},"map":{"M":{"a":{"M":{}}}},"n":{"N":"5"},"no":{"NULL":true},"ok":{"BOOL":true}}`,
		`{"id":{"S":"1"},"b":{"B":"aGk="},"s":{"SS":["a","b"]},"m":{"M":{"N":{"S":"x"}}}}`:                   `{"b":{"B":"aGk="},"id":{"S":"1"},"m":{"M":{"N":{"S":"x"}}},"s":{"SS":["a","b"]}}`,
		`{"N":"x"}`: `{"N":{"S":"x"}}`,
		`{}`:        `{}`,
		`{"a":{"S":"x","N":"1"},"b":{"SS":["x"],"y":1},"c":{"":"x"}}`: `{"a":{"M":{"N":{"S":"1"},"S":{"S":"x"}}},"b":{"M":{"SS":{"L":[{"S":"x"}]},"y":{"N":"1"}}},"c":{"M":{"":{"S":"x"}}}}`,
		`{"Item":{"a":` + nested(31) + `}}`:                           `{"Item":{"M":{"a":` + strings.Repeat(`{"L":[`, 31) + `{"N":"1"}` + strings.Repeat(`]}`, 31) + `}}}`,
	} {
		item, err := ParsePlainItem([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := string(item.AppendJSON(nil)); got != wire {
			t.Errorf("%s is\n%s\nwant\n%s", text, got, wire)
		}
	}
}

// nested is a number in as many lists.
func nested(lists int) string { return strings.Repeat("[", lists) + "1" + strings.Repeat("]", lists) }

func TestInvalidPlainFormIsRefusedWithItsPlace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`5`:                              "is not an object of attributes",
		`{"a":{"b":[1,{"N":"x"}]}}`:      "is invalid at /a/b/1: ",
		`{"a/b":{"c":1e999}}`:            "is invalid at /a~1b/c: ",
		`{"a":1`:                         "is not JSON",
		`{"a":1} {}`:                     "has more text after its end",
		`{"a":{"SS":["x","x"]},"b":"c"}`: "is invalid at /a: ",
		`{"a":[{"L":"x"}]}`:              "is invalid at /a/0: ",
		`{"a":[1,2`:                      "is not JSON",
		`{"a":[1,}`:                      "is not JSON",
		`{"a":{"b":}}`:                   "is not JSON",
		``:                               "is not JSON",
		`[]`:                             "is not an object of attributes",
		`"S"`:                            "is not an object of attributes",
		`null`:                           "is not an object of attributes",
		`{"a":` + nested(33) + `}`:       "is nested deeper than 32 levels at /a" + strings.Repeat("/0", 33),
		`{"a":{"b":` + nested(32) + `}}`: "is nested deeper than 32 levels at /a/b" + strings.Repeat("/0", 32),
	} {
		_, err := ParsePlainItem([]byte(text))
		if err == nil || len(err.Error()) < len(want) || err.Error()[:len(want)] != want {
			t.Errorf("%s: %v, want %s...", text, err, want)
		}
	}
}

// The plain form of any item is read as the same item.
func TestPlainFormLosesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		item := Item(anyMap(t, 3))
		text := item.AppendPlain(nil)
		back, err := ParsePlainItem(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if !back.Equal(item) || string(back.AppendPlain(nil)) != string(text) {
			t.Fatalf("%s is\n%s\nwant\n%s", text, back.AppendJSON(nil), item.AppendJSON(nil))
		}
	})
}

func TestEqualItemsHaveTheSamePlainForm(t *testing.T) {
	t.Parallel()
	const want = `{"b":{"BS":["YQ==","aGk="]},"m":{"M":{"S":{"SS":["t","u"]}}},"n":{"NS":["-1","9","10"]},"s":{"SS":["u","v"]}}`
	for _, text := range []string{
		`{"b":{"BS":["aGk=","YQ=="]},"m":{"M":{"S":{"SS":["u","t"]}}},"n":{"NS":["10","9","-1"]},"s":{"SS":["v","u"]}}`,
		`{"s":{"SS":["u","v"]},"n":{"NS":["9","-1","10"]},"m":{"M":{"S":{"SS":["t","u"]}}},"b":{"BS":["YQ==","aGk="]}}`,
	} {
		item, err := ParsePlainItem([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(item.AppendPlain(nil)); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func anyMap(t *rapid.T, depth int) map[string]*Value {
	m := map[string]*Value{}
	names := rapid.SliceOfNDistinct(rapid.OneOf(rapid.SampledFrom(kindNames[1:]), rapid.StringMatching(`[a-z/~]{1,3}`)), 0, 3, rapid.ID[string]).Draw(t, "names")
	for _, name := range names {
		m[name] = anyValue(t, depth)
	}
	return m
}

func anyValue(t *rapid.T, depth int) *Value {
	kinds := []Kind{S, N, B, BOOL, NULL, SS, NS, BS}
	if depth > 0 {
		kinds = append(kinds, M, L)
	}
	switch k := rapid.SampledFrom(kinds).Draw(t, "kind"); k {
	case S:
		return &Value{Kind: S, Text: rapid.String().Draw(t, "text")}
	case N:
		return &Value{Kind: N, Text: number(t)}
	case B:
		return &Value{Kind: B, Bytes: rapid.SliceOfN(rapid.Byte(), 0, 5).Draw(t, "bytes")}
	case BOOL:
		return &Value{Kind: BOOL, Bool: rapid.Bool().Draw(t, "truth")}
	case SS:
		return &Value{Kind: SS, Texts: rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{1,3}`), 1, 3, rapid.ID[string]).Draw(t, "texts")}
	case NS:
		return &Value{Kind: NS, Texts: []string{number(t)}}
	case BS:
		return &Value{Kind: BS, Blobs: [][]byte{rapid.SliceOfN(rapid.Byte(), 1, 5).Draw(t, "bytes")}}
	case M:
		return &Value{Kind: M, Map: anyMap(t, depth-1)}
	case L:
		v := &Value{Kind: L, List: []*Value{}}
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			v.List = append(v.List, anyValue(t, depth-1))
		}
		return v
	default:
		return &Value{Kind: k}
	}
}

func number(t *rapid.T) string {
	text, err := CanonicalNumber(rapid.StringMatching(`-?[1-9][0-9]{0,20}(\.[0-9]{1,10})?(e-?[0-9]{1,2})?`).Draw(t, "number"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

package attribute

import "testing"

func TestSetsAreEqualInAnyOrderAndListsAreNot(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`{"SS":["a","b"]}`, `{"SS":["b","a"]}`, true},
		{`{"NS":["1","2"]}`, `{"NS":["2","1.0"]}`, true},
		{`{"BS":["aGk=","aa=="]}`, `{"BS":["aa==","aGk="]}`, true},
		{`{"SS":["a","b"]}`, `{"SS":["a"]}`, false},
		{`{"SS":["1"]}`, `{"NS":["1"]}`, false},
		{`{"L":[{"S":"a"},{"S":"b"}]}`, `{"L":[{"S":"b"},{"S":"a"}]}`, false},
		{`{"M":{"a":{"N":"1.0"},"b":{"NULL":true}}}`, `{"M":{"b":{"NULL":true},"a":{"N":"1"}}}`, true},
		{`{"M":{"a":{"S":"x"}}}`, `{"M":{"b":{"S":"x"}}}`, false},
		{`{"M":{"a":{"S":"x"}}}`, `{"M":{"a":{"S":"x"},"b":{"S":"y"}}}`, false},
		{`{"M":{"a":{"S":"x"},"b":{"S":"y"}}}`, `{"M":{"a":{"S":"x"}}}`, false},
		{`{"M":{"a":{"L":[{"S":"x"}]}}}`, `{"M":{"a":{"L":[{"S":"y"}]}}}`, false},
		{`{"L":[{"S":"a"}]}`, `{"L":[{"S":"a"},{"S":"b"}]}`, false},
		{`{"L":[]}`, `{"M":{}}`, false},
		{`{"SS":["a","b"]}`, `{"SS":["a","c"]}`, false},
		{`{"NS":["1","2"]}`, `{"NS":["1","2","3"]}`, false},
		{`{"BS":["aGk="]}`, `{"BS":["aGk=","YQ=="]}`, false},
		{`{"BS":["aGk=","YQ=="]}`, `{"BS":["aGk=","Yg=="]}`, false},
		{`{"NULL":true}`, `{"NULL":true}`, true},
		{`{"BOOL":true}`, `{"NULL":true}`, false},
		{`{"B":"aGk="}`, `{"B":"aGk="}`, true},
		{`{"B":"aGk="}`, `{"B":"YQ=="}`, false},
		{`{"N":"1e2"}`, `{"N":"100"}`, true},
		{`{"N":"1"}`, `{"S":"1"}`, false},
		{`{"B":"aGk="}`, `{"S":"hi"}`, false},
		{`{"BOOL":true}`, `{"BOOL":false}`, false},
	} {
		if got := Equal(parsed(t, c.a), parsed(t, c.b)); got != c.want {
			t.Errorf("%s and %s are equal: %v", c.a, c.b, got)
		}
	}
	if Equal(nil, nil) {
		t.Error("nil equals nil")
	}
	if one := parsed(t, `{"S":"x"}`); Equal(one, nil) || Equal(nil, one) {
		t.Error("a value equals nil")
	}
}

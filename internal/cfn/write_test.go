package cfn_test

import (
	"strings"
	"testing"

	"gatewright/internal/cfn"
)

// made is a template that is made, not read.
func made() *cfn.Node {
	return cfn.MapNode().
		WithText("Description", "Books, \"new\" and used\n").
		With("Resources", cfn.MapNode().
			With("Books", cfn.MapNode().
				WithText("Type", "AWS::DynamoDB::Table").
				With("Metadata", nil).
				With("Properties", cfn.MapNode().
					With("KeySchema", cfn.ListNode(cfn.MapNode().WithText("AttributeName", "isbn").WithText("KeyType", "HASH"))).
					With("Attributes", cfn.ListNode(cfn.MapNode().WithText("Name", "isbn"), cfn.MapNode().WithText("Name", "title"))).
					WithNumber("Size", -5).WithBool("Encrypted", true).WithTexts("None").With("Nothing", cfn.MapNode()))).
			With("Role", cfn.MapNode().
				WithText("Type", "AWS::IAM::Role").
				WithTexts("DependsOn", "Books").
				With("Properties", cfn.MapNode().
					With("One", cfn.ListNode(cfn.GetAtt("Books", "Arn"))).
					With("Resources", cfn.ListNode(cfn.GetAtt("Books", "Arn"), cfn.Sub("${Books.Arn}/index/*"))).
					With("Name", cfn.Join("-", cfn.Ref("Books"), cfn.TextNode("role"))).
					With("Long", cfn.Sub("arn:${AWS::Partition}:execute-api:${AWS::Region}:${AWS::AccountId}:${Books}/dev/GET/a/path/that/is/long")).
					WithTexts("Texts", "a text that is not short", "a second text that is not short", "a third one that makes the line long")))).
		With("Outputs", cfn.MapNode().With("Name", cfn.MapNode().With("Value", cfn.Ref("Books"))))
}

const asPeopleWrite = `{
  "Description": "Books, \"new\" and used\n",
  "Resources": {
    "Books": {
      "Type": "AWS::DynamoDB::Table",
      "Properties": {
        "KeySchema": [
          {"AttributeName": "isbn", "KeyType": "HASH"}
        ],
        "Attributes": [
          {"Name": "isbn"},
          {"Name": "title"}
        ],
        "Size": -5,
        "Encrypted": true,
        "None": [],
        "Nothing": {}
      }
    },
    "Role": {
      "Type": "AWS::IAM::Role",
      "DependsOn": ["Books"],
      "Properties": {
        "One": [{"Fn::GetAtt": ["Books", "Arn"]}],
        "Resources": [
          {"Fn::GetAtt": ["Books", "Arn"]},
          {"Fn::Sub": "${Books.Arn}/index/*"}
        ],
        "Name": {"Fn::Join": ["-", [{"Ref": "Books"}, "role"]]},
        "Long": {"Fn::Sub": "arn:${AWS::Partition}:execute-api:${AWS::Region}:${AWS::AccountId}:${Books}/dev/GET/a/path/that/is/long"},
        "Texts": [
          "a text that is not short",
          "a second text that is not short",
          "a third one that makes the line long"
        ]
      }
    }
  },
  "Outputs": {
    "Name": {"Value": {"Ref": "Books"}}
  }
}
`

func TestATemplateIsWrittenAsPeopleWriteIt(t *testing.T) {
	t.Parallel()
	if got := string(made().JSON()); got != asPeopleWrite {
		t.Errorf("written is\n%s\nwant\n%s", got, asPeopleWrite)
	}
}

func TestAMinifiedTemplateHasNoWhiteSpace(t *testing.T) {
	t.Parallel()
	n := cfn.MapNode().WithText("A", "b c").With("L", cfn.ListNode(cfn.NumberNode(1), cfn.Ref("X"), &cfn.Node{}))
	if got, want := string(n.Minified()), `{"A":"b c","L":[1,{"Ref":"X"},null]}`; got != want {
		t.Errorf("minified is %s, want %s", got, want)
	}
}

func TestWhatWasWrittenIsReadAsTheSame(t *testing.T) {
	t.Parallel()
	n := made()
	for _, text := range [][]byte{n.JSON(), n.Minified()} {
		read, err := cfn.Parse("made", text)
		if err != nil {
			t.Fatal(err)
		}
		if !sameNode(n, read.Root) {
			t.Errorf("read is another value than what was written:\n%s", text)
		}
	}
}

func TestANumberThatJSONLacksIsWrittenAsText(t *testing.T) {
	t.Parallel()
	n := cfn.ListNode(&cfn.Node{Kind: cfn.Number, Text: "0x1F"}, &cfn.Node{Kind: cfn.Number, Text: "1e3"})
	if got := string(n.Minified()); got != `["0x1F",1e3]` {
		t.Errorf("minified is %s", got)
	}
}

// sameNode compares nodes without their places. A number may have become a text.
func sameNode(a, b *cfn.Node) bool {
	kinds := a.Kind == b.Kind || a.Kind == cfn.Number && b.Kind == cfn.String
	if !kinds || a.Text != b.Text || len(a.Items) != len(b.Items) || len(a.Members) != len(b.Members) {
		return false
	}
	for i := range a.Items {
		if !sameNode(a.Items[i], b.Items[i]) {
			return false
		}
	}
	for i, m := range a.Members {
		if m.Name != b.Members[i].Name || !sameNode(m.Value, b.Members[i].Value) {
			return false
		}
	}
	return true
}

// FuzzWrite reads any text and writes it in both forms: what is read from these is what was
// read first.
func FuzzWrite(f *testing.F) {
	f.Add([]byte(books))
	f.Add([]byte(sections))
	f.Add([]byte(asPeopleWrite))
	f.Add([]byte("A: 0x1F\nB: [1_000, ~, .5, {C: !Ref X}]\nD: \"\\u2028\\0\""))
	f.Fuzz(func(t *testing.T, text []byte) {
		first, err := cfn.Parse("f", text)
		if err != nil || first.Root.Kind != cfn.Map {
			return
		}
		for _, written := range [][]byte{first.Root.JSON(), first.Root.Minified()} {
			if len(written) > 1<<20 {
				continue
			}
			again, err := cfn.Parse("f", written)
			if err != nil {
				t.Fatalf("what was written is not read: %v\n%s", err, written)
			}
			if !sameNode(first.Root, again.Root) {
				t.Fatalf("%s is read as another value than\n%s", written, text)
			}
		}
	})
}

// TestALongCallIsBrokenOnlyIfItIsGivenAMap has calls that are wider than a line.
func TestALongCallIsBrokenOnlyIfItIsGivenAMap(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 90)
	n := cfn.MapNode(
		cfn.Member{Name: "Join", Value: cfn.MapNode(cfn.Member{Name: "Fn::GetAtt", Value: cfn.TextsNode(long, "Arn")})},
		cfn.Member{Name: "Transform", Value: cfn.MapNode(cfn.Member{Name: "Fn::Transform", Value: cfn.MapNode().WithText("Name", long).WithText("More", "y")})},
		cfn.Member{Name: "Short", Value: cfn.MapNode(cfn.Member{Name: "Fn::Transform", Value: cfn.MapNode().WithText("Name", "z")})},
	)
	want := `{
  "Join": {"Fn::GetAtt": ["LONG", "Arn"]},
  "Transform": {
    "Fn::Transform": {
      "Name": "LONG",
      "More": "y"
    }
  },
  "Short": {"Fn::Transform": {"Name": "z"}}
}
`
	if got := strings.ReplaceAll(string(n.JSON()), long, "LONG"); got != want {
		t.Errorf("it is\n%s\nwant\n%s", got, want)
	}
}

// TestASmallMapOfAListIsOnOneLine has maps of a list with as many members as a line may have, and with one more.
func TestASmallMapOfAListIsOnOneLine(t *testing.T) {
	t.Parallel()
	small := cfn.MapNode().WithText("A", "1").WithText("B", "2").WithText("C", "3")
	large := cfn.MapNode().WithText("A", "1").WithText("B", "2").WithText("C", "3").WithText("D", "4")
	got := string(cfn.MapNode().With("L", cfn.ListNode(small, large)).JSON())
	const want = `{
  "L": [
    {"A": "1", "B": "2", "C": "3"},
    {
      "A": "1",
      "B": "2",
      "C": "3",
      "D": "4"
    }
  ]
}
`
	if got != want {
		t.Errorf("written is\n%s\nwant\n%s", got, want)
	}
}

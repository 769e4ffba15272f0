package cfn

import "strconv"

// TextNode makes a text.
func TextNode(text string) *Node { return &Node{Kind: String, Text: text} }

// NumberNode makes a whole number.
func NumberNode(n int) *Node { return &Node{Kind: Number, Text: strconv.Itoa(n)} }

// BoolNode makes true or false.
func BoolNode(b bool) *Node { return &Node{Kind: Bool, Text: strconv.FormatBool(b)} }

// ListNode makes a list.
func ListNode(items ...*Node) *Node { return &Node{Kind: List, Items: items} }

// TextsNode makes a list of texts.
func TextsNode(texts ...string) *Node {
	items := make([]*Node, len(texts))
	for i, text := range texts {
		items[i] = TextNode(text)
	}
	return ListNode(items...)
}

// MapNode makes a map with the members in this order. No name comes twice.
func MapNode(members ...Member) *Node { return &Node{Kind: Map, Members: members} }

// LaterNode stands for a map, with members, that is made whenever it is read: a document of many maps
// takes several times the memory of its text.
func LaterNode(make func() *Node) *Node { return &Node{Kind: Map, later: make} }

// With appends a member to a map that is being made, and returns the map. The name is new
// in it. A nil value adds nothing.
func (n *Node) With(name string, value *Node) *Node {
	if value != nil {
		n.Members = append(n.Members, Member{Name: name, Value: value})
	}
	return n
}

// WithText appends a text to a map, as With does.
func (n *Node) WithText(name, text string) *Node { return n.With(name, TextNode(text)) }

// WithNumber appends a number to a map, as With does.
func (n *Node) WithNumber(name string, number int) *Node { return n.With(name, NumberNode(number)) }

// WithBool appends true or false to a map, as With does.
func (n *Node) WithBool(name string, b bool) *Node { return n.With(name, BoolNode(b)) }

// WithTexts appends a list of texts to a map, as With does.
func (n *Node) WithTexts(name string, texts ...string) *Node {
	return n.With(name, TextsNode(texts...))
}

// Ref makes the function Ref of a parameter, a pseudo parameter or a resource. See
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-ref.html
func Ref(name string) *Node { return call("Ref", TextNode(name)) }

// GetAtt makes the function Fn::GetAtt of a resource's attribute. See
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-getatt.html
func GetAtt(resource, attribute string) *Node {
	return call("Fn::GetAtt", TextsNode(resource, attribute))
}

// Sub makes the function Fn::Sub of a text, in which ${Name} and ${Name.Attribute} stand for values. See
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-sub.html
func Sub(text string) *Node { return call("Fn::Sub", TextNode(text)) }

// Join makes the function Fn::Join, which puts texts together with a separator between them. See
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-join.html
func Join(separator string, texts ...*Node) *Node {
	return call("Fn::Join", ListNode(TextNode(separator), ListNode(texts...)))
}

func call(function string, argument *Node) *Node {
	return MapNode(Member{Name: function, Value: argument})
}

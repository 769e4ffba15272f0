package table

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"gatewright/internal/text/lazyregexp"
	"gatewright/sandbox/pages"
	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/request"
	"gatewright/sandbox/table/schema"
)

// tableARN is compiled at its first use: that takes a millisecond, which no start should
// wait for.
var tableARN = lazyregexp.New(`^arn:aws[a-z-]*:dynamodb:([^:]+):(\d+):table/([a-zA-Z0-9_.-]{3,255})$`)

// mostTags is the most tags of a table.
const mostTags = 50

// taggedTable is the name of the table of ResourceArn.
func (s *Store) taggedTable(m request.Members, operation string) (string, error) {
	arn, err := m.Text("ResourceArn")
	if err != nil {
		return "", err
	}
	if arn == nil {
		return "", attribute.Invalid("Invalid TableArn")
	}
	parts := tableARN().FindStringSubmatch(*arn)
	if parts == nil {
		return "", attribute.Invalid("Invalid TableArn: Invalid ResourceArn provided as input %s", *arn)
	}
	if _, account := s.placeOf(parts[3]); parts[2] != account {
		return "", refuse("AccessDeniedException",
			"User: arn:aws:iam::%s:user/local is not authorized to perform: dynamodb:%s on resource: %s",
			account, operation, *arn)
	}
	if s.table(parts[3]) == nil {
		return "", notFound("Requested resource not found: ResourcArn: %s not found", *arn)
	}
	return parts[3], nil
}

func readTags(list []jsontext.Value) ([]schema.Tag, error) {
	var out []schema.Tag
	for _, v := range list {
		var c request.Checks
		e := c.Members(v, request.ElementOf("Tag"))
		key, value := c.Text(e, "Key"), c.Text(e, "Value")
		if c.Require(key != nil, "tags.1.member.key") {
			c.Length(*key, "tags.1.member.key", 1, 128)
		}
		if c.Require(value != nil, "tags.1.member.value") {
			c.Length(*value, "tags.1.member.value", 0, 256)
		}
		if err := c.Err(); err != nil {
			return nil, err
		}
		out = append(out, schema.Tag{Key: *key, Value: *value})
	}
	return out, nil
}

// redefine changes a copy of a table's definition. missing is the error if there is no such
// table.
func (s *Store) redefine(name string, missing error, change func(tx *pages.Tx, d *schema.Table) error) error {
	return s.updateAlone(func(tx *pages.Tx) error {
		old := s.table(name)
		if old == nil {
			return missing
		}
		d := old.Clone()
		d.Derive()
		if err := change(tx, d); err != nil {
			return err
		}
		return s.putDefinition(tx, d)
	})
}

func (s *Store) tagResource(m request.Members) ([]byte, error) {
	name, err := s.taggedTable(m, "TagResource")
	if err != nil {
		return nil, err
	}
	var c request.Checks
	list := c.List(m, "Tags")
	c.Require(list != nil, "tags")
	if err := c.Err(); err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, attribute.Invalid("Atleast one Tag needs to be provided as Input.")
	}
	tags, err := readTags(list)
	if err != nil {
		return nil, err
	}
	return nil, s.redefine(name, errNoTable, func(_ *pages.Tx, d *schema.Table) error {
		for _, t := range tags {
			d.Tags = slices.DeleteFunc(d.Tags, func(old schema.Tag) bool { return old.Key == t.Key })
			d.Tags = append(d.Tags, t)
		}
		if len(d.Tags) > mostTags {
			return attribute.InvalidParameter("Too many tags: %d, at most %d are allowed", len(d.Tags), mostTags)
		}
		return nil
	})
}

func (s *Store) untagResource(m request.Members) ([]byte, error) {
	name, err := s.taggedTable(m, "UntagResource")
	if err != nil {
		return nil, err
	}
	var c request.Checks
	names := c.Texts(m, "TagKeys")
	c.Require(names != nil, "tagKeys")
	if err := c.Err(); err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, attribute.Invalid("Atleast one Tag Key needs to be provided as Input.")
	}
	return nil, s.redefine(name, errNoTable, func(_ *pages.Tx, d *schema.Table) error {
		d.Tags = slices.DeleteFunc(d.Tags, func(t schema.Tag) bool { return slices.Contains(names, t.Key) })
		return nil
	})
}

func (s *Store) listTagsOfResource(m request.Members) ([]byte, error) {
	name, err := s.taggedTable(m, "ListTagsOfResource")
	if err != nil {
		return nil, err
	}
	d := s.table(name)
	if d == nil {
		return nil, errNoTable
	}
	tags := slices.Clone(d.Tags)
	slices.SortFunc(tags, func(a, b schema.Tag) int { return strings.Compare(a.Key, b.Key) })
	if tags == nil {
		tags = []schema.Tag{}
	}
	return json.Marshal(map[string][]schema.Tag{"Tags": tags})
}

func (s *Store) describeTimeToLive(m request.Members) ([]byte, error) {
	d, err := s.lookUp(m)
	if err != nil {
		return nil, err
	}
	if d.TimeToLive == "" {
		return []byte(`{"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}}`), nil
	}
	b := appendQuoted([]byte(`{"TimeToLiveDescription":{"AttributeName":`), d.TimeToLive)
	return append(b, `,"TimeToLiveStatus":"ENABLED"}}`...), nil
}

func (s *Store) updateTimeToLive(m request.Members) ([]byte, error) {
	name, err := request.TableNameOf(m)
	if err != nil {
		return nil, err
	}
	var c request.Checks
	e := c.Object(m, "TimeToLiveSpecification", request.StructureOf("TimeToLiveSpecification"))
	enabled, text := c.Flag(e, "Enabled"), c.Text(e, "AttributeName")
	if c.Require(e != nil, "timeToLiveSpecification") {
		c.Require(enabled != nil, "timeToLiveSpecification.enabled")
		if c.Require(text != nil, "timeToLiveSpecification.attributeName") {
			c.Length(*text, "timeToLiveSpecification.attributeName", 1, 255)
		}
	}
	if err := c.Err(); err != nil {
		return nil, err
	}
	err = s.redefine(name, noSuchTable(name), func(_ *pages.Tx, d *schema.Table) error {
		switch {
		case *enabled && d.TimeToLive == *text:
			return attribute.Invalid("TimeToLive is already enabled")
		case *enabled && d.TimeToLive != "":
			return attribute.Invalid("TimeToLive is active on a different AttributeName: current AttributeName is %s",
				d.TimeToLive)
		case !*enabled && d.TimeToLive == "":
			return attribute.Invalid("TimeToLive is already disabled")
		case *enabled:
			d.TimeToLive = *text
		default:
			d.TimeToLive = ""
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	b := appendQuoted([]byte(`{"TimeToLiveSpecification":{"AttributeName":`), *text)
	b = append(b, `,"Enabled":`...)
	if *enabled {
		return append(b, "true}}"...), nil
	}
	return append(b, "false}}"...), nil
}

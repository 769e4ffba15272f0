package table

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gatewright/sandbox/pages"

	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/request"
	"gatewright/sandbox/table/schema"
)

// mostRecords is the most records that GetRecords returns, largestRecords roughly the most
// bytes.
const (
	mostRecords    = 1000
	largestRecords = 1 << 20
)

// streamOperations are the operations of DynamoDB Streams, a service of its own.
var streamOperations = map[string]func(*Store, request.Members) ([]byte, error){
	"DescribeStream":   (*Store).describeStream,
	"GetRecords":       (*Store).getRecords,
	"GetShardIterator": (*Store).getShardIterator,
	"ListStreams":      (*Store).listStreams,
}

// stream is the table of StreamArn.
func (s *Store) stream(m request.Members) (*schema.Table, error) {
	var c request.Checks
	arn := c.Text(m, "StreamArn")
	c.Require(arn != nil, "streamArn")
	if err := c.Err(); err != nil {
		return nil, err
	}
	return s.streamOf(*arn)
}

func (s *Store) streamOf(arn string) (*schema.Table, error) {
	for _, d := range *s.tables.Load() {
		if d.StreamLabel != "" && s.streamARN(d) == arn {
			return d, nil
		}
	}
	return nil, notFound("Requested resource not found: Stream: %s not found", arn)
}

func (s *Store) listStreams(m request.Members) ([]byte, error) {
	var c request.Checks
	only, after, most := c.Text(m, "TableName"), c.Text(m, "ExclusiveStartStreamArn"), c.Limit(m, 100)
	if err := c.Err(); err != nil {
		return nil, err
	}
	tables := *s.tables.Load()
	b := []byte(`{"Streams":[`)
	n, last := 0, ""
	// The order is that of the ARNs, which the next page begins after: "a-b" comes before "a".
	byARN := func(x, y *schema.Table) int { return strings.Compare(s.streamARN(x), s.streamARN(y)) }
	for _, d := range slices.SortedFunc(maps.Values(tables), byARN) {
		name, arn := d.TableName, s.streamARN(d)
		if d.StreamLabel == "" || only != nil && *only != name || after != nil && arn <= *after {
			continue
		}
		if n == most {
			b = appendQuoted(append(b, `],"LastEvaluatedStreamArn":`...), last)
			return append(b, '}'), nil
		}
		b = appendQuoted(next(append(comma(b, n), '{'), "StreamArn"), arn)
		b = appendQuoted(next(b, "StreamLabel"), d.StreamLabel)
		b = append(appendQuoted(next(b, "TableName"), name), '}')
		n, last = n+1, arn
	}
	return append(b, "]}"...), nil
}

func (s *Store) describeStream(m request.Members) ([]byte, error) {
	d, err := s.stream(m)
	if err != nil {
		return nil, err
	}
	status := "ENABLED"
	if d.StreamView == "" {
		status = "DISABLED"
	}
	b := strconv.AppendFloat([]byte(`{"StreamDescription":{"CreationRequestDateTime":`), d.Created, 'f', 3, 64)
	b = append(next(b, "KeySchema"), '[')
	for i, e := range d.KeySchema {
		b = appendQuoted(append(comma(b, i), `{"AttributeName":`...), e.AttributeName)
		b = append(appendQuoted(append(b, `,"KeyType":`...), e.KeyType), '}')
	}
	b = appendQuoted(append(b, `],"Shards":[{"SequenceNumberRange":{"StartingSequenceNumber":`...), sequenceNumber(1))
	b = append(appendQuoted(append(b, `},"ShardId":`...), shardID(d)), "}]"...)
	b = appendQuoted(next(b, "StreamArn"), s.streamARN(d))
	b = appendQuoted(next(b, "StreamLabel"), d.StreamLabel)
	b = appendQuoted(next(b, "StreamStatus"), status)
	if d.StreamView != "" {
		b = appendQuoted(next(b, "StreamViewType"), d.StreamView)
	}
	return append(appendQuoted(next(b, "TableName"), d.TableName), "}}"...), nil
}

// iterator is the stream's ARN and the number of the last record that was read.
func (s *Store) iterator(d *schema.Table, after uint64) string {
	return s.streamARN(d) + "|1|" + base64.StdEncoding.EncodeToString(fmt.Append(nil, after))
}

// readIterator is the inverse of iterator.
func (s *Store) readIterator(text string) (*schema.Table, uint64, error) {
	wrong := attribute.Invalid("Invalid ShardIterator")
	parts := strings.Split(text, "|")
	if len(parts) != 3 {
		return nil, 0, wrong
	}
	number, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil {
		return nil, 0, wrong
	}
	after, err := strconv.ParseUint(string(number), 10, 64)
	if err != nil {
		return nil, 0, wrong
	}
	d, err := s.streamOf(parts[0])
	return d, after, err
}

func (s *Store) getShardIterator(m request.Members) ([]byte, error) {
	d, err := s.stream(m)
	if err != nil {
		return nil, err
	}
	var c request.Checks
	shard, kind, sequence := c.Text(m, "ShardId"), c.Text(m, "ShardIteratorType"), c.Text(m, "SequenceNumber")
	c.Require(shard != nil, "shardId")
	c.Require(kind != nil, "shardIteratorType")
	c.Enum(kind, "shardIteratorType", "AFTER_SEQUENCE_NUMBER", "LATEST", "AT_SEQUENCE_NUMBER", "TRIM_HORIZON")
	if err := c.Err(); err != nil {
		return nil, err
	}
	if *shard != shardID(d) {
		return nil, notFound("Requested resource not found: Shard does not exist")
	}
	after := uint64(0)
	switch *kind {
	case "LATEST":
		err = s.view(func(tx *pages.Tx) error {
			if b := tx.Bucket(d.StreamBucket()); b != nil {
				after = b.Sequence()
			}
			return nil
		})
	case "AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER":
		if after, err = strconv.ParseUint(request.OrEmpty(sequence), 10, 64); err != nil {
			return nil, attribute.Invalid("Invalid SequenceNumber: %s", request.OrEmpty(sequence))
		}
		if *kind == "AT_SEQUENCE_NUMBER" && after > 0 {
			after--
		}
	}
	if err != nil {
		return nil, err
	}
	return append(appendQuoted([]byte(`{"ShardIterator":`), s.iterator(d, after)), '}'), nil
}

func (s *Store) getRecords(m request.Members) ([]byte, error) {
	var c request.Checks
	text := c.Text(m, "ShardIterator")
	c.Require(text != nil, "shardIterator")
	most := c.Limit(m, mostRecords)
	if err := c.Err(); err != nil {
		return nil, err
	}
	d, after, err := s.readIterator(*text)
	if err != nil {
		return nil, err
	}
	b := []byte(`{"Records":[`)
	err = s.view(func(tx *pages.Tx) error {
		changes := tx.Bucket(d.StreamBucket())
		if changes == nil {
			return nil
		}
		records := spanCursor{cursor: changes.Cursor(), span: schema.Span{Low: sequenceKey(after + 1)}}
		n := 0
		for key, value := records.first(); key != nil && n < most && len(b) < largestRecords; key, value = records.next() {
			if err := checkRecord(key, value); err != nil {
				return err
			}
			b = append(comma(b, n), value[timeLength:]...)
			after = sequenceOf(key)
			n++
		}
		return nil
	})
	b = append(b, ']')
	if d.StreamView != "" {
		b = appendQuoted(next(b, "NextShardIterator"), s.iterator(d, after))
	}
	return append(b, '}'), err
}

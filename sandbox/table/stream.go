package table

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"time"

	"gatewright/sandbox/pages"

	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/request"
	"gatewright/sandbox/table/schema"
	"gatewright/sandbox/table/stored"
)

// A stream is the changes of a table in their order. Each is stored as a timestamp and the
// JSON of its record. A stream has one shard. Records are kept for a day, as in the cloud.
const (
	streamLife = 24 * time.Hour
	// timeLength is the length of the timestamp in bytes: milliseconds since 1970.
	timeLength = 8
)

// readStream reads StreamSpecification. It returns the view type, empty if the stream is
// disabled.
func readStream(m request.Members, c *request.Checks) string {
	e := c.Object(m, "StreamSpecification", request.StructureOf("StreamSpecification"))
	if e == nil {
		return ""
	}
	enabled, view := c.Flag(e, "StreamEnabled"), c.Text(e, "StreamViewType")
	c.Require(enabled != nil, "streamSpecification.streamEnabled")
	c.Enum(view, "streamSpecification.streamViewType", "KEYS_ONLY", "NEW_AND_OLD_IMAGES", "NEW_IMAGE", "OLD_IMAGE")
	switch {
	case enabled == nil:
		return ""
	case *enabled && view == nil:
		c.Refuse(attribute.InvalidParameter("StreamViewType must be specified when StreamEnabled is true"))
	case !*enabled && view != nil:
		c.Refuse(attribute.InvalidParameter("StreamViewType cannot be specified when StreamEnabled is false"))
	}
	return request.OrEmpty(view)
}

// changeStream enables or disables the stream of a table. A new stream is empty.
func (s *Store) changeStream(tx *pages.Tx, d *schema.Table, view string) error {
	switch {
	case view != "" && d.StreamView != "":
		return attribute.Invalid("Table already has an enabled stream: TableName: %s", d.TableName)
	case view == "" && d.StreamView == "":
		return attribute.Invalid("Table does not have an enabled stream: TableName: %s", d.TableName)
	}
	d.StreamView = view
	if view == "" {
		return nil
	}
	d.StreamLabel = streamLabel(s.clock())
	for _, bucket := range [][]byte{d.StreamBucket(), d.ReaderBucket()} {
		if tx.Bucket(bucket) == nil {
			continue
		}
		if err := tx.DeleteBucket(bucket); err != nil {
			return err
		}
	}
	_, err := tx.CreateBucket(d.StreamBucket())
	return err
}

// checkRecord refuses what is not a record of a stream.
func checkRecord(key, value []byte) error {
	if len(value) < timeLength || len(key) != len(sequenceKey(0)) {
		return &pages.DamageError{What: wrongRecord}
	}
	return nil
}

const wrongRecord = "a record of a stream is not what was written"

func (s *Store) streamARN(d *schema.Table) string {
	return s.arn(d.TableName) + "/stream/" + d.StreamLabel
}

// record adds a change to the stream of its table, and trims expired records. A write that
// leaves the item as it was is not recorded.
func (s *Store) record(tx *pages.Tx, e *effect) error {
	if stored.Same(e.old, e.new) {
		return nil
	}
	changes := tx.Bucket(e.def.StreamBucket())
	number, err := changes.NextSequence()
	if err != nil {
		return err
	}
	now := s.clock()
	text, err := s.recordJSON(e, number, now)
	if err != nil {
		return err
	}
	value := append(binary.BigEndian.AppendUint64(nil, uint64(now.UnixMilli())), text...)
	if err := changes.Put(sequenceKey(number), value); err != nil {
		return err
	}
	tx.OnCommit(s.noteChanges)
	return trim(changes, now)
}

func sequenceKey(number uint64) []byte { return binary.BigEndian.AppendUint64(nil, number) }

// trim deletes up to two expired records. As it runs at each new record, it keeps up.
func trim(changes *pages.Bucket, now time.Time) error {
	for range 2 {
		key, value := changes.Cursor().First()
		if len(value) < timeLength || now.Sub(time.UnixMilli(int64(binary.BigEndian.Uint64(value)))) < streamLife {
			return nil
		}
		if err := changes.Delete(append([]byte{}, key...)); err != nil {
			return err
		}
	}
	return nil
}

// recordJSON is a change as a record of the stream.
func (s *Store) recordJSON(e *effect, number uint64, now time.Time) ([]byte, error) {
	name := "MODIFY"
	switch {
	case e.old == nil:
		name = "INSERT"
	case e.new == nil:
		name = "REMOVE"
	}
	var id [16]byte
	binary.BigEndian.PutUint64(id[:], e.def.Number)
	binary.BigEndian.PutUint64(id[8:], number)
	region, _ := s.placeOf(e.def.TableName)
	b := appendQuoted([]byte(`{"awsRegion":`), region)
	b = strconv.AppendInt(append(b, `,"dynamodb":{"ApproximateCreationDateTime":`...), now.Unix(), 10)
	keys := make(attribute.Item)
	for _, key := range e.def.Keys.Names() {
		keys[key] = e.item[key]
	}
	b = keys.AppendJSON(next(b, "Keys"))
	view := e.def.StreamView
	size := keys.Size()
	var err error
	if e.new != nil && (view == "NEW_IMAGE" || view == "NEW_AND_OLD_IMAGES") {
		if b, err = e.new.AppendJSON(next(b, "NewImage"), nil); err != nil {
			return nil, err
		}
		size += e.new.Size()
	}
	if e.old != nil && (view == "OLD_IMAGE" || view == "NEW_AND_OLD_IMAGES") {
		if b, err = e.old.AppendJSON(next(b, "OldImage"), nil); err != nil {
			return nil, err
		}
		size += e.old.Size()
	}
	b = appendQuoted(next(b, "SequenceNumber"), sequenceNumber(number))
	b = strconv.AppendInt(next(b, "SizeBytes"), int64(size), 10)
	b = append(appendQuoted(next(b, "StreamViewType"), view), '}')
	b = appendQuoted(next(b, "eventID"), hex.EncodeToString(id[:]))
	b = appendQuoted(next(b, "eventName"), name)
	b = append(b, `,"eventSource":"aws:dynamodb","eventVersion":"1.1"`...)
	if e.expired {
		b = append(b, byExpiry...)
	}
	return append(b, '}'), nil
}

// byExpiry is who deleted an item whose time to live was over, and byExpiryForFunctions the same in the event
// of a function (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_Identity.html,
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-streams.html).
const (
	byExpiry             = `,"userIdentity":{"PrincipalId":"dynamodb.amazonaws.com","Type":"Service"}`
	byExpiryForFunctions = `,"userIdentity":{"principalId":"dynamodb.amazonaws.com","type":"Service"}`
)

// sequenceNumber has as many digits as the service's numbers.
func sequenceNumber(n uint64) string { return fmt.Sprintf("%021d", n) }

func shardID(d *schema.Table) string {
	return fmt.Sprintf("shardId-%020d-%08x", d.Number, schema.HashOf([]byte(d.StreamLabel)))
}

func sequenceOf(key []byte) uint64 { return binary.BigEndian.Uint64(key) }

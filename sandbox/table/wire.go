package table

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"hash/crc32"
	"io"
	"net/http"
	"strconv"
	"strings"

	"gatewright/sandbox/http1"
	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/request"
)

// Target and StreamTarget are the prefixes of X-Amz-Target for operations on tables and on
// their streams; the operation's name follows.
const (
	Target       = "DynamoDB_20120810."
	StreamTarget = "DynamoDBStreams_20120810."
)

const (
	// largestRequest is the most bytes that the service accepts.
	largestRequest = 16 << 20

	contentType = "application/x-amz-json-1.0"
)

// Handler serves the protocol: POST with X-Amz-Target on any path, without authentication. A GET answers that
// the service is healthy. It answers no preflight of a browser, so that no web page reaches the tables.
func (s *Store) Handler() Service { return Service{s} }

// Service is the protocol of a Store, as an http.Handler and as a function of a request's
// head and body.
type Service struct{ store *Store }

// ServeHTTP answers a request.
func (v Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s := v.store
	h := w.Header()
	h.Set("X-Amzn-Requestid", requestID())
	switch {
	case r.Method == http.MethodGet:
		region, _ := s.placeOf("")
		answer(w, http.StatusOK, "text/plain", []byte("healthy: dynamodb."+region+".amazonaws.com "))
		return
	case r.Method != http.MethodPost || !isJSON(r.Header.Get("Content-Type")):
		answer(w, http.StatusNotFound, "", []byte("<UnknownOperationException/>\n"))
		return
	}
	input, err := readAll(w, r)
	if err != nil {
		status := http.StatusBadRequest
		if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
			status = http.StatusRequestEntityTooLarge
		}
		answer(w, status, "", nil)
		return
	}
	status, output := s.answer(r.Context(), r.Header.Get("X-Amz-Target"), input)
	answer(w, status, contentType, output)
}

// Answer answers a POST. It keeps neither head nor body.
func (v Service) Answer(
	ctx context.Context, head *http1.Head, body []byte,
) (status int, header []http1.Field, answer []byte) {
	status, answer = v.store.answer(ctx, head.Get("X-Amz-Target"), body)
	return status, Fields(answer), answer
}

// answer is the status and the body (application/x-amz-json-1.0) for an X-Amz-Target and a
// request's body.
func (s *Store) answer(ctx context.Context, target string, input []byte) (status int, body []byte) {
	output, err := s.do(ctx, target, input)
	if err != nil {
		return failure(err)
	}
	return http.StatusOK, output
}

// Fields are the headers of an answer to a POST, except its length.
func Fields(body []byte) []http1.Field {
	return []http1.Field{
		{Name: "Content-Type", Value: contentType},
		{Name: "x-amzn-RequestId", Value: requestID()},
		{Name: "x-amz-crc32", Value: strconv.FormatUint(uint64(crc32.ChecksumIEEE(body)), 10)},
	}
}

func isJSON(header string) bool {
	kind, _, _ := strings.Cut(header, ";")
	kind = strings.TrimSpace(kind)
	return kind == "" || strings.EqualFold(kind, contentType) || strings.EqualFold(kind, "application/json")
}

// readAll reads the body of a request, into memory of the right size if the length is known.
func readAll(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	body := http.MaxBytesReader(w, r.Body, largestRequest)
	if n := r.ContentLength; n >= 0 && n <= largestRequest {
		input := make([]byte, n)
		_, err := io.ReadFull(body, input)
		return input, err
	}
	return io.ReadAll(body)
}

func answer(w http.ResponseWriter, status int, kind string, body []byte) {
	h := w.Header()
	if kind != "" {
		h.Set("Content-Type", kind)
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("X-Amz-Crc32", strconv.FormatUint(uint64(crc32.ChecksumIEEE(body)), 10))
	w.WriteHeader(status)
	// The error is that the client disconnected.
	_, _ = w.Write(body)
}

// requestID is 52 characters, like the service's ids.
func requestID() string {
	var b [32]byte
	_, _ = rand.Read(b[:])
	return base32.StdEncoding.EncodeToString(b[:])[:52]
}

// failure is the status and the body of an error's answer.
func failure(err error) (int, []byte) {
	var plain *attribute.Error
	if !errors.As(err, &plain) {
		plain = &attribute.Error{Code: "InternalServerError", Message: err.Error()}
	}
	status := http.StatusBadRequest
	if plain.Code == "InternalServerError" {
		status = http.StatusInternalServerError
	}
	name, key := "com.amazonaws.dynamodb.v20120810#", "message"
	switch plain.Code {
	case "ValidationException":
		name = "com.amazon.coral.validate#"
	case "SerializationException", "UnknownOperationException", "AccessDeniedException":
		name, key = "com.amazon.coral.service#", "Message"
	case "TransactionCanceledException":
		key = "Message"
	}
	body := appendQuoted([]byte(`{"__type":`), name+plain.Code)
	if plain.Message != "" {
		body = appendQuoted(append(append(append(body, `,"`...), key...), `":`...), plain.Message)
	}
	if r := new(refusal); errors.As(err, &r) {
		body = append(body, r.extra...)
	}
	return status, append(body, '}')
}

// Do runs one operation, such as "PutItem". Input and output are JSON. A refusal by the
// service is an *attribute.Error (errors.As); any other error is a fault of the file.
func (s *Store) Do(ctx context.Context, operation string, input []byte) ([]byte, error) {
	return s.do(ctx, Target+operation, input)
}

// do runs the operation that an X-Amz-Target names.
func (s *Store) do(ctx context.Context, target string, input []byte) ([]byte, error) {
	var run func(*Store, request.Members) ([]byte, error)
	if operation, ok := strings.CutPrefix(target, Target); ok {
		run = operations[operation]
	} else if operation, ok := strings.CutPrefix(target, StreamTarget); ok {
		run = streamOperations[operation]
	}
	if run == nil {
		return nil, errUnknownOperation
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m, err := request.Parse(input, request.Whole)
	if err != nil {
		return nil, err
	}
	return run(s, m)
}

var operations = map[string]func(*Store, request.Members) ([]byte, error){
	"BatchExecuteStatement":     (*Store).batchExecuteStatement,
	"BatchGetItem":              (*Store).batchGetItem,
	"BatchWriteItem":            (*Store).batchWriteItem,
	"CreateTable":               (*Store).createTable,
	"DeleteItem":                (*Store).deleteItem,
	"DeleteTable":               (*Store).deleteTable,
	"DescribeContinuousBackups": (*Store).describeContinuousBackups,
	"DescribeEndpoints":         (*Store).describeEndpoints,
	"DescribeLimits":            (*Store).describeLimits,
	"DescribeTable":             (*Store).describeTable,
	"DescribeTimeToLive":        (*Store).describeTimeToLive,
	"ExecuteStatement":          (*Store).executeStatement,
	"ExecuteTransaction":        (*Store).executeTransaction,
	"GetItem":                   (*Store).getItem,
	"ListTables":                (*Store).listTables,
	"ListTagsOfResource":        (*Store).listTagsOfResource,
	"PutItem":                   (*Store).putItem,
	"Query":                     (*Store).query,
	"Scan":                      (*Store).scan,
	"TagResource":               (*Store).tagResource,
	"TransactGetItems":          (*Store).transactGetItems,
	"TransactWriteItems":        (*Store).transactWriteItems,
	"UntagResource":             (*Store).untagResource,
	"UpdateItem":                (*Store).updateItem,
	"UpdateTable":               (*Store).updateTable,
	"UpdateTimeToLive":          (*Store).updateTimeToLive,
	WriteMany:                   (*Store).writeMany,
}

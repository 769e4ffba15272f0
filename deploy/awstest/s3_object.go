package awstest

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/xml"
	"hash/crc32"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

type object struct {
	body     []byte
	etag     string
	header   map[string]string
	modified time.Time
	version  string
}

// upload is a multipart upload that is not complete.
type upload struct {
	key    string
	header map[string]string
	parts  map[int][]byte
}

// smallestPart is the least size of all parts but the last, in bytes. See
// https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html
const smallestPart = 5 << 20

func etag(b []byte) string {
	sum := md5.Sum(b)
	return `"` + hex.EncodeToString(sum[:]) + `"`
}

func (s *Server) object(r *request, b *bucket) (answer, *fault) {
	key := r.Parameters["Key"]
	switch r.Action {
	case "PutObject":
		body, f := r.decoded()
		if f != nil {
			return answer{}, f
		}
		if r.http.Header.Get("If-None-Match") == "*" && b.objects[key] != nil {
			return answer{},
				&fault{
					http.StatusPreconditionFailed, "PreconditionFailed",
					"At least one of the pre-conditions you specified did not hold",
				}
		}
		o := s.store(b, key, body, etag(body), kept(r))
		return answer{header: o.headers()}, nil
	case "HeadObject", "GetObject":
		o := b.objects[key]
		if o == nil {
			return answer{}, &fault{http.StatusNotFound, "NoSuchKey", "The specified key does not exist."}
		}
		headers := o.headers()
		maps.Copy(headers, o.header)
		headers["Content-Length"] = strconv.Itoa(len(o.body))
		headers["Last-Modified"] = o.modified.Format(http.TimeFormat)
		return answer{header: headers, body: o.body}, nil
	case "DeleteObject":
		delete(b.objects, key)
		return answer{status: http.StatusNoContent}, nil
	}
	return s.multipart(r, b, key)
}

// kept are the headers of an upload that belong to the object.
func kept(r *request) map[string]string {
	header := make(map[string]string)
	for name, values := range r.http.Header {
		if name == "Content-Type" || strings.HasPrefix(name, "X-Amz-Meta-") || name == "X-Amz-Server-Side-Encryption" {
			header[name] = values[0]
		}
	}
	return header
}

func (s *Server) store(b *bucket, key string, body []byte, tag string, header map[string]string) *object {
	s.ids++
	o := &object{body: body, etag: tag, header: header, modified: s.now()}
	if strings.Contains(string(b.settings["versioning"]), "Enabled") {
		o.version = "version" + padded(s.ids, 8)
	}
	b.objects[key] = o
	return o
}

func (o *object) headers() map[string]string {
	h := map[string]string{"Etag": o.etag}
	if o.version != "" {
		h["X-Amz-Version-Id"] = o.version
	}
	return h
}

func (s *Server) multipart(r *request, b *bucket, key string) (answer, *fault) {
	if r.Action == "CreateMultipartUpload" {
		s.ids++
		id := "upload" + padded(s.ids, 8)
		b.uploads[id] = &upload{key, kept(r), make(map[int][]byte)}
		return answer{body: []byte(el("InitiateMultipartUploadResult",
			tx("Bucket", b.name)+tx("Key", key)+tx("UploadId", id)))}, nil
	}
	id := r.get("uploadId")
	u := b.uploads[id]
	if u == nil || u.key != key {
		return answer{},
			&fault{
				http.StatusNotFound, "NoSuchUpload",
				"The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted " +
					"or completed.",
			}
	}
	switch r.Action {
	case "UploadPart":
		n, err := strconv.Atoi(r.get("partNumber"))
		if err != nil || n < 1 || n > 10000 {
			return answer{},
				&fault{http.StatusBadRequest, "InvalidArgument", "Part number must be an integer between 1 and 10000, inclusive"}
		}
		body, f := r.decoded()
		if f != nil {
			return answer{}, f
		}
		u.parts[n] = body
		return answer{header: map[string]string{"Etag": etag(body)}}, nil
	case "AbortMultipartUpload":
		delete(b.uploads, id)
		return answer{status: http.StatusNoContent}, nil
	case "CompleteMultipartUpload":
		body, tags, f := u.join(r.body)
		if f != nil {
			return answer{}, f
		}
		sum := md5.Sum(tags)
		o := s.store(b, key, body, `"`+hex.EncodeToString(sum[:])+"-"+strconv.Itoa(len(tags)/md5.Size)+`"`, u.header)
		delete(b.uploads, id)
		return answer{
			header: o.headers(),
			body:   []byte(el("CompleteMultipartUploadResult", tx("Bucket", b.name)+tx("Key", key)+tx("ETag", o.etag))),
		}, nil
	}
	return answer{},
		&fault{
			http.StatusNotImplemented, "NotImplemented",
			"A header you provided implies functionality that is not implemented",
		}
}

// join puts the parts together that a client names, and gives the sums of their MD5.
func (u *upload) join(list []byte) (body, sums []byte, f *fault) {
	var named struct {
		Part []struct {
			PartNumber int
			ETag       string
		}
	}
	if xml.Unmarshal(list, &named) != nil || len(named.Part) == 0 {
		return nil, nil,
			&fault{
				http.StatusBadRequest, "MalformedXML",
				"The XML you provided was not well-formed or did not validate against our published schema",
			}
	}
	last := 0
	for i, part := range named.Part {
		b, ok := u.parts[part.PartNumber]
		switch {
		case part.PartNumber <= last:
			return nil, nil,
				&fault{
					http.StatusBadRequest, "InvalidPartOrder",
					"The list of parts was not in ascending order. Parts must be ordered by part number.",
				}
		case !ok || strings.Trim(part.ETag, `"`) != strings.Trim(etag(b), `"`):
			return nil, nil,
				&fault{
					http.StatusBadRequest, "InvalidPart",
					"One or more of the specified parts could not be found. The part may not have been uploaded, or the specified " +
						"entity tag may not match the part's entity tag.",
				}
		case len(b) < smallestPart && i < len(named.Part)-1:
			return nil, nil,
				&fault{http.StatusBadRequest, "EntityTooSmall", "Your proposed upload is smaller than the minimum allowed size"}
		}
		last = part.PartNumber
		sum := md5.Sum(b)
		body, sums = append(body, b...), append(sums, sum[:]...)
	}
	return body, sums, nil
}

func (s *Server) listObjects(r *request, b *bucket) (answer, *fault) {
	var keys []string
	for key := range b.objects {
		if strings.HasPrefix(key, r.get("prefix")) && key > r.get("start-after") {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	size := 1000
	if n, err := strconv.Atoi(r.get("max-keys")); err == nil && n < size {
		size = n
	}
	part, next, f := page(keys, r.get("continuation-token"), size)
	if f != nil {
		return answer{}, &fault{http.StatusBadRequest, "InvalidArgument", "The continuation token provided is incorrect"}
	}
	var list strings.Builder
	for _, key := range part {
		o := b.objects[key]
		list.WriteString(el("Contents", tx("Key", key)+at("LastModified", o.modified)+tx("ETag", o.etag)+
			tx("Size", strconv.Itoa(len(o.body)))+tx("StorageClass", "STANDARD")))
	}
	return answer{body: []byte(el("ListBucketResult",
			tx("Name", b.name)+el("Prefix", "")+tx("KeyCount", strconv.Itoa(len(part)))+
				tx("MaxKeys", strconv.Itoa(size))+yes("IsTruncated", next != "")+tx("NextContinuationToken", next)+list.String()))},
		nil
}

// decoded is the body of an upload without the framing of aws-chunked, with its checksums
// verified. See https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html
func (r *request) decoded() ([]byte, *fault) {
	body := r.body
	sums := make(map[string]string)
	for name, values := range r.http.Header {
		if algorithm, ok := strings.CutPrefix(strings.ToLower(name), "x-amz-checksum-"); ok {
			sums[algorithm] = values[0]
		}
	}
	if strings.Contains(r.http.Header.Get("Content-Encoding"), "aws-chunked") ||
		strings.HasPrefix(r.http.Header.Get("X-Amz-Content-Sha256"), "STREAMING") {
		var ok bool
		if body, ok = unchunk(body, sums); !ok {
			return nil, &fault{http.StatusBadRequest, "IncompleteBody", "The request body terminated unexpectedly"}
		}
	}
	if hash := r.http.Header.Get("X-Amz-Content-Sha256"); len(hash) == 2*sha256.Size && hash != r.BodyHash {
		return nil, &fault{
			http.StatusBadRequest, "XAmzContentSHA256Mismatch",
			"The provided 'x-amz-content-sha256' header does not match what was computed.",
		}
	}
	if sum := r.http.Header.Get("Content-Md5"); sum != "" {
		sums["md5"] = sum
	}
	for algorithm, want := range sums {
		if got := checksum(algorithm, body); got != "" && got != want {
			return nil, &fault{
				http.StatusBadRequest, "BadDigest",
				"The " + strings.ToUpper(algorithm) + " you specified did not match the calculated checksum.",
			}
		}
	}
	return body, nil
}

// checksum is a sum as headers have it; "" for an algorithm that is not verified here.
func checksum(algorithm string, b []byte) string {
	var sum []byte
	switch algorithm {
	case "crc32":
		h := crc32.NewIEEE()
		_, _ = h.Write(b)
		sum = h.Sum(nil)
	case "crc32c":
		h := crc32.New(crc32.MakeTable(crc32.Castagnoli))
		_, _ = h.Write(b)
		sum = h.Sum(nil)
	case "sha256":
		x := sha256.Sum256(b)
		sum = x[:]
	case "md5":
		x := md5.Sum(b)
		sum = x[:]
	default:
		return ""
	}
	return base64.StdEncoding.EncodeToString(sum)
}

// unchunk reads chunks until the empty one, and adds the checksums among the trailers.
func unchunk(b []byte, sums map[string]string) ([]byte, bool) {
	var body []byte
	for {
		line, rest, ok := strings.Cut(string(b), "\r\n")
		if !ok {
			return nil, false
		}
		digits, _, _ := strings.Cut(line, ";")
		n, err := strconv.ParseInt(digits, 16, 32)
		if err != nil || n < 0 {
			return nil, false
		}
		if n == 0 {
			for trailer := range strings.SplitSeq(rest, "\r\n") {
				name, value, _ := strings.Cut(trailer, ":")
				if algorithm, is := strings.CutPrefix(strings.ToLower(strings.TrimSpace(name)), "x-amz-checksum-"); is {
					sums[algorithm] = strings.TrimSpace(value)
				}
			}
			return body, true
		}
		if int64(len(rest)) < n+2 {
			return nil, false
		}
		body = append(body, rest[:n]...)
		b = []byte(rest[n+2:])
	}
}

// Objects returns the objects of a bucket, by key.
func (s *Server) Objects(bucket string) map[string][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make(map[string][]byte)
	if b := s.buckets[bucket]; b != nil {
		for key, o := range b.objects {
			all[key] = slices.Clone(o.body)
		}
	}
	return all
}

// Uploads returns how many multipart uploads to a bucket are neither complete nor aborted.
func (s *Server) Uploads(bucket string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := s.buckets[bucket]; b != nil {
		return len(b.uploads)
	}
	return 0
}

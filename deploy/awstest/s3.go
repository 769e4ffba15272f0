package awstest

import (
	"encoding/xml"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// bucket is a bucket with its objects.
type bucket struct {
	name, owner, region string
	// settings are the bodies of PutBucketPolicy and the like, by the name in the query.
	settings map[string][]byte
	objects  map[string]*object
	uploads  map[string]*upload
}

// settings are the sub-resources of a bucket, with the error that is answered if there is
// none; "" if there always is one.
var settings = map[string]struct{ action, missing, message string }{
	"publicAccessBlock": {
		"PublicAccessBlock", "NoSuchPublicAccessBlockConfiguration",
		"The public access block configuration was not found",
	},
	"encryption": {"BucketEncryption", "", ""},
	"versioning": {"BucketVersioning", "", ""},
	"policy":     {"BucketPolicy", "NoSuchBucketPolicy", "The bucket policy does not exist"},
	"ownershipControls": {
		"BucketOwnershipControls", "OwnershipControlsNotFoundError",
		"The bucket ownership controls were not found",
	},
	"lifecycle": {
		"BucketLifecycleConfiguration", "NoSuchLifecycleConfiguration",
		"The lifecycle configuration does not exist",
	},
	"tagging":  {"BucketTagging", "NoSuchTagSet", "The TagSet does not exist"},
	"location": {"BucketLocation", "", ""},
}

// defaults are the answers for settings that always exist.
var defaults = map[string]string{
	"encryption": `<ServerSideEncryptionConfiguration><Rule><ApplyServerSideEncryptionByDefault><SSEAlgorithm>AES256</SSEAlgorithm></ApplyServerSideEncryptionByDefault></Rule></ServerSideEncryptionConfiguration>`,
	"versioning": `<VersioningConfiguration/>`,
}

// nameS3 finds the action of a request, and adds Bucket and Key to its parameters.
func (r *request) nameS3() {
	name, key, hasKey := strings.Cut(strings.TrimPrefix(r.http.URL.EscapedPath(), "/"), "/")
	name, _ = url.PathUnescape(name)
	key, _ = url.PathUnescape(key)
	r.Parameters["Bucket"] = name
	if hasKey && key != "" {
		r.Parameters["Key"] = key
		r.Action = r.objectAction()
		return
	}
	for setting, s := range settings {
		if r.form.Has(setting) {
			r.Action = map[string]string{
				http.MethodGet: "Get", http.MethodPut: "Put",
				http.MethodDelete: "Delete",
			}[r.http.Method] + s.action
			return
		}
	}
	switch {
	case r.http.Method == http.MethodHead:
		r.Action = "HeadBucket"
	case r.http.Method == http.MethodPut:
		r.Action = "CreateBucket"
	case r.http.Method == http.MethodDelete:
		r.Action = "DeleteBucket"
	case name == "":
		r.Action = "ListBuckets"
	default:
		r.Action = "ListObjectsV2"
	}
}

func (r *request) objectAction() string {
	upload := r.form.Has("uploadId")
	switch r.http.Method {
	case http.MethodHead:
		return "HeadObject"
	case http.MethodGet:
		return "GetObject"
	case http.MethodPut:
		if upload {
			return "UploadPart"
		}
		return "PutObject"
	case http.MethodDelete:
		if upload {
			return "AbortMultipartUpload"
		}
		return "DeleteObject"
	}
	if upload {
		return "CompleteMultipartUpload"
	}
	return "CreateMultipartUpload"
}

func (s *Server) s3(r *request) (answer, *fault) {
	name := r.Parameters["Bucket"]
	if r.Action == "CreateBucket" {
		return s.createBucket(r, name)
	}
	b := s.buckets[name]
	if b == nil {
		return answer{}, &fault{http.StatusNotFound, "NoSuchBucket", "The specified bucket does not exist"}
	}
	expected := r.http.Header.Get("X-Amz-Expected-Bucket-Owner")
	if b.owner != r.Account || expected != "" && expected != b.owner {
		return answer{}, &fault{http.StatusForbidden, "AccessDenied", "Access Denied"}
	}
	if b.region != r.Region {
		if r.Action == "HeadBucket" {
			return answer{status: http.StatusMovedPermanently, header: map[string]string{"X-Amz-Bucket-Region": b.region}}, nil
		}
		return answer{}, &fault{
			http.StatusMovedPermanently, "PermanentRedirect",
			"The bucket you are attempting to access must be addressed using the specified endpoint. Please send all future " +
				"requests to this endpoint.",
		}
	}
	if _, isObject := r.Parameters["Key"]; isObject {
		return s.object(r, b)
	}
	for setting := range settings {
		if r.form.Has(setting) {
			return b.setting(r, setting)
		}
	}
	switch r.Action {
	case "HeadBucket":
		return answer{header: map[string]string{"X-Amz-Bucket-Region": b.region}}, nil
	case "DeleteBucket":
		if len(b.objects) > 0 {
			return answer{}, &fault{http.StatusConflict, "BucketNotEmpty", "The bucket you tried to delete is not empty"}
		}
		delete(s.buckets, name)
		return answer{status: http.StatusNoContent}, nil
	}
	return s.listObjects(r, b)
}

func (s *Server) createBucket(r *request, name string) (answer, *fault) {
	var body struct {
		LocationConstraint string
	}
	if len(r.body) > 0 && xml.Unmarshal(r.body, &body) != nil {
		return answer{},
			&fault{
				http.StatusBadRequest, "MalformedXML",
				"The XML you provided was not well-formed or did not validate against our published schema",
			}
	}
	if r.Region != "us-east-1" && body.LocationConstraint != r.Region || r.Region == "us-east-1" &&
		body.LocationConstraint != "" {
		return answer{}, &fault{
			http.StatusBadRequest, "IllegalLocationConstraintException",
			"The " + orUnspecified(body.LocationConstraint) +
				" location constraint is incompatible for the region specific endpoint this request was sent to.",
		}
	}
	if b := s.buckets[name]; b != nil {
		if b.owner != r.Account {
			return answer{},
				&fault{
					http.StatusConflict, "BucketAlreadyExists",
					"The requested bucket name is not available. The bucket namespace is shared by all users of the system. Please " +
						"select a different name and try again.",
				}
		}
		if r.Region != "us-east-1" {
			return answer{},
				&fault{
					http.StatusConflict, "BucketAlreadyOwnedByYou",
					"Your previous request to create the named bucket succeeded and you already own it.",
				}
		}
		return answer{header: map[string]string{"Location": "/" + name}}, nil
	}
	s.addBucket(name, r.Account, r.Region)
	return answer{header: map[string]string{"Location": "/" + name}}, nil
}

func orUnspecified(location string) string {
	if location == "" {
		return "unspecified"
	}
	return location
}

func (s *Server) addBucket(name, owner, region string) *bucket {
	b := &bucket{
		name: name, owner: owner, region: region,
		// A new bucket blocks public access and has its owner own all objects. See
		// https://docs.aws.amazon.com/AmazonS3/latest/userguide/create-bucket-faq.html
		settings: map[string][]byte{
			"publicAccessBlock": []byte(`<PublicAccessBlockConfiguration><BlockPublicAcls>true</BlockPublicAcls><IgnorePublicAcls>true</IgnorePublicAcls><BlockPublicPolicy>true</BlockPublicPolicy><RestrictPublicBuckets>true</RestrictPublicBuckets></PublicAccessBlockConfiguration>`),
			"ownershipControls": []byte(`<OwnershipControls><Rule><ObjectOwnership>BucketOwnerEnforced</ObjectOwnership></Rule></OwnershipControls>`),
		},
		objects: make(map[string]*object), uploads: make(map[string]*upload),
	}
	s.buckets[name] = b
	return b
}

// setting answers for a sub-resource of a bucket.
func (b *bucket) setting(r *request, name string) (answer, *fault) {
	switch r.http.Method {
	case http.MethodPut:
		body, f := r.decoded()
		if f != nil {
			return answer{}, f
		}
		b.settings[name] = body
		if name == "policy" {
			return answer{status: http.StatusNoContent}, nil
		}
		return answer{}, nil
	case http.MethodDelete:
		delete(b.settings, name)
		return answer{status: http.StatusNoContent}, nil
	}
	kind := "application/xml"
	if name == "policy" {
		kind = "application/json"
	}
	if name == "location" {
		location := b.region
		if location == "us-east-1" {
			location = ""
		}
		return answer{header: map[string]string{"Content-Type": kind}, body: []byte(el("LocationConstraint", location))}, nil
	}
	if body, ok := b.settings[name]; ok {
		return answer{header: map[string]string{"Content-Type": kind}, body: body}, nil
	}
	if body, ok := defaults[name]; ok {
		return answer{header: map[string]string{"Content-Type": kind}, body: []byte(body)}, nil
	}
	return answer{}, &fault{http.StatusNotFound, settings[name].missing, settings[name].message}
}

// AddBucket makes a bucket of an account in a region, such as one that somebody else owns.
func (s *Server) AddBucket(name, owner, region string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.addBucket(name, owner, region)
}

// Buckets returns the names of all buckets, sorted.
func (s *Server) Buckets() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for name := range s.buckets {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// BucketSetting returns the body that was put last for a sub-resource of a bucket, such as
// policy, encryption, versioning, publicAccessBlock, ownershipControls or lifecycle; nil if
// there is none.
func (s *Server) BucketSetting(bucket, name string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := s.buckets[bucket]; b != nil {
		return slices.Clone(b.settings[name])
	}
	return nil
}

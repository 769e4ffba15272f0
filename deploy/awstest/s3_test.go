package awstest_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	cloudformationtypes "github.com/aws/aws-sdk-go-v2/service/cloudformation/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"gatewright/deploy/awstest"
)

var assets = aws.String("assets")

func (c *client) bucket() {
	c.t.Helper()
	if _, err := c.s3.CreateBucket(c.ctx, &s3.CreateBucketInput{
		Bucket: assets, CreateBucketConfiguration: &types.CreateBucketConfiguration{LocationConstraint: "eu-central-1"},
	}); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) put(key, body string) error {
	_, err := c.s3.PutObject(c.ctx, &s3.PutObjectInput{Bucket: assets, Key: &key, Body: strings.NewReader(body), ExpectedBucketOwner: aws.String("123456789012")})
	return err
}

func TestABucketBelongsToTheAccountThatMadeIt(t *testing.T) {
	t.Parallel()
	c := start(t, awstest.Options{})
	_, err := c.s3.HeadBucket(c.ctx, &s3.HeadBucketInput{Bucket: assets})
	wantCode(t, err, "NotFound")
	c.bucket()
	if _, err := c.s3.HeadBucket(c.ctx, &s3.HeadBucketInput{Bucket: assets, ExpectedBucketOwner: aws.String("123456789012")}); err != nil {
		t.Error(err)
	}
	_, err = c.s3.ListObjectsV2(c.ctx, &s3.ListObjectsV2Input{Bucket: assets, ExpectedBucketOwner: aws.String("210987654321")})
	wantCode(t, err, "AccessDenied: ")
	_, err = c.s3.CreateBucket(c.ctx, &s3.CreateBucketInput{Bucket: aws.String("elsewhere")})
	wantCode(t, err, "IllegalLocationConstraintException: ")
	other := connect(t, c.fake, "210987654321")
	wantCode(t, other.put("a", "b"), "AccessDenied: ")
	_, err = other.s3.CreateBucket(c.ctx, &s3.CreateBucketInput{
		Bucket: assets, CreateBucketConfiguration: &types.CreateBucketConfiguration{LocationConstraint: "eu-central-1"},
	})
	wantCode(t, err, "BucketAlreadyExists")
}

func TestSettingsOfABucketAreReadAsTheyWerePut(t *testing.T) {
	t.Parallel()
	c := start(t, awstest.Options{})
	c.bucket()
	_, err := c.s3.GetBucketPolicy(c.ctx, &s3.GetBucketPolicyInput{Bucket: assets})
	wantCode(t, err, "NoSuchBucketPolicy: ")
	for _, put := range []func() error{
		func() error {
			_, err := c.s3.PutBucketPolicy(c.ctx, &s3.PutBucketPolicyInput{Bucket: assets, Policy: aws.String(`{"Statement": []}`)})
			return err
		},
		func() error {
			_, err := c.s3.PutBucketVersioning(c.ctx, &s3.PutBucketVersioningInput{Bucket: assets, VersioningConfiguration: &types.VersioningConfiguration{Status: "Enabled"}})
			return err
		},
		func() error {
			_, err := c.s3.PutPublicAccessBlock(c.ctx, &s3.PutPublicAccessBlockInput{Bucket: assets, PublicAccessBlockConfiguration: &types.PublicAccessBlockConfiguration{BlockPublicAcls: aws.Bool(true)}})
			return err
		},
		func() error {
			_, err := c.s3.PutBucketEncryption(c.ctx, &s3.PutBucketEncryptionInput{Bucket: assets, ServerSideEncryptionConfiguration: &types.ServerSideEncryptionConfiguration{
				Rules: []types.ServerSideEncryptionRule{{BucketKeyEnabled: aws.Bool(true)}},
			}})
			return err
		},
		func() error {
			_, err := c.s3.PutBucketOwnershipControls(c.ctx, &s3.PutBucketOwnershipControlsInput{Bucket: assets, OwnershipControls: &types.OwnershipControls{
				Rules: []types.OwnershipControlsRule{{ObjectOwnership: "BucketOwnerEnforced"}},
			}})
			return err
		},
		func() error {
			_, err := c.s3.PutBucketLifecycleConfiguration(c.ctx, &s3.PutBucketLifecycleConfigurationInput{Bucket: assets, LifecycleConfiguration: &types.BucketLifecycleConfiguration{
				Rules: []types.LifecycleRule{{ID: aws.String("parts"), Status: "Enabled", Filter: &types.LifecycleRuleFilter{Prefix: aws.String("")}}},
			}})
			return err
		},
	} {
		if err := put(); err != nil {
			t.Error(err)
		}
	}
	policy, err := c.s3.GetBucketPolicy(c.ctx, &s3.GetBucketPolicyInput{Bucket: assets})
	if err != nil || aws.ToString(policy.Policy) != `{"Statement": []}` {
		t.Errorf("the policy is %v, %v", policy, err)
	}
	versioning, err := c.s3.GetBucketVersioning(c.ctx, &s3.GetBucketVersioningInput{Bucket: assets})
	if err != nil || versioning.Status != "Enabled" {
		t.Errorf("the versioning is %v, %v", versioning, err)
	}
	encryption, err := c.s3.GetBucketEncryption(c.ctx, &s3.GetBucketEncryptionInput{Bucket: assets})
	if err != nil || !aws.ToBool(encryption.ServerSideEncryptionConfiguration.Rules[0].BucketKeyEnabled) {
		t.Errorf("the encryption is %v, %v", encryption, err)
	}
	lifecycle, err := c.s3.GetBucketLifecycleConfiguration(c.ctx, &s3.GetBucketLifecycleConfigurationInput{Bucket: assets})
	if err != nil || aws.ToString(lifecycle.Rules[0].ID) != "parts" {
		t.Errorf("the lifecycle is %v, %v", lifecycle, err)
	}
	access, err := c.s3.GetPublicAccessBlock(c.ctx, &s3.GetPublicAccessBlockInput{Bucket: assets})
	if err != nil || !aws.ToBool(access.PublicAccessBlockConfiguration.BlockPublicAcls) {
		t.Errorf("the access block is %v, %v", access, err)
	}
}

func TestObjectsAreStoredWholeAndInParts(t *testing.T) {
	t.Parallel()
	c := start(t, awstest.Options{})
	c.bucket()
	for _, key := range []string{"assets/a b.zip", "plain.zip"} {
		if err := c.put(key, "content of "+key); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.s3.PutObject(c.ctx, &s3.PutObjectInput{Bucket: assets, Key: aws.String("sum"), Body: bytes.NewReader([]byte("x")), ChecksumAlgorithm: types.ChecksumAlgorithmSha256}); err != nil {
		t.Error(err)
	}
	got, err := c.s3.GetObject(c.ctx, &s3.GetObjectInput{Bucket: assets, Key: aws.String("assets/a b.zip")})
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := io.ReadAll(got.Body); string(b) != "content of assets/a b.zip" {
		t.Errorf("the object is %q", b)
	}
	_, err = c.s3.HeadObject(c.ctx, &s3.HeadObjectInput{Bucket: assets, Key: aws.String("none")})
	wantCode(t, err, "NotFound")

	upload, err := c.s3.CreateMultipartUpload(c.ctx, &s3.CreateMultipartUploadInput{Bucket: assets, Key: aws.String("big")})
	if err != nil {
		t.Fatal(err)
	}
	whole := append(bytes.Repeat([]byte("a"), 5<<20), "end"...)
	var parts []types.CompletedPart
	for i, part := range [][]byte{whole[:5<<20], whole[5<<20:]} {
		n := int32(i + 1)
		out, err := c.s3.UploadPart(c.ctx, &s3.UploadPartInput{Bucket: assets, Key: aws.String("big"), UploadId: upload.UploadId, PartNumber: &n, Body: bytes.NewReader(part)})
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, types.CompletedPart{PartNumber: &n, ETag: out.ETag})
	}
	if c.fake.Uploads("assets") != 1 {
		t.Error("the upload is not listed")
	}
	if _, err := c.s3.CompleteMultipartUpload(c.ctx, &s3.CompleteMultipartUploadInput{
		Bucket: assets, Key: aws.String("big"), UploadId: upload.UploadId, MultipartUpload: &types.CompletedMultipartUpload{Parts: parts},
	}); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(c.fake.Objects("assets")["big"], whole) || c.fake.Uploads("assets") != 0 {
		t.Error("the parts do not make the object")
	}
	_, err = c.s3.AbortMultipartUpload(c.ctx, &s3.AbortMultipartUploadInput{Bucket: assets, Key: aws.String("big"), UploadId: upload.UploadId})
	wantCode(t, err, "NoSuchUpload: ")

	keys := 0
	pages := s3.NewListObjectsV2Paginator(c.s3, &s3.ListObjectsV2Input{Bucket: assets, MaxKeys: aws.Int32(1)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(c.ctx)
		if err != nil {
			t.Fatal(err)
		}
		keys += len(page.Contents)
	}
	if keys != 4 {
		t.Errorf("%d keys are listed", keys)
	}
}

func TestATemplateIsReadFromABucketWithEarlierParameters(t *testing.T) {
	t.Parallel()
	c := start(t, awstest.Options{})
	c.bucket()
	const template = `{"Parameters": {"Secret": {"Type": "String", "NoEcho": true}, "Code": {"Type": "String", "Default": "1"}},
	  "Resources": {"F": {"Type": "AWS::Lambda::Function", "Properties": {"Code": {"Ref": "Code"}, "Secret": {"Ref": "Secret"}}}}}`
	if err := c.put("t.json", template); err != nil {
		t.Fatal(err)
	}
	for i, parameters := range [][]cloudformationtypes.Parameter{
		{{ParameterKey: aws.String("Secret"), ParameterValue: aws.String("hidden")}},
		{{ParameterKey: aws.String("Secret"), UsePreviousValue: aws.Bool(true)}, {ParameterKey: aws.String("Code"), ParameterValue: aws.String("2")}},
	} {
		kind, name := []cloudformationtypes.ChangeSetType{create, update}[i], []string{"a", "b"}[i]
		if _, err := c.cfn.CreateChangeSet(c.ctx, &cloudformation.CreateChangeSetInput{
			StackName: aws.String("s"), ChangeSetName: &name, ChangeSetType: kind, TemplateURL: aws.String("https://assets.s3.eu-central-1.amazonaws.com/t.json"), Parameters: parameters,
			Tags: []cloudformationtypes.Tag{{Key: aws.String("k"), Value: aws.String("v")}},
		}); err != nil {
			t.Fatal(err)
		}
		c.execute("s", name)
		s := c.wait("s")
		if aws.ToString(s.Parameters[0].ParameterValue) != "****" || len(s.Tags) != 1 {
			t.Errorf("the stack is %+v", s)
		}
	}
	if s, _ := c.fake.Stack("s"); s.Parameters["Secret"] != "hidden" || s.Parameters["Code"] != "2" || s.Status != "UPDATE_COMPLETE" {
		t.Errorf("the stack is %+v", s)
	}
	_, err := c.cfn.CreateChangeSet(c.ctx, &cloudformation.CreateChangeSetInput{
		StackName: aws.String("s"), ChangeSetName: aws.String("c"), TemplateURL: aws.String(c.fake.URL + "/assets/none.json"),
	})
	wantCode(t, err, "ValidationError: S3 error: ")
}

// Package assets keeps what a push uploads, archives and templates, in a bucket of the account
// that belongs to this program.
package assets

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go"

	"gatewright/model"
)

// Bucket is the bucket of assets of an account in a region. Each call names the account that
// must own it, because names of buckets are shared by all accounts
// (https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucket-owner-condition.html).
type Bucket struct {
	Client  *s3.Client
	Account string
	Region  string
	// Partition is that of the region, such as aws.
	Partition string
	// Explain makes one line of an error of the service. It may be nil.
	Explain func(error) error
}

// Name is the name of the bucket; templates name it too (template.Bucket).
func (b *Bucket) Name() string { return "gatewright-assets-" + b.Account + "-" + b.Region }

// URL is the address of an object for CloudFormation.
func (b *Bucket) URL(key string) string {
	suffix := "amazonaws.com"
	if b.Partition == "aws-cn" {
		suffix = "amazonaws.com.cn"
	}
	return "https://s3." + b.Region + "." + suffix + "/" + b.Name() + "/" + key
}

func (b *Bucket) explained(err error) error {
	if err == nil || b.Explain == nil {
		return err
	}
	return b.Explain(err)
}

// ErrForeign is the cause of the error of a bucket that another account owns.
var ErrForeign = errors.New("the bucket belongs to another account")

// Exists reports whether the bucket is there. The error matches ErrForeign if another account owns it.
func (b *Bucket) Exists(ctx context.Context) (bool, error) {
	_, err := b.Client.HeadBucket(ctx, &s3.HeadBucketInput{Bucket: aws.String(b.Name()), ExpectedBucketOwner: &b.Account})
	switch code(err) {
	case "":
		return err == nil, b.explained(err)
	case "NotFound", "NoSuchBucket":
		return false, nil
	case "Forbidden", "AccessDenied", "403":
		return false, &model.Problem{
			Field: "bucket " + b.Name(), Text: "belongs to another account, or you may not use it; nothing is uploaded",
			Fix:   "ask the account's administrator for s3:ListBucket on it, or use another region",
			Cause: errors.Join(ErrForeign, err),
		}
	}
	return false, b.explained(err)
}

// code returns the code of an error of the service, "" without one.
func code(err error) string {
	if e, ok := errors.AsType[smithy.APIError](err); ok {
		return e.ErrorCode()
	}
	return ""
}

// Ensure makes the bucket if it is missing: private, encrypted, versioned, for encrypted
// connections only. Each setting is made again if an earlier push ended before it.
func (b *Bucket) Ensure(ctx context.Context) (made bool, err error) {
	there, err := b.Exists(ctx)
	if err != nil {
		return false, err
	}
	name, owner := aws.String(b.Name()), &b.Account
	if there {
		out, err := b.Client.GetBucketVersioning(ctx, &s3.GetBucketVersioningInput{Bucket: name, ExpectedBucketOwner: owner})
		// Versioning is the last setting, so with it there are all.
		if err != nil || out.Status == types.BucketVersioningStatusEnabled {
			return false, b.explained(err)
		}
	} else if err := b.create(ctx); err != nil {
		return false, err
	}
	policy, err := b.policy()
	if err != nil {
		return false, err
	}
	yes := aws.Bool(true)
	for _, set := range []func() error{
		func() error {
			_, err := b.Client.PutPublicAccessBlock(ctx,
				&s3.PutPublicAccessBlockInput{
					Bucket: name, ExpectedBucketOwner: owner,
					PublicAccessBlockConfiguration: &types.PublicAccessBlockConfiguration{
						BlockPublicAcls: yes, BlockPublicPolicy: yes, IgnorePublicAcls: yes, RestrictPublicBuckets: yes,
					},
				})
			return err
		},
		func() error {
			_, err := b.Client.PutBucketEncryption(ctx,
				&s3.PutBucketEncryptionInput{
					Bucket: name, ExpectedBucketOwner: owner,
					ServerSideEncryptionConfiguration: &types.ServerSideEncryptionConfiguration{
						Rules: []types.ServerSideEncryptionRule{{ApplyServerSideEncryptionByDefault: &types.ServerSideEncryptionByDefault{SSEAlgorithm: types.ServerSideEncryptionAes256}}},
					},
				})
			return err
		},
		func() error {
			_, err := b.Client.PutBucketPolicy(ctx,
				&s3.PutBucketPolicyInput{Bucket: name, ExpectedBucketOwner: owner, Policy: &policy})
			return err
		},
		func() error {
			_, err := b.Client.PutBucketVersioning(ctx,
				&s3.PutBucketVersioningInput{
					Bucket: name, ExpectedBucketOwner: owner,
					VersioningConfiguration: &types.VersioningConfiguration{Status: types.BucketVersioningStatusEnabled},
				})
			return err
		},
	} {
		if err := set(); err != nil {
			return false, fmt.Errorf("the bucket %s cannot be made private: %w", b.Name(), b.explained(err))
		}
	}
	return !there, nil
}

func (b *Bucket) create(ctx context.Context) error {
	in := &s3.CreateBucketInput{Bucket: aws.String(b.Name())}
	// The first region takes no constraint (https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateBucket.html).
	if b.Region != "us-east-1" {
		in.CreateBucketConfiguration = &types.CreateBucketConfiguration{
			LocationConstraint: types.BucketLocationConstraint(b.Region),
		}
	}
	_, err := b.Client.CreateBucket(ctx, in)
	switch code(err) {
	case "BucketAlreadyOwnedByYou":
		return nil
	case "BucketAlreadyExists":
		return &model.Problem{
			Field: "bucket " + b.Name(), Text: "belongs to another account; nothing is uploaded",
			Fix: "use another region for this environment", Cause: errors.Join(ErrForeign, err),
		}
	}
	return b.explained(err)
}

// policy refuses connections that are not encrypted.
func (b *Bucket) policy() (string, error) {
	arn := "arn:" + b.Partition + ":s3:::" + b.Name()
	text, err := json.Marshal(map[string]any{"Version": "2012-10-17", "Statement": []any{map[string]any{
		"Sid": "EncryptedConnectionsOnly", "Effect": "Deny", "Principal": "*", "Action": "s3:*",
		"Resource":  []string{arn, arn + "/*"},
		"Condition": map[string]any{"Bool": map[string]string{"aws:SecureTransport": "false"}},
	}}})
	return string(text), err
}

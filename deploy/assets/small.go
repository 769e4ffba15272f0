package assets

import (
	"bytes"
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

// Put writes a small object, in the place of one that is there.
func (b *Bucket) Put(ctx context.Context, key string, body []byte) error {
	_, err := b.Client.PutObject(ctx,
		&s3.PutObjectInput{
			Bucket: aws.String(b.Name()), Key: &key, ExpectedBucketOwner: &b.Account,
			Body: bytes.NewReader(body),
		})
	return b.explained(err)
}

// List lists the keys that begin with a prefix; none if there is no bucket.
func (b *Bucket) List(ctx context.Context, prefix string) ([]string, error) {
	var keys []string
	pages := s3.NewListObjectsV2Paginator(b.Client,
		&s3.ListObjectsV2Input{Bucket: aws.String(b.Name()), ExpectedBucketOwner: &b.Account, Prefix: &prefix})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if code(err) == "NoSuchBucket" {
			return nil, nil
		}
		if err != nil {
			return nil, b.explained(err)
		}
		for _, o := range page.Contents {
			keys = append(keys, aws.ToString(o.Key))
		}
	}
	return keys, nil
}

// Delete removes an object. One that is not there is no error.
func (b *Bucket) Delete(ctx context.Context, key string) error {
	_, err := b.Client.DeleteObject(ctx,
		&s3.DeleteObjectInput{Bucket: aws.String(b.Name()), Key: &key, ExpectedBucketOwner: &b.Account})
	return b.explained(err)
}

package assets

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
)

// Asset is something to upload. Its key is made from its content, so that what is there
// already need not be uploaded again.
type Asset struct {
	Key string
	// File is where it is, or Body what it is.
	File string
	Body []byte
	// SHA256 is the hash of the content in hexadecimal digits, Size its size in bytes.
	SHA256 string
	Size   int64
}

// NewAsset returns an asset with a body.
func NewAsset(key string, body []byte) Asset {
	sum := sha256.Sum256(body)
	return Asset{Key: key, Body: body, SHA256: hex.EncodeToString(sum[:]), Size: int64(len(body))}
}

// Progress is how far the uploads are, in bytes of what has to be uploaded.
type Progress struct {
	Done, Total int64
	// Uploaded and Kept count the assets that were uploaded, and that were there already.
	Uploaded, Kept int
}

// Upload uploads the assets that are missing in the bucket, some at once. tell, which may be
// nil, is never called by two goroutines at once.
func (b *Bucket) Upload(ctx context.Context, all []Asset, tell func(Progress)) (Progress, error) {
	missing, err := b.missing(ctx, all)
	if err != nil {
		return Progress{}, err
	}
	p := &progress{tell: tell, Progress: Progress{Kept: len(all) - len(missing)}}
	for _, a := range missing {
		p.Total += a.Size
	}
	err = each(ctx, missing, func(ctx context.Context, a Asset) error {
		if err := b.put(ctx, a, p); err != nil {
			return fmt.Errorf("uploading %s: %w", a.Key, err)
		}
		p.add(0, 1)
		return nil
	})
	return p.Progress, err
}

// missing returns the assets that are not in the bucket.
func (b *Bucket) missing(ctx context.Context, all []Asset) ([]Asset, error) {
	var (
		mu      sync.Mutex
		missing []Asset
	)
	err := each(ctx, all, func(ctx context.Context, a Asset) error {
		_, err := b.Client.HeadObject(ctx,
			&s3.HeadObjectInput{Bucket: aws.String(b.Name()), Key: &a.Key, ExpectedBucketOwner: &b.Account})
		switch code(err) {
		case "NotFound", "NoSuchKey":
			mu.Lock()
			defer mu.Unlock()
			missing = append(missing, a)
			return nil
		}
		return b.explained(err)
	})
	return missing, err
}

// each calls do for all assets, a few at once, until one fails.
func each(ctx context.Context, all []Asset, do func(context.Context, Asset) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	slots := make(chan struct{}, 4*runtime.GOMAXPROCS(0))
	var running sync.WaitGroup
	for _, a := range all {
		slots <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		running.Go(func() {
			defer func() { <-slots }()
			if err := do(ctx, a); err != nil {
				cancel(err)
			}
		})
	}
	running.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

func (b *Bucket) put(ctx context.Context, a Asset, p *progress) error {
	var body io.ReadSeeker = bytes.NewReader(a.Body)
	if a.File != "" {
		file, err := os.Open(a.File)
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }()
		body = file
	}
	sum, err := hex.DecodeString(a.SHA256)
	if err != nil {
		return err
	}
	_, err = b.Client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: aws.String(b.Name()), Key: &a.Key, ExpectedBucketOwner: &b.Account, ContentLength: &a.Size,
		Body: &counted{ReadSeeker: body, progress: p}, ChecksumAlgorithm: types.ChecksumAlgorithmSha256,
		ChecksumSHA256: aws.String(base64.StdEncoding.EncodeToString(sum)),
	}, unsignedBody)
	return b.explained(err)
}

// unsignedBody leaves the body out of the signature, for which it would be read once more. The
// checksum, which is signed, protects it.
func unsignedBody(o *s3.Options) {
	o.APIOptions = append(o.APIOptions, v4.SwapComputePayloadSHA256ForUnsignedPayloadMiddleware)
}

// progress counts what is uploaded.
type progress struct {
	mu   sync.Mutex
	tell func(Progress)
	Progress
}

func (p *progress) add(bytes int64, assets int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Done += bytes
	p.Uploaded += assets
	if p.tell != nil {
		p.tell(p.Progress)
	}
}

// counted counts what is read of a body. A body that is read again, for another try or for a hash, is counted once.
type counted struct {
	io.ReadSeeker
	progress     *progress
	at, furthest int64
}

func (c *counted) Read(into []byte) (int, error) {
	n, err := c.ReadSeeker.Read(into)
	c.at += int64(n)
	if c.at > c.furthest {
		c.progress.add(c.at-c.furthest, 0)
		c.furthest = c.at
	}
	return n, err
}

func (c *counted) Seek(offset int64, whence int) (int64, error) {
	at, err := c.ReadSeeker.Seek(offset, whence)
	c.at = at
	return at, err
}

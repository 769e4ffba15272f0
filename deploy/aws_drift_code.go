package deploy

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"net/url"
	"regexp"
	"sync"

	"gatewright/cfn"
	"gatewright/deploy/account"
	"gatewright/deploy/stack"
	"gatewright/model"
)

// archiveKey matches the key of an archive, which has the SHA-256 of its bytes.
var archiveKey = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^functions/([0-9a-f]{64})\.zip$`) })

// codeDrift finds the functions whose code is another than the archive that the stack names: it
// was uploaded past the stack. The service does not compare that.
func (r *Reached) codeDrift(ctx context.Context, root *cfn.Node, d *Drift) error {
	for _, one := range r.resources {
		if one.Type != "AWS::Lambda::Function" || one.Physical == "" || one.Status == string(stack.DeleteComplete) {
			continue
		}
		of, name := r.of[one.Logical], r.name(one.Logical, one.Type)
		key := root.Get("Resources", one.Logical, "Properties", "Code", "S3Key")
		if key == nil || !archiveKey().MatchString(key.Text) {
			d.Unread = append(d.Unread, "the code of "+name+" was not compared: the stack does not name the archive of a push")
			continue
		}
		deployed, err := r.codeHash(ctx, one.Physical)
		switch {
		case account.Code(err) == "ResourceNotFoundException":
			d.Cloud = add(d.Cloud, of, name, "is gone")
		case err != nil:
			return err
		case deployed != archiveKey().FindStringSubmatch(key.Text)[1]:
			d.Cloud = add(d.Cloud, of, name, "its code is another than that of the last push")
		}
	}
	return nil
}

// codeHash returns the SHA-256 of the archive of a function as it runs, in hexadecimal digits
// (https://docs.aws.amazon.com/lambda/latest/api/API_GetFunctionConfiguration.html).
func (r *Reached) codeHash(ctx context.Context, function string) (string, error) {
	var runs struct{ CodeSha256 string }
	err := r.Send(ctx, account.Functions, account.Call{
		Operation: "GetFunctionConfiguration", Method: http.MethodGet, Path: "/2015-03-31/functions/" + url.PathEscape(function) + "/configuration",
	}, &runs)
	if err != nil {
		return "", err
	}
	sum, err := base64.StdEncoding.DecodeString(runs.CodeSha256)
	if err != nil {
		return "", &model.Problem{Field: "function " + model.Quote(function), Text: "AWS answers a hash of its code that is none", Cause: err}
	}
	return hex.EncodeToString(sum), nil
}

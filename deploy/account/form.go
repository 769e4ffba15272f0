package account

import (
	"encoding/json"
	"encoding/xml"
	"net/url"
	"strings"
)

// encode writes the input of a call.
func (s Service) encode(c Call) ([]byte, error) {
	if s.Query == "" {
		return json.Marshal(c.Input)
	}
	form := url.Values{"Action": {c.Operation}, "Version": {s.Query}}
	given, _ := c.Input.(url.Values)
	for name, values := range given {
		form[name] = values
	}
	return []byte(form.Encode()), nil
}

// formFault reads the error of a service whose answers are XML
// (https://smithy.io/2.0/aws/protocols/aws-query-protocol.html#operation-error-serialization).
func formFault(answer []byte) (code, message string) {
	var told struct {
		Error struct{ Code, Message string }
	}
	_ = xml.Unmarshal(answer, &told)
	return told.Error.Code, told.Error.Message
}

// host is the name of a service's host. Those of the global services are listed in
// https://docs.aws.amazon.com/general/latest/gr/iam-service.html
func (a *Account) host(s Service) string {
	if !s.Global {
		return s.Host + "." + a.Region + "." + a.Suffix()
	}
	switch a.partition() {
	case "aws-cn":
		return s.Host + ".cn-north-1." + a.Suffix()
	case "aws-us-gov":
		return s.Host + ".us-gov." + a.Suffix()
	}
	return s.Host + "." + a.Suffix()
}

// signedFor is the region that the calls of a service are signed for.
func (a *Account) signedFor(s Service) string {
	if !s.Global {
		return a.Region
	}
	switch a.partition() {
	case "aws-cn":
		return "cn-north-1"
	case "aws-us-gov":
		return "us-gov-west-1"
	}
	return "us-east-1"
}

// partition is that of the region.
func (a *Account) partition() string {
	switch {
	case strings.HasPrefix(a.Region, "cn-"):
		return "aws-cn"
	case strings.HasPrefix(a.Region, "us-gov-"):
		return "aws-us-gov"
	}
	return "aws"
}

// Suffix ends the names of the hosts of the partition
// (https://docs.aws.amazon.com/whitepapers/latest/aws-fault-isolation-boundaries/partitions.html).
func (a *Account) Suffix() string {
	if a.partition() == "aws-cn" {
		return "amazonaws.com.cn"
	}
	return "amazonaws.com"
}

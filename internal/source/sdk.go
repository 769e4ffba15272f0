package source

import "gatewright/model"

// Lambda's runtimes for Node.js bring the AWS SDK: version 2 up to Node.js 16, version 3 from Node.js 18
// (https://docs.aws.amazon.com/lambda/latest/dg/lambda-nodejs.html#nodejs-sdk-included).
const (
	// SDK2 is the package of version 2, and SDK2Version its last version.
	SDK2        = "aws-sdk"
	SDK2Version = "2.1693.0"
	// lastWithSDK2 is the last version of Node.js whose runtime has it.
	lastWithSDK2 = 16
)

// NodeMajor returns the version of Node.js in the name of a runtime, such as 16 for nodejs16.x;
// 0 if the name has none.
func NodeMajor(runtime string) int {
	if r := model.Runtime(runtime); r.Language() == model.NodeJS {
		return r.Release()
	}
	return 0
}

// HasSDK2 reports whether the runtime of that name brings version 2 of the AWS SDK.
func HasSDK2(runtime string) bool {
	major := NodeMajor(runtime)
	return major > 0 && major <= lastWithSDK2
}

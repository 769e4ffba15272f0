package openapi

// The keys of what gatewright adds to a document that it writes, so that reading the document
// gives the same API again. The first is at the root, the others are in a path item.
const (
	// ExtensionAPI has the label of the API.
	ExtensionAPI = "x-gatewright-api"
	// ExtensionPath has the name of the path of the API that serves the path item, such as
	// /books for the path items /books and /books/{proxy}.
	ExtensionPath = "x-gatewright-path"
	// ExtensionFunction has the resource name of the function of that path.
	ExtensionFunction = "x-gatewright-function"
	// ExtensionAccess has who may do what there, as `permissions` of cli-inputs.json.
	ExtensionAccess = "x-gatewright-access"
)

// The keys of the cloud's gateway, see
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions.html
const (
	// ExtensionAnyMethod is the operation for all methods that a path item does not have.
	ExtensionAnyMethod = "x-amazon-apigateway-any-method"
	// ExtensionIntegration says in an operation what answers it.
	ExtensionIntegration = "x-amazon-apigateway-integration"
	// ExtensionAuthType says in a security scheme how requests are checked, such as awsSigv4.
	ExtensionAuthType = "x-amazon-apigateway-authtype"
	// ExtensionBinaryMediaTypes lists at the root the media types whose bodies are bytes.
	ExtensionBinaryMediaTypes = "x-amazon-apigateway-binary-media-types"

	// ExtensionCORS says in the document of an HTTP API which pages of other origins may call.
	ExtensionCORS = "x-amazon-apigateway-cors"

	extensionAuthorizer = "x-amazon-apigateway-authorizer"
	extensionAuth       = "x-amazon-apigateway-auth"
	extensionPolicy     = "x-amazon-apigateway-policy"
	extensionEndpoint   = "x-amazon-apigateway-endpoint-configuration"
)

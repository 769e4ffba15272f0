// Package cloud stands for the cloud's services towards functions: their SDKs reach it instead of AWS. It
// passes on what the sandbox serves (tables, user pools), answers parameters and secrets from values of this
// machine, and refuses every other service at once, naming the service and the action.
//
// SDKs find it by the variable AWS_ENDPOINT_URL. For clients that do not read it, the bootstraps of Node.js
// and Python lead requests here, and other programs come through the tunnel of HTTPS_PROXY. To serve another
// service, answer it in Server.ServeHTTP before the refusal.
package cloud

// Package cloud stands for the cloud's services towards functions: their SDKs reach it
// instead of AWS. It passes on what the sandbox serves (tables, user pools), answers
// parameters and secrets from values of this machine, and refuses every other service at
// once, naming the service and the action.
package cloud

// Package prove compares who may call an API of a deployment, as a template of CloudFormation describes it,
// with the decisions of the project. It does not try samples: it goes through all requests by classes that
// the paths and the patterns of both sides make, so that what it calls equal is equal for every request.
package prove

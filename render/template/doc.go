// Package template makes the template of AWS CloudFormation that deploys an environment: its
// APIs, functions, tables and user pool, and the definition that they were made from. It is
// pure: the same backend gives the same bytes.
//
// Who may call what is said by package policy. Everything else follows the sandbox, so that a
// handler that runs there runs in the cloud: the same variables, the same grants on tables,
// the same sign-in.
package template

// Package template makes the template of AWS CloudFormation that deploys an environment: its APIs, functions, tables
// and user pool, and the definition that they were made from. It is pure: the same backend gives the same bytes.
//
// Who may call what is said by package policy. Everything else follows the sandbox, so that a handler that runs there
// runs in the cloud: the same variables, the same grants on tables, the same sign-in.
//
// A new resource is added to the stack in the file of its kind. Its number belongs to countShared or to the needs of
// its API (plan.go), and what may exceed a limit to limit.go. What an API deploys is added with define, so that its
// change makes a new deployment. A variable that functions are given has its name in model/given.go and its value in
// variable.go, and the sandbox gives it too: a test compares the two.
package template

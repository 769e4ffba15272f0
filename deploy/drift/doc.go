// Package drift says in words in what a resource of a stack is otherwise than it should be: in
// the account otherwise than in the stack, and in the stack otherwise than in the definition. It
// is pure, and shows no secret.
package drift

// Package drift says in words in what a resource of a stack differs from what it should be: in
// the account differently from in the stack, and in the stack differently from in the definition. It
// is pure, and shows no secret.
package drift

// Package answer answers whether somebody may send a request: yes or no, by which rule, and which commands would let
// a refused request through. Commands and screens print the same answer.
package answer

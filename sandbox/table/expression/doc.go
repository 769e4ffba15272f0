// Package expression parses the expressions of DynamoDB (conditions, filters, key
// conditions, projections, updates) and the legacy parameters that they replaced, and
// applies them to items. Refusals have the service's words.
package expression

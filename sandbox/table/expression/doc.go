// Package expression reads the little languages of DynamoDB's parameters (conditions, filters, key conditions, projections, updates,
// and the older parameters that say the same in JSON) and applies them to items. What it refuses it refuses with the service's words.
package expression

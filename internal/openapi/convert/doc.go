// Package convert writes a document of Swagger 2.0 as one of OpenAPI 3.0: its operations with
// parameters, bodies and answers, and its schemas. What 3.0 has otherwise is in
// https://swagger.io/blog/news/whats-new-in-openapi-3-0/ and in the two specifications,
// https://swagger.io/specification/v2/ and https://spec.openapis.org/oas/v3.0.3.html.
//
// The security and the servers are left out: access and environments say that here.
package convert

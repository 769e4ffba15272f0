// Package openapi reads documents that describe an API: Swagger 2.0 (https://spec.openapis.org/oas/v2.0.html)
// and OpenAPI 3.0, 3.1 and 3.2 (https://spec.openapis.org/oas/latest.html), in JSON or YAML. It reads what
// the rest of the program uses and keeps everything as nodes that know their places. References within the
// document are followed; those to other documents are not.
package openapi

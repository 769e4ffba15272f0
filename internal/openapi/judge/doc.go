// Package judge holds values against the schemas of a document of OpenAPI: JSON Schema
// (https://json-schema.org/draft/2020-12/json-schema-validation), with what OpenAPI 2.0 and 3.0
// have otherwise. A rule is made of each keyword once, when a schema is made ready. Values and
// schemas of strangers end fast: the steps are counted.
//
// These keywords are not judged: unevaluatedItems, unevaluatedProperties, $dynamicRef, $id and
// $anchor. Of the formats, date, date-time, uuid, email, ipv4, ipv6, int32 and int64 are judged.
// Rules.Unjudged lists most of what is not judged in a document.
package judge

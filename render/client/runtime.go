package client

import (
	"maps"
	"slices"
	"strings"
)

// runtimePart is a part of every client that uses it.
type runtimePart struct{ name, code string }

// clientRuntime are the parts that functions of clients use, in the order in which they are
// written. The first two are in every client.
var clientRuntime = []runtimePart{
	{"CallOptions", `/** What every call takes in addition to its operation's own options. */
export interface CallOptions {
  headers?: { [name: string]: string | number | boolean | readonly (string | number | boolean)[] | undefined };
  /** Milliseconds until the call fails. */
  timeout?: number;
  /** Cancels the call. */
  signal?: AbortSignal;
  /** Whether cookies are sent to another origin. */
  withCredentials?: boolean;
  /** Whether the call is tried again after an error. */
  retryStrategy?: { strategy: 'jittered-exponential-backoff' | 'no-retry' };
}
`},
	{"Answer", `/** An answer that is no error: for those, calls throw what aws-amplify throws. */
export interface Answer<Status extends number, Body> {
  statusCode: Status;
  /** By their names in small letters. */
  headers: Record<string, string>;
  body: Body;
}
`},
	{"Scalar", `/** A value of a parameter of which the contract says nothing. */
export type Scalar = string | number | boolean;
`},
	{"Payload", `interface Payload {
  text(): Promise<string>;
  blob(): Promise<Blob>;
}
`},
	{"LibraryOptions", `interface LibraryOptions {
  headers: Record<string, string>;
  body?: FormData;
  timeout?: number;
  withCredentials?: boolean;
  retryStrategy?: { strategy: 'jittered-exponential-backoff' | 'no-retry' };
}
`},
	{"call", `async function call<A>(
  send: (input: { apiName: string; path: string; options: LibraryOptions }) => {
    response: Promise<{ statusCode: number; headers: Record<string, string>; body?: Payload }>;
    cancel(): void;
  },
  path: string,
  request: CallOptions & { body?: unknown },
  read: (payload: Payload, mediaType: string) => Promise<unknown>,
  mediaTypes?: Record<string, string>,
): Promise<A> {
  const options: LibraryOptions = { headers: { ...mediaTypes } };
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    if (value !== undefined) options.headers[name.toLowerCase()] = String(value);
  }
  // The library takes whatever JSON can have, but its types take no interfaces.
  if (request.body !== undefined) options.body = request.body as FormData;
  if (request.timeout !== undefined) options.timeout = request.timeout;
  if (request.withCredentials !== undefined) options.withCredentials = request.withCredentials;
  if (request.retryStrategy !== undefined) options.retryStrategy = request.retryStrategy;
  // The library puts the path behind the endpoint as it is.
  const endpoint = Amplify.getConfig().API?.REST?.[apiName]?.endpoint;
  const operation = send({ apiName, path: endpoint?.endsWith('/') ? path.slice(1) : path, options });
  const cancel = () => operation.cancel();
  request.signal?.addEventListener('abort', cancel);
  if (request.signal?.aborted) cancel();
  try {
    const { statusCode, headers, body } = await operation.response;
    const empty = body === undefined || statusCode === 204 || statusCode === 205;
    return { statusCode, headers, body: empty ? undefined : await read(body, headers['content-type'] ?? '') } as A;
  } finally {
    request.signal?.removeEventListener('abort', cancel);
  }
}
`},
	{"readJSON", `async function readJSON(payload: Payload): Promise<unknown> {
  const text = await payload.text();
  return text === '' ? undefined : JSON.parse(text);
}
`},
	{"readText", `function readText(payload: Payload): Promise<string> {
  return payload.text();
}
`},
	{"readBlob", `function readBlob(payload: Payload): Promise<Blob> {
  return payload.blob();
}
`},
	{"readAny", `function readAny(payload: Payload, mediaType: string): Promise<unknown> {
  if (/[/+]json\b/i.test(mediaType)) return readJSON(payload);
  return mediaType === '' || /^text\/|[/+]xml\b/i.test(mediaType) ? payload.text() : payload.blob();
}
`},
	{"readNothing", `async function readNothing(): Promise<undefined> {
  return undefined;
}
`},
	{"encoded", `/** AWS signs these five characters only if they are encoded. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => '%' + sign.charCodeAt(0).toString(16).toUpperCase());
}
`},
	{"segment", `/** One segment of a path. Without this check, the request would go to another path. */
function segment(value: unknown): string {
  const text = String(value);
  if (text === '' || text === '.' || text === '..') throw new RangeError("a path cannot have the segment '" + text + "'");
  return Array.isArray(value) ? value.map((item) => encoded(String(item))).join(',') : encoded(text);
}
`},
	{"below", `/** Several segments of a path, with slashes between them. */
function below(value: unknown): string {
  return String(value).split('/').map(segment).join('/');
}
`},
	{"search", `/** A query with the question mark before it. styles say how lists and objects are written. */
function search(query: object = {}, styles: Record<string, string> = {}): string {
  const pairs: string[] = [];
  const add = (name: string, value: unknown) => {
    if (value !== undefined && value !== null) pairs.push(encoded(name) + '=' + encoded(String(value)));
  };
  for (const [name, value] of Object.entries(query) as [string, unknown][]) {
    const style = Object.entries(styles).find(([of]) => of === name)?.[1];
    const isObject = typeof value === 'object' && value !== null;
    if (style === 'json') {
      add(name, JSON.stringify(value));
    } else if (!isObject) {
      add(name, value);
    } else if (Array.isArray(value)) {
      if (style !== undefined && style !== 'deep') add(name, value.join(style));
      else for (const item of value) add(name, item);
    } else if (style !== undefined && style !== 'deep') {
      add(name, Object.entries(value).flat().join(style));
    } else {
      for (const [key, item] of Object.entries(value)) add(style === 'deep' ? name + '[' + key + ']' : key, item);
    }
  }
  return pairs.length === 0 ? '' : '?' + pairs.join('&');
}
`},
}

// imports writes the imports of the functions of the library that are used.
func (w *clientWriter) imports(out *strings.Builder) {
	var senders []string
	for _, name := range slices.Sorted(maps.Values(librarySender)) {
		if w.used[name] {
			senders = append(senders, name)
		}
	}
	if len(senders) == 0 {
		return
	}
	out.WriteString("\nimport { Amplify } from 'aws-amplify';\nimport { " + strings.Join(senders, ", ") +
		" } from 'aws-amplify/api';\n")
	for _, name := range []string{"CallOptions", "Payload", "LibraryOptions", "call"} {
		w.use(name)
	}
	if w.used["readAny"] {
		w.use("readJSON")
	}
	if w.used["segment"] || w.used["search"] {
		w.use("encoded")
	}
}

// runtime writes the parts that are used.
func (w *clientWriter) runtime(out *strings.Builder) {
	for _, part := range clientRuntime {
		if w.used[part.name] {
			out.WriteString("\n" + part.code)
		}
	}
}

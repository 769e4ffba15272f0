import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";

// handler is called for every request on the function's paths and below them.
export const handler = async (
  event: APIGatewayProxyEvent,
): Promise<APIGatewayProxyResult> => {
  const url = requestedURL(event);

  switch (event.httpMethod) {
    // GET path:      list all items.
    // GET path/<id>: load an item by id.
    case "GET":
      return answer(200, { success: "get call succeed!", url });
    case "HEAD":
      return answer(200);

    // POST path: create an item. PUT and PATCH path: update an item.
    case "POST":
    case "PUT":
    case "PATCH": {
      let body: unknown;
      try {
        body = requestBody(event);
      } catch (err) {
        const reason = err instanceof Error ? err.message : String(err);
        return answer(400, { error: `the body is not JSON: ${reason}` });
      }
      const method = event.httpMethod.toLowerCase();
      return answer(200, { success: `${method} call succeed!`, url, body });
    }

    // DELETE path/<id>: delete an item by id.
    case "DELETE":
      return answer(200, { success: "delete call succeed!", url });

    case "OPTIONS":
      return answer(200);
    default:
      return answer(404, { error: `no route for ${event.httpMethod} ${url}` });
  }
};

function answer(statusCode: number, body?: unknown): APIGatewayProxyResult {
  return {
    statusCode,
    headers: {
      "access-control-allow-origin": "*",
      "access-control-allow-headers":
        "Origin, X-Requested-With, Content-Type, Accept, Authorization, X-Amz-Date, X-Amz-Security-Token",
      "access-control-allow-methods":
        "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT",
      "content-type": "application/json; charset=utf-8",
    },
    body: body === undefined ? "" : JSON.stringify(body),
    isBase64Encoded: false,
  };
}

// requestedURL is the path of the request with its query string.
function requestedURL(event: APIGatewayProxyEvent): string {
  const parameters =
    event.multiValueQueryStringParameters ?? event.queryStringParameters ?? {};
  const query = Object.entries(parameters).flatMap(([name, values]) =>
    [values ?? []]
      .flat()
      .map(
        (value) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
      ),
  );
  return query.length === 0 ? event.path : `${event.path}?${query.join("&")}`;
}

// requestBody is the value of the JSON body; an empty object if there is no body.
function requestBody(event: APIGatewayProxyEvent): unknown {
  if (!event.body) {
    return {};
  }
  const encoding = event.isBase64Encoded ? "base64" : "utf8";
  return JSON.parse(Buffer.from(event.body, encoding).toString());
}

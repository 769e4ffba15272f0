import base64
import json
from urllib.parse import quote


def handler(event, context):
    """Answer every request on the function's paths and below them."""
    method = event.get("httpMethod")
    url = requested_url(event)

    # GET path:      list all items.
    # GET path/<id>: load an item by id.
    if method == "GET":
        return answer(200, {"success": "get call succeed!", "url": url})

    # POST path: create an item. PUT and PATCH path: update an item.
    if method in ("POST", "PUT", "PATCH"):
        try:
            body = request_body(event)
        except (ValueError, RecursionError) as error:
            return answer(400, {"error": f"the body is not JSON: {error}"})
        success = f"{method.lower()} call succeed!"
        return answer(200, {"success": success, "url": url, "body": body})

    # DELETE path/<id>: delete an item by id.
    if method == "DELETE":
        return answer(200, {"success": "delete call succeed!", "url": url})

    if method in ("HEAD", "OPTIONS"):
        return answer(200)
    return answer(404, {"error": f"no route for {method} {url}"})


def answer(status, body=None):
    return {
        "statusCode": status,
        "headers": {
            "access-control-allow-origin": "*",
            "access-control-allow-headers": "Origin, X-Requested-With, Content-Type, Accept, Authorization, X-Amz-Date, X-Amz-Security-Token",
            "access-control-allow-methods": "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT",
            "content-type": "application/json; charset=utf-8",
        },
        "body": "" if body is None else json.dumps(body, separators=(",", ":")),
        "isBase64Encoded": False,
    }


def requested_url(event):
    """The path of the request with its query string."""
    parameters = event.get("multiValueQueryStringParameters")
    if parameters is None:
        single = event.get("queryStringParameters") or {}
        parameters = {name: [value] for name, value in single.items()}
    query = "&".join(
        f"{quote(name, safe='')}={quote(value, safe='')}"
        for name, values in parameters.items()
        for value in values
    )
    path = event.get("path")
    return f"{path}?{query}" if query else path


def request_body(event):
    """The value of the JSON body; an empty object if there is no body."""
    body = event.get("body")
    if not body:
        return {}
    if event.get("isBase64Encoded"):
        body = base64.b64decode(body)
    return json.loads(body, parse_constant=refuse)


def refuse(constant):
    raise ValueError(f"{constant} is not a JSON value")

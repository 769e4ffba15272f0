import type {
  APIGatewayProxyEvent,
  APIGatewayProxyResult,
  Context,
} from "aws-lambda";
import type { IncomingMessage, ServerResponse } from "node:http";

// serve makes a Lambda handler of an app. The event and the context are in
// `req.apiGateway`.
export function serve(
  app: (req: IncomingMessage, res: ServerResponse) => unknown,
): (
  event: APIGatewayProxyEvent,
  context: Context,
) => Promise<APIGatewayProxyResult>;

declare module "node:http" {
  interface IncomingMessage {
    apiGateway?: { event: APIGatewayProxyEvent; context: Context };
  }
}

"use strict";

const { DynamoDBClient } = require("@aws-sdk/client-dynamodb");
const {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  UpdateCommand,
} = require("@aws-sdk/lib-dynamodb");
const { HttpError } = require("./http");
const { partitionKey, tableName } = require("./schema");

let client;

// The client is made by the first request and kept for the ones that follow.
function documents() {
  client ??= DynamoDBDocumentClient.from(
    new DynamoDBClient({
      region: process.env.TABLE_REGION || process.env.AWS_REGION,
    }),
    { unmarshallOptions: { wrapNumbers: true } },
  );
  return client;
}

async function send(command) {
  try {
    return await documents().send(command);
  } catch (err) {
    throw explained(err);
  }
}

// explained is an error for the caller; errors without a status are for the log.
function explained(err) {
  switch (err.name) {
    case "ConditionalCheckFailedException":
      return new HttpError(404, "there is no item with this key");
    case "ValidationException":
      return new HttpError(
        /item size/i.test(err.message) ? 413 : 400,
        err.message,
      );
    case "ResourceNotFoundException":
      console.error(err);
      return new HttpError(500, `the table "${tableName}" does not exist`);
    default:
      return err;
  }
}

// pages collects the items of a command page by page, up to limit if given.
async function pages(Command, input, limit) {
  const items = [];
  let page = {};
  do {
    page = await send(
      new Command({
        ...input,
        TableName: tableName,
        Limit: limit && limit - items.length,
        ExclusiveStartKey: page.LastEvaluatedKey,
      }),
    );
    for (const item of page.Items) {
      items.push(item);
    }
  } while (page.LastEvaluatedKey && items.length !== limit);
  return items;
}

exports.scan = (limit) => pages(ScanCommand, {}, limit);

exports.query = (value, limit) =>
  pages(
    QueryCommand,
    {
      KeyConditionExpression: "#pk = :pk",
      ExpressionAttributeNames: { "#pk": partitionKey.name },
      ExpressionAttributeValues: { ":pk": value },
    },
    limit,
  );

exports.get = async (key) => {
  const { Item } = await send(
    new GetCommand({ TableName: tableName, Key: key }),
  );
  return Item;
};

exports.put = (item) =>
  send(new PutCommand({ TableName: tableName, Item: item }));

exports.remove = (key) =>
  send(new DeleteCommand({ TableName: tableName, Key: key }));

// update sets attributes of an item that exists, and returns the changed item.
exports.update = async (key, changes) => {
  const input = {
    TableName: tableName,
    Key: key,
    ConditionExpression: "attribute_exists(#pk)",
    ExpressionAttributeNames: { "#pk": partitionKey.name },
    ReturnValues: "ALL_NEW",
  };
  if (changes.length > 0) {
    const settings = changes.map((change, i) => `#a${i} = :a${i}`);
    input.UpdateExpression = `SET ${settings.join(", ")}`;
    input.ExpressionAttributeValues = Object.fromEntries(
      changes.map(([, value], i) => [`:a${i}`, value]),
    );
    changes.forEach(([name], i) => {
      input.ExpressionAttributeNames[`#a${i}`] = name;
    });
  }
  const { Attributes } = await send(new UpdateCommand(input));
  return Attributes;
};

"use strict";

const serverless = require("serverless-http");
const app = require("./app");

// What is called for every request: it hands the event to the Express app of
// app.js and turns the app's response into the result that is returned.
exports.handler = serverless(app);

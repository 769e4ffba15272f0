"use strict";

const { serve } = require("./adapter");
const app = require("./app");

// What is called for every request: it hands the event to the Express app of
// app.js and turns the app's response into the result that is returned.
exports.handler = serve(app);

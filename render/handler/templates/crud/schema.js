"use strict";

// The table that this function serves. The environment variable TABLE_NAME
// names another table with the same keys.
exports.tableName = process.env.TABLE_NAME || __TABLE__;

exports.partitionKey = __PARTITION_KEY__;

exports.sortKey = __SORT_KEY__;

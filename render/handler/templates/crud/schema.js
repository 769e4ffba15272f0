"use strict";

// The table that this function serves. The variable TABLE_NAME of the
// function's environment names another one with the same keys.
exports.tableName = process.env.TABLE_NAME || __TABLE__;

exports.partitionKey = __PARTITION_KEY__;

exports.sortKey = __SORT_KEY__;

// Package table serves key-value tables on this machine as DynamoDB does: its wire protocol over one bbolt file.
//
// A Store owns the file. Handler is the protocol for unmodified SDKs, Do the same in this process. Facts: research/sandbox.md 3;
// messages and their order are those that the service was recorded to give.
//
// Beside the operations on tables and items there are statements (PartiQL) and streams. Time to live is kept and described, and deletes
// nothing: the service takes days for it, and programs have to leave expired items out themselves. Backups, replicas and encryption are
// not here.
//
// On disk every table has a number and buckets of its own: its items by key, one bucket for each index, the changes of its stream.
// A key begins with a hash of the partition key, so a scan comes in no order that a program could lean on, as in the cloud, and a
// segment of a parallel scan is a range of keys.
package table

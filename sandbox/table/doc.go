// Package table serves DynamoDB tables on this machine: its wire protocol over one bbolt file.
//
// A Store owns the file. Handler serves the protocol to unmodified SDKs, Do runs an operation in this
// process. The messages of refusals, and the order in which a request is checked, are those of the service.
//
// Besides the operations on tables and items, there are statements (PartiQL) and streams. Time to live is
// stored and described, but deletes nothing: the service takes days to delete expired items, so programs have
// to filter them anyway. There are no backups, replicas or encryption.
//
// In the file, every table has a number and its own buckets: its items by key, one bucket for each index, and
// the changes of its stream. A key begins with a hash of the partition key, so a scan has no order that a
// program could rely on, as in the cloud, and a segment of a parallel scan is a range of keys.
package table

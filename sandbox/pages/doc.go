// Package pages keeps a bbolt file whose pages are checked whenever they are used.
//
// bbolt has a checksum for its two meta pages and for nothing else: a page with other bytes than were written
// makes it panic, end up in another page, or return wrong data. A File knows the checksum of every page of
// the present tree. It checks each page on the way to a key before anything in it is believed, and each page
// that a change replaces before the change is acknowledged. Damage is a *DamageError, and the first one ends
// all changes, so that nothing is built on it.
//
// The checksums are in a second file next to the first, with the suffix Suffix. Every change appends a record
// to it; if the process is killed between the change and the record, the next Open finds the pages of the one
// change by comparing the trees. Without that file, or if another program has changed the database, Open
// checks the structure of every page and takes it as it is.
//
// The format of pages is that of bbolt, https://github.com/etcd-io/bbolt.
package pages

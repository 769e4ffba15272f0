// Package archive makes the zip archives from which Lambda runs functions and layers.
//
// An archive depends on nothing but what it is made from: neither on the folder, the day, the umask nor the machine's
// system. So the same source has the same SHA-256, and what did not change is not uploaded again. Nothing is written
// into a source: packages are installed, programs built and archives kept in a cache.
package archive

// Package logtail opens logs, of the sandbox or in AWS, in a dialog over any page: it reads the
// lines in the background, follows them, and gives the keys of the dialog what they need.
package logtail

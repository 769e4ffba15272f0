// Package aws has what AWS accepts, as far as a definition can break it, and checks an
// environment against it without the network.
package aws

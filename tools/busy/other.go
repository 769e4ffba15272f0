//go:build !linux

package main

import "fmt"

func main() { fmt.Println("busy runs on Linux only") }

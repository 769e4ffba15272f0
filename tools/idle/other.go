//go:build !linux

package main

import "fmt"

func main() { fmt.Println("idle runs on Linux only") }

//go:build !linux

package main

import "fmt"

func main() { fmt.Println("idle is measured on Linux alone") }

// Command pgknee reads benchmark results and profiles and says where throughput bends, why, and which default should change.
package main

import "os"

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

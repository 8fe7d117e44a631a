// Package model owns the laws of throughput over concurrency, and how they are fitted and ranked.
package model

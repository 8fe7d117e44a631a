// Package advise owns rules as data: from findings to recommendations with evidence.
package advise

//go:build !js

package export

import "github.com/gocarina/gocsv"

func marshal(rows []row) string {
	out, err := gocsv.MarshalString(&rows)
	if err != nil {
		panic(err) // rows of text always marshal
	}
	return out
}
